// Between rounds and after a match: the players by their points, the points of each round, and who has won.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty;
  // So many columns of points fit beside the names, on an upright screen fewer; the first rounds are added up in one column.
  var COLUMNS = 7, UPRIGHT = 3, LONG_HEADINGS = 4, FALLING = 12, INKS = ["black", "blue", "red", "orange"];

  function byId(name) { return document.getElementById(name); }

  // The columns of points: for each its heading, and the rounds that are added up in it.
  function columns(rounds, heading) {
    var upright = window.innerHeight > window.innerWidth, most = upright ? UPRIGHT : COLUMNS, short = upright || rounds > LONG_HEADINGS;
    var before = rounds > most ? rounds - most + 1 : 0, made = [];
    if (before) { made.push({ heading: "1\u2013" + before, from: 0, to: before }); }
    for (var round = before; round < rounds; round += 1) {
      made.push({ heading: short ? String(round + 1) : heading.replace("{number}", round + 1), from: round, to: round + 1 });
    }
    return made;
  }

  function added(sheet, column, seat) {
    return sheet.slice(column.from, column.to).reduce(function (sum, line) { return sum + line[seat]; }, 0);
  }

  function row(player, seat, sheet, shown) {
    return make("tr", { class: player.won ? "won" : player.place === 1 ? "first" : null }, [
      make("td", { class: "place", text: player.place + "." }),
      make("th", { scope: "row", class: "name", text: player.name })
    ].concat(shown.map(function (column) { return make("td", { text: Referee.signed(added(sheet, column, seat)) }); }), [
      make("td", { class: "total", text: Referee.signed(player.total) })
    ]));
  }

  function draw(match, words) {
    var table = empty(byId("sheet")), shown = columns(match.sheet.length, words.round), body = make("tbody");
    var headings = [words.place, words.player].concat(shown.map(function (column) { return column.heading; }), [words.total]);
    table.appendChild(make("thead", {}, [make("tr", {}, headings.map(function (text) { return make("th", { scope: "col", text: text }); }))]));
    match.players.map(function (player, seat) { return { player: player, seat: seat }; }).sort(function (one, other) {
      return one.player.place - other.player.place || one.seat - other.seat;
    }).forEach(function (each) { body.appendChild(row(each.player, each.seat, match.sheet, shown)); });
    table.appendChild(body);
  }

  // Tiles that fall once; style sheets leave them out for people who want less motion.
  function celebrate(won) {
    var rain = byId("rain");
    if (rain.hidden === !won) { return; }
    rain.hidden = !won;
    empty(rain);
    for (var number = 0; won && number < FALLING; number += 1) {
      rain.appendChild(make("span", { class: "falling tile ink-" + INKS[number % INKS.length] }, [make("span", { class: "sign", text: String(number + 1) })]));
    }
  }

  function show(parts) {
    var box = byId("scoreboard"), match = parts.match, scored, won;
    if (!match) { return; }
    scored = (match.phase === "between" || match.phase === "over") && match.sheet.length > 0 && !parts.question && !parts.due;
    won = scored && match.phase === "over" && match.won_text;
    box.hidden = !scored;
    document.body.classList.toggle("scored", scored);
    document.body.classList.toggle("won", Boolean(won));
    byId("winner").hidden = !won;
    byId("winner").textContent = won ? "\u2605 " + match.won_text : "";
    celebrate(Boolean(won));
    if (scored) { draw(match, box.dataset); }
  }

  Referee.on(["match", "question", "due"], show);
  window.addEventListener("resize", function () { show(Referee.parts); });
})();
