// All tables of the hall, or one of them: a card each, brought up to date by itself.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, words = document.getElementById("words").dataset, SILENT_S = 150;
  var list = document.getElementById("tables"), one = document.getElementById("one"), only = one ? one.dataset.table : null;
  var cards = {};

  function time(moment) {
    var ago = Referee.clock() - moment;
    return Referee.time(new Date(Date.now() - ago * 1000));
  }

  // Before the server's clock is known no moment of it means anything here.
  function known() { return Referee.doubt() !== null; }

  function silent(table) {
    if (!table.online) { return table.lost === null || !known() ? words.away.replace("{time}", "…") : words.away.replace("{time}", time(table.lost)); }
    if (table.heard !== null && known() && Referee.clock() - table.heard > SILENT_S) { return words.silent.replace("{time}", time(table.heard)); }
    return "";
  }

  // Tables that are connected come first; then as people count: table-9 before table-10.
  function order(one, other) {
    return cards[other].table.online - cards[one].table.online || one.localeCompare(other, "en", { numeric: true });
  }

  // A table that has retired stays where it is as long as the order is right: nothing else may move under a finger.
  function place(key) {
    var others = Object.keys(cards).filter(function (other) { return other !== key; }).sort(order);
    var next = others.filter(function (other) { return order(key, other) < 0; })[0], before = next ? cards[next].box : null;
    if (cards[key].box.nextSibling !== before || !cards[key].box.parentNode) { list.insertBefore(cards[key].box, before); }
  }

  function id() {
    var numbers = new Uint32Array(2);
    crypto.getRandomValues(numbers);
    return "forget-" + numbers[0].toString(36) + "-" + numbers[1].toString(36);
  }

  // For a director, on the card of a table that has gone: it is not shown until it speaks again.
  function forget(name) {
    var made = make("button", { type: "button", text: list.dataset.forget, "aria-label": list.dataset.forget + ": " + name }), told = make("p", { role: "status" });
    made.addEventListener("click", function () {
      made.disabled = true;
      Referee.command({ command: "forget", id: id(), table: name }).then(function (answer) {
        if (answer.ok) { return; }
        made.disabled = false;
        return answer.json().then(function (body) { told.textContent = body.told || words.failed; });
      }).catch(function () { made.disabled = false; told.textContent = words.failed; });
    });
    return make("div", {}, [made, told]);
  }

  function calling(name) { return (Referee.parts.calls || []).filter(function (call) { return call.place === name; })[0]; }

  function line(text, extra) { return make("p", { class: extra, text: text }); }

  function player(each) {
    var name = each.name + ": " + (Math.abs(each.points) === 1 ? words.point : words.points).replace("{points}", Referee.signed(each.points)) + (each.won ? " · " + words.won : "");
    return make("li", { class: each.turn ? "turn" : "" }, [
      make("span", { text: name }), each.turn ? make("span", { class: "sr", text: " " + words.turn }) : null
    ]);
  }

  function fill(card, table) {
    var box = card.box, title = only ? make("span", { text: table.name }) : make("a", { href: "/table/" + table.name, text: table.name });
    card.table = table;
    empty(box);
    box.appendChild(make("h2", {}, [title]));
    card.silent = make("p", { class: "wrong" });
    box.appendChild(card.silent);
    card.calls = make("p", { class: "ask" });
    box.appendChild(card.calls);
    card.time = make("span", { class: "time" });
    box.appendChild(make("div", { class: "line" }, [make("span", { text: table.text }), card.time]));
    if (table.title) { box.appendChild(line(table.title + (table.rounds ? " · " + words.round.replace("{round}", table.round).replace("{rounds}", table.rounds) : ""), "book")); }
    box.appendChild(make("ul", {}, table.players.map(player)));
    if (table.needs) { box.appendChild(line(words.needs, "ask")); }
    (table.question || []).concat(table.due || []).forEach(function (text) { box.appendChild(line(text, "ask")); });
    if (table.verdict && !table.verdict.accepted) {
      box.appendChild(line(words.refused + " · " + table.verdict.player, "wrong"));
      table.verdict.faults.forEach(function (text) { box.appendChild(line(text, "")); });
    }
    table.troubles.forEach(function (text) { box.appendChild(line(text, "wrong")); });
    if (table.missing) { box.appendChild(line(words.missing, "")); }
    if (table.formerly) { box.appendChild(line(table.formerly, "soft")); }
    if (list.dataset.forget && !table.online) { box.appendChild(forget(table.name)); }
    tick(card);
    if (only) { detail(table); }
  }

  function tick(card) {
    var table = card.table, clock = table.clock, text = "", extra = "time", told = silent(table);
    if (clock && !told && (known() || clock.ends_at === null)) {
      var left = clock.left === null ? null : clock.ends_at === null ? clock.left : Math.max(0, clock.ends_at - Referee.clock());
      var whole = left === null ? 0 : Math.ceil(left - 0.001);
      text = left === null ? words.free : Math.floor(whole / 60) + ":" + (whole % 60 < 10 ? "0" : "") + whole % 60;
      extra += left !== null && left <= 10 ? " last" : clock.ends_at === null ? " still" : "";
      if (left !== null && clock.ends_at === null) { text += " · " + words.stands; }
    }
    if (card.time.textContent !== text) { card.time.textContent = text; }
    card.time.className = extra;
    var call = calling(table.name), calls = call ? call.coming || words.calls : "";
    if (card.calls.textContent !== calls) { card.calls.textContent = calls; }
    card.calls.hidden = !calls;
    if (card.silent.textContent !== told) { card.silent.textContent = told; }
    card.box.className = "card" + (told ? " silent" : table.needs || calls ? " needs" : "");
  }

  function detail(table) {
    var drawn = empty(document.getElementById("drawn")), sheet = empty(document.getElementById("sheet"));
    (table.drawn || []).forEach(function (set) { drawn.appendChild(make("div", { class: "set" }, set.map(function (face) { return Referee.tile(face); }))); });
    if (!(table.sheet || []).length) { return; }
    var rows = table.sheet.map(function (points, round) {
      return make("tr", {}, [make("th", { scope: "row", text: String(round + 1) })].concat(points.map(function (each) { return make("td", { class: "number", text: Referee.signed(each) }); })));
    });
    var heads = [make("td", {})].concat(table.players.map(function (each) { return make("th", { scope: "col", text: each.name }); }));
    sheet.appendChild(make("table", {}, [make("tr", {}, heads)].concat(rows)));
  }

  function sum() {
    var box = document.getElementById("sum");
    if (!box) { return; }
    var all = Object.keys(cards).map(function (name) { return cards[name]; });
    var text = box.dataset.sum.replace("{tables}", all.length)
      .replace("{waiting}", all.filter(function (card) { return card.table.needs || calling(card.table.name); }).length)
      .replace("{silent}", all.filter(function (card) { return silent(card.table); }).length);
    if (box.textContent !== text) { box.textContent = text; }
  }

  Referee.all(function (changed) {
    var hall = Referee.parts.hall, troubles = document.getElementById("hall-troubles");
    if ("hall" in changed) {
      empty(troubles);
      hall.troubles.forEach(function (text) { troubles.appendChild(make("li", { text: text })); });
      troubles.hidden = !hall.troubles.length;
      Object.keys(cards).filter(function (key) { return hall.tables.indexOf(key) < 0; }).forEach(function (key) {
        cards[key].box.remove();
        delete cards[key];
        if (only === key) { location.href = "/"; }
      });
    }
    Object.keys(changed).forEach(function (name) {
      var table = changed[name], key = name.slice(6);
      if (!list || name.slice(0, 6) !== "table:" || !table || only && only !== key) { return; }
      if (!cards[key]) { cards[key] = { box: make("li", { class: "card" }), key: key }; }
      fill(cards[key], table);
      place(key);
    });
    var none = document.getElementById("none");
    if (none) { none.hidden = Object.keys(cards).length > 0; }
    sum();
  });
  setInterval(function () { Object.keys(cards).forEach(function (key) { tick(cards[key]); }); }, 200);
  setInterval(sum, 5000);
  Referee.restarted = function () { location.reload(); };
})();
