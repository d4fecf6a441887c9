// The television: the arrow keys of a remote control choose what is shown; it is remembered, and nothing else is to be done.
"use strict";

(function () {
  var VIEWS = ["both", "picture", "drawn"], KEY = "referee-display";

  function kept() {
    try { return localStorage.getItem(KEY); } catch (error) { return null; }
  }

  function show(view) {
    VIEWS.forEach(function (name) { document.body.classList.toggle("view-" + name, name === view); });
    try { localStorage.setItem(KEY, view); } catch (error) { /* A browser that remembers nothing begins anew. */ }
    window.dispatchEvent(new Event("resize"));
  }

  function next(step) {
    var now = VIEWS.indexOf(kept());
    show(VIEWS[((now < 0 ? 0 : now) + step + VIEWS.length) % VIEWS.length]);
  }

  function wide() { return window.innerWidth > window.innerHeight; }

  // The picture takes all the height that header and players leave; on an upright screen three quarters of the width.
  var UPRIGHT = 0.75, LARGEST_LETTERS = 0.032, SMALLEST_LETTERS = 0.014;

  Referee.roomForPicture = function (frame) {
    return wide() ? frame.parentNode.clientHeight : Math.round(window.innerWidth * UPRIGHT);
  };

  // Names of tiles are as large as they must be across a room; where there is no room for that, the drawn table tells.
  function shorter() { return Math.min(window.innerWidth, window.innerHeight); }
  Referee.largestLetters = function () { return LARGEST_LETTERS * shorter(); };
  Referee.smallestLetters = function () { return SMALLEST_LETTERS * shorter(); };

  // Words grow smaller until they fit into their box; whether they do. Sizes are parts of the shorter side of the screen, in percent.
  var LARGEST = 3.4, READABLE = 3, SMALLEST = 1.4, STEP = 0.2, TURN = 6.2, SMALLEST_TURN = 2.4, BOARD = 5.2, NAME = 3.6, SMALLEST_NAME = 1.6, TWO_LINES = 8.8, TWO_LINES_OF_FACTS = 10.3;
  // The tiles of the drawn table, as parts of the words beside them: a table with few sets has large ones.
  var TILES = [2, 1.75, 1.5, 1.25, 1.1];

  function fits(box) { return box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth; }

  function shrink(box, from, to) {
    for (var size = from; ; size -= STEP) {
      box.style.fontSize = size.toFixed(1) + "vmin";
      if (fits(box)) { return true; }
      if (size - STEP < to) { return false; }
    }
  }

  function shown(name) { return !document.getElementById(name).hidden; }

  // What stands beside the picture; the drawn table is left out before words become small.
  function beside() {
    var drawn = document.querySelector(".confirmed"), box = drawn.parentNode;
    var verdict = Referee.parts.verdict, said = shown("due") || shown("question") || verdict && !verdict.accepted;
    document.body.classList.toggle("quiet", !said);
    document.body.classList.toggle("bare", !verdict && !said && !Referee.parts.picture && !(Referee.parts.table && Referee.parts.table.sets.length));
    document.body.classList.toggle("to-do", shown("due"));
    drawn.hidden = false;
    drawn.style.fontSize = box.style.fontSize = "";
    if (!wide() || !box.clientHeight) { return; }
    if (TILES.some(function (size) { drawn.style.fontSize = size + "em"; return fits(box); })) { return; }
    drawn.style.fontSize = "";
    if (shrink(box, LARGEST, said ? READABLE : SMALLEST) || !said) { return; }
    drawn.hidden = true;
    shrink(box, LARGEST, SMALLEST);
  }

  // Long names make the words of header, lobby, scoreboard and players smaller instead of moving what is below them.
  function header() {
    var box = document.getElementById("whose");
    box.style.fontSize = "";
    if (wide()) { shrink(box, TURN, SMALLEST_TURN); }
    leaders();
  }

  // Where the names of several leaders take a third line, the header says only how many they are; their points stand below.
  function leaders() {
    var list = document.getElementById("facts"), match = Referee.parts.match, last = list.lastElementChild;
    if (!match || !match.leaders_text || !match.facts.length) { return; }
    last.textContent = match.leader_text;
    if (wide() && list.offsetHeight > TWO_LINES_OF_FACTS * shorter() / 100) { last.textContent = match.leaders_text; }
  }

  function boards() {
    ["lobby", "scoreboard"].forEach(function (name) {
      var box = document.getElementById(name);
      if (!box.hidden) { shrink(box, BOARD, SMALLEST); }
    });
  }

  // Names below: two lines at most where that can be read, so that the picture keeps its height.
  function players() {
    Array.prototype.forEach.call(document.querySelectorAll("#players .name"), function (name) {
      name.style.fontSize = "";
      for (var size = NAME; wide() && size > SMALLEST_NAME && name.offsetHeight > TWO_LINES * shorter() / 100; size -= STEP) {
        name.style.fontSize = (size - STEP).toFixed(1) + "vmin";
      }
    });
  }

  function arrange() {
    header();
    boards();
    players();
    beside();
    Referee.fitPicture();
  }

  Referee.on(["picture", "clock", "match", "table", "verdict", "due", "question", "said", "live", "setup"], function () { setTimeout(arrange, 0); });
  window.addEventListener("resize", arrange);
  if (document.fonts && document.fonts.ready) { document.fonts.ready.then(arrange); }

  // Words above or below may grow by a line later: the room that is left is looked at now and then.
  var room = 0;
  setInterval(function () {
    var now = document.getElementById("main").clientHeight + document.querySelector(".views").clientHeight;
    if (now !== room) { room = now; arrange(); }
  }, 500);

  document.addEventListener("keydown", function (event) {
    var key = event.key || event.keyCode;
    if (key === "ArrowRight" || key === 39) { next(1); }
    if (key === "ArrowLeft" || key === 37) { next(-1); }
  });
  document.addEventListener("click", function () { next(1); });
  show(VIEWS.indexOf(kept()) < 0 ? "both" : kept());
  Referee.restarted = function () { location.reload(); };
})();
