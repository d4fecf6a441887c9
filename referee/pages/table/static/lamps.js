// The lamps of a panel on a screen: each has its colour, its shape and its word.
"use strict";

var Lamps = (function () {
  var SHAPES = {
    red: "M32 4 L68 4 L96 32 L96 68 L68 96 L32 96 L4 68 L4 32 Z M30 36 L44 50 L30 64 L36 70 L50 56 L64 70 L70 64 L56 50 L70 36 L64 30 L50 44 L36 30 Z",
    amber: "M50 4 L98 92 L2 92 Z M45 36 L55 36 L53 66 L47 66 Z M46 72 L54 72 L54 80 L46 80 Z",
    green: "M50 4 A46 46 0 1 1 49.9 4 Z M26 52 L42 70 L74 34 L68 28 L42 58 L32 46 Z",
    draw: "M6 6 L94 6 L94 94 L6 94 Z M44 26 L44 44 L26 44 L26 56 L44 56 L44 74 L56 74 L56 56 L74 56 L74 44 L56 44 L56 26 Z"
  };
  var KINDS = ["on", "blink", "opposite", "slow", "tick"];

  function list() { return document.getElementById("lamps"); }
  function lamp(name) { return document.getElementById("lamp-" + name); }
  function write(box, text) { if (box.textContent !== text) { box.textContent = text; } }
  function words(how) { return how ? " (" + (how === "on" ? list().dataset.on : list().dataset.blinks) + ")" : " ()"; }

  function svg(shape) {
    var made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    var path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    made.setAttribute("viewBox", "0 0 100 100");
    made.setAttribute("aria-hidden", "true");
    made.setAttribute("focusable", "false");
    path.setAttribute("d", shape);
    path.setAttribute("fill-rule", "evenodd");
    made.appendChild(path);
    return made;
  }

  function draw() {
    Object.keys(SHAPES).forEach(function (name) { lamp(name).insertBefore(svg(SHAPES[name]), lamp(name).firstChild); });
  }

  // What a lamp means, which depends on how it glows. Red and amber in turn: something is wrong with the equipment.
  function meaning(name, lamps) {
    var how = lamps[name], words = list().dataset;
    if (how === "tick" || how === "opposite" || name === "amber" && lamps.red === "opposite") { return words.fault; }
    if (how === "slow" && name === "green") { return words.ready; }
    if (how === "blink" && name === "amber") { return words.asks; }
    if (how === "blink" && name === "red") { return words.putRight; }
    return lamp(name).querySelector(".lamp-word").dataset.word;
  }

  // `lamps`: how each glows that does.
  function glow(lamps) {
    Object.keys(SHAPES).forEach(function (name) {
      var how = lamps[name], box = lamp(name);
      box.hidden = !how;
      box.className = "lamp lamp-" + name + " glow-" + (how || "off");
      write(box.querySelector(".lamp-word"), meaning(name, lamps));
      write(box.querySelector(".sr"), words(how));
    });
  }

  // The lamp of a player is the edge of that button.
  function edge(pad, how) {
    KINDS.forEach(function (kind) { pad.classList.toggle("glow-" + kind, how === kind); });
    write(pad.querySelector(".pad-lamp"), how ? words(how) : "");
  }

  return { draw: draw, glow: glow, edge: edge };
})();
