// The director's tables of the round under way: which table of the hall, who swaps with whom, results by hand.
"use strict";

var Round = (function () {
  var make = Referee.element, empty = Referee.empty, byId = Tournament.byId, box = byId("tables"), picked = [], followed = null, swapping = null, opened = {}, FEW = 4, NARROW = window.matchMedia("(max-width: 40rem)");
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
      make("h3", { text: Tournament.tableHead(one) }), make("span", { class: "state", id: "state-" + one.number }, [make("span", { class: "at" }), make("span", { class: "told" })]),
      make("span", { class: "names", text: who.join(", ") })
    ]);
    var made = make("details", { class: "fold", id: "table-" + one.number }, [summary, about]), key = [Referee.parts.tournament.round, one.number, over, one.swaps].join(".");
    made.open = key in opened ? opened[key] : one.swaps || one.few && !(over && NARROW.matches) || Boolean(one.report && one.report.disputed);
    made.addEventListener("toggle", function () { opened[key] = made.open; label(); });
    return make("li", { class: "seat-card" + (over ? " over" : "") + (one.report ? one.report.disputed ? " disputed" : " reported" : ""), "data-table": one.number, "data-seated": one.players.map(function (player) { return player.number; }).join(".") }, [made]);
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

  // A card that is made anew, because players are swapped or its table has changed, keeps what was typed there, as long
  // as the same players sit there.
  function keep() {
    var found = {};
    [].forEach.call(document.querySelectorAll("#tables [data-seated]"), function (card) {
      var typed = [].filter.call(card.querySelectorAll("input"), function (input) { return input.id && input.value !== input.defaultValue; });
      var open = [].filter.call(card.querySelectorAll("details.reject"), function (one) { return one.open; });
      found[card.dataset.table + " " + card.dataset.seated] = { values: typed.map(function (input) { return [input.id, input.value]; }), open: open.map(function (one) { return one.id; }) };
    });
    return found;
  }

  function restore(found) {
    [].forEach.call(document.querySelectorAll("#tables [data-seated]"), function (card) {
      var kept = found[card.dataset.table + " " + card.dataset.seated] || { values: [], open: [] };
      kept.values.forEach(function (pair) { if (byId(pair[0])) { byId(pair[0]).value = pair[1]; } });
      kept.open.forEach(function (id) { if (byId(id)) { byId(id).open = true; } });
    });
  }

  // Somebody comes from the list of what is wrong.
  function goTo(number) {
    var fold = byId("table-" + number);
    if (!fold) { return; }
    if (fold.closest("#finished")) { byId("finished").open = true; }
    fold.open = true;
    fold.scrollIntoView();
    fold.querySelector("summary").focus();
  }

  // A table that gets its result moves to those that have one: the page goes there with it, once that has come.
  function follow(number) { followed = number; }

  function goWith(told) {
    var one = told.tables.filter(function (each) { return each.number === followed && each.points !== null; })[0];
    if (!one) { return; }
    followed = null;
    goTo(one.number);
  }

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
    var typed = keep();
    open.sort(function (one, other) { return disputed(other) - disputed(one) || one.number - other.number; });
    byId("round-section").classList.toggle("many", !few);
    list(box, few ? open.concat(over) : open);
    list(byId("tables-over"), few ? [] : over);
    restore(typed);
    byId("finished").hidden = few || !over.length;
    Tournament.write(byId("finished").querySelector("summary"), Tournament.fill(byId("finished").querySelector("summary").dataset.text, { tables: over.length }));
    told.tables.forEach(function (one) { refresh(one, free, told.tables); });
    byId("result-slips").hidden = !open.length;
    label();
    without(told, open.length > 0);
    mark();
    Results.show();
    goWith(told);
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
    }, { oneName: named(picked[0]), otherName: named(picked[1]) });
  });
  return { show: show, goTo: goTo, follow: follow };
})();
