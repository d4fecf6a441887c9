// The test of the panel: press each, see each.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, renew = null;

  function byId(name) { return document.getElementById(name); }

  Referee.on(["panel_test"], function (parts) {
    var test = parts.panel_test, box = byId("test-parts"), buttons = byId("test-buttons"), lamps = byId("test-lamps");
    var focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.part : null;
    box.hidden = !test;
    byId("test-begin").hidden = !!test;
    byId("test-end").hidden = !test;
    if (!test) { return; }
    empty(buttons);
    empty(lamps);
    test.steps.forEach(function (step) {
      var advice = box.dataset.wired ? make("small", { text: box.dataset.ifNot.replace("{advice}", step.if_not) }) : null;
      if (step.button) {
        buttons.appendChild(make("li", { class: step.pressed ? "seen" : "" }, [
          make("span", { text: step.ask + " " }),
          make("strong", { text: step.pressed ? "✓ " + box.dataset.pressed : "… " + box.dataset.waits }),
          step.pressed ? null : advice
        ]));
        return;
      }
      var show = make("button", { type: "button", "data-part": step.name, "aria-pressed": test.now === step.name ? "true" : "false", text: box.dataset.show });
      show.addEventListener("click", function () { SetUp.ask("try_panel", { part: step.name }); });
      lamps.appendChild(make("li", { class: test.now === step.name ? "now" : "" }, [make("span", { text: step.ask + " " }), show, advice]));
      if (focus === step.name) { show.focus(); }
    });
  });

  document.addEventListener("DOMContentLoaded", function () {
    byId("test-begin").addEventListener("click", function () { SetUp.ask("try_panel", { part: "" }); });
    byId("test-end").addEventListener("click", function () { SetUp.ask("end_panel_test", {}); });
  });
  window.addEventListener("pagehide", function () {
    if (Referee.parts.panel_test) { SetUp.send("end_panel_test", {}, function () {}); }
  });
})();
