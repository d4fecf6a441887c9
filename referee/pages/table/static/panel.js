// The panel on a screen: a big button for each player, or for one; start and pause; lamps, tones, clock.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, KEPT = "panel.whose";
  var pads = {};

  function byId(name) { return document.getElementById(name); }

  function kept() { try { return localStorage.getItem(KEPT) || ""; } catch (barred) { return ""; } }
  var whose = kept();

  function write(box, text) { if (box.textContent !== text) { box.textContent = text; } }

  // Buttons stay in their place while what stands on them changes: a finger may lie on one.
  // `acts`: what this one does changes with every press; whoever presses it second shall not undo what the first did.
  function pad(told, kind) {
    var one = pads[told.button];
    if (!one) {
      one = pads[told.button] = make("button", { type: "button", class: "pad " + kind, "data-button": told.button }, [
        make("span", { class: "pad-name" }), make("span", { class: "pad-who" }), make("span", { class: "pad-says" }),
        make("span", { class: "pad-held", text: "● " + byId("pads").dataset.held, "aria-hidden": "true" }), make("span", { class: "sr pad-lamp" })
      ]);
      Press.listen(one);
    }
    if (told.acts && one.dataset.acts && one.dataset.acts !== told.says) { one.dataset.since = Date.now(); }
    if (told.acts) { one.dataset.acts = told.says; }
    write(one.querySelector(".pad-name"), told.name || told.says);
    one.querySelector(".pad-name").classList.toggle("long", Math.max.apply(null, (told.name || "").split(/[\s-]/).map(function (word) { return word.length; })) > 8);
    write(one.querySelector(".pad-who"), told.who || "");
    write(one.querySelector(".pad-says"), told.name ? told.says : "");
    one.classList.toggle("turn", Boolean(told.turn));
    one.dataset.lamp = told.lamp || "";
    return one;
  }

  function choose(buttons) {
    var list = byId("whose"), names = [["", list.dataset.all]].concat(buttons.map(function (told) { return [told.button, told.name]; }));
    var text = JSON.stringify(names);
    byId("whose-line").hidden = buttons.length < 2;
    if (list.dataset.made !== text) {
      list.dataset.made = text;
      empty(list);
      names.forEach(function (name) { list.appendChild(make("option", { value: name[0], text: name[1] })); });
    }
    list.value = buttons.some(function (told) { return told.button === whose; }) ? whose : "";
    return list.value;
  }

  function draw(parts) {
    var told = parts.buttons, box = byId("pads"), shown = [], mine;
    if (!told) { return; }
    mine = choose(told.buttons);
    told.buttons.forEach(function (one) { if (!mine || one.button === mine) { shown.push(pad(one, "player")); } });
    if (told.start) {
      shown.push(pad({ button: told.start.button, says: told.start.says, acts: told.start.now }, "start"));
    }
    Array.prototype.slice.call(box.children).forEach(function (child) { if (shown.indexOf(child) < 0) { box.removeChild(child); } });
    shown.forEach(function (child, place) {
      if (box.children[place] !== child) { box.insertBefore(child, box.children[place] || null); }
      child.disabled = !told.touch;
    });
    box.className = "pads" + (mine || told.buttons.length === 1 ? " alone" : "");
    write(byId("switched-off"), told.off);
    byId("switched-off").hidden = told.touch || !told.buttons.length;
    write(byId("hold"), told.hold);
    byId("hold-start").hidden = !told.start;
    byId("hold").parentNode.hidden = !told.touch;
    glow(parts);
  }

  // The lamp of whoever has to draw; empty where nobody has.
  function drawer(parts) {
    var drawing = (parts.match ? parts.match.players : []).filter(function (player) { return player.draws; })[0];
    return drawing ? "player-" + (drawing.button + 1) : "";
  }

  // On a player's own phone the lamp for drawing is lit for that player only.
  function glow(parts) {
    var lamps = parts.lamps || {}, shared = {}, own = byId("whose").value, whom = drawer(parts);
    Object.keys(lamps).forEach(function (name) { shared[name] = lamps[name]; });
    if (own && pads[own] && whom && pads[own].dataset.lamp !== whom) { delete shared.draw; }
    Lamps.glow(shared);
    Object.keys(pads).forEach(function (button) { Lamps.edge(pads[button], pads[button].dataset.lamp ? lamps[pads[button].dataset.lamp] : ""); });
  }

  function answered(text) {
    var box = byId("answer");
    write(box, text === null ? box.dataset.cut : text);
  }

  function hint() { byId("sound-hint").hidden = !Tones.silent(); }

  document.addEventListener("DOMContentLoaded", function () {
    Lamps.draw();
    Press.answers(answered, byId("pads").dataset.changed);
    byId("whose").addEventListener("change", function () {
      whose = byId("whose").value;
      try { localStorage.setItem(KEPT, whose); } catch (barred) { /* it holds until the page is left */ }
      draw(Referee.parts);
    });
    byId("sound").checked = Tones.wanted();
    byId("sound").addEventListener("change", function () { Tones.want(byId("sound").checked); });
    byId("sound-now").addEventListener("click", Tones.wake);
    setInterval(hint, 500);
  });

  Referee.on(["buttons"], draw);
  Referee.on(["lamps", "match"], glow);

  Referee.on(["match"], function (parts) {
    write(byId("news"), parts.match.draws_text || "");
    byId("news").hidden = !parts.match.draws_text;
  });

  // All that must be put right, step by step.
  Referee.on(["due"], function (parts) {
    var steps = empty(byId("steps")), due = parts.due;
    byId("due").hidden = !due;
    (due ? due.steps : []).forEach(function (step) {
      var line = make("li", { class: "fault" }, [make("span", { text: step.text })]);
      step.tiles.forEach(function (told) { line.appendChild(Referee.tile(told, "small")); });
      steps.appendChild(line);
    });
  });
  Referee.on(["setup"], function (parts) {
    var box = byId("to-setup"), link = box.querySelector("a");
    box.hidden = parts.setup.stage !== "missing";
    write(link, parts.setup.decision ? link.dataset.decide : link.dataset.setup);
  });
  Referee.on(["live"], function (parts) {
    write(byId("live"), parts.live.text);
    byId("troubles").textContent = parts.live.troubles.join(" ");
    byId("troubles").hidden = !parts.live.troubles.length;
  });
  // The last sentence, unless headline and buttons already say that; of how it is decided who begins, the rest is said here.
  function saidLast(said) {
    var known = byId("last-said").dataset, texts = said.slice(-2).map(function (one) { return one.text; }), last = texts.pop() || "";
    if (last === known.paused) { return ""; }
    return last !== known.press ? last : texts[0] === known.draw ? known.draw : "";
  }

  // A refusal is told with all of its faults; who draws, and what must be put right, stands elsewhere.
  Referee.on(["said", "verdict", "match", "due"], function (parts) {
    var last = saidLast(parts.said || []), verdict = parts.verdict;
    var faults = verdict && !verdict.accepted ? verdict.faults.map(function (fault) { return fault.text; }) : [];
    var steps = parts.due ? parts.due.steps.map(function (step) { return step.text; }) : [];
    if (steps.indexOf(last) >= 0 || parts.match && last === parts.match.draws_text) { last = ""; }
    write(byId("last-said"), faults.indexOf(last) >= 0 ? faults.join(" ") : last);
  });

  // Questions are answered beside the picture, and so is what was misread.
  Referee.on(["question", "offers"], function (parts) {
    var link = byId("to-table").querySelector("a"), asked = parts.question, offers = parts.offers;
    write(link, asked ? link.dataset.which : link.dataset.misread);
    byId("to-table").hidden = !offers && !(asked && asked.doubts.some(function (doubt) { return doubt.read !== null; }));
  });
})();
