// Sections of the director's page that fold: a long tournament has many tables, and what comes after them is one line each.
"use strict";

var Folds = (function () {
  var byId = function (name) { return document.getElementById(name); }, known = {}, NARROW = window.matchMedia("(max-width: 40rem)"), last = null;
  // What is needed at a stage stays unfolded on a phone; everything else is one line there.
  var NEEDED = { none: ["open-section", "saving-section"], entering: ["players-section"], between: ["standings-section"] };

  function set(one, open) {
    one.open = open;
    one.body.hidden = !open;
    one.button.setAttribute("aria-expanded", String(open));
  }

  // What follows a section's heading goes into a box of its own, and the heading becomes a button.
  function make(name) {
    var section = byId(name), heading = section.querySelector("h2"), body = Referee.element("div", { id: name + "-body" }), button = Referee.element("button", { type: "button", class: "fold-button", text: heading.textContent });
    while (heading.nextSibling) { body.appendChild(heading.nextSibling); }
    section.appendChild(body);
    Referee.empty(heading).appendChild(button);
    button.setAttribute("aria-controls", body.id);
    var one = known[name] = { body: body, button: button, open: true, wanted: true };
    button.addEventListener("click", function () { set(one, !one.open); });
    set(one, true);
  }

  // After the end the podium and the files come first, and the next tournament is one line.
  // Folded or unfolded by itself only when the stage changes, or when there come to be many tables; in between as somebody left it.
  function arrange(stage, many) {
    last = [stage, many];
    document.body.classList.toggle("many-tables", many);
    Object.keys(known).forEach(function (name) {
      var one = known[name], wanted = !many && !(name === "open-section" && stage === "ended") && (!NARROW.matches || (NEEDED[stage] || []).indexOf(name) >= 0);
      if (one.wanted !== wanted) { set(one, wanted); }
      one.wanted = wanted;
    });
  }

  function open(name) { if (known[name]) { set(known[name], true); } }

  if (byId("contest")) {
    [].forEach.call(document.querySelectorAll("section[data-fold]"), function (section) { make(section.id); });
    [].forEach.call(document.querySelectorAll("[data-jump]"), function (link) {
      link.addEventListener("click", function () { open(link.getAttribute("href").slice(1)); });
    });
  }
  // A phone that is turned, or a window that is made narrow.
  NARROW.addListener(function () { if (last) { arrange(last[0], last[1]); } });
  return { arrange: arrange, open: open };
})();
