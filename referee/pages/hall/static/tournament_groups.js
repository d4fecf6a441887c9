// The standings of groups and teams: below those of all players, and in brief on the wall.
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
      var name = make("th", { scope: "row" }, [make("span", { text: line.name }), line.away ? make("span", { class: "away", text: " (" + line.away + ")" }) : null]);
      return make("tr", {}, [cell(line.place), name].concat(scored(one, cell(Tournament.sum(line.score))), [cell(Tournament.sum(line.points)), cell(line.played)]));
    });
    var labels = [{ text: words.place, number: true }, { text: words.player }].concat(scored(one, { text: words.score, number: true }), [{ text: words.points, number: true }, { text: words.played, number: true }]);
    return make("div", {}, [
      make("h3", { id: id, text: title }),
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": id }, [make("table", { class: "standings" }, [head(labels), make("tbody", {}, rows)])])
    ]);
  }

  function teams(box, told) {
    var labels = [{ text: words.place, number: true }, { text: box.dataset.team }].concat(scored(told, { text: words.score, number: true }), [{ text: words.points, number: true }, { text: box.dataset.members }]);
    Referee.empty(box);
    box.appendChild(head(labels));
    box.appendChild(make("tbody", {}, told.teams.map(function (one) {
      // Whoever does not count is in brackets.
      var members = one.members.concat(one.others.map(function (name) { return "(" + name + ")"; }));
      return make("tr", {}, [cell(one.place), make("th", { scope: "row", text: one.name })].concat(scored(told, cell(Tournament.sum(one.score))), [cell(Tournament.sum(one.points)), make("td", { text: members.join(", ") })]));
    })));
  }

  // The order of each group, or of the teams, with what decides it and nothing else.
  function brief(id, title, labels, lines) {
    var rows = lines.map(function (line) {
      return make("tr", {}, [cell(line.place), make("th", { scope: "row" }, [make("span", { class: "who", text: line.name })]), cell(Tournament.sum(line.value))]);
    });
    return make("div", { class: "wall-group" }, [
      title ? make("h3", { id: id, text: title }) : null, make("table", { class: "standings", "aria-labelledby": id }, [head(labels), make("tbody", {}, rows)])
    ]);
  }

  function briefGroups(box, told, from, to) {
    var by = told.counting === "points" ? "points" : "score", labels = [{ text: words.place, number: true }, { text: words.player }, { text: words[by + "Short"], number: true }];
    Referee.empty(box);
    told.groups.slice(from, to).forEach(function (one) {
      var lines = one.lines.map(function (line) { return { place: line.place, name: line.name, value: line[by] }; });
      box.appendChild(brief("group-" + one.name, Tournament.fill(box.dataset.group, { group: one.name }), labels, lines));
    });
  }

  function briefTeams(box, told, from, to) {
    var by = told.counting === "points" ? "points" : "score", labels = [{ text: words.place, number: true }, { text: box.dataset.team }, { text: words[by + "Short"], number: true }];
    var lines = told.teams.slice(from, to).map(function (one) { return { place: one.place, name: one.name, value: one[by] }; });
    Referee.empty(box).appendChild(brief("teams-heading", "", labels, lines));
  }

  // Before the first result there is no order.
  function has(told, what) { return told.standings.length > 0 && told[what].length > 0; }

  function show(told) {
    byId("groups-section").hidden = !told.groups.length;
    var groups = told.groups.map(function (one) { return { name: one.name, lines: one.lines, counting: told.counting }; });
    Tournament.keyed(byId("groups"), groups, function (one) { return one.name; }, group);
    byId("teams-section").hidden = !told.teams.length || !told.standings.length;
    teams(byId("teams"), told);
  }

  return { show: show, briefGroups: briefGroups, briefTeams: briefTeams, has: has };
})();
