// In the television's header: round, stock and leader; before a match its rule book. Of each player below: the points as a figure.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty;

  Referee.on(["match", "coach"], function (parts) {
    var match = parts.match, coach = parts.coach ? parts.coach.lines : [], list = empty(document.getElementById("facts")), totals = document.querySelectorAll("#players .total");
    if (!match) { return; }
    (match.facts.length ? match.facts.concat(match.leader_text || []) : [match.book || ""]).concat(coach).forEach(function (text) {
      list.appendChild(make("li", { text: text }));
    });
    match.players.forEach(function (player, number) { totals[number].textContent = Referee.signed(player.total); });
  });
})();
