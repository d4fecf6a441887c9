// The director opens a tournament: what is left to the rules is told with what the rules say.
"use strict";

(function () {
  var byId = Tournament.byId, MORE_THAN = 2;
  if (!byId("open")) { return; }

  function chosen(name) { return byId(name).options[byId(name).selectedIndex]; }

  // What the first choice of a list comes to.
  function says(name, values) { var first = byId(name).options[0]; Tournament.write(first, Tournament.fill(first.dataset.says, values)); }

  // The rule book decides the sizes of tables; the draw and the largest table decide what counts, as on the server (`_suits`).
  function suit() {
    var book = chosen("open-book").dataset, most = parseInt(byId("open-most").value || book.most, 10);
    var counting = byId("open-drawing").value === "swiss" && most > MORE_THAN ? "strength" : "points";
    says("open-least", { number: book.least || "…" });
    says("open-most", { number: book.most || "…" });
    byId("open-counting-now").hidden = Boolean(byId("open-counting").value);
    Tournament.write(byId("open-counting-now"), Tournament.fill(byId("open-counting-now").dataset.text, { counting: byId("open-counting").querySelector("[value=" + counting + "]").textContent }));
  }

  byId("open").addEventListener("submit", function (event) {
    event.preventDefault();
    var fields = { name: byId("open-name").value, rounds: parseInt(byId("open-rounds").value, 10) };
    fields.drawing = byId("open-drawing").value;
    if (byId("open-counting").value) { fields.counting = byId("open-counting").value; }
    Stages.fields(fields);
    if (byId("open-bye").value) { fields.bye = parseInt(byId("open-bye").value, 10); }
    if (byId("open-league").value) { fields.league = byId("open-league").value; }
    // What is left to the rule book or to the tables is not told.
    if (byId("open-book").value) { fields.book = byId("open-book").value; }
    if (byId("open-least").value) { fields.players_least = parseInt(byId("open-least").value, 10); }
    if (byId("open-most").value) { fields.players_most = parseInt(byId("open-most").value, 10); }
    if (byId("open-match").value) { fields.match_rounds = parseInt(byId("open-match").value, 10); }
    fields.ties = [].map.call(document.querySelectorAll("[data-tie]"), function (select) { return select.value; })
      .filter(function (tie, at, all) { return tie && all.indexOf(tie) === at; });
    Orders.send(byId("open").querySelector("button"), "open", fields, function () { byId("open-name").value = ""; });
  });
  byId("open").addEventListener("change", suit);
  suit();
})();
