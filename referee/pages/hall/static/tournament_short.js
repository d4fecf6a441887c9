// The tournament on the hall's page, in short: its round, and who is ahead.
"use strict";

(function () {
  var make = Referee.element, byId = Tournament.byId, FIRST = 5;

  Referee.on(["tournament"], function (parts) {
    var told = parts.tournament, box = byId("tournament");
    box.hidden = !told;
    if (!told) { return; }
    Tournament.write(byId("tournament-name"), told.name);
    var round = told.title ? told.title + " · " : "";
    Tournament.write(byId("tournament-told"), round + told.told);
    var first = told.round ? told.standings.filter(function (one) { return one.place !== null; }).slice(0, FIRST) : [];
    byId("tournament-first").hidden = !first.length;
    Tournament.keyed(byId("tournament-first"), first, function (one) { return one.number; }, function (one) {
      return make("li", { value: one.place }, [make("span", { class: "who", text: one.name }), make("span", { text: " · " + Tournament.score(one, told) })]);
    });
  });
})();
