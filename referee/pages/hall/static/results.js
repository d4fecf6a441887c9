// The results of all matches, the newest first.
"use strict";

(function () {
  var make = Referee.element, box = document.getElementById("results"), words = document.getElementById("words").dataset;

  function number(text) { return make("td", { class: "number", text: String(text) }); }

  function rows(match) {
    return match.players.map(function (name, seat) {
      var points = match.rounds.map(function (round) { return Referee.signed(round.points[seat]) + (round.corrected ? "*" : ""); }).join("  ");
      var won = match.winners.indexOf(name) >= 0 ? " · " + words.won : "";
      var first = seat ? [] : [
        make("th", { scope: "rowgroup", rowspan: match.players.length }, [make("a", { href: "/table/" + match.table, text: match.table })]),
        make("td", { rowspan: match.players.length, text: new Date(match.begun).toLocaleString(document.documentElement.lang) }),
        make("td", { rowspan: match.players.length, text: match.rules }),
        make("td", { rowspan: match.players.length, text: match.state })
      ];
      return make("tr", {}, first.concat([make("td", { text: name + won }), make("td", { text: points }), number(match.superseded ? "–" : Referee.signed(match.totals[seat]))]));
    });
  }

  Referee.on(["results"], function (parts) {
    Referee.empty(box);
    if (!parts.results.length) { box.textContent = words.noResults; return; }
    var head = make("tr", {}, box.dataset.head.split("|").map(function (text) { return make("th", { scope: "col", text: text }); }));
    var table = make("table", {}, [make("thead", {}, [head])]);
    parts.results.forEach(function (match) { table.appendChild(make("tbody", { class: match.superseded ? "superseded" : "" }, rows(match))); });
    box.appendChild(table);
    box.appendChild(make("p", { text: "* " + words.corrected }));
  });
})();
