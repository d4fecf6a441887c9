// The director's desk: sets the time of the round, answers calls, announces.
"use strict";

(function () {
  var make = Referee.element, told = document.getElementById("told"), words = document.getElementById("words").dataset, desk = document.getElementById("desk");
  var KEY = "director-name";
  if (!desk) { return; }

  function byId(name) { return document.getElementById(name); }
  function write(place, text) { if (place.textContent !== text) { place.textContent = text; } }

  function id() {
    var numbers = new Uint32Array(3);
    crypto.getRandomValues(numbers);
    return "desk-" + [].map.call(numbers, function (one) { return one.toString(36); }).join("-");
  }

  // A button that was pressed takes no other press until there was an answer.
  function send(button, command, fields, after) {
    var post = { command: command, id: id(), n: Referee.number() };
    Object.keys(fields).forEach(function (name) { post[name] = fields[name]; });
    if (button.sending) { return; }
    button.sending = true;
    write(told, "");
    fetch("/api/command", {
      method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/json" }, body: JSON.stringify(post)
    }).then(function (answer) {
      return answer.json().then(function (body) {
        write(told, answer.ok ? body.told || words.sent : body.told || words.failed);
        if (answer.ok && after) { after(); }
      });
    }).catch(function () { write(told, words.failed); }).then(function () { button.sending = false; });
  }

  function number(name) { return parseInt(byId(name).value, 10); }

  byId("clock-set").addEventListener("submit", function (event) {
    event.preventDefault();
    send(byId("clock-set").querySelector("button"), "clock-set", { minutes: number("clock-minutes"), warn: number("clock-warn"), each: byId("clock-each").checked }, function () { byId("clock-run").focus(); });
  });
  byId("clock-run").addEventListener("click", function () {
    var clock = Referee.parts["round-clock"];
    send(byId("clock-run"), clock && clock.ends_at !== null ? "clock-pause" : "clock-start", {});
  });
  [].forEach.call(document.querySelectorAll("[data-more]"), function (button) {
    button.addEventListener("click", function () { send(button, "clock-extend", { minutes: parseInt(button.dataset.more, 10) }); });
  });
  byId("clock-stop").addEventListener("click", function () { send(byId("clock-stop"), "clock-stop", {}, function () { byId("clock-minutes").focus(); }); });

  function clock(parts) {
    var now = parts["round-clock"], run = byId("clock-run");
    byId("clock-steps").hidden = byId("clock-big").hidden = !now;
    byId("clock-none").hidden = Boolean(now);
    write(byId("clock-told"), now ? now.told : "");
    if (now) { write(run, now.ends_at !== null ? run.dataset.pause : now.started ? run.dataset.goOn : run.dataset.start); }
    tick();
  }

  // What was typed stays: the length of all rounds is written into the form only when it changes.
  function everyRound(parts) {
    var told = parts["every-round"];
    byId("clock-each").checked = Boolean(told);
    if (!told) { return; }
    byId("clock-minutes").value = Math.round(told.seconds / 60);
    byId("clock-warn").value = Math.round(told.warn / 60);
  }

  function tick() {
    var left = RoundDesk.left(), now = Referee.parts["round-clock"];
    if (left === null) { return; }
    write(byId("clock-left"), RoundDesk.written(Math.ceil(left - 0.001)));
    write(byId("clock-state"), left === 0 ? desk.dataset.up : RoundDesk.stands(now, desk));
    byId("clock-left").className = left === 0 ? "up" : now.warn && left <= now.warn ? "soon" : "";
  }

  function who() { return byId("who").value.trim(); }
  try { byId("who").value = localStorage.getItem(KEY) || ""; } catch (barred) { /* It is typed anew. */ }
  byId("who").addEventListener("change", function () { try { localStorage.setItem(KEY, who()); } catch (barred) { /* as above */ } });

  function time(moment) {
    return new Date(Date.now() - (Referee.clock() - moment) * 1000).toLocaleTimeString(Referee.locale(), { hour: "2-digit", minute: "2-digit" });
  }

  function call(one) {
    function button(text, command, fields, strong) {
      var made = make("button", { type: "button", class: strong ? "strong" : "", "data-answer": command + " " + one.id }, [make("span", { text: text }), make("span", { class: "sr", text: Referee.colon() + one.table })]);
      made.addEventListener("click", function () { send(made, command, fields()); });
      return made;
    }
    var about = [one.reason, one.text].filter(Boolean).join(Referee.colon());
    return make("li", { class: "call" + (one.coming ? " coming" : "") }, [
      make("h3", {}, [make("span", { text: one.table }), make("span", { class: "soft", text: " " + desk.dataset.since.replace("{time}", time(one.at)) })]),
      one.by ? make("p", { text: one.by }) : null,
      about ? make("p", { text: about }) : null,
      one.stopped ? make("p", { class: "soft", text: one.stopped }) : null,
      one.away ? make("p", { class: "wrong", text: one.away }) : null,
      one.coming ? make("p", { class: "state", text: one.coming }) : null,
      make("p", { class: "choices" }, [
        one.coming ? null : button(desk.dataset.come, "call-coming", function () { return { call: one.id, who: who() }; }, true),
        button(desk.dataset.done, "call-done", function () { return { call: one.id }; }, Boolean(one.coming))
      ])
    ]);
  }

  // Whoever stands on a button of a call still does after another call has come.
  function calls(parts) {
    var list = byId("calls"), focus = document.activeElement && document.activeElement.getAttribute("data-answer");
    Referee.empty(list);
    parts.calls.forEach(function (one) { list.appendChild(call(one)); });
    byId("no-calls").hidden = parts.calls.length > 0;
    list.hidden = !parts.calls.length;
    if (!focus) { return; }
    var again = [].filter.call(list.querySelectorAll("[data-answer]"), function (button) { return button.getAttribute("data-answer") === focus; })[0];
    (again || list.querySelector("button") || byId("calls-heading")).focus();
  }

  // Announcements go to all tables, or to those that are ticked.
  function tables(parts) {
    var box = byId("to-tables"), ticked = {};
    [].forEach.call(box.querySelectorAll("input:checked"), function (input) { ticked[input.value] = true; });
    Referee.empty(box);
    parts.hall.tables.forEach(function (name) {
      var input = make("input", { type: "checkbox", value: name, checked: Boolean(ticked[name]) });
      box.appendChild(make("label", { class: "tick" }, [input, make("span", { text: name })]));
    });
    choose();
    write(byId("alone"), parts.hall.alone);
    byId("alone").hidden = !parts.hall.alone;
  }

  function choose() { byId("to-tables").hidden = byId("to-all").checked; }
  byId("to-all").addEventListener("change", choose);
  byId("announce").addEventListener("submit", function (event) {
    var fields = { text: byId("text").value, minutes: number("announce-minutes") };
    event.preventDefault();
    if (!byId("to-all").checked) {
      fields.tables = [].map.call(byId("to-tables").querySelectorAll("input:checked"), function (input) { return input.value; });
      if (!fields.tables.length) { fields.tables = [""]; }
    }
    send(byId("announce").querySelector("[type=submit]"), "announce", fields, function () { byId("text").value = ""; });
  });

  function announced(parts) {
    var last = parts.announced, list = byId("announced-refused");
    byId("announced").hidden = !last;
    if (!last) { return; }
    byId("announced-tables").hidden = !last.at_tables;
    passed();
    write(byId("announced-text"), last.text);
    write(byId("announced-sent"), last.sent);
    Referee.empty(list);
    last.refused.forEach(function (one) { list.appendChild(make("li", { class: "wrong", text: one.table + Referee.colon() + one.why })); });
  }

  // Only what is still shown can be withdrawn.
  function passed() {
    var last = Referee.parts.announced, over = !last || Referee.clock() >= last.until;
    byId("announced-withdraw").hidden = over;
    if (over) { byId("announced-tables").hidden = true; }
  }
  byId("announced-withdraw").addEventListener("click", function () {
    var last = Referee.parts.announced;
    if (last) { send(byId("announced-withdraw"), "announce-withdraw", { announcement: last.id }, function () { byId("text").focus(); }); }
  });

  Referee.on(["round-clock"], clock);
  Referee.on(["every-round"], everyRound);
  Referee.on(["calls"], calls);
  Referee.on(["hall"], tables);
  Referee.on(["announced"], announced);
  setInterval(function () { tick(); passed(); }, 200);
})();
