// The camera's picture, cut to the tiles that lie there, with what is said about them drawn over it.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, SVG = "http://www.w3.org/2000/svg";
  // Names are shown where nobody has chosen otherwise once the whole picture has so many pixels: then they can be read.
  var LABELS = "referee-labels", WIDE = 900, picture = null;
  // Around the tiles there stays so much of the picture's width; never is less than so much of it shown; a frame is at least so high.
  var MARGIN = 0.05, LEAST = 0.4, LOWEST_PX = 136, ENLARGED = 2.5, LARGEST = 5;
  // In pixels: letters need not be larger than this to be read on a screen that is held in the hand; smaller ones are left out.
  Referee.largestLetters = function () { return 22; };
  Referee.smallestLetters = function () { return 0; };
  // By how much a player has enlarged the picture; where its frame was moved to last; what fingers or the wheel began with.
  var zoom = 1, placed = "", pinch = null, marked = [];

  function byId(name) { return document.getElementById(name); }

  function svg(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  function kept(name) { try { return localStorage.getItem(name); } catch (error) { return null; } }
  function keep(name, value) { try { localStorage.setItem(name, value); } catch (error) { /* It is chosen anew next time. */ } }

  function labelled() {
    var chosen = byId("labels") ? kept(LABELS) : "on";
    return chosen === null ? byId("picture").clientWidth >= WIDE : chosen === "on";
  }

  function labels() {
    var on = labelled(), box = byId("labels");
    byId("picture").classList.toggle("unlabelled", !on);
    if (box) { box.setAttribute("aria-pressed", on ? "true" : "false"); }
  }

  if (byId("labels")) {
    byId("labels").addEventListener("click", function () { keep(LABELS, labelled() ? "off" : "on"); labels(); });
  }

  function bounds(outlines) {
    var corners = outlines.reduce(function (all, one) { return all.concat(one); }, []);
    function least(i) { return Math.min.apply(null, corners.map(function (at) { return at[i]; })); }
    function most(i) { return Math.max.apply(null, corners.map(function (at) { return at[i]; })); }
    return [least(0), least(1), most(0), most(1)];
  }

  function middle(part) { return [(part[0] + part[2]) / 2, (part[1] + part[3]) / 2]; }

  // A length of the picture that holds this one with a margin, is not too short, and stays within the picture.
  function stretch(low, high, margin) {
    var middle = (low + high) / 2, half = Math.min(0.5, Math.max((high - low) / 2 + margin, LEAST / 2));
    middle = Math.min(1 - half, Math.max(half, middle));
    return [middle - half, middle + half];
  }

  // The part of the picture that is shown: left, top, right, bottom, as parts of it. All of it while a place is looked for.
  function cut() {
    var outlines = picture.tiles.map(function (tile) { return tile.outline; }).concat(picture.gone), around, across, down;
    if (!outlines.length || byId("picture").classList.contains("picking")) { return [0, 0, 1, 1]; }
    around = bounds(outlines);
    across = stretch(around[0], around[2], MARGIN);
    down = stretch(around[1], around[3], MARGIN * picture.aspect);
    return [across[0], down[0], across[1], down[1]];
  }

  // The height of the tabs at the lower edge of a phone's screen; 0 where they stand elsewhere.
  function tabsHeight() {
    var tabs = document.querySelector(".tabs");
    return tabs && getComputedStyle(tabs).position === "sticky" ? tabs.offsetHeight : 0;
  }

  // How high the frame may be, in pixels, so that the page need not be scrolled.
  Referee.roomForPicture = function (frame) {
    var tools = frame.parentNode.querySelector(".looks"), below = tabsHeight() + (tools ? tools.offsetHeight + 5 : 0);
    return Math.max(LOWEST_PX, window.innerHeight - below - (frame.getBoundingClientRect().top + window.pageYOffset) - 8);
  };

  function fit() {
    var frame = byId("frame"), box = byId("picture"), wide, high, part, whole, width;
    document.documentElement.style.setProperty("--tabs", tabsHeight() + "px"); // a sheet ends above them
    if (picture === null || !frame.clientWidth) { return; }
    wide = frame.clientWidth;
    high = Referee.roomForPicture(frame);
    part = cut();
    whole = Math.min(wide, high * picture.aspect);
    width = Math.max(whole, Math.min(wide / (part[2] - part[0]), high * picture.aspect / (part[3] - part[1])));
    var height = Math.round(Math.min(high, zoom * width * (part[3] - part[1]) / picture.aspect)), place = [picture.look, wide, width, height, zoom].join();
    box.style.width = Math.round(zoom * width) + "px";
    frame.style.height = height + "px";
    if (place === placed) { return; }
    placed = place;
    if (pinch !== null) { return; }
    draw();
    centre(frame, zoom > 1 ? wanted(part) : middle(part));
    load();
    labels();
  }

  function centre(frame, at) {
    frame.scrollLeft = at[0] * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = at[1] * frame.scrollHeight - frame.clientHeight / 2;
  }

  // What is looked at first in an enlarged picture: a tile that is asked about, or all of them.
  function wanted(part) {
    var doubtful = picture.tiles.filter(function (tile) { return tile.state === "doubt"; }), around;
    around = doubtful.length ? bounds([doubtful[0].outline]) : part;
    return middle(around);
  }

  // Enlarged it is panned by finger, wheel or arrow keys; taps mean the same places.
  function enlarge(to) {
    var frame = byId("frame"), button = byId("enlarge");
    zoom = Math.min(LARGEST, Math.max(1, to));
    frame.classList.toggle("large", zoom > 1);
    if (button) { button.setAttribute("aria-pressed", zoom > 1 ? "true" : "false"); }
    if (zoom > 1) { frame.setAttribute("tabindex", "0"); } else { frame.removeAttribute("tabindex"); }
    fit();
  }

  // Enlarges around a place of the screen: what lies there stays there.
  function enlargeAt(to, x, y) {
    var frame = byId("frame"), box = byId("picture"), before = box.getBoundingClientRect(), at = frame.getBoundingClientRect();
    var across = (x - before.left) / before.width, down = (y - before.top) / before.height;
    pinch = pinch || {};
    enlarge(to);
    frame.scrollLeft = across * box.offsetWidth - (x - at.left);
    frame.scrollTop = down * box.offsetHeight - (y - at.top);
  }

  function distance(touches) { return Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY); }

  function followFingers(frame) {
    frame.addEventListener("touchstart", function (event) {
      if (event.touches.length === 2) { pinch = { from: zoom, far: distance(event.touches) || 1 }; }
    }, { passive: true });
    frame.addEventListener("touchmove", function (event) {
      var touches = event.touches;
      if (!pinch || touches.length !== 2) { return; }
      event.preventDefault();
      enlargeAt(pinch.from * distance(touches) / pinch.far, (touches[0].clientX + touches[1].clientX) / 2, (touches[0].clientY + touches[1].clientY) / 2);
    }, { passive: false });
    ["touchend", "touchcancel"].forEach(function (name) {
      frame.addEventListener(name, function (event) { if (pinch && event.touches.length < 2) { end(); } });
    });
    frame.addEventListener("wheel", function (event) {
      if (!event.ctrlKey) { return; }
      event.preventDefault();
      enlargeAt(zoom * Math.exp(-event.deltaY / 100), event.clientX, event.clientY);
      end();
    }, { passive: false });
  }

  // Names and a sharper picture come once the fingers are lifted.
  function end() {
    pinch = null;
    if (picture === null) { return; }
    if (zoom === 1) { centre(byId("frame"), middle(cut())); }
    draw();
    load();
    labels();
  }

  if (byId("enlarge")) {
    byId("enlarge").addEventListener("click", function () { enlarge(zoom > 1 ? 1 : ENLARGED); });
    followFingers(byId("frame"));
  }

  function load() {
    var box = byId("picture"), image = box.querySelector("img"), source;
    source = "/picture/" + picture.look + ".jpg?w=" + Math.min(1920, Math.ceil(box.clientWidth * (window.devicePixelRatio || 1)) || 960);
    if (image.getAttribute("src") !== source) { image.setAttribute("src", source); }
  }

  function show() {
    var box = byId("picture");
    byId("no-picture").hidden = picture !== null;
    ["labels", "enlarge"].forEach(function (name) { if (byId(name)) { byId(name).hidden = picture === null; } });
    byId("frame").hidden = box.hidden = picture === null;
    age();
    if (picture === null) { return; }
    if (!box.querySelector("img")) { box.insertBefore(make("img", { alt: box.dataset.alt, width: 1000 }), box.firstChild); }
    box.querySelector("img").setAttribute("height", Math.round(1000 / picture.aspect));
    placed = "";
    marked = [];
    fit();
  }

  function draw() {
    var box = byId("picture"), old = box.querySelector("svg");
    if (old) { box.removeChild(old); }
    box.appendChild(drawing(Math.round(1000 / picture.aspect), 1000 / box.clientWidth));
    outline();
  }

  // What is said of the picture, in thousandths of its width; `px` is a pixel of the screen.
  function drawing(high, px) {
    var made = svg("svg", { viewBox: "0 0 1000 " + high, "aria-hidden": "true" }), tints = svg("g", { mask: "url(#beside)" });
    made.appendChild(patterns());
    made.appendChild(beside(high));
    picture.sets.forEach(function (set) { tint(tints, set); });
    made.appendChild(tints);
    picture.gone.forEach(function (outline) { made.appendChild(svg("polygon", { points: points(outline), class: "gone" })); });
    picture.tiles.forEach(function (tile) {
      var around = points(tile.fresh ? wider(tile.outline, 4) : tile.outline);
      if (tile.fresh) { made.appendChild(svg("polygon", { points: around, class: "fresh under" })); }
      made.appendChild(svg("polygon", { points: around, class: "outline " + (tile.fresh ? "fresh " : "") + tile.state }));
    });
    Referee.labels(picture.tiles, picture.aspect, px * Referee.largestLetters()).forEach(function (box, number) {
      if (box && box.size >= px * Referee.smallestLetters()) { label(made, picture.tiles[number], box); }
    });
    made.appendChild(svg("g", { id: "marks" }));
    return made;
  }

  // Where the last look shows nothing of the table the one before stays, dimmed, with its age.
  function age() {
    var box = byId("picture"), seen = byId("frame").parentNode, line = seen.querySelector(".age"), old = picture !== null && picture.since !== null, seconds, words = box.dataset;
    box.classList.toggle("old", old);
    if (!line) { line = seen.insertBefore(make("span", { class: "age" }), byId("frame").nextSibling); }
    line.hidden = !old;
    if (!old) { return; }
    seconds = Math.max(1, Math.floor(Referee.clock() - picture.since));
    line.textContent = seconds < 60 ? counted(words.second, words.seconds, seconds) : counted(words.minute, words.minutes, Math.floor(seconds / 60));
  }

  function counted(one, many, number) { return (number === 1 ? one : many).replace("{number}", number); }

  function patterns() {
    var defs = svg("defs", {});
    [["accepted", "M0 3 L6 3"], ["refused", "M0 0 L8 8 M8 0 L0 8"], ["doubtful", "M3 1 L3 5"]].forEach(function (made) {
      var size = made[0] === "refused" ? 8 : 6, pattern = svg("pattern", { id: "tint-" + made[0], width: size, height: size, patternUnits: "userSpaceOnUse" });
      pattern.appendChild(svg("path", { d: made[1], class: "tint-" + made[0] }));
      defs.appendChild(pattern);
    });
    return defs;
  }

  function points(outline) {
    return outline.map(function (at) { return Math.round(at[0] * 10000) / 10 + "," + Math.round(at[1] * 10000 / picture.aspect) / 10; }).join(" ");
  }

  // Tints lie around the tiles, never over what is printed on them.
  function beside(high) {
    var mask = svg("mask", { id: "beside", maskUnits: "userSpaceOnUse", x: 0, y: 0, width: 1000, height: high });
    mask.appendChild(svg("rect", { x: 0, y: 0, width: 1000, height: high, fill: "#fff" }));
    picture.tiles.forEach(function (tile) { mask.appendChild(svg("polygon", { points: points(tile.outline), fill: "#000" })); });
    return mask;
  }

  // The outline of a tile, so much wider on every side, in thousandths of the picture.
  function wider(outline, by) {
    var middle = [0, 1].map(function (i) { return (outline[0][i] + outline[1][i] + outline[2][i] + outline[3][i]) / 4; });
    return outline.map(function (at) {
      var x = at[0] - middle[0], y = (at[1] - middle[1]) / picture.aspect, far = Math.sqrt(x * x + y * y) || 1, more = 1 + by * 1.4 / 1000 / far;
      return [middle[0] + x * more, middle[1] + y * more * picture.aspect];
    });
  }

  function tint(group, set) {
    if (set.state === "plain") { return; }
    set.reads.forEach(function (read) {
      var around = points(wider(picture.tiles[read].outline, 12));
      group.appendChild(svg("polygon", { points: around, class: "under " + set.state }));
      group.appendChild(svg("polygon", { points: around, class: "over " + set.state, fill: "url(#tint-" + set.state + ")" }));
    });
  }

  function label(group, tile, box) {
    var made = svg("g", { class: "label " + tile.state, "font-size": box.size.toFixed(1), "stroke-width": (box.size / 5).toFixed(1) });
    box.lines.forEach(function (line, number) {
      var text = svg("text", { x: box.x.toFixed(1), y: (box.y + (number - (box.lines.length - 1) / 2) * Referee.labels.SPACING * box.size).toFixed(1) });
      text.textContent = line;
      made.appendChild(text);
    });
    group.appendChild(made);
  }

  // Marks tiles in the picture, by read, and in the drawn table, by name; nothing with null.
  Referee.mark = function (reads, names) {
    marked = reads || [];
    outline();
    Array.prototype.forEach.call(document.querySelectorAll("#drawn .tile"), function (tile) {
      tile.classList.toggle("marked", !!names && names.indexOf(tile.getAttribute("data-tile")) >= 0);
    });
  };

  function outline() {
    var marks = byId("marks");
    if (!marks) { return; }
    empty(marks);
    marked.forEach(function (read) {
      if (picture && picture.tiles[read]) { marks.appendChild(svg("polygon", { points: points(wider(picture.tiles[read].outline, 8)), class: "mark" })); }
    });
  }

  // The read at a place of the picture in parts of it, or null.
  Referee.readAt = function (x, y) {
    var best = null, near = 0.03;
    (picture ? picture.tiles : []).forEach(function (tile) {
      var at = tile.outline, middle = [(at[0][0] + at[2][0]) / 2, (at[0][1] + at[2][1]) / 2];
      var far = Math.sqrt(Math.pow(middle[0] - x, 2) + Math.pow((middle[1] - y) / picture.aspect, 2));
      if (far < near) { near = far; best = tile.read; }
    });
    return best;
  };

  // Whatever stands above the picture may have become higher or lower.
  Referee.fitPicture = fit;
  Referee.on(["picture"], function (parts) { picture = parts.picture; show(); });
  Referee.on(["live", "match", "clock", "verdict", "due", "question", "offers", "setup"], function () { setTimeout(fit, 0); });
  window.addEventListener("resize", function () { placed = ""; fit(); });
  if (document.fonts && document.fonts.ready) { document.fonts.ready.then(fit); }
  setInterval(age, 1000);
})();
