// What the director decides about players: warnings and points, withdrawn again; and the end of the tournament undone.
"use strict";

var Rulings = (function () {
  var make = Referee.element, empty = Referee.empty, byId = Tournament.byId, box = byId("rulings"), select = byId("rule-player"), known = "";
  if (!box) { return null; }

  function row(one) {
    var id = "rule-back-" + one.number, input = make("input", { id: id, maxlength: box.dataset.longestWhy, autocomplete: "off", required: true });
    var yes = make("button", { type: "submit", text: box.dataset.withdraw });
    var who = Orders.whoField("rule-back-who-" + one.number, box.dataset.who, box.dataset.longestWho);
    var form = make("form", { class: "fields inline" }, [who.line, make("p", {}, [make("label", { "for": id, text: box.dataset.why }), input]), make("p", {}, [yes])]);
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      Orders.send(yes, "rule-withdraw", { ruling: one.number, who: who.input.value, why: input.value }, function () { byId("rulings-heading").focus(); });
    });
    return make("li", {}, [make("span", { text: one.told }), make("details", { class: "reasons" }, [make("summary", { text: box.dataset.withdraw }), form])]);
  }

  function players(told) {
    var all = told.players.slice().sort(Tournament.named), now = JSON.stringify(all.map(function (one) { return [one.number, one.name]; }));
    if (now === known) { return; }
    var chosen = select.value;
    empty(select);
    select.appendChild(make("option", { value: "", text: "" }));
    all.forEach(function (one) { select.appendChild(make("option", { value: String(one.number), text: one.name })); });
    select.value = chosen;
    known = now;
  }

  function show(told) {
    byId("rulings-section").hidden = !told.players.length;
    players(told);
    Tournament.keyed(box, told.rulings, function (one) { return one.number; }, row);
    box.hidden = !told.rulings.length;
  }

  // What is chosen says whether points are given or taken.
  byId("rule-points").min = 1;
  byId("rule-kind").addEventListener("change", function () { byId("rule-points-line").hidden = byId("rule-kind").value === "0"; });
  byId("rule").addEventListener("submit", function (event) {
    event.preventDefault();
    var kind = Number(byId("rule-kind").value), points = kind ? kind * Math.abs(parseInt(byId("rule-points").value, 10)) : 0;
    Orders.send(byId("rule").querySelector("[type=submit]"), "rule", { player: Number(select.value), points: points, why: byId("rule-why").value, who: byId("rule-who").value }, function () {
      byId("rule-why").value = "";
      byId("rule-fold").open = false;
      byId("rulings-heading").focus();
    }, { as: points ? "points" : "", name: select.options[select.selectedIndex].text, signed: Referee.signed(points) });
  });
  byId("reopen").addEventListener("submit", function (event) {
    event.preventDefault();
    Orders.send(byId("reopen").querySelector("[type=submit]"), "reopen", { who: byId("reopen-who").value, why: byId("reopen-why").value }, function () { byId("reopen-why").value = ""; byId("reopen-fold").open = false; byId("steps-heading").focus(); });
  });
  return { show: show };
})();
