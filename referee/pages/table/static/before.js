// What was seen in the last seconds before a press: a strip of small pictures, swiped, or moved by key and button.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, SVG = "http://www.w3.org/2000/svg";
  var sheet = document.getElementById("before-sheet"), tool = document.getElementById("before");
  var words = sheet.dataset, open = false, opener = null, drawn = null;

  // Changes are outlined over the picture; areas are parts of it.
  function outlines(areas) {
    var made = document.createElementNS(SVG, "svg");
    made.setAttribute("viewBox", "0 0 1 1");
    made.setAttribute("preserveAspectRatio", "none");
    made.setAttribute("aria-hidden", "true");
    areas.forEach(function (area) {
      ["under", "over"].forEach(function (layer) {
        var box = document.createElementNS(SVG, "rect");
        ["x", "y", "width", "height"].forEach(function (name, place) { box.setAttribute(name, area[place]); });
        box.setAttribute("class", layer);
        made.appendChild(box);
      });
    });
    return made;
  }

  function figure(told, number, look) {
    var text = told.when + (told.changed ? Referee.colon() + told.changed : "");
    return make("figure", {}, [
      make("div", { class: "shot" }, [
        make("img", { src: "/before/" + look + "/" + number + ".jpg", alt: text, width: 576, height: 324 }), outlines(told.areas)
      ]),
      make("figcaption", { "aria-hidden": "true" }, [make("b", { text: told.when }), make("span", { text: told.changed })])
    ]);
  }

  // The picture in the middle of the strip, by number.
  function current(strip) {
    var middle = strip.scrollLeft + strip.clientWidth / 2, best = 0;
    Array.prototype.forEach.call(strip.children, function (one, number) {
      if (one.offsetLeft <= middle) { best = number; }
    });
    return best;
  }

  function show(strip, number) {
    var one = strip.children[Math.min(strip.children.length - 1, Math.max(0, number))];
    strip.scrollLeft = one.offsetLeft - (strip.clientWidth - one.offsetWidth) / 2;
  }

  function step(strip, by) { show(strip, current(strip) + by); }

  // What happened last is shown first.
  function lastChange(pictures) {
    for (var number = pictures.length - 1; number >= 0; number -= 1) { if (pictures[number].areas.length) { return number; } }
    return pictures.length - 1;
  }

  function draw(before) {
    var strip, earlier, later, close, pictures = before.pictures;
    empty(sheet);
    strip = make("div", { class: "strip", tabindex: "0", role: "group", "aria-label": words.title }, pictures.map(function (told, number) {
      return figure(told, number, before.look);
    }));
    earlier = make("button", { type: "button", text: "\u2190 " + words.earlier });
    later = make("button", { type: "button", text: words.later + " \u2192" });
    close = make("button", { type: "button", class: "quiet", text: words.close });
    function mark() {
      var at = current(strip);
      earlier.disabled = at === 0;
      later.disabled = at === pictures.length - 1;
    }
    strip.addEventListener("scroll", mark);
    strip.addEventListener("keydown", function (event) {
      var by = { ArrowLeft: -1, ArrowRight: 1, Home: -pictures.length, End: pictures.length }[event.key];
      if (by) { event.preventDefault(); step(strip, by); }
    });
    earlier.addEventListener("click", function () { step(strip, -1); });
    later.addEventListener("click", function () { step(strip, 1); });
    close.addEventListener("click", function () { spread(false); });
    [make("h2", { text: words.title, tabindex: "-1" }), strip, make("div", { class: "choices" }, [earlier, later, close]), make("p", { class: "soft", text: words.told })].forEach(function (one) {
      sheet.appendChild(one);
    });
    show(strip, lastChange(pictures));
    mark();
  }

  function spread(on, from) {
    var before = Referee.parts.before;
    open = on && !!before;
    opener = open ? from : opener;
    refresh();
    if (open) { sheet.querySelector("h2").focus({ preventScroll: true }); sheet.scrollTop = 0; }
    else if (opener && !opener.hidden) { opener.focus({ preventScroll: true }); }
  }

  // After the next press the pictures no longer exist, and nothing shows them any more.
  function refresh() {
    var before = Referee.parts.before, key;
    open = open && !!before;
    key = open ? before.look : null;
    tool.hidden = !before;
    tool.setAttribute("aria-expanded", open ? "true" : "false");
    sheet.hidden = !open;
    if (key !== drawn) {
      drawn = key;
      if (open) { draw(before); } else { empty(sheet); }
    }
    Referee.fitPicture();
  }

  tool.addEventListener("click", function () {
    Referee.closeTell();
    spread(!open, tool);
  });
  sheet.addEventListener("keydown", function (event) { if (event.key === "Escape") { spread(false); } });
  Referee.showBefore = function (from) { spread(true, from); };
  Referee.hideBefore = function () { if (open) { spread(false); } };
  Referee.on(["before"], refresh);
})();
