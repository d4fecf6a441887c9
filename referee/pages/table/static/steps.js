// Steps of a turn, one after the other, by button, arrow key and swipe: a sentence, and the table as it then lies.
"use strict";

// `draw` is called with each step that is shown, to draw more of it; swipes count anywhere in `area`.
Referee.Steps = function (area, draw) {
  var make = Referee.element, empty = Referee.empty, SWIPE_PX = 48, steps = [], at = 0, total = 0, touch = null;
  var box = byId("steps"), words = box.dataset;

  function byId(name) { return document.getElementById(name); }

  function step(to) {
    var one, back = byId("step-back"), next = byId("step-next"), active = document.activeElement;
    at = Math.max(0, Math.min(steps.length - 1, to));
    one = steps[at];
    byId("step-number").textContent = words.step.replace("77", at + 1).replace("88", total);
    byId("step-told").textContent = one.told;
    empty(byId("step-sources"));
    one.sources.forEach(function (text) { byId("step-sources").appendChild(make("li", { text: text })); });
    back.disabled = at === 0;
    next.disabled = at === steps.length - 1;
    // A button that can be pressed no more does not keep the focus.
    if (active === back && back.disabled) { next.focus(); } else if (active === next && next.disabled) { back.focus(); }
    if (draw) { draw(one); }
    drawAfter(one);
  }

  function drawAfter(one) {
    var list = empty(byId("step-after"));
    one.after.forEach(function (set) {
      list.appendChild(make("div", { class: "set" + (set.touched ? " touched" : "") }, set.tiles.map(function (face, place) {
        var isNew = set.new.indexOf(place) >= 0, made = Referee.tile(face, isNew ? "new" : "");
        if (isNew) { made.setAttribute("aria-label", face.name + ", " + words.moved); }
        return made;
      })));
    });
  }

  function go(by) { if (steps.length) { step(at + by); } }

  byId("step-back").addEventListener("click", function () { go(-1); });
  byId("step-next").addEventListener("click", function () { go(1); });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { return; }
    if (event.key === "ArrowRight") { go(1); } else if (event.key === "ArrowLeft") { go(-1); }
  });
  area.addEventListener("touchstart", function (event) {
    touch = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
  }, { passive: true });
  area.addEventListener("touchend", function (event) {
    var end = event.changedTouches[0], across = touch ? end.clientX - touch[0] : 0;
    if (touch && Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(end.clientY - touch[1])) { go(across < 0 ? 1 : -1); }
    touch = null;
  }, { passive: true });

  // Shows one of the steps; `of` is how many there are in all, if not all of them are known. Without steps there is nothing.
  function show(told, to, of) {
    steps = told;
    total = of || told.length;
    box.hidden = !told.length;
    if (told.length) { step(to); }
  }

  return { show: show, known: function () { return steps.length; } };
};
