// The results of all matches, the newest first: those of the hall's tables, then those that were entered for tournaments.
// Each is a card, in which the points of any number of rounds fit on a phone.
"use strict";

(function () {
  var make = Referee.element, byId = Tournament.byId, words = document.getElementById("words").dataset;

  function player(name, won, total) {
    return make("li", {}, [make("span", { class: "who", text: name + (won ? " · " + words.won : "") }), make("span", { class: "result" }, [make("span", { class: "sr", text: Referee.colon() }), make("span", { text: total })])]);
  }

  function match(one) {
    var begun = Referee.moment(new Date(one.begun)) + (one.uncertain ? " (" + one.uncertain + ")" : "");
    var players = one.players.map(function (name, seat) {
      var line = player(name, one.winners.indexOf(name) >= 0, one.superseded ? "–" : Referee.signed(one.totals[seat]));
      var rounds = one.rounds.map(function (round) { return Referee.signed(round.points[seat]) + (round.corrected ? "*" : ""); }).join("  ");
      if (rounds) { line.appendChild(make("span", { class: "by-round" }, [make("span", { class: "sr", text: byId("results").dataset.rounds + Referee.colon() }), make("span", { text: rounds })])); }
      return line;
    });
    return make("li", { class: "seat-card" + (one.superseded ? " superseded" : "") }, [
      make("h2", {}, [make("a", { class: "target", href: "/table/" + one.table, text: one.table })]),
      make("p", { class: "soft", text: [begun, one.rules, one.state].join(" · ") }), make("ol", { class: "seated with-rounds" }, players)
    ]);
  }

  function table(one) {
    var players = one.players.map(function (name, seat) { return player(name, one.won[seat], Referee.signed(one.totals[seat])); });
    return make("li", { class: "seat-card" }, [make("h4", { text: Tournament.table(one.table) }), make("ol", { class: "seated" }, players), make("p", { class: "state", text: one.state })]);
  }

  // The tables of one round of one tournament stand together.
  function byHand(all) {
    var box = Referee.empty(byId("hand-results")), last = "", list = null;
    byId("hand-section").hidden = !all.length;
    all.forEach(function (one) {
      var key = one.id + "." + one.round, of = "?of=" + encodeURIComponent(one.id), name = one.tournament + " · " + Tournament.fill(Tournament.words.oneRound, { round: one.round });
      if (key !== last) {
        list = make("ul", { class: "by-table small" });
        box.appendChild(make("article", { class: "round-past" }, [make("h3", { text: name }),
          make("p", { class: "links" }, [make("a", { class: "target", href: "/tournament-results.csv" + of, "aria-label": box.dataset.csv + ", " + name, text: box.dataset.csv })]), list]));
        last = key;
      }
      list.appendChild(table(one));
    });
  }

  Referee.on(["results", "hand-results"], function (parts) {
    var all = parts.results || [], typed = parts["hand-results"] || [], box = Referee.empty(byId("results"));
    byId("no-results").hidden = Boolean(all.length || typed.length);
    byId("was-corrected").hidden = !all.some(function (one) { return one.rounds.some(function (round) { return round.corrected; }); });
    box.hidden = !all.length;
    all.forEach(function (one) { box.appendChild(match(one)); });
    byHand(typed);
  });
})();
