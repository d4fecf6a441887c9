// Fields for the totals of a match: a phone's keyboard for numbers may have no minus, so a button beside the field makes one. Plain ES2015.
"use strict";

var Totals = (function () {
  var MINUS = /^\s*[-\u2212\u2013]\s*/, PLUS = /^\s*\+\s*/, WHOLE = "\\s*[+\\-\u2212\u2013]?\\s*[0-9]{1,7}\\s*";

  // A total as it was typed, with whichever minus, or with the plus that pages write before a total.
  function read(input) { return parseInt(input.value.replace(PLUS, "").replace(MINUS, "-"), 10); }

  function written(points) { return points === null || points === undefined ? "" : String(points).replace("-", "\u2212"); }

  // A line with the name and the field of one player; `told`: what the button says, empty where no total is below 0.
  // Tab leads from field to field, past the buttons: a keyboard has a minus. For the director's page: the pages of players have their lines from the server, and no `Referee`.
  function line(id, label, points, told) {
    var make = Referee.element;
    var input = make("input", { id: id, inputmode: "numeric", autocomplete: "off", required: "", pattern: WHOLE, value: written(points) });
    var button = told ? make("button", { type: "button", tabindex: "-1", "data-minus": id, "aria-label": told, text: "\u00b1" }) : null;
    return { input: input, line: make("div", { class: "my-total" }, [make("label", { "for": id, text: label }), make("div", { class: "my-number" }, [button, input])]) };
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-minus]"), input = button && document.getElementById(button.dataset.minus);
    if (!input) { return; }
    input.value = MINUS.test(input.value) ? input.value.replace(MINUS, "") : "\u2212" + input.value.replace(PLUS, "").trim();
    input.focus();
  });
  return { read: read, line: line };
})();
