// The director's questions about groups and teams: when a tournament is opened, and when the final begins.
"use strict";

var Stages = (function () {
  var byId = Tournament.byId;
  if (!byId("final-sure")) { return null; }

  function number(name) { return parseInt(byId(name).value, 10); }

  function offer() { byId("open-groups").hidden = byId("open-rounds-groups").hidden = byId("open-drawing").value !== "groups"; }

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
    if (told.in_groups) { byId("cut-section").hidden = true; }
    Tournament.write(byId("rounds-label"), told.in_groups ? byId("rounds-label").dataset.groups : byId("rounds-label").dataset.all);
    finalists();
    Groups.show(told);
  }

  // Who would be in the final: the hall tells in which order they reach it, and how many do.
  function reach() {
    var told = Referee.parts.tournament, offered = told && told.final_offer, first = number("final-first");
    if (!offered || !(first >= 1)) { return null; }
    var counts = offered.counts[Math.min(first, offered.counts.length) - 1], count = counts[Number(byId("final-fill").checked)];
    return { order: offered.order, direct: counts[0], count: count };
  }

  // The question names everybody who would be in the final, and how they were chosen.
  function finalists() {
    var found = reach();
    byId("final-question").hidden = !found;
    byId("final-yes").disabled = !found;
    if (!found) { return; }
    Tournament.list(byId("final-names"), found.order.slice(0, found.count).map(function (one) { return one.told; }));
    Tournament.write(byId("final-chosen"), Tournament.fill(byId("final-chosen").dataset.text, { direct: found.direct, more: found.count - found.direct, others: found.order.length - found.count }));
  }

  // What was answered is sent with the names that were read: others may have come to be in the final meanwhile.
  function ask(done) {
    byId("final-sure").addEventListener("submit", function (event) {
      var found = reach();
      event.preventDefault();
      if (!found) { return; }
      var players = found.order.slice(0, found.count).map(function (one) { return one.number; });
      Orders.send(byId("final-yes"), "final", { first: number("final-first"), fill: byId("final-fill").checked, players: players }, function () { done("final-sure"); });
    });
    byId("final-undo-sure").addEventListener("submit", function (event) {
      event.preventDefault();
      Orders.send(byId("final-undo-sure").querySelector("[type=submit]"), "final-withdraw", { who: byId("final-undo-who").value, why: byId("final-undo-why").value }, function () {
        byId("final-undo-why").value = "";
        done("final-undo-sure");
      });
    });
  }

  byId("open-drawing").addEventListener("change", offer);
  byId("final-first").addEventListener("input", finalists);
  byId("final-fill").addEventListener("change", finalists);
  offer();
  return { show: show, fields: fields, ask: ask };
})();
