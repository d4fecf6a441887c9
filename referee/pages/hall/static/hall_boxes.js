// In a hall without boxes, what only tables with a referee can do is not offered; some things are told only there.
"use strict";

Referee.on(["hall"], function (parts) {
  [].forEach.call(document.querySelectorAll("[data-boxes]"), function (one) { one.hidden = Boolean(parts.hall.alone); });
  [].forEach.call(document.querySelectorAll("[data-without-boxes]"), function (one) { one.hidden = !parts.hall.alone; });
});
