// A sheet is printed by a button, as on the other pages of the tournament.
"use strict";

(function () {
  var button = document.getElementById("print");
  if (button) { button.addEventListener("click", function () { window.print(); }); }
})();
