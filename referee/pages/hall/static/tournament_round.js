// The director's tables of the round under way: which table of the hall, who swaps with whom, results by hand.
"use strict";

var Round = (function () {
  var make = Referee.element, empty = Referee.empty, byId = Tournament.byId, box = byId("tables"), picked = [], swapping = null, opened = {}, FEW = 4, NARROW = window.matchMedia("(max-width: 40rem)");
  if (!box) { return null; }
  var text = box.dataset;

  // A name is a button only while two players are being swapped.
  function player(one, extra) {
    var parts = [make("span", { class: "who", text: one.name }), extra ? make("span", { class: "first", text: " ▶ " + extra }) : null];
    if (swapping === null) { return make("span", {}, parts); }
    var made = make("button", { type: "button", id: "pick-" + one.number, "data-pick": one.number, "aria-pressed": "false" }, parts);
    made.addEventListener("click", function () { pick(one.number); });
    return made;
  }

  function named(number) {
    var found = Referee.parts.tournament.players.filter(function (one) { return one.number === number; })[0];
    return found ? found.name : "";
  }

  function pick(number) {
    var at = picked.indexOf(number);
    if (at >= 0) { picked.splice(at, 1); } else { picked = picked.concat([number]).slice(-2); }
    mark();
  }

  // Whoever was picked and has no place to give any more is let go.
  function mark() {
    picked = picked.filter(function (number) { return byId("pick-" + number); });
    [].forEach.call(document.querySelectorAll("[data-pick]"), function (button) {
      button.setAttribute("aria-pressed", String(picked.indexOf(parseInt(button.getAttribute("data-pick"), 10)) >= 0));
    });
    var told = byId("picked").dataset;
    Tournament.write(byId("picked"), !picked.length ? told.none : picked.length === 1
      ? Tournament.fill(told.one, { player: named(picked[0]) }) : Tournament.fill(told.two, { one: named(picked[0]), other: named(picked[1]) }));
    byId("swap-do").disabled = picked.length < 2;
    byId("swap-do").hidden = byId("swap-about").hidden = picked.length < 2;
  }

  // `round`: the one of which two players are swapped; null: none. What is pressed next stands in sight, above the tables.
  function swap(round) {
    swapping = round;
    picked = [];
    byId("swap").hidden = round === null;
    byId("swap-start").setAttribute("aria-expanded", String(round !== null));
    show();
    (round === null ? byId("swap-start") : byId("picked")).focus();
  }
  byId("swap-start").addEventListener("click", function () { swap(Referee.parts.tournament.round); });
  byId("swap-cancel").addEventListener("click", function () { swap(null); });
  byId("round-section").addEventListener("keydown", function (event) { if (event.key === "Escape" && swapping !== null) { swap(null); } });

  // The part of a table's card that stays while the round lasts; what changes is written into it by `refresh`.
  function card(one) {
    var over = one.points !== null, head = Tournament.table(one.number);
    var seated = one.players.map(function (each, seat) {
      var starts = seat === 0 ? Tournament.words.starts : "";
      return make("li", {}, over ? [make("span", { class: "who", text: each.name }), make("span", { class: "result", text: Tournament.number(one.points[seat]) })] : [player(each, starts)]);
    });
    // Before the round has begun there is no result; where players entered one, the director decides about that.
    var hand = !one.begun || one.report && !over ? null : make("button", { type: "button", id: "hand-" + one.number }, [make("span", { text: over ? text.correct : text.byHand }), make("span", { class: "sr", text: " " + head })]);
    if (hand) { hand.addEventListener("click", function () { Results.choose(Referee.parts.tournament.round, one.number); }); }
    var parts = [make("ol", { class: "seated" }, seated)];
    if (!over) {
      var select = make("select", { id: "at-" + one.number });
      select.addEventListener("change", function () {
        Orders.send(select, "place", { table: one.number, at: select.value }, null, { as: select.value ? "" : "none" });
      });
      parts.push(make("p", { class: "at-line" }, [make("label", { "for": select.id }, [make("span", { text: text.box }), make("span", { class: "sr", text: " · " + head })]), select]));
    }
    if (one.report) { parts = Reports.parts(one, head).concat(parts); }
    parts.push(make("p", { class: "choices" }, [one.again && !over ? again(one, head) : null, hand]));
    return folded(one, over, make("div", { class: "about" }, parts), head);
  }

  // A table is one line that unfolds: of many only those that need somebody are unfolded, of a few all that still play.
  function folded(one, over, about, head) {
    var who = one.players.map(function (player, seat) { return player.name + (over ? "\u00a0" + Tournament.number(one.points[seat]) : ""); });
    var summary = make("summary", {}, [
      make("h3", { text: Tournament.tableHead(one) }), make("span", { class: "names", text: who.join(", ") }),
      make("span", { class: "state", id: "state-" + one.number }, [make("span", { class: "at" }), make("span", { class: "told" })])
    ]);
    var made = make("details", { class: "fold", id: "table-" + one.number }, [summary, about]), key = [Referee.parts.tournament.round, one.number, over, one.swaps].join(".");
    made.open = key in opened ? opened[key] : one.swaps || one.few && !(over && NARROW.matches) || Boolean(one.report && one.report.disputed);
    made.addEventListener("toggle", function () { opened[key] = made.open; label(); });
    return make("li", { class: "seat-card" + (over ? " over" : "") + (one.report ? one.report.disputed ? " disputed" : " reported" : ""), "data-table": one.number }, [made]);
  }

  // A table that did not begin, or whose match was given up, is asked once more.
  function again(one, head) {
    var made = make("button", { type: "button", id: "again-" + one.number }, [make("span", { text: text.again }), make("span", { class: "sr", text: " " + head })]);
    made.addEventListener("click", function () { Orders.send(made, "begin", { table: one.number }, null, { as: "again" }); });
    return made;
  }

  function refresh(one, free, all) {
    var state = byId("state-" + one.number), select = byId("at-" + one.number);
    var away = one.at && !one.online && one.points === null ? Tournament.words.offline : "";
    // What is the same at every table is left out of a line that is folded.
    var where = [one.points === null ? "" : one.at || "", away].filter(Boolean).join(" · ");
    Tournament.write(state.firstChild, (one.points === null ? "" : "✓ ") + where);
    Tournament.write(state.lastChild, (where && one.state ? " · " : "") + one.state);
    state.lastChild.classList.toggle("idle", one.idle);
    state.classList.toggle("wrong", Boolean(away));
    if (!select) { return; }
    // A table of the hall that another one has changes places with this one's.
    var others = all.filter(function (other) { return other.at && other.number !== one.number && other.points === null; }), told = JSON.stringify([one.at, free, others.map(function (other) { return [other.number, other.at]; })]);
    if (select.told !== told) {
      empty(select);
      [""].concat(one.at ? [one.at] : [], free).forEach(function (name) { select.appendChild(make("option", { value: name, text: name || text.noBox })); });
      others.forEach(function (other) { select.appendChild(make("option", { value: other.at, text: other.at + " (" + Tournament.table(other.number) + ")" })); });
      select.told = told;
      select.parentNode.hidden = select.options.length < 2;  // a hall without tables has none to choose
    }
    if (!select.sending && select.value !== (one.at || "")) { select.value = one.at || ""; }
  }

  function folds() { return [].slice.call(byId("round-section").querySelectorAll("[data-table] > .fold")); }

  // One button unfolds all tables, those that have finished, too, or folds them again.
  function label() {
    var all = folds(), open = all.length > 0 && all.every(function (one) { return one.open; });
    byId("unfold").hidden = all.length < 2;
    byId("unfold").dataset.open = open ? "1" : "";
    Tournament.write(byId("unfold"), open ? byId("unfold").dataset.fold : byId("unfold").dataset.unfold);
  }
  byId("unfold").addEventListener("click", function () {
    var open = !byId("unfold").dataset.open;
    folds().forEach(function (one) { one.open = open; });
    byId("finished").open = open;
    label();
  });

  function disputed(one) { return Number(Boolean(one.report && one.report.disputed)); }

  function show() {
    var told = Referee.parts.tournament, free = told.free || [], open = told.tables.filter(function (one) { return one.points === null; });
    byId("round-section").hidden = !told.tables.length || told.ended;
    if (swapping !== null && (swapping !== told.round || !open.length || told.ended)) {
      swapping = null;
      byId("swap").hidden = true;
      byId("swap-start").setAttribute("aria-expanded", "false");
    }
    byId("swap-start").hidden = !open.length || swapping !== null;
    var over = told.tables.filter(function (one) { return one.points !== null; }), few = told.tables.length <= FEW;
    function list(where, tables) {
      Tournament.keyed(where, tables.map(function (one) {
        return { number: one.number, group: one.group, players: one.players, points: one.points, again: one.again, report: one.report, few: few, begun: told.begun, swaps: swapping !== null && one.points === null };
      }), function (one) { return one.number; }, card);
    }
    open.sort(function (one, other) { return disputed(other) - disputed(one) || one.number - other.number; });
    byId("round-section").classList.toggle("many", !few);
    list(box, few ? open.concat(over) : open);
    list(byId("tables-over"), few ? [] : over);
    byId("finished").hidden = few || !over.length;
    Tournament.write(byId("finished").querySelector("summary"), Tournament.fill(byId("finished").querySelector("summary").dataset.text, { tables: over.length }));
    told.tables.forEach(function (one) { refresh(one, free, told.tables); });
    byId("result-slips").hidden = !open.length;
    label();
    without(told, open.length > 0);
    mark();
    Results.show();
  }

  // A bye, or somebody who has come after the draw: they can take somebody's place.
  function without(told, may) {
    var rest = may ? Tournament.seatless(told).sort(Tournament.named) : [];
    byId("without").hidden = !rest.length;
    Tournament.keyed(byId("without-seat"), rest.map(function (one) { return { number: one.number, name: one.name, swaps: swapping !== null }; }), function (one) { return one.number; }, function (one) {
      return player(one, told.byes.indexOf(one.name) >= 0 ? Tournament.words.bye : "");
    });
  }

  byId("swap").addEventListener("submit", function (event) {
    event.preventDefault();
    if (picked.length < 2) { return; }
    Orders.send(byId("swap-do"), "swap", { one: picked[0], other: picked[1], who: byId("swap-who").value, why: byId("swap-why").value }, function () {
      byId("swap-why").value = "";
      swap(null);
    });
  });
  return { show: show };
})();

