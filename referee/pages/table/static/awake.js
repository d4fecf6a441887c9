// Keeps the screen on while a match runs, where a browser lets a page do that: only over HTTPS, or on the referee's own machine.
"use strict";

(function () {
  // A button is pressed before a match, too: to take a seat.
  var RESTS = document.body.classList.contains("panel-page") ? ["starting", "over"] : ["starting", "lobby", "over"];
  var able = Boolean(window.isSecureContext && navigator.wakeLock);
  var lock = null, asked = false, wanted = false;

  // What this device does: on the page that explains it, and beside the buttons where it goes dark by itself.
  [["awake-yes", able], ["awake-no", !able], ["sleeps", !able]].forEach(function (told) {
    var box = document.getElementById(told[0]);
    if (box) { box.hidden = !told[1]; }
  });

  // A browser releases the lock whenever the page is hidden; a battery saver may refuse it.
  function hold() {
    if (!able || asked || lock || !wanted || document.hidden) { return; }
    asked = true;
    navigator.wakeLock.request("screen").then(function (given) {
      asked = false;
      lock = given;
      lock.addEventListener("release", function () { lock = null; });
      if (!wanted) { release(); }
    }).catch(function () { asked = false; });
  }

  function release() {
    if (lock) { lock.release(); }
    lock = null;
  }

  if (document.querySelector(".now")) {
    Referee.on(["match"], function (parts) {
      wanted = Boolean(parts.match) && RESTS.indexOf(parts.match.phase) < 0;
      if (wanted) { hold(); } else { release(); }
    });
  }
  document.addEventListener("visibilitychange", hold);
})();
