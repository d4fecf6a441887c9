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

  // The whole picture is seen, whatever room is left for it.
  function fit() {
    var picture = Referee.parts.picture, box = document.getElementById("picture");
    if (!picture) { return; }
    var room = box.parentNode.clientHeight, wide = window.innerWidth > window.innerHeight;
    box.style.maxWidth = wide && room ? Math.floor(room * picture.aspect) + "px" : "";
  }

  // What stands beside the picture grows smaller until it fits; the drawn table is left out before words become small.
  var LARGEST = 3.4, READABLE = 3, SMALLEST = 1.4, STEP = 0.2;

  function shrink(box, to) {
    for (var size = LARGEST; ; size -= STEP) {
      box.style.fontSize = size.toFixed(1) + "vmin";
      if (box.scrollHeight <= box.clientHeight) { return true; }
      if (size - STEP < to) { return false; }
    }
  }

  function shown(name) { var box = document.getElementById(name); return !box.hidden; }

  function beside() {
    var drawn = document.querySelector(".confirmed"), box = drawn.parentNode, wide = window.innerWidth > window.innerHeight;
    var verdict = Referee.parts.verdict, said = shown("due") || shown("question") || verdict && !verdict.accepted;
    document.body.classList.toggle("quiet", !said);
    document.body.classList.toggle("bare", !verdict && !said && !Referee.parts.picture && !(Referee.parts.table && Referee.parts.table.sets.length));
    document.body.classList.toggle("to-do", shown("due"));
    drawn.hidden = false;
    box.style.fontSize = "";
    if (!wide || !box.clientHeight) { return; }
    if (shrink(box, said ? READABLE : SMALLEST) || !said) { return; }
    drawn.hidden = true;
    shrink(box, SMALLEST);
  }

  // Before the first picture: how everybody at the table opens the page.
  function join() {
    var box = document.getElementById("join"), image = box.querySelector("img"), setup = Referee.parts.setup, address = setup ? setup.address : "";
    box.hidden = !address || Boolean(Referee.parts.picture);
    if (box.hidden) { return; }
    if (!image) { box.insertBefore(Referee.element("img", { src: "/setup/qr.svg", alt: box.dataset.alt }), box.firstChild); }
    document.getElementById("join-address").textContent = address;
  }

  Referee.on(["setup", "picture"], join);

  function arrange() { fit(); beside(); }

  Referee.on(["picture", "clock", "match", "table", "verdict", "due", "question", "said", "live"], function () { setTimeout(arrange, 0); });
  window.addEventListener("resize", arrange);

  // Words above or below may grow by a line later: the room that is left is looked at now and then.
  var room = 0;
  setInterval(function () {
    var now = document.querySelector(".views").clientHeight;
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
