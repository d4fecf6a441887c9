// The leagues that a new tournament may be an evening of.
"use strict";

(function () {
  var select = document.getElementById("open-league"), line = document.getElementById("open-league-line");
  if (!select) { return; }

  function show(leagues) {
    var open = leagues.filter(function (league) { return league.open; });
    open.forEach(function (league) {
      select.appendChild(Referee.element("option", { value: league.id, text: league.name + " (" + (league.evenings + 1) + "/" + league.evenings_agreed + ")" }));
    });
    line.hidden = !open.length;
  }

  fetch("/leagues.json", { credentials: "same-origin", cache: "no-store" }).then(function (answer) { return answer.json(); }).then(show).catch(function () {});
})();
