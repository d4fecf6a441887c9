// In a hall without boxes, what only tables with a referee can do is not offered.
"use strict";

Referee.on(["hall"], function (parts) {
  [].forEach.call(document.querySelectorAll("[data-boxes]"), function (one) { one.hidden = Boolean(parts.hall.alone); });
});
