// Results by hand: the director chooses a table, and it stays chosen, with what is typed, until the result is sent.
"use strict";

var Results = (function () {
  var make = Referee.element, empty = Referee.empty, byId = Tournament.byId, form = byId("result"), shown = "", drafts = {}, seen = "";
  if (!form) { return null; }
  var select = byId("result-table");

  function find(key) {
    var at = key.split("."), round = Tournament.rounds(Referee.parts.tournament).filter(function (one) { return String(one.round) === at[0]; })[0];
    return round ? round.tables.filter(function (one) { return String(one.number) === at[1]; })[0] : undefined;
  }

  // Tables that can have a result, those of the newest round first: there, none before it has begun.
  function all() {
    var told = Referee.parts.tournament, rounds = Tournament.rounds(told).sort(function (one, other) { return other.round - one.round; });
    return rounds.filter(function (one) { return told.begun || one.round !== told.round; });
  }

  function options(rounds) {
    var now = JSON.stringify(rounds.map(function (one) { return [one.round, one.tables.map(function (each) { return [each.number, each.players, each.points !== null]; })]; })), chosen = select.value;
    if (select.told === now) { return; }
    empty(select);
    select.appendChild(make("option", { value: "", text: form.dataset.choose }));
    rounds.forEach(function (one) {
      var heading = Tournament.fill(Tournament.words.oneRound, { round: one.round });  // the line of the chosen table names its round, too
      select.appendChild(make("optgroup", { label: heading }, one.tables.map(function (each) {
        return make("option", { value: one.round + "." + each.number, text: (each.points === null ? "" : "✓ ") + heading + " · " + Tournament.table(each.number) + Referee.colon() + each.players.join(", ") });
      })));
    });
    select.told = now;
    select.value = chosen && find(chosen) ? chosen : "";
  }

  // What a player has entered for a table, if the director has not seen to it yet.
  function reported(key) {
    var told = Referee.parts.tournament, at = key.split(".").map(Number), found = told.round === at[0] ? told.tables.filter(function (one) { return one.number === at[1]; })[0] : null;
    return found && found.points === null ? found.report : null;
  }

  // The result that a table has, or that a player has entered there: what somebody who types must know.
  function there(key) {
    var one = find(key), report = reported(key);
    return one && one.points !== null ? one.points : report ? report.points : null;
  }

  function inputs() { return [].slice.call(byId("result-points").querySelectorAll("input")); }

  // What is typed for a table is kept by the names, whatever is chosen in between.
  function keep() {
    var typed = {};
    inputs().forEach(function (input) { if (input.value !== input.defaultValue) { typed[input.dataset.name] = input.value; } });
    if (shown) { drafts[shown] = { typed: typed, seen: seen }; }
  }

  function fields() {
    var key = select.value, one = find(key), now = one ? key + JSON.stringify(one.players) : "";
    byId("result-what").hidden = !one;
    if (now !== byId("result-points").told) {
      keep();
      shown = one ? key : "";
      byId("result-points").told = now;
      if (one) { lines(key, one); }
    }
    if (one) { about(key, one); }
  }

  function lines(key, one) {
    var box = empty(byId("result-points")), values = there(key), minus = Referee.parts.tournament.minus, minusOf = byId("tables").dataset.minusOf, draft = drafts[key] || { typed: {} };
    seen = Object.keys(draft.typed).length ? draft.seen : JSON.stringify(values);
    one.players.forEach(function (name, seat) {
      var label = Tournament.fill(form.dataset.points, { player: name });
      var made = Totals.line("result-points-" + seat, label, values ? values[seat] : null, minus ? Tournament.fill(minusOf, { player: name }) : "");
      made.input.dataset.name = name;
      if (name in draft.typed) { made.input.value = draft.typed[name]; }
      box.appendChild(made.line);
    });
    byId("result-minus").hidden = !minus;
  }

  // A result that has come since the table was chosen is told, and nothing is corrected before the director wants it.
  function about(key, one) {
    var corrects = one.points !== null, entered = reported(key), values = there(key), came = JSON.stringify(values) !== seen && !byId("result-do").sending, told = form.dataset;
    byId("result-meanwhile").hidden = !came;
    byId("result-do").parentNode.hidden = came;
    byId("result-entered").hidden = !entered || came;
    byId("result-about").hidden = came || !corrects && !entered;
    byId("result-who").required = byId("result-why").required = corrects || Boolean(entered);
    Tournament.write(byId("result-do"), corrects ? told.correct : told.write);
    if (!came) { return; }
    var result = values ? one.players.map(function (name, seat) { return name + "\u00a0" + Tournament.number(values[seat]); }).join(", ") : "";
    var text = !values ? told.gone : corrects ? told.came : told.entered;
    Tournament.write(byId("result-came"), Tournament.fill(text, { table: key.split(".")[1], result: result, player: entered ? entered.by : "" }));
    Tournament.write(byId("result-go-on"), !values ? told.goOn : corrects ? told.correct : told.instead);
  }

  function show() {
    var rounds = all();
    byId("result-section").hidden = !rounds.length;
    if (!rounds.length) {  // another draw, or another tournament
      drafts = {};
      return;
    }
    options(rounds);
    fields();
  }

  function choose(round, number) {
    select.value = round + "." + number;
    fields();
    Folds.open("result-section");
    byId("result-section").scrollIntoView();
    byId("result-points-0").focus();
  }

  // No table is chosen any more, and nothing is typed for the one that was.
  function leave() {
    shown = "";
    delete drafts[select.value];
    select.value = "";
    fields();
    select.focus();
  }

  byId("result-go-on").addEventListener("click", function () {
    seen = JSON.stringify(there(select.value));
    fields();
    var next = ["result-who", "result-why"].map(byId).filter(function (input) { return input.offsetParent && !input.value; })[0];
    (next || byId("result-points-0")).focus();
  });
  byId("result-leave").addEventListener("click", leave);
  select.addEventListener("change", fields);
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var one = find(select.value), at = select.value.split(".").map(Number);
    if (!one || !byId("result-meanwhile").hidden) { return; }
    var points = inputs().map(Totals.read);
    var about = { table: at[1], points: points, who: byId("result-who").value, why: byId("result-why").value }, command = "correct";
    if (one.points === null && !reported(select.value)) { Orders.send(byId("result-do"), "result", { table: at[1], points: points }, leave); return; }
    if (one.points === null) { command = "report-decide"; } else { about.round = at[0]; }
    Orders.send(byId("result-do"), command, about, function () {
      byId("result-why").value = "";
      leave();
    }, { as: command === "report-decide" ? "third" : "" });
  });
  return { show: show, choose: choose };
})();
