// The calibration of the lens: pictures of the sheet, and which parts of the camera's picture it has covered.
"use strict";

(function () {
  var SVG = "http://www.w3.org/2000/svg", LOOK_MS = 1200;

  function byId(name) { return document.getElementById(name); }

  function svg(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  function tell(box, text) {
    if (box.textContent !== (text || "")) { box.textContent = text || ""; }
    box.hidden = !text;
  }

  Referee.on(["lens"], function (parts) {
    var lens = parts.lens, under = !!lens && lens.under_way, told = byId("lens-told");
    [].forEach.call(document.querySelectorAll("[data-lens]"), function (button) {
      var step = button.dataset.lens;
      button.hidden = step === "begin" ? under : !under;
      button.disabled = !!lens && lens.busy && step !== "stop" || (step === "back" || step === "learn") && (!lens || !lens.pictures);
    });
    byId("lens-busy").hidden = !under || !lens.busy;
    byId("lens-use").hidden = !lens || under;
    tell(told, lens && lens.told);
    told.className = "answer" + (lens && lens.well ? " well" : "");
    tell(byId("lens-left"), lens && lens.left);
    byId("lens-parts").hidden = !under;
    if (under) { drawParts(lens.grid); }
  });

  function drawParts(grid) {
    var drawing = Referee.empty(byId("lens-view").querySelector("svg")), done = 0;
    grid.forEach(function (row, y) {
      row.forEach(function (covered, x) {
        done += covered ? 1 : 0;
        drawing.appendChild(svg("rect", { x: x, y: y, width: 1, height: 1, class: "field " + (covered ? "covered" : "bare") }));
        if (!covered) { return; }
        ["tick under", "tick"].forEach(function (kind) {
          drawing.appendChild(svg("path", { d: "M" + (x + .35) + " " + (y + .5) + " l.12 .15 l.2 -.3", class: kind }));
        });
      });
    });
    byId("lens-count").textContent = byId("lens-parts").dataset.count.replace("{done}", done).replace("{total}", grid.length * grid[0].length);
  }

  Referee.on(["camera"], function (parts) {
    var camera = parts.camera, box = byId("lens-view"), picture = new Image();
    if (!camera || !camera.size) { return; }
    picture.onload = function () {
      var before = box.querySelector("img");
      picture.alt = byId("lens-parts").dataset.alt;
      if (before) { box.replaceChild(picture, before); } else { box.insertBefore(picture, box.firstChild); }
    };
    picture.src = "/setup/camera/" + camera.view + ".jpg";
  });

  function look() {
    var lens = Referee.parts.lens;
    if (!document.hidden && lens && lens.under_way && !lens.busy) { SetUp.send("look_through", {}, function () {}); }
  }

  document.addEventListener("DOMContentLoaded", function () {
    [].forEach.call(document.querySelectorAll("[data-lens]"), function (button) {
      button.addEventListener("click", function () { SetUp.ask("calibrate", { step: button.dataset.lens }); });
    });
    byId("lens-use").addEventListener("click", function () { SetUp.ask("try_again", {}); });
    setInterval(look, LOOK_MS);
  });
})();
