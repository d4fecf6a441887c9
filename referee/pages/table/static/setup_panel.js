// The test of the panel: press each, see each.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, pads = {};

  function byId(name) { return document.getElementById(name); }

  Referee.on(["panel_test"], function (parts) {
    var test = parts.panel_test, box = byId("test-parts"), buttons = byId("test-buttons"), lamps = byId("test-lamps");
    var focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.part : null;
    box.hidden = !test;
    // Other settings may have been taken over since this page was made.
    byId("here").hidden = !test || test.kind !== "page";
    if (test) { byId("panel-page").hidden = test.kind !== "page"; }
    byId("test-begin").hidden = !!test;
    byId("test-end").hidden = !test;
    if (!test) { return; }
    empty(buttons);
    empty(lamps);
    test.steps.forEach(function (step) {
      var advice = test.kind === "gpio" ? make("small", { text: box.dataset.ifNot.replace("{advice}", step.if_not) }) : null;
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

  // Where this page is the panel: its lamps and buttons beside the test, so that one phone is enough.
  function here(parts) {
    var told = parts.buttons, lamps = parts.lamps || {}, box = byId("pads"), shown;
    if (!told) { return; }
    Lamps.glow(lamps);
    shown = told.buttons.concat(told.start ? [{ button: told.start.button, name: told.start.says }] : []).map(function (one) {
      var pad = pads[one.button];
      if (!pad) {
        pad = pads[one.button] = make("button", { type: "button", class: "pad", "data-button": one.button }, [make("span", { class: "pad-name" }), make("span", { class: "sr pad-lamp" })]);
        Press.listen(pad);
      }
      if (pad.firstChild.textContent !== one.name) { pad.firstChild.textContent = one.name; }
      Lamps.edge(pad, one.lamp ? lamps[one.lamp] : "");
      return pad;
    });
    [].slice.call(box.children).forEach(function (pad) { if (shown.indexOf(pad) < 0) { box.removeChild(pad); } });
    shown.forEach(function (pad, place) { if (box.children[place] !== pad) { box.insertBefore(pad, box.children[place] || null); } });
  }

  Referee.on(["buttons", "lamps"], here);

  document.addEventListener("DOMContentLoaded", function () {
    Lamps.draw();
    Press.answers(function (told) { SetUp.tell(told || "", false, false); }, "");
    byId("sound").checked = Tones.wanted();
    byId("sound").addEventListener("change", function () { Tones.want(byId("sound").checked); });
    byId("test-begin").addEventListener("click", function () { SetUp.ask("try_panel", { part: "" }); });
    byId("test-end").addEventListener("click", function () { SetUp.ask("end_panel_test", {}); });
  });
  window.addEventListener("pagehide", function () {
    if (Referee.parts.panel_test) { SetUp.send("end_panel_test", {}, function () {}); }
  });
})();
