// Start: who plays what, and the button.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, begun = false;

  function byId(name) { return document.getElementById(name); }

  Referee.on(["match", "setup"], function (parts) {
    var match = parts.match;
    byId("start").disabled = !parts.setup.lobby || parts.setup.choosing;
    byId("summary").textContent = match.book ? match.book + ": " + match.buttons.map(function (one) { return one.name; }).join(", ") : "";
    if (begun && match.phase && match.phase !== "lobby" && match.phase !== "starting") { location.href = "/"; }
  });

  Referee.on(["said"], function (parts) {
    var list = empty(byId("said"));
    parts.said.slice().reverse().slice(0, 5).forEach(function (one) { list.appendChild(make("li", { text: one.text })); });
  });

  document.addEventListener("DOMContentLoaded", function () {
    byId("start").addEventListener("click", function () {
      begun = true;
      SetUp.ask("begin", {});
    });
  });
})();
