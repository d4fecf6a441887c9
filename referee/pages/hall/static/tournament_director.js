// The director's page as a whole: what can be done next, asked twice where it cannot be undone.
"use strict";

(function () {
  var make = Referee.element, byId = Tournament.byId, PANELS = { "begin-sure": "begin", "withdraw-sure": "withdraw", "final-sure": "final-open", "final-undo-sure": "final-undo", "end-sure": "end", "all-here-sure": "all-here" }, MANY_TABLES = 8, asked = null, drawn = false, NARROW = window.matchMedia("(max-width: 40rem)");
  if (NARROW.matches) { byId("agreed-fold").open = false; }

  // Once there are seats they come first: what was agreed on is one line then, unless somebody unfolds it.
  function agreement(told) {
    byId("agreed-fold").hidden = !told;
    if (told && told.round && !drawn) { byId("agreed-fold").open = false; }
    drawn = Boolean(told && told.round);
  }
  if (!byId("contest")) {
    Referee.on(["tournament"], function (parts) {
      Tournament.title(parts.tournament);
      agreement(parts.tournament);
    });
    return;
  }

  function shut(name, back) {
    byId(name).hidden = true;
    byId(PANELS[name]).setAttribute("aria-expanded", "false");
    if (back) { byId(PANELS[name]).focus(); }
  }

  function opens(name, first) {
    byId(PANELS[name]).addEventListener("click", function () {
      Object.keys(PANELS).forEach(function (other) { shut(other); });
      byId(name).hidden = false;
      byId(PANELS[name]).setAttribute("aria-expanded", "true");
      byId(first).focus();
    });
    byId(name).querySelector("[data-close]").addEventListener("click", function () { shut(name, true); });
    byId(name).addEventListener("keydown", function (event) { if (event.key === "Escape") { shut(name, true); } });
  }

  // What was pressed may have gone: whoever works by keyboard goes on at what comes next.
  function onward() { byId(byId("steps").hidden ? "round-heading" : "steps-heading").focus(); }

  function may(name, can, offered) {
    byId(name).hidden = !offered;
    byId(name).disabled = !can;
    if (!can || !offered) { Object.keys(PANELS).forEach(function (panel) { if (PANELS[panel] === name) { shut(panel); } }); }
  }

  function steps(told) {
    var here = told.players.filter(function (one) { return one.here; }).length, rest = told.stage === "entering" || told.stage === "between";
    var results = told.tables.some(function (one) { return one.points !== null; }), under = told.stage === "drawn" || told.stage === "playing";
    may("all-here", here < told.players.length, !told.ended && here < told.players.length);
    var playing = told.stage === "playing", next = rest || playing;
    byId("steps").hidden = told.ended || !(next || under && !results);
    Tournament.write(byId("draw"), Tournament.fill(told.final ? byId("draw").dataset.final : byId("draw").dataset.text, { round: told.round + 1 }));
    may("draw", rest && !told.waits, next && (told.round < told.rounds || told.newcomers) && !told.drawing);
    Tournament.write(byId("draw-waits"), next && !told.drawing ? told.waits : "");
    may("begin", !told.begun, told.stage === "drawn");
    may("withdraw", !results, under && !results);
    var last = playing && told.round >= told.rounds;
    may("end", rest, (rest || last) && !told.drawing);
    may("final-open", rest, told.in_groups && told.round > 0 && (rest || last) && !told.drawing);
    may("final-undo", true, told.final_undo && !told.drawing);
    byId("final-open").classList.toggle("strong", byId("draw").hidden);
    // Beside the draw it would be one slip of a finger away; after the last round it is what comes next.
    byId("end").classList.toggle("strong", byId("draw").hidden && byId("final-open").hidden);
    byId("end").parentNode.hidden = byId("end").hidden;
    begin(told);
  }

  function warn(place, players) {
    place.hidden = !players.length;
    Tournament.write(place, Tournament.fill(place.dataset.text, { players: players.map(function (one) { return one.name; }).join(", ") }));
  }

  function begin(told) {
    var list = byId("begin-missing"), ready = told.tables.filter(function (one) { return one.at && one.online; });
    var missing = told.tables.filter(function (one) { return !one.at || !one.online; }), phones = told.tables.every(function (one) { return !one.at; }) && !told.free.length;
    Tournament.list(list, []);
    warn(byId("begin-without"), Tournament.seatless(told).filter(function (one) { return told.byes.indexOf(one.name) < 0; }));
    warn(byId("begin-gone"), told.players.filter(function (one) { return !one.here && Tournament.seated(told, one); }));
    Tournament.write(byId("begin-count"), list.dataset.byPhone);
    if (phones) { return; }
    Tournament.write(byId("begin-count"), Tournament.fill(byId("begin-count").dataset.text, { tables: told.tables.length, ready: ready.length }));
    Tournament.list(list, missing.map(function (one) {
      return one.at ? Tournament.fill(list.dataset.away, { table: one.number, at: one.at }) : Tournament.fill(list.dataset.noBox, { table: one.number });
    }));
  }

  // One length for all rounds: the clock starts with the round, unless somebody has started it before.
  function clock(parts) {
    var every = parts["every-round"], now = parts["round-clock"], starts = Boolean(every && now && !now.started);
    byId("begin-clock").hidden = !starts;
    if (starts) { Tournament.write(byId("begin-clock"), Tournament.fill(byId("begin-clock").dataset.text, { time: RoundDesk.written(Math.ceil(now.left)) })); }
  }

  // Seats may have to be found first: then it is told once more that the round is drawn.
  function askDraw(button) {
    var round = Referee.parts.tournament.round + 1;
    Orders.send(button, "draw", {}, null, function () {
      var drawn = Referee.parts.tournament.round >= round;
      asked = drawn ? null : round;
      return { round: round, as: drawn ? "" : "asked" };
    });
  }

  function tellDraw(told) {
    if (asked === null || told.round < asked) { return; }
    Orders.inform(Orders.did("tournament-draw", {}, { round: asked }));
    asked = null;
  }

  // How far the search for seats has come; the best ones so far can be taken after a moment.
  function search(parts) {
    var told = parts["tournament-search"];
    byId("search").hidden = !told;
    byId("take").hidden = !told || !told.offered;
    if (!told) { return; }
    byId("search-bar").hidden = told.later;
    byId("search-bar").value = told.percent;
    Tournament.write(byId("search-told"), told.told);
  }

  // What is wrong at a table leads to it; without the PIN there are no tables on this page.
  function wrong(box, all) {
    Tournament.keyed(box, all.map(function (one, at) { return { at: at, told: one.told, table: one.table }; }), function (one) { return one.at; }, function (one) {
      if (one.table === null) { return make("li", { text: one.told }); }
      var link = make("a", { href: "#table-" + one.table, text: one.told });
      link.addEventListener("click", function (event) {
        event.preventDefault();
        Round.goTo(one.table);
      });
      return make("li", {}, [link]);
    });
  }

  function troubles(told) {
    var box = byId("troubles"), most = NARROW.matches ? 2 : 4, all = told ? told.troubles.map(function (text, at) { return { told: text, table: told.trouble_tables[at] }; }) : [], first = all.length > most + 1 ? most : all.length, more = byId("troubles-more").querySelector("summary");
    box.hidden = !all.length;
    wrong(box, all.slice(0, first));
    byId("troubles-more").hidden = first === all.length;
    wrong(byId("troubles-rest"), all.slice(first));
    Tournament.write(more, Tournament.fill(more.dataset.text, { number: all.length - first }));
  }

  function show(parts) {
    var told = parts.tournament, focus = document.activeElement, under = Boolean(told && (told.stage === "drawn" || told.stage === "playing"));
    Tournament.title(told);
    agreement(told);
    troubles(told);
    byId("open-section").hidden = Boolean(told && !told.ended);
    byId("over-section").hidden = !told || !told.ended;
    byId("files-section").hidden = !told || told.ended || !told.round;
    Folds.arrange(told ? told.stage : "none", told ? told.tables.length > MANY_TABLES : false);
    byId("contest").hidden = !told;
    if (!told) { return; }
    steps(told);
    tellDraw(told);
    Players.show();
    Round.show();
    Rulings.show(told);
    Tournament.podium(byId("podium"), told, true);
    Tournament.podium(byId("podium-teams"), { standings: told.teams, counting: told.counting }, true);
    byId("podium-of-teams").hidden = !told.teams.length;
    Tournament.write(byId("podium-decided"), Tournament.sharesScore(told.standings, 3) || Tournament.sharesScore(told.teams, 3) ? told.decided : "");
    byId("podium-score").hidden = told.counting === "points" || !told.standings.length;
    byId("slips").hidden = byId("players-count").hidden = !told.players.length;
    byId("rounds-section").hidden = told.ended;
    byId("cut-section").hidden = told.stage !== "between" || told.round >= told.rounds;
    Stages.show(told);
    if (document.activeElement !== byId("rounds-number")) { byId("rounds-number").value = told.rounds; }
    byId("standings-section").hidden = !told.round || !told.standings.length;
    Tournament.standings(byId("standings"), told);
    Tournament.write(byId("quality"), Tournament.fill(told.bound ? byId("quality").dataset.text : byId("quality").dataset.unbound, { repeats: told.repeats, bound: told.bound }));
    byId("quality").hidden = !told.round;
    Tournament.files(told);
    byId("print-seats").hidden = !under;
    byId("changes-section").hidden = !told.traces.length;
    Tournament.list(byId("changes"), told.traces);
    [].forEach.call(document.querySelectorAll("[data-jump]"), function (link) { link.hidden = byId(link.getAttribute("href").slice(1)).hidden; });
    if (focus && focus !== document.body && focus.tagName === "BUTTON" && !focus.offsetParent && byId("steps").contains(focus)) { onward(); }
  }

  opens("begin-sure", "begin-count");
  opens("withdraw-sure", "withdraw-who");
  opens("end-sure", "end-text");
  opens("final-sure", "final-first");
  opens("final-undo-sure", "final-undo-who");
  opens("all-here-sure", "all-here-text");
  byId("all-here-yes").addEventListener("click", function () { Orders.send(byId("all-here-yes"), "check-in", {}, function () { shut("all-here-sure"); byId("players-heading").focus(); }, { as: "all" }); });
  byId("draw").addEventListener("click", function () { askDraw(byId("draw")); });
  byId("take").addEventListener("click", function () { Orders.send(byId("take"), "take", {}, onward, { round: Referee.parts.tournament.round + 1 }); });
  byId("begin-yes").addEventListener("click", function () { Orders.send(byId("begin-yes"), "begin", {}, function () { shut("begin-sure"); onward(); }); });
  byId("end-yes").addEventListener("click", function () { Orders.send(byId("end-yes"), "end", {}, function () { shut("end-sure"); byId("over-heading").focus(); }); });
  byId("withdraw-sure").addEventListener("submit", function (event) {
    event.preventDefault();
    Orders.send(byId("withdraw-sure").querySelector("[type=submit]"), "withdraw", { who: byId("withdraw-who").value, why: byId("withdraw-why").value }, function () {
      byId("withdraw-why").value = "";
      shut("withdraw-sure");
      onward();
    });
  });
  Stages.ask(function (name) {
    shut(name);
    onward();
  });
  byId("rounds").addEventListener("submit", function (event) {
    event.preventDefault();
    Orders.send(byId("rounds").querySelector("button"), "rounds", { rounds: parseInt(byId("rounds-number").value, 10) });
  });
  byId("cut").addEventListener("submit", function (event) {
    event.preventDefault();
    Orders.send(byId("cut").querySelector("button"), "cut", { players: parseInt(byId("cut-players").value, 10) }, function () { byId("cut-players").value = ""; onward(); });
  });
  // What a table was set to and refused is shown as it is again.
  Orders.answered = function () { if (Referee.parts.tournament) { Round.show(); } };
  Referee.on(["tournament"], show);
  Referee.on(["tournament", "tournament-why"], function (parts) { if (parts.tournament) { Tournament.reasons(byId("round-section")); } });
  Referee.on(["tournament-search"], search);
  Referee.on(["every-round", "round-clock"], clock);
  Referee.restarted = Orders.reload;
})();
