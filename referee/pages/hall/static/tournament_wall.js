// The tournament on a large screen: one view at a time, as large as fits; nothing scrolls, and nothing is to be done.
"use strict";

(function () {
  var byId = Tournament.byId, wall = byId("wall"), SECTIONS = { names: "seats", tables: "tables-section", standings: "standings-section" };
  var OF_STAGE = { entering: "names", drawn: "names", playing: "tables", between: "standings", ended: "standings" };
  var SMALLEST = 12, LARGEST = 96, MUCH = 0.8, MANY = 40;

  // What somebody chose stands in the address, so that every screen of a hall can show something else.
  function chosen() { var name = location.hash.slice(1); return SECTIONS[name] ? name : ""; }

  // Before the first draw there is nothing but names, and before the first result there are no standings.
  function view(told) {
    var wanted = chosen();
    if (wanted === "standings" && told && !told.standings.length) { wanted = ""; }
    return told && told.round ? wanted || OF_STAGE[told.stage] : "names";
  }

  // Nothing is cut off, and no name is broken within a word.
  function fits(box) {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) { return false; }
    return [].every.call(box.querySelectorAll(".who"), function (name) { return name.scrollWidth <= name.clientWidth + 1; });
  }

  function largest() {
    var low = SMALLEST, high = LARGEST;
    while (low < high) {
      var size = Math.ceil((low + high) / 2);
      wall.style.fontSize = size + "px";
      if (fits(wall)) { low = size; } else { high = size - 1; }
    }
    wall.style.fontSize = low + "px";
    return low;
  }

  // One very long name is broken before all others become small for its sake.
  function fit() {
    wall.classList.remove("breaks");
    var whole = largest();
    wall.classList.add("breaks");
    if (whole > MUCH * largest()) {
      wall.classList.remove("breaks");
      wall.style.fontSize = whole + "px";
    }
    wall.classList.toggle("too-much", !fits(wall));
  }

  // A long list of standings goes on in further columns; a very long one is told in brief, so that it can be read across a room.
  function columns(told) {
    var box = Referee.empty(byId("columns")), all = told.standings.length, wide = window.innerWidth > window.innerHeight;
    var count = !wide || all <= 16 ? 1 : all <= MANY ? 2 : 3, rows = Math.ceil(all / count);
    for (var from = 0; from < all; from += rows) {
      var table = Referee.element("table", { class: "standings" });
      Tournament.standings(table, told, from, from + rows, count === 3);
      box.appendChild(table);
    }
  }

  function show() {
    var told = Referee.parts.tournament, now = view(told);
    Tournament.title(told);
    wall.hidden = !told;
    Object.keys(SECTIONS).forEach(function (name) { byId(SECTIONS[name]).hidden = name !== now; });
    [].forEach.call(document.querySelectorAll("[data-view]"), function (button) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-view") === chosen()));
    });
    if (!told) { return; }
    Tournament.names(byId("by-name"), told);
    Tournament.tables(byId("by-table"), told);
    Tournament.byes(byId("byes"), told);
    columns(told);
    fit();
  }

  [].forEach.call(document.querySelectorAll("[data-view]"), function (button) {
    button.addEventListener("click", function () {
      var name = button.getAttribute("data-view");
      history.replaceState(null, "", location.pathname + location.search + (name ? "#" + name : ""));
      show();
    });
  });
  window.addEventListener("hashchange", show);
  window.addEventListener("resize", show);
  window.addEventListener("load", show);
  Referee.on(["tournament"], show);
  Referee.restarted = function () { location.reload(); };
})();
