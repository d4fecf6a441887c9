// The puzzle of the day: drawn, checked with the camera in two stages, and solved step by step for those who want that.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, BEGINNING = "beginning", SOLUTION = "solution", AGAIN_MS = 4000, TRIES = 5;
  var stage = BEGINNING, steps = Referee.Steps(document.getElementById("steps")), puzzle = null, checking = false;

  function byId(name) { return document.getElementById(name); }

  function kept() {
    try { return sessionStorage.getItem("referee-puzzle"); } catch (error) { return null; }
  }

  // Who has built the table need not begin anew after looking at another page.
  function enter(next) {
    stage = next;
    byId("stage").textContent = byId("stage").dataset[stage];
    byId("again").hidden = stage === BEGINNING;
    try { sessionStorage.setItem("referee-puzzle", puzzle.name + stage); } catch (error) { /* A browser that remembers nothing begins anew. */ }
  }

  function tell(lines, kind) {
    var box = empty(byId("answer"));
    lines.forEach(function (text) { box.appendChild(make("p", { text: text })); });
    box.className = "answer notice" + (kind ? " " + kind : "");
    box.hidden = !lines.length;
  }

  function noAnswer() { tell([byId("answer").dataset.noAnswer], "wrong"); }

  // `then` gets the status and what was answered.
  function ask(path, then, failed, body) {
    var how = { credentials: "same-origin", cache: "no-store" };
    if (body) {
      how.method = "POST";
      how.headers = { "Content-Type": "application/json" };
      how.body = JSON.stringify(body);
    }
    fetch(path + "?lang=" + document.documentElement.lang, how).then(function (answer) {
      return answer.json().then(function (told) { then(answer.status, told); });
    }).catch(failed);
  }

  function row(tiles) {
    return make("div", { class: "set" }, tiles.map(function (tile) { return Referee.tile(tile); }));
  }

  function draw(told) {
    puzzle = told;
    ["origin", "rules", "task", "difficulty"].forEach(function (name) { byId(name).textContent = puzzle[name]; });
    puzzle.table.forEach(function (tiles) { byId("table").appendChild(row(tiles)); });
    byId("hand").appendChild(row(puzzle.hand));
    enter(kept() === puzzle.name + SOLUTION ? SOLUTION : BEGINNING);
    byId("waits").hidden = true;
    byId("puzzle").hidden = false;
  }

  // It takes a while to make a puzzle, and a referee that is just starting has none.
  function load(tries) {
    var waits = byId("waits");
    function again() {
      if (tries > 1) { setTimeout(function () { load(tries - 1); }, AGAIN_MS); } else { waits.textContent = waits.dataset.text; }
    }
    ask("/api/puzzle", function (status, told) {
      if (status === 200) { draw(told); return; }
      waits.textContent = told.told || waits.dataset.text;
      if (status >= 500) { again(); }
    }, again);
  }

  // The check

  function show() { byId("check").disabled = checking || busy !== false; }

  function check() {
    var asked = stage;
    function end(lines, right) {
      checking = false;
      show();
      if (busy) { return; } // it is told that a match has begun
      tell(lines, right ? "right" : "wrong");
    }
    checking = true;
    show();
    tell([byId("answer").dataset.looking]);
    ask("/api/puzzle/check", function (status, told) {
      if (status !== 200) { end([told.told || byId("answer").dataset.noAnswer], false); return; }
      if (told.right && asked === BEGINNING) { enter(SOLUTION); }
      end(told.told, told.right);
    }, function () { end([byId("answer").dataset.noAnswer], false); }, { puzzle: puzzle.name, stage: asked });
  }

  var busy = null; // whether a match needs the camera; null while that is not known
  Referee.on(["match"], function (parts) {
    var phase = parts.match.phase, before = busy;
    busy = phase === "starting" ? null : ["lobby", "over"].indexOf(phase) < 0;
    show();
    if (busy && !before) { tell([byId("answer").dataset.busy], "wrong"); }
    if (!busy && before) { tell([]); }
  });

  byId("check").addEventListener("click", check);
  byId("again").addEventListener("click", function () {
    enter(BEGINNING);
    tell([]);
  });

  // The solution comes from the referee as far as somebody has asked for it.
  function reveal(number, to) {
    ask("/api/puzzle/" + puzzle.name + "/steps/" + number, function (status, told) {
      if (status !== 200) { tell([told.told || byId("answer").dataset.noAnswer], "wrong"); return; }
      byId("hint").textContent = byId("hint").dataset.next;
      byId("hint").hidden = number >= puzzle.steps;
      byId("solution").hidden = byId("solution").hidden || number >= puzzle.steps;
      steps.show(told.steps, to, puzzle.steps);
      byId(byId("step-next").disabled ? "step-back" : "step-next").focus();
    }, noAnswer);
  }

  byId("hint").addEventListener("click", function () { reveal(steps.known() + 1, steps.known()); });
  byId("solution").addEventListener("click", function () { reveal(puzzle.steps, 0); });
  load(TRIES);
})();
