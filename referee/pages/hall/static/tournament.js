// What all pages of the tournament share: its words, seats, results and standings. Plain ES2015.
"use strict";

var Tournament = (function () {
  var make = Referee.element, empty = Referee.empty, language = document.documentElement.lang, opened = {};
  var words = document.getElementById("tournament-words").dataset;

  function byId(name) { return document.getElementById(name); }

  function fill(text, values) {
    Object.keys(values).forEach(function (name) { text = text.split("{" + name + "}").join(String(values[name])); });
    return text;
  }

  function number(points) { return Referee.signed(points, Math.abs(points).toLocaleString(language, { maximumFractionDigits: 2 })); }

  // Points in the standings add up to a sum, which has no plus. Whoever has no result has none.
  function sum(points) { return points === null ? "–" : (points < 0 ? "\u2212" : "") + Math.abs(points).toLocaleString(language, { maximumFractionDigits: 2 }); }

  function table(each) { return fill(words.table, { table: each }); }

  // A table with the group that plays there.
  function tableHead(one) { return table(one.number) + (one.group ? " · " + fill(words.group, { group: one.group }) : ""); }

  function write(box, text) { if (box.textContent !== text) { box.textContent = text; } }

  function named(one, other) { return one.name.localeCompare(other.name, language, { numeric: true, sensitivity: "base" }); }

  // A list whose entries stay what they are as long as what they show is the same: nothing is lost while somebody types.
  function keyed(box, items, key, build) {
    var known = box.known || {}, now = {}, last = null, focus = document.activeElement && document.activeElement.id;
    items.forEach(function (item) {
      var name = String(key(item)), told = JSON.stringify(item), entry = known[name];
      if (!entry || entry.told !== told) {
        var node = build(item);
        if (entry) { box.replaceChild(node, entry.node); }
        entry = { told: told, node: node };
      }
      now[name] = entry;
      var next = last ? last.nextSibling : box.firstChild;
      if (next !== entry.node) { box.insertBefore(entry.node, next); }
      last = entry.node;
    });
    Object.keys(known).forEach(function (name) { if (!now[name]) { box.removeChild(known[name].node); } });
    box.known = now;
    if (focus && document.activeElement && document.activeElement.id !== focus && byId(focus) && box.contains(byId(focus))) { byId(focus).focus(); }
  }

  // Where everybody sits who has a place in this round, by name.
  function seats(told) {
    var found = [];
    told.tables.forEach(function (one) {
      one.players.forEach(function (player, seat) { found.push({ name: player.name, table: one.number, at: one.at, starts: seat === 0 }); });
    });
    told.byes.forEach(function (name) { found.push({ name: name, table: null, at: null, starts: false }); });
    return found.sort(named);
  }

  function seat(each) {
    var where = each.table === null ? words.bye : table(each.table);
    return make("li", { class: each.table === null ? "rests" : each.starts ? "starts" : "" }, [
      make("span", { class: "who", text: each.name }),
      make("span", { class: "where" }, [
        make("span", { class: "sr", text: ", " }), make("span", { class: "at", text: where }), document.createTextNode(" "),
        each.at ? make("span", { class: "box", text: each.at }) : null, document.createTextNode(" "),
        each.starts ? make("span", { class: "first", text: "▶ " + words.starts }) : null
      ])
    ]);
  }

  // Before a round is drawn: who has entered, and who is here.
  function comer(each) {
    return make("li", { class: each.here ? "here" : "gone" }, [
      make("span", { class: "who", text: each.name }), make("span", { class: "where", text: each.here ? "✓ " + words.here : each.away || words.noPlace })
    ]);
  }

  function seatList(told) { return told.tables.length + told.byes.length > 0 ? seats(told) : told.players.slice().sort(named); }

  // All names, or those from one to another.
  function names(box, told, from, to) {
    var seated = told.tables.length + told.byes.length > 0, list = seatList(told).slice(from || 0, to);
    box.classList.toggle("few", list.length <= 10);
    box.classList.toggle("several", list.length > 24);
    box.classList.toggle("crowd", list.length > 60);
    box.classList.toggle("throng", list.length > 70);
    empty(box);
    list.forEach(function (each) { box.appendChild(seated ? seat(each) : comer(each)); });
  }

  // A table of the round: who sits there in which order, what the hall's table is doing, and the result once it is there.
  function card(one) {
    var seated = one.players.map(function (player, seat) {
      return make("li", { class: seat === 0 ? "starts" : "" }, [
        make("span", { class: "who", text: player.name }),
        make("span", { class: "result" }, [
          one.points === null ? null : make("span", { class: "sr", text: ": " }),
          one.points === null ? (seat === 0 ? make("span", { class: "first", text: "▶ " + words.starts }) : null) : make("span", { text: number(one.points[seat]) })
        ])
      ]);
    });
    var about = [make("h3", {}, [make("span", { text: tableHead(one) }), one.at ? make("span", { class: "box", text: " " + one.at }) : null])];
    about.push(make("ol", { class: "seated" }, seated));
    if (one.at && !one.online && one.points === null) { about.push(make("p", { class: "wrong", text: words.offline })); }
    if (one.state) { about.push(make("p", { class: "state" + (one.points === null ? "" : " done"), text: (one.points === null ? "" : "✓ ") + one.state })); }
    return make("li", { class: "seat-card" + (one.points === null ? "" : " over") + (one.report ? one.report.disputed ? " disputed" : " reported" : ""), "data-table": one.number }, about);
  }

  // Why the players of a table of this round sit there; a page that does not want it, or has another round, shows nothing.
  function why(number) {
    var told = Referee.parts["tournament-why"], now = Referee.parts.tournament;
    if (!told || !now || told.round !== now.round || !told.tables[number - 1]) { return null; }
    var made = make("details", { class: "reasons", id: "why-" + number }, [
      make("summary", {}, [make("span", { text: words.why }), make("span", { class: "sr", text: " " + table(number) })]),
      make("ul", {}, told.tables[number - 1].map(function (text) { return make("li", { text: text }); }))
    ]);
    made.open = Boolean(opened[number]);
    made.addEventListener("toggle", function () { opened[number] = made.open; });
    return made;
  }

  // What is said of the draw as a whole and of byes, and, in each card of a table, of its players; what was opened stays open.
  function reasons(cards) {
    var told = Referee.parts["tournament-why"], now = Referee.parts.tournament, fits = Boolean(told && now && told.round === now.round);
    write(byId("why-draw"), fits ? told.draw : "");
    byId("why-byes").hidden = !fits || !told.byes.length;
    list(byId("why-byes"), fits ? told.byes : []);
    [].forEach.call(cards.querySelectorAll("[data-table]"), function (card) {
      var box = card.querySelector(".about") || card, old = card.querySelector("details.reasons"), made = why(Number(card.getAttribute("data-table")));
      if (old && made && old.textContent === made.textContent) { return; }
      if (old) { box.removeChild(old); }
      if (made) { box.appendChild(made); }
    });
  }

  function tables(box, told, some) { keyed(box, some || told.tables, function (one) { return one.number; }, card); }

  function byes(box, told) {
    write(box, told.byes.length ? fill(words.byes, { players: told.byes.join(", ") }) : "");
    box.hidden = !told.byes.length;
  }

  function head(told, brief) {
    function column(text, extra) { return make("th", { scope: "col", class: extra, text: text }); }
    var fixed = [column(words.place, "number"), column(words.player)].concat(told.counting === "points" ? [] : [column(brief ? words.scoreShort : words.score, "number")], [column(brief ? words.pointsShort : words.points, "number"), column(words.played, "number beside")]);
    return make("thead", {}, [make("tr", {}, fixed.concat((brief ? [] : told.ties).map(function (label) { return column(label, "number beside"); })))]);
  }

  // On a phone, what decides between equal points stands below the name instead of beside it.
  function line(one, told, brief) {
    function cell(text, extra) { return make("td", { class: "number" + (extra || ""), text: text }); }
    var below = [words.played + Referee.colon() + one.played].concat(brief ? [] : one.ties.map(function (value, at) { return told.ties[at] + Referee.colon() + value; }));
    var name = make("th", { scope: "row" }, [make("span", { text: one.name }), one.mark ? make("span", { class: "mark", text: " ⚑ " + one.mark }) : null, one.away ? make("span", { class: "away", text: " (" + one.away + ")" }) : null, make("span", { class: "below", text: below.join(" · ") })]);
    return make("tr", {}, [cell(place(one)), name].concat(told.counting === "points" ? [] : [cell(sum(one.score))], [cell(sum(one.points)), cell(String(one.played), " beside")], brief ? [] : one.ties.map(function (value) { return cell(value, " beside"); })));
  }

  // All lines or those from one to another; in brief without what decides between equal points.
  function standings(box, told, from, to, brief) {
    var lines = told.standings.slice(from || 0, to === undefined ? told.standings.length : to);
    empty(box);
    box.appendChild(head(told, brief));
    box.appendChild(make("tbody", {}, lines.map(function (one) { return line(one, told, brief); })));
    if (byId("decided")) { write(byId("decided"), told.decided); }
    if (byId("standings-state")) { write(byId("standings-state"), told.standings_state); }
  }

  // Nothing is known yet of somebody without a result.
  function place(one) { return one.place === null ? "–" : String(one.place); }

  // What decides the order, in a word with its number.
  function score(one, told) { return (told.counting === "points" ? words.points : words.score) + Referee.colon() + sum(one.score); }

  // What the score is added up from, where it is more than the points: what is shown adds up.
  function addends(one, told) {
    return " · " + words.points + Referee.colon() + sum(one.points) + " · " + words.strength + Referee.colon() + sum(Math.round((one.score - one.points) * 100) / 100);
  }

  // The first three places with what decides the order; more lines if players share one. `full`: with what the score consists of.
  function podium(box, told, full) {
    keyed(box, told.standings.filter(function (one) { return one.place !== null && one.place <= 3; }), function (one) { return one.number || one.name; }, function (one) {
      return make("li", { value: one.place }, [make("span", { class: "who", text: one.name }), make("span", { text: " · " + score(one, told) + (full && told.counting !== "points" ? addends(one, told) : "") })]);
    });
    box.hidden = !told.standings.length;
  }

  // Whether one of the first has the same score as the next one, so that something else decided between them.
  function sharesScore(lines, first) {
    return lines.slice(0, first).some(function (one, at) { return at + 1 < lines.length && lines[at + 1].score === one.score; });
  }

  // All rounds with their results, those of the round under way as far as they have come in.
  function rounds(told) {
    var found = told.past.slice();
    if (told.tables.length && !found.some(function (one) { return one.round === told.round; })) {
      found.push({
        underWay: told.stage === "drawn" || told.stage === "playing", round: told.round, byes: told.byes, tables: told.tables.map(function (one) {
          return { number: one.number, group: one.group, players: one.players.map(function (player) { return player.name; }), points: one.points };
        })
      });
    }
    return found;
  }

  // The round under way is seen among the others on paper only: on the screen it has a place of its own.
  function played(one) {
    var rows = one.tables.map(function (each) {
      var players = each.players.map(function (name, seat) {
        return make("li", {}, [make("span", { class: "who", text: name }), make("span", { class: "result", text: each.points === null ? "–" : number(each.points[seat]) })]);
      });
      return make("li", { class: "seat-card" }, [make("h4", { text: tableHead(each) }), make("ol", { class: "seated" }, players)]);
    });
    return make("article", { class: "round-past" + (one.underWay ? " under-way" : "") }, [
      make("h3", { text: fill(words.oneRound, { round: one.round }) }), make("ul", { class: "by-table small" }, rows),
      one.byes.length ? make("p", { class: "byes", text: fill(words.byes, { players: one.byes.join(", ") }) }) : null
    ]);
  }

  function seated(told, player) {
    return told.tables.some(function (one) { return one.players.some(function (each) { return each.number === player.number; }); });
  }

  // Whoever is here and sits at no table of the round: with a bye, or because they came after the draw.
  function seatless(told) { return told.players.filter(function (one) { return one.here && !seated(told, one); }); }

  function title(told) {
    write(byId("name"), told ? told.name : words.title);
    write(byId("round"), told ? told.title : "");
    write(byId("told"), told ? told.told : words.none);
    if (byId("agreed")) { write(byId("agreed"), told ? told.agreed : ""); }
    if (byId("book")) { write(byId("book"), told && told.book ? words.rules + Referee.colon() + told.book : ""); }
  }

  // Files that would be empty are not offered.
  function files(told) {
    [].forEach.call(document.querySelectorAll("[data-after-results]"), function (link) { link.hidden = !told.standings.length; });
  }

  function list(box, sentences) { keyed(box, sentences.map(function (text, at) { return { at: at, text: text }; }), function (one) { return one.at; }, function (one) { return make("li", { text: one.text }); }); }

  return {
    words: words, byId: byId, fill: fill, number: number, sum: sum, table: table, tableHead: tableHead, write: write, named: named, keyed: keyed, names: names, seatList: seatList, tables: tables, card: card,
    byes: byes, standings: standings, score: score, podium: podium, sharesScore: sharesScore, rounds: rounds, played: played, title: title, files: files, list: list, reasons: reasons, seated: seated, seatless: seatless
  };
})();
