// The director's questions about groups and teams: when a tournament is opened, and when the final begins.
"use strict";

var Stages = (function () {
  var byId = Tournament.byId;
  if (!byId("final")) { return null; }

  function number(name) { return parseInt(byId(name).value, 10); }

  function offer() { byId("open-groups").hidden = byId("open-drawing").value !== "groups"; }

  // What is asked only for groups is told only for groups.
  function fields(found) {
    if (byId("open-team-counts").value) { found.team_counts = number("open-team-counts"); }
    if (found.drawing !== "groups") { return; }
    found.group_size = number("open-group-size");
    found.final_rounds = number("open-final-rounds");
    found.final = byId("open-final").value;
    found.carried = byId("open-carried").value === "yes";
  }

  function show(told) {
    byId("final-section").hidden = !told.in_groups || told.stage !== "between";
    if (told.in_groups) { byId("cut-section").hidden = true; }
    Groups.show(told);
  }

  byId("open-drawing").addEventListener("change", offer);
  byId("final").addEventListener("submit", function (event) {
    event.preventDefault();
    Orders.send(byId("final").querySelector("button"), "final", { first: number("final-first"), fill: byId("final-fill").checked }, function () { byId("steps-heading").focus(); });
  });
  offer();
  return { show: show, fields: fields };
})();
