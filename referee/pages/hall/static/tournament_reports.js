// A result that players entered, on the card of its table: both versions side by side, each with a button, a third one, or none.
"use strict";

var Reports = (function () {
  var make = Referee.element, byId = Tournament.byId, box = byId("tables");
  if (!box) { return null; }
  var text = box.dataset;

  // Both versions beside the names; before somebody disputes it, or if they entered none, the line of the table says it all.
  function versions(one) {
    if (!one.report.otherwise) { return null; }
    function column(name) { return make("th", { scope: "col", class: "number", text: name }); }
    function cell(points) { return make("td", { class: "number", text: Tournament.number(points) }); }
    var head = make("tr", {}, [make("th", { scope: "col", text: Tournament.words.player }), column(one.report.by), column(one.report.disputed_by)]);
    var rows = one.players.map(function (player, seat) {
      var differs = one.report.points[seat] !== one.report.otherwise[seat];
      return make("tr", { class: differs ? "differs" : "" }, [make("th", { scope: "row", text: player.name }), cell(one.report.points[seat]), cell(one.report.otherwise[seat])]);
    });
    return make("table", { class: "standings versions" }, [make("caption", { text: text.entered }), make("thead", {}, [head]), make("tbody", {}, rows)]);
  }

  function button(kind, id, label, head, run) {
    var made = make("button", { type: "button", class: kind, id: id }, [make("span", { text: label }), make("span", { class: "sr", text: " " + head })]);
    made.addEventListener("click", function () { run(made); });
    return made;
  }

  function why(id) {
    var input = make("input", { id: id, maxlength: text.longestWhy, autocomplete: "off", required: true });
    return { input: input, line: make("p", {}, [make("label", { "for": id, text: text.why }), input]) };
  }

  function folded(id, summary, head, form) {
    return make("details", { class: "reject", id: id }, [make("summary", {}, [make("span", { text: summary }), make("span", { class: "sr", text: " " + head })]), form]);
  }

  // A result that is neither of the two.
  function third(one, head, decide) {
    var reason = why("report-third-why-" + one.number), minus = Referee.parts.tournament.minus, fields = one.players.map(function (player, seat) {
      return Totals.line("report-third-" + one.number + "-" + seat, Tournament.fill(text.total, { player: player.name }), null, minus ? Tournament.fill(text.minusOf, { player: player.name }) : "");
    });
    var lines = fields.map(function (field) { return field.line; }).concat(minus ? [make("p", { class: "soft", text: text.minusText })] : []);
    var yes = make("button", { type: "submit", id: "report-third-do-" + one.number, text: text.thirdCounts });
    var form = make("form", { class: "fields inline" }, [make("p", { class: "soft", text: text.thirdText })].concat(lines, [reason.line, make("p", {}, [yes])]));
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      decide(yes, fields.map(function (field) { return Totals.read(field.input); }), reason.input.value, { as: "third" });
    });
    return folded("report-third-fold-" + one.number, text.third, head, form);
  }

  function reject(one, head, who) {
    var reason = why("report-why-" + one.number);
    var yes = make("button", { type: "submit", id: "report-reject-" + one.number, text: text.reject });
    var form = make("form", { class: "fields inline" }, [make("p", { class: "soft", text: text.rejectText }), reason.line, make("p", {}, [yes])]);
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      if (who.reportValidity()) { Orders.send(yes, "report-reject", { table: one.number, who: who.value, why: reason.input.value }); }
    });
    return folded("report-reject-fold-" + one.number, text.reject, head, form);
  }

  // What the director can do; the name is typed once for all of it.
  function parts(one, head) {
    var who = Orders.whoField("report-who-" + one.number, text.who, text.longestWho), report = one.report;
    function decide(made, points, reason, about) {
      if (who.input.reportValidity()) { Orders.send(made, "report-decide", { table: one.number, points: points, who: who.input.value, why: reason }, function () { Round.follow(one.number); }, about); }
    }
    function counts(name) { return report.disputed ? Tournament.fill(text.counts, { player: name }) : text.confirm; }
    var first = button(report.otherwise ? "" : "strong", "report-confirm-" + one.number, counts(report.by), head, function (made) {
      if (who.input.reportValidity()) { Orders.send(made, "report-confirm", { table: one.number, points: report.points, who: who.input.value }, report.disputed ? function () { Round.follow(one.number); } : null, { as: report.disputed ? "of" : "", player: report.by }); }
    });
    var other = report.otherwise ? button("", "report-other-" + one.number, counts(report.disputed_by), head, function (made) { decide(made, report.otherwise, "", { as: "of", player: report.disputed_by }); }) : null;
    return [versions(one), make("div", { class: "fields" }, [who.line]), make("p", { class: "choices" }, [first, other]), third(one, head, decide), reject(one, head, who.input)];
  }

  return { parts: parts };
})();
