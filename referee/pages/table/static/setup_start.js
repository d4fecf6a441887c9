// Start: who plays what, and the button.
"use strict";

(function () {
  var begun = false;

  function byId(name) { return document.getElementById(name); }

  // Where the buttons are on the page, players press there.
  function onward() { location.href = Referee.parts.buttons && Referee.parts.buttons.touch ? "/panel" : "/"; }

  Referee.on(["match", "setup"], function (parts) {
    var match = parts.match, setup = parts.setup;
    byId("start").disabled = !setup.lobby || setup.choosing;
    byId("summary-book").textContent = match.book || "";
    byId("summary-players").textContent = match.buttons.map(function (one) { return one.name; }).join(", ");
    if (begun && (setup.playing || setup.choosing && parts.buttons && parts.buttons.touch)) { onward(); }
  });

  // Without buttons on the page it stands here what players do to choose who begins.
  Referee.on(["said", "setup"], function (parts) {
    var box = byId("choosing"), said = parts.said || [];
    box.hidden = !parts.setup.choosing || !said.length;
    if (!box.hidden && box.textContent !== said[said.length - 1].text) { box.textContent = said[said.length - 1].text; }
  });

  document.addEventListener("DOMContentLoaded", function () {
    byId("start").addEventListener("click", function () {
      begun = true;
      SetUp.ask("begin", {});
    });
  });
})();
