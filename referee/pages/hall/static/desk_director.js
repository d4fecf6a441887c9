// The director's desk: sets the time of the round, announces.
"use strict";

(function () {
  var make = Referee.element, desk = document.getElementById("desk"), send = Orders.post;
  if (!desk) { return; }

  function byId(name) { return document.getElementById(name); }
  function write(place, text) { if (place.textContent !== text) { place.textContent = text; } }

  function number(name) { return parseInt(byId(name).value, 10); }

  byId("clock-set").addEventListener("submit", function (event) {
    event.preventDefault();
    send(byId("clock-set").querySelector("button"), "clock-set", { minutes: number("clock-minutes"), warn: number("clock-warn"), each: byId("clock-each").checked }, function () { byId("clock-run").focus(); }, { as: byId("clock-each").checked ? "each" : "" });
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
    write(byId("clock-none"), told ? byId("clock-none").dataset.next.replace("{minutes}", Math.round(told.seconds / 60)) : byId("clock-none").dataset.none);
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

  Referee.on(["round-clock"], clock);
  Referee.on(["every-round"], everyRound);
  Referee.on(["hall"], tables);
  // Times of another day have their date; without the server's clock no moment of it means anything here.
  function moment(at) {
    if (Referee.doubt() === null) { return "…"; }
    var day = new Date(Date.now() - (Referee.clock() - at) * 1000), today = day.toDateString() === new Date().toDateString();
    return (today ? "" : Referee.date(day, true) + ", ") + Referee.time(day);
  }

  // All announcements, the newest first: until when each is shown, and that it is over once it is.
  function announced(parts) {
    var all = parts.announced || [], list = Referee.empty(byId("announced-list"));
    byId("announced").hidden = !all.length;
    all.forEach(function (one) { list.appendChild(announcement(one)); });
    passed();
  }

  function announcement(one) {
    var words = byId("announced").dataset, refused = one.refused.map(function (table) { return make("li", { class: "wrong", text: table.table + Referee.colon() + table.why }); });
    var withdraw = make("button", { type: "button", text: words.withdraw, "aria-label": words.withdraw + Referee.colon() + one.text });
    withdraw.addEventListener("click", function () { send(withdraw, "announce-withdraw", { announcement: one.id }, function () { byId("text").focus(); }); });
    return make("li", { "data-at": one.at, "data-until": one.until, "data-withdrawn": one.withdrawn }, [
      make("b", { class: "at" }), make("span", { text: " " + one.text }), make("p", { class: "soft until" }),
      make("p", { class: "soft", text: one.sent }), make("p", { class: "soft while", text: one.seen }),
      refused.length ? make("ul", {}, refused) : null,
      make("p", { class: "choices while" }, [withdraw]), one.at_tables ? make("p", { class: "soft while", text: words.atTables }) : null
    ]);
  }

  // Only what is still shown can be withdrawn.
  function passed() {
    [].forEach.call(byId("announced-list").children, function (one) {
      var words = byId("announced").dataset, until = "until" in one.dataset ? parseFloat(one.dataset.until) : null, withdrawn = "withdrawn" in one.dataset;
      var known = Referee.doubt() !== null, over = withdrawn || until === null || known && Referee.clock() >= until, told = over ? words.over : words.until;
      write(one.querySelector(".at"), moment(parseFloat(one.dataset.at)));
      write(one.querySelector(".until"), withdrawn ? words.withdrawn : until === null ? "" : told.replace("{time}", moment(until)));
      [].forEach.call(one.querySelectorAll(".while"), function (part) { part.hidden = over; });
    });
  }

  Referee.on(["announced"], announced);
  Referee.restarted = Orders.reload;
  setInterval(function () { tick(); passed(); }, 200);
})();
