// The whole screen for the television's page, where a browser can do that: with the button, or with the key F.
"use strict";

(function () {
  var root = document.documentElement, button = document.getElementById("full-screen");
  var enter = root.requestFullscreen || root.webkitRequestFullscreen, leave = document.exitFullscreen || document.webkitExitFullscreen;

  function filled() { return Boolean(document.fullscreenElement || document.webkitFullscreenElement); }

  function toggle() {
    var answer = filled() ? leave.call(document) : enter.call(root);
    // A browser may refuse; everything stays as it was.
    if (answer && answer.catch) { answer.catch(function () {}); }
  }

  function show() { button.textContent = filled() ? button.dataset.on : button.dataset.off; }

  if (!enter || !leave || !(document.fullscreenEnabled || document.webkitFullscreenEnabled)) { return; }
  button.hidden = false;
  button.addEventListener("click", function (event) {
    event.stopPropagation();
    toggle();
  });
  document.addEventListener("keydown", function (event) {
    if ((event.key === "f" || event.key === "F") && !event.ctrlKey && !event.metaKey && !event.altKey) { toggle(); }
  });
  ["fullscreenchange", "webkitfullscreenchange"].forEach(function (name) { document.addEventListener(name, show); });
})();
