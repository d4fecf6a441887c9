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

  Referee.on(["picture", "match"], function () { setTimeout(fit, 0); });
  window.addEventListener("resize", fit);

  document.addEventListener("keydown", function (event) {
    var key = event.key || event.keyCode;
    if (key === "ArrowRight" || key === 39) { next(1); }
    if (key === "ArrowLeft" || key === 37) { next(-1); }
  });
  document.addEventListener("click", function () { next(1); });
  show(VIEWS.indexOf(kept()) < 0 ? "both" : kept());
  Referee.restarted = function () { location.reload(); };
})();
