// What the director does about leagues: each form is one order, and the page shows what came of it.
"use strict";

(function () {
  var NEWS = "league-news";
  Orders.family = "league-";

  function fields(form) {
    var found = {};
    [].forEach.call(form.elements, function (input) {
      if (input.name) { found[input.name] = input.type === "number" ? parseInt(input.value, 10) : input.value; }
    });
    return found;
  }

  // The page is made anew with the change; what was done is said there.
  function reload() {
    try { sessionStorage.setItem(NEWS, document.getElementById("answer").textContent); } catch (error) { /* then it is only seen */ }
    location.assign(location.pathname);
  }

  [].forEach.call(document.querySelectorAll("form[data-order]"), function (form) {
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var select = form.querySelector("select");
      Orders.send(form.querySelector("[type=submit]"), form.getAttribute("data-order"), fields(form), reload, { chosen: select ? select.options[select.selectedIndex].text : "" });
    });
  });
  try {
    Orders.tell(sessionStorage.getItem(NEWS) || "");
    sessionStorage.removeItem(NEWS);
  } catch (error) { /* a browser that keeps nothing */ }
})();
