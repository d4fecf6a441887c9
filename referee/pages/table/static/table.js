// The table: the verdict, what must be put right, the players, and what was said.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, drawTile = Referee.tile;
  // The verdict that somebody has unfolded, in words.
  var unfolded = null;

  function byId(name) { return document.getElementById(name); }

  Referee.on(["live"], function (parts) {
    byId("live").textContent = parts.live.text;
    var box = byId("troubles");
    box.textContent = parts.live.troubles.join(" ");
    box.hidden = !parts.live.troubles.length;
  });

  // Where something is missing, and before a match, the way to what is to be done next.
  Referee.on(["setup"], function (parts) {
    var box = byId("to-setup"), setup = parts.setup, lacks = setup.stage === "missing", link;
    if (!box) { return; }
    link = box.querySelector("a");
    link.textContent = !lacks ? link.dataset.start : setup.decision ? link.dataset.decide : link.dataset.setup;
    link.setAttribute("href", !lacks && setup.named ? "/setup/start" : "/setup");
    box.hidden = !lacks && (!setup.lobby || setup.choosing);
  });

  Referee.on(["match"], function (parts) {
    var list = empty(byId("players")), match = parts.match;
    match.players.forEach(function (player) {
      var opened = player.opened ? list.dataset.opened : list.dataset.notOpened;
      list.appendChild(make("li", { class: (player.turn ? "turn" : "") + (player.won ? " won" : ""), "aria-current": player.turn ? "true" : null }, [
        make("span", { class: "name", text: player.name }),
        make("span", { class: "hand", text: player.hand_text }),
        player.bank_text ? make("span", { class: "hand bank", text: player.bank_text }) : null,
        match.gin ? null : make("span", { class: "opened" + (player.opened ? " yes" : ""), text: opened }),
        make("span", { class: "total", text: player.total_text })
      ]));
    });
    if (byId("round")) { byId("round").textContent = match.text; }
    byId("people").hidden = !match.players.length;
  });

  // Whether the coach may be asked in this match, and how often it was.
  Referee.on(["coach"], function (parts) {
    var box = byId("coach");
    if (!box) { return; }
    box.textContent = parts.coach.lines.join(" ");
    box.hidden = !parts.coach.lines.length;
  });

  // Who draws; and between turns what was said last: who won, who deals. In a turn the verdict says the rest.
  Referee.on(["match", "said", "verdict"], function (parts) {
    var box = byId("news"), match = parts.match, said = parts.said || [], verdict = parts.verdict;
    var told = !match || match.phase === "starting" ? "" : match.draws_text;
    if (!told && said.length && (["lobby", "between", "over"].indexOf(match.phase) >= 0 || match.gin && match.phase === "turn")) { told = said[said.length - 1].text; }
    // A reason for a refusal stands in the verdict.
    if (verdict && verdict.faults.some(function (fault) { return fault.text === told; })) { told = ""; }
    if (box.textContent !== told) { box.textContent = told; }
    box.hidden = !told;
  });

  Referee.on(["table"], function (parts) { drawSets(byId("drawn"), parts.table.sets); });

  function face(told, extra) {
    var made = drawTile(told, extra);
    made.setAttribute("data-tile", told.tile);
    return made;
  }

  function drawSets(box, sets) {
    empty(box);
    if (!sets.length && box.dataset.empty) { box.appendChild(make("p", { text: box.dataset.empty })); }
    sets.forEach(function (set) {
      var tiles = set.tiles || set, row = make("div", { class: "set" + (set.lies === undefined ? "" : set.lies ? " lies" : " missing") });
      if (set.lies) { row.appendChild(make("span", { class: "done", text: "✓", "aria-hidden": "true" })); }
      tiles.forEach(function (told) { row.appendChild(face(told)); });
      box.appendChild(row);
    });
  }

  function about(names, sets) {
    var picture = Referee.parts.picture;
    if (!picture) { return []; }
    return picture.tiles.filter(function (tile) {
      return sets.length ? sets.indexOf(tile.set) >= 0 : names.indexOf(tile.tile) >= 0;
    }).map(function (tile) { return tile.read; });
  }

  // What is said of some tiles shows them: pointed at, focused, or tapped.
  function shows(line, tiles, sets) {
    var names = tiles.map(function (told) { return told.tile; });
    function on() { Referee.mark(about(names, sets), names); line.classList.add("shown"); }
    function off() { Referee.mark(null, null); line.classList.remove("shown"); }
    if (!names.length && !sets.length) { return; }
    line.setAttribute("tabindex", "0");
    line.addEventListener("mouseenter", on);
    line.addEventListener("mouseleave", off);
    line.addEventListener("focus", on);
    line.addEventListener("blur", off);
    line.addEventListener("click", on);
  }

  Referee.on(["verdict", "due"], function (parts) {
    var box = empty(byId("verdict")), verdict = parts.verdict;
    box.hidden = !verdict;
    if (!verdict) { return; }
    box.className = "verdict " + (verdict.accepted ? "accepted" : "refused");
    box.appendChild(make("h2", { text: verdict.idle ? verdict.idle : (verdict.accepted ? "✓ " + box.dataset.accepted : "✗ " + box.dataset.refused) + Referee.colon() + verdict.player }));
    verdict.faults.forEach(function (fault) {
      var line = make("p", { class: "fault" }, [make("span", { text: fault.text })]);
      fault.tiles.forEach(function (told) { line.appendChild(drawTile(told, "small")); });
      shows(line, fault.tiles, fault.sets);
      box.appendChild(line);
    });
    verdict.explanation.forEach(function (text) { box.appendChild(make("p", { text: text })); });
    fold(box);
  });

  // On a phone the first fault, and what must be put right, leave room for the picture; the rest is one tap away.
  function fold(box) {
    var lines = box.querySelectorAll("p"), seen = Referee.parts.due ? 0 : 1, more, text = box.textContent;
    if (lines.length <= seen || !box.dataset.more) { return; }
    more = make("button", { type: "button", class: "quiet more", "aria-expanded": "false", text: box.dataset.more.replace("{number}", lines.length - seen) });
    more.addEventListener("click", function () {
      box.classList.add("unfolded");
      unfolded = text;
      Referee.fitPicture();
    });
    box.insertBefore(more, lines[seen]);
    box.classList.toggle("unfolded", text === unfolded);
  }

  Referee.on(["due"], function (parts) {
    var box = byId("due"), due = parts.due, steps = empty(byId("steps"));
    box.hidden = !due;
    document.body.classList.toggle("to-do", !!due);
    if (!due) { return; }
    due.steps.forEach(function (step) {
      var line = make("li", { class: "fault" }, [make("span", { text: step.text })]);
      step.tiles.forEach(function (told) { line.appendChild(drawTile(told, "small")); });
      shows(line, step.tiles, []);
      steps.appendChild(line);
    });
    drawSets(byId("target"), due.target);
  });

  Referee.on(["said"], function (parts) {
    var list = empty(byId("said"));
    parts.said.slice().reverse().forEach(function (one) { list.appendChild(make("li", { text: one.text })); });
  });
})();
