// The puzzle of the day: drawn, checked with the camera in two stages, and solved step by step for those who want that.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, BEGINNING = "beginning", SOLUTION = "solution", AGAIN_MS = 4000, TRIES = 5;
  // `asked`: whether the camera was asked and has not answered; `last`: the number of the last reading that is known.
  var stage = BEGINNING, viewer = null, length = 0, day = "", asked = false, last = null;

  function byId(name) { return document.getElementById(name); }

  function kept() {
    try { return sessionStorage.getItem("referee-puzzle"); } catch (error) { return null; }
  }

  // Who has built the table need not begin anew after looking at another page.
  function enter(next) {
    stage = next;
    byId("stage").textContent = byId("stage").dataset[stage];
    byId("again").hidden = stage === BEGINNING;
    try { sessionStorage.setItem("referee-puzzle", day + stage); } catch (error) { /* A browser that remembers nothing begins anew. */ }
  }

  function tell(lines, kind, pin) {
    var box = empty(byId("answer"));
    lines.forEach(function (text) {
      box.appendChild(make("p", {}, [pin ? make("a", { href: "/enter?next=/puzzle", text: text }) : make("span", { text: text })]));
    });
    box.className = "answer notice" + (kind ? " " + kind : "");
    box.hidden = !lines.length;
  }

  function json(path) {
    return fetch(path + "?lang=" + document.documentElement.lang, { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      return answer.json().then(function (body) { return { status: answer.status, body: body }; });
    });
  }

  function row(tiles, number) {
    var set = make("div", { class: "set" });
    if (number) { set.appendChild(Referee.setNumber(byId("table").dataset.set, number)); }
    tiles.forEach(function (tile) { set.appendChild(Referee.tile(tile)); });
    return set;
  }

  function draw(puzzle) {
    day = puzzle.date;
    length = puzzle.steps.length;
    byId("origin").textContent = puzzle.origin;
    byId("rules").textContent = puzzle.rules;
    byId("task").textContent = puzzle.task;
    byId("difficulty").textContent = puzzle.difficulty;
    puzzle.table.forEach(function (tiles, index) { byId("table").appendChild(row(tiles, index + 1)); });
    byId("hand").appendChild(row(puzzle.hand));
    viewer = Referee.steps(byId("steps"), puzzle.steps);
    enter(kept() === day + SOLUTION ? SOLUTION : BEGINNING);
    byId("waits").hidden = true;
    byId("puzzle").hidden = false;
  }

  // It takes a while to make a puzzle, and a referee that is just starting has none.
  function load(tries) {
    json("/api/puzzle").then(function (answer) {
      if (answer.status === 200) { draw(answer.body); return; }
      byId("waits").textContent = answer.body.told || byId("waits").dataset.text;
      if (answer.status >= 500) { throw new Error(String(answer.status)); }
    }).catch(function () {
      if (tries > 1) { setTimeout(function () { load(tries - 1); }, AGAIN_MS); } else { byId("waits").textContent = byId("waits").dataset.text; }
    });
  }

  function compare(number) {
    asked = false;
    json("/api/puzzle/" + stage + "/" + number).then(function (answer) {
      var told = answer.body;
      if (answer.status !== 200) { tell([told.told || byId("answer").dataset.noAnswer], "wrong"); return; }
      if (told.right && stage === BEGINNING) { enter(SOLUTION); }
      tell(told.told, told.right ? "right" : "wrong");
    }).catch(function () { tell([byId("answer").dataset.noAnswer], "wrong"); });
  }

  function id() {
    var letters = "";
    while (letters.length < 24) { letters += Math.floor(Math.random() * 16).toString(16); }
    return letters;
  }

  function check() {
    asked = true;
    tell([byId("answer").dataset.looking]);
    fetch("/api/command", {
      method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command: "read_table", id: id(), n: Referee.number() })
    }).then(function (reply) {
      return reply.json().then(function (told) {
        if (reply.ok) { return; }
        asked = false;
        tell([told.told || told.error || byId("answer").dataset.noAnswer], "wrong", reply.status === 403);
      });
    }).catch(function () {
      asked = false;
      tell([byId("answer").dataset.noAnswer], "wrong");
    });
  }

  // What somebody else has asked to be read is of no use here: they may be building another stage.
  Referee.on(["table_read"], function (parts) {
    var read = parts.table_read, now = read ? read.number : null, fresh = now !== last;
    last = now;
    if (asked && fresh && now !== null) { compare(now); }
  });

  var busy = false;
  Referee.on(["match"], function (parts) {
    var phase = parts.match.phase, before = busy;
    busy = ["starting", "lobby", "over"].indexOf(phase) < 0;
    byId("check").disabled = busy || phase === "starting";
    if (busy && !before) { asked = false; tell([byId("answer").dataset.busy], "wrong"); }
    if (!busy && before) { tell([]); }
  });

  byId("check").addEventListener("click", check);
  byId("again").addEventListener("click", function () {
    enter(BEGINNING);
    tell([]);
  });
  byId("hint").addEventListener("click", function () {
    var most = Math.min(length, viewer.most() + 1);
    byId("hint").textContent = byId("hint").dataset.next;
    byId("hint").hidden = most === length;
    viewer.show(most - 1, most, byId("hint").hidden ? "previous" : "");
  });
  byId("solution").addEventListener("click", function () {
    byId("hint").hidden = byId("solution").hidden = true;
    viewer.show(0, length, "next");
  });
  load(TRIES);
})();
