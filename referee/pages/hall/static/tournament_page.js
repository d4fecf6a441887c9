// The tournament for everybody: seats, results, standings, past rounds, corrections; and what of it is printed.
"use strict";

(function () {
  var byId = Tournament.byId;

  function show(parts) {
    var told = parts.tournament, under = Boolean(told && (told.stage === "drawn" || told.stage === "playing"));
    Tournament.title(told);
    byId("contest").hidden = !told;
    if (!told) { return; }
    Tournament.names(byId("by-name"), told);
    byId("seats").hidden = !under && (told.stage !== "entering" || !told.players.length);
    Tournament.write(byId("seats-heading"), byId("seats-heading").getAttribute(under ? "data-seats" : "data-players"));
    byId("tables-section").hidden = !under;
    sheets(told, under);
    Tournament.tables(byId("by-table"), told);
    Tournament.byes(byId("byes"), told);
    byId("standings-section").hidden = !told.round || !told.standings.length;
    Tournament.standings(byId("standings"), told);
    byId("score-text").hidden = told.counting === "points";
    Groups.show(told);
    Tournament.files(told);
    byId("changes-section").hidden = !told.traces.length;
    Tournament.list(byId("changes"), told.traces);
    var past = Tournament.rounds(told).reverse();
    byId("past-section").hidden = !past.length;
    byId("past-section").classList.toggle("all-under-way", past.every(function (one) { return one.underWay; }));
    Tournament.keyed(byId("past"), past, function (one) { return one.round; }, Tournament.played);
  }

  function sheets(told, under) {
    var there = { seats: under, standings: told.standings.length > 0, results: told.round > 0 };
    [].forEach.call(document.querySelectorAll("[data-print]"), function (button) { button.hidden = !there[button.getAttribute("data-print")]; });
  }

  // Each sheet is printed by itself; the browser's own print has all of them.
  [].forEach.call(document.querySelectorAll("[data-print]"), function (button) {
    button.addEventListener("click", function () {
      document.body.setAttribute("data-sheet", button.getAttribute("data-print"));
      window.print();
    });
  });
  // The director's page leads here to print the seats: that is asked for once, as soon as they are there.
  function printed() {
    var wanted = new URLSearchParams(location.search).get("print"), button = [].filter.call(document.querySelectorAll("[data-print]"), function (one) { return one.getAttribute("data-print") === wanted && !one.hidden; })[0];
    if (!button) { return; }
    history.replaceState(null, "", location.pathname);
    setTimeout(function () { button.click(); });
  }
  window.addEventListener("afterprint", function () { document.body.removeAttribute("data-sheet"); });

  // Tournaments before this one are there as files.
  function older(all) {
    var box = byId("older"), make = Referee.element;
    box.hidden = all.length < 2;
    Tournament.keyed(byId("older-list"), all.slice(0, -1).reverse(), function (one) { return one.id; }, function (one) {
      var of = "?of=" + encodeURIComponent(one.id), day = Referee.date(new Date(one.opened * 1000)), about = ", " + one.name + ", " + day;
      return make("li", {}, [
        make("span", { text: one.name + " · " + day + " " }),
        make("a", { class: "target", href: "/tournament-standings.csv" + of, "aria-label": box.dataset.standings + about, text: box.dataset.standings }), document.createTextNode(" "),
        make("a", { class: "target", href: "/tournament-results.csv" + of, "aria-label": box.dataset.results + about, text: box.dataset.results })
      ]);
    });
  }

  fetch("/tournaments.json", { credentials: "same-origin", cache: "no-store" }).then(function (answer) { return answer.json(); }).then(older).catch(function () {});
  function reasons(parts) { if (parts.tournament) { Tournament.reasons(byId("by-table")); } }

  Referee.on(["tournament"], function (parts) {
    show(parts);
    printed();
  });
  Referee.on(["tournament", "tournament-why"], reasons);
})();
