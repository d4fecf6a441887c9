// The turn clock, counted on every screen by the server's clock. Colour, shape and sign all tell how urgent it is.
"use strict";

(function () {
  var SVG = "http://www.w3.org/2000/svg";
  var SHAPES = {
    calm: "M50 6 A44 44 0 1 1 49.9 6 Z",
    soon: "M50 6 L97 92 L3 92 Z",
    last: "M32 6 L68 6 L94 32 L94 68 L68 94 L32 94 L6 68 L6 32 Z",
    stands: "M22 8 L42 8 L42 92 L22 92 Z M58 8 L78 8 L78 92 L58 92 Z"
  };
  var SOON_S = 30, LAST_S = 10, ROUNDING_S = 0.001;
  var boxes = [], warned = Infinity;

  function svg(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  function furnish(box) {
    var shape = svg("svg", { viewBox: "0 0 100 100", class: "clock-shape", "aria-hidden": "true", focusable: "false" });
    var path = svg("path", { d: SHAPES.calm });
    var text = Referee.element("span", { class: "clock-text" });
    var bar = Referee.element("span", { class: "clock-bar", "aria-hidden": "true" }, [Referee.element("span", {})]);
    shape.appendChild(path);
    Referee.empty(box);
    [shape, text, bar].forEach(function (part) { box.appendChild(part); });
    return { box: box, path: path, text: text, left: bar.firstChild, was: "" };
  }

  // How much is left; null before the server's clock is known.
  function seconds(clock) {
    if (clock.ends_at !== null && Referee.doubt() === null) { return null; }
    return clock.ends_at === null ? clock.left : Math.max(0, clock.ends_at - Referee.clock());
  }

  function written(whole) { return Math.floor(whole / 60) + ":" + (whole % 60 < 10 ? "0" : "") + whole % 60; }

  function show(one, clock) {
    one.box.hidden = !clock;
    if (!clock) { return; }
    var free = clock.limit === null, left = free ? null : seconds(clock), text = free ? one.box.getAttribute("data-none") : "–:––", how = "calm";
    if (left !== null) {
      text = written(Math.ceil(left - ROUNDING_S));
      how = left <= LAST_S ? "last" : left <= SOON_S ? "soon" : "calm";
      one.left.style.width = Math.min(100, 100 * left / clock.limit).toFixed(1) + "%";
    }
    one.left.parentNode.hidden = free;
    if (one.text.textContent !== text) { one.text.textContent = text; }
    var name = "clock " + (free ? "free" : how + (clock.running ? "" : " stands") + (text.length > 4 ? " long" : ""));
    if (one.was !== name) {
      one.was = one.box.className = name;
      one.path.setAttribute("d", clock.running || free ? SHAPES[how] : SHAPES.stands);
    }
  }

  function say(box, text) { if (box.textContent !== text) { box.textContent = text; } }

  // Screen readers are told at the moments at which the panel sounds, not every second. What was told goes when it holds
  // no more: whoever reads the page line by line must not find seconds of a clock that stands, nor those of another turn.
  function warn(clock) {
    var box = document.getElementById("clock-warning");
    if (!box) { return; }
    if (!clock || clock.limit === null) { warned = Infinity; say(box, ""); return; }
    if (seconds(clock) === null) { return; }
    var whole = Math.ceil(seconds(clock) - ROUNDING_S);
    if (whole > warned) { warned = Infinity; say(box, ""); }
    if (!clock.running) { if (whole > 0) { say(box, ""); } return; }
    clock.warnings.forEach(function (mark) {
      if (whole <= mark && warned > mark) {
        warned = mark;
        if (whole === mark) { document.dispatchEvent(new CustomEvent("clockmark", { detail: mark })); }
        if (whole > mark - 2 && mark >= 10) { say(box, box.getAttribute("data-left").replace("{seconds}", mark)); }
      }
    });
    if (whole === 0 && warned > 0) { warned = 0; say(box, box.getAttribute("data-up")); }
  }

  function tick() {
    var clock = Referee.parts.clock;
    boxes.forEach(function (one) { show(one, clock); });
    warn(clock);
  }

  document.addEventListener("DOMContentLoaded", function () {
    Array.prototype.forEach.call(document.querySelectorAll("[data-clock]"), function (box) { boxes.push(furnish(box)); });
  });
  Referee.on(["clock"], tick);
  setInterval(tick, 50);
})();
