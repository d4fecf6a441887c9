// Extra time for players, and the season.
"use strict";

(function () {
  function settings() {
    var handicaps = [].map.call(document.querySelectorAll(".player-handicap"), function (field) { return Math.round(Number(field.value)) || 0; });
    return {
      "game.handicaps": handicaps.some(function (seconds) { return seconds !== 0; }) ? handicaps : [],
      "game.season": document.getElementById("season").value.trim()
    };
  }

  document.addEventListener("DOMContentLoaded", function () { Save.begin(settings); });
})();
