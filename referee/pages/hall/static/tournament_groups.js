// The standings of groups and teams, below those of all players.
"use strict";

var Groups = (function () {
  var make = Referee.element, byId = Tournament.byId, words = Tournament.words;

  function head(labels) {
    return make("thead", {}, [make("tr", {}, labels.map(function (label) {
      return make("th", { scope: "col", class: label.number ? "number" : "", text: label.text });
    }))]);
  }

  // Whoever has no result yet has no place.
  function cell(text) { return make("td", { class: "number", text: text === null ? "–" : String(text) }); }

  // What decides the order stands first: the score, unless that is the points alone.
  function scored(told, value) { return told.counting === "points" ? [] : [value]; }

  function group(one) {
    var title = Tournament.fill(byId("groups").dataset.group, { group: one.name }), id = "group-" + one.name;
    var rows = one.lines.map(function (line) {
      var name = make("th", { scope: "row" }, [make("span", { text: line.name }), line.here ? null : make("span", { class: "away", text: " (" + words.away + ")" })]);
      return make("tr", {}, [cell(line.place), name].concat(scored(one, cell(Tournament.sum(line.score))), [cell(Tournament.sum(line.points)), cell(line.played)]));
    });
    var labels = [{ text: words.place, number: true }, { text: words.player }].concat(scored(one, { text: words.score, number: true }), [{ text: words.points, number: true }, { text: words.played, number: true }]);
    return make("div", {}, [
      make("h3", { id: id, text: title }),
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": id }, [make("table", { class: "standings" }, [head(labels), make("tbody", {}, rows)])])
    ]);
  }

  function teams(box, told) {
    var labels = [{ text: words.place, number: true }, { text: box.dataset.team }, { text: words.points, number: true }, { text: box.dataset.members }];
    Referee.empty(box);
    box.appendChild(head(labels));
    box.appendChild(make("tbody", {}, told.teams.map(function (one) {
      // Whoever does not count is in brackets.
      var members = one.members.concat(one.others.map(function (name) { return "(" + name + ")"; }));
      return make("tr", {}, [cell(one.place), make("th", { scope: "row", text: one.name }), cell(Tournament.sum(one.points)), make("td", { text: members.join(", ") })]);
    })));
  }

  function show(told) {
    byId("groups-section").hidden = !told.groups.length;
    var groups = told.groups.map(function (one) { return { name: one.name, lines: one.lines, counting: told.counting }; });
    Tournament.keyed(byId("groups"), groups, function (one) { return one.name; }, group);
    byId("teams-section").hidden = !told.teams.length || !told.standings.length;
    teams(byId("teams"), told);
  }

  return { show: show };
})();