var Results = (function () {
  var make = Referee.element, empty = Referee.empty, byId = Tournament.byId, form = byId("result"), shown = "", chosen = "", waited = false, round = null, sent = "";
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

  // The next table of the newest round that has no result, not even one that players entered, after the one that has got its own; none if all have one.
  function next(rounds) {
    var newest = rounds[0], at = chosen.split(".").map(Number);
    var open = newest.tables.filter(function (one) { return one.points === null && !reported(newest.round, one.number); }).map(function (one) { return one.number; });
    var after = at[0] === newest.round ? open.filter(function (one) { return one > at[1]; }) : [];
    return open.length ? newest.round + "." + (after.concat(open))[0] : "";
  }

  // The table that was chosen stays, unless it has got its result, or another round has come. Whoever is typing is left alone.
  function advance(rounds) {
    var one = find(select.value), newest = rounds[0].round, own = chosen && sent === chosen;
    var finished = waited && one && one.points !== null && (own || !byId("result-points").contains(document.activeElement));
    if (newest !== round || finished) {
      select.value = next(rounds);
      if (own && finished) {
        fields();
        (select.value ? byId("result-points-0") : select).focus();
      }
      sent = "";
    }
    round = newest;
    remember();
  }

  function remember() {
    var one = find(select.value);
    chosen = select.value;
    waited = Boolean(one && one.points === null);
  }

  function fields() {
    var one = find(select.value), now = JSON.stringify([select.value, one]);
    byId("result-what").hidden = !one;
    if (now === shown) { return; }
    shown = now;
    if (!one) { return; }
    var box = empty(byId("result-points")), corrects = one.points !== null, entered = chosenReport(), values = corrects ? one.points : entered ? entered.points : null;
    var minus = Referee.parts.tournament.minus, minusOf = byId("tables").dataset.minusOf;
    one.players.forEach(function (name, seat) {
      var label = Tournament.fill(form.dataset.points, { player: name });
      box.appendChild(Totals.line("result-points-" + seat, label, values ? values[seat] : null, minus ? Tournament.fill(minusOf, { player: name }) : "").line);
    });
    byId("result-minus").hidden = !minus;
    byId("result-entered").hidden = !entered || corrects;
    byId("result-about").hidden = !corrects && !entered;
    byId("result-who").required = byId("result-why").required = corrects || Boolean(entered);
    byId("result-do").textContent = corrects ? form.dataset.correct : form.dataset.write;
  }

  // What a player has entered for a table, if the director has not seen to it yet.
  function reported(round, number) {
    var told = Referee.parts.tournament, found = told.round === round ? told.tables.filter(function (one) { return one.number === number; })[0] : null;
    return found ? found.report : null;
  }

  function chosenReport() { return reported.apply(null, select.value.split(".").map(Number)); }

  function show() {
    var rounds = all();
    byId("result-section").hidden = !rounds.length;
    if (!rounds.length) { return; }
    options(rounds);
    advance(rounds);
    fields();
  }

  function choose(round, number) {
    select.value = round + "." + number;
    remember();
    fields();
    Folds.open("result-section");
    byId("result-section").scrollIntoView();
    byId("result-points-0").focus();
  }

  select.addEventListener("change", function () {
    remember();
    fields();
  });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var one = find(select.value), at = select.value.split(".").map(Number);
    if (!one) { return; }
    sent = select.value;
    var points = [].map.call(byId("result-points").querySelectorAll("input"), Totals.read);
    var about = { table: at[1], points: points, who: byId("result-who").value, why: byId("result-why").value }, command = "correct";
    if (one.points === null && !chosenReport()) { Orders.send(byId("result-do"), "result", { table: at[1], points: points }); return; }
    if (one.points === null) { command = "report-decide"; } else { about.round = at[0]; }
    Orders.send(byId("result-do"), command, about, function () { byId("result-why").value = ""; });
  });
  return { show: show, choose: choose };
})();
