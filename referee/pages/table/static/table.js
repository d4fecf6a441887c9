// The table: what the camera saw, the verdict, the clock, the players.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, drawTile = Referee.tile;
  var SVG = "http://www.w3.org/2000/svg";

  function byId(name) { return document.getElementById(name); }

  function svg(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  Referee.on(["live"], function (parts) {
    byId("live").textContent = parts.live.text;
    var box = byId("troubles");
    box.textContent = parts.live.troubles.join(" ");
    box.hidden = !parts.live.troubles.length;
  });

  // Where something is missing, and before a match, the way to what is to be done next.
  Referee.on(["setup"], function (parts) {
    var box = byId("to-setup"), setup = parts.setup, lacks = setup.stage === "missing", link;
    if (!box) { return; }
    link = box.querySelector("a");
    link.textContent = lacks ? link.dataset.setup : link.dataset.start;
    link.setAttribute("href", lacks ? "/setup" : "/setup/start");
    box.hidden = !lacks && (!setup.lobby || setup.choosing);
  });

  Referee.on(["match"], function (parts) {
    var list = empty(byId("players")), match = parts.match;
    match.players.forEach(function (player) {
      var opened = player.opened ? list.dataset.opened : list.dataset.notOpened;
      list.appendChild(make("li", { class: (player.turn ? "turn" : "") + (player.won ? " won" : ""), "aria-current": player.turn ? "true" : null }, [
        make("span", { class: "name", text: player.name }),
        make("span", { class: "hand", text: player.hand_text }),
        match.gin ? null : make("span", { class: "opened" + (player.opened ? " yes" : ""), text: opened }),
        make("span", { class: "total", text: player.total_text })
      ]));
    });
    byId("round").textContent = match.text;
    byId("people").hidden = !match.players.length;
  });

  // Who draws; and between turns what was said last: who won, who deals. In a turn the verdict says the rest.
  Referee.on(["match", "said", "verdict"], function (parts) {
    var box = byId("news"), match = parts.match, said = parts.said || [], verdict = parts.verdict;
    var told = !match || match.phase === "starting" ? "" : match.draws_text;
    if (!told && said.length && (["lobby", "between", "over"].indexOf(match.phase) >= 0 || match.gin && match.phase === "turn")) { told = said[said.length - 1].text; }
    // A reason for a refusal stands in the verdict.
    if (verdict && verdict.faults.some(function (fault) { return fault.text === told; })) { told = ""; }
    if (box.textContent !== told) { box.textContent = told; }
    box.hidden = !told;
  });

  Referee.on(["table"], function (parts) { drawSets(byId("drawn"), parts.table.sets); });

  function face(told, extra) {
    var made = drawTile(told, extra);
    made.setAttribute("data-tile", told.tile);
    return made;
  }

  function drawSets(box, sets) {
    empty(box);
    if (!sets.length && box.dataset.empty) { box.appendChild(make("p", { text: box.dataset.empty })); }
    sets.forEach(function (set) {
      var tiles = set.tiles || set, row = make("div", { class: "set" + (set.lies === undefined ? "" : set.lies ? " lies" : " missing") });
      if (set.lies) { row.appendChild(make("span", { class: "done", text: "✓", "aria-hidden": "true" })); }
      tiles.forEach(function (told) { row.appendChild(face(told)); });
      box.appendChild(row);
    });
  }

  // The picture. On small screens names are shown only where they are wanted, or the picture is enlarged.
  var LABELS = "referee-labels", WIDE = 700, picture = null;

  function kept(name) { try { return localStorage.getItem(name); } catch (error) { return null; } }
  function keep(name, value) { try { localStorage.setItem(name, value); } catch (error) { /* It is chosen anew next time. */ } }

  function labelled() {
    var chosen = kept(LABELS);
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

  // Enlarged it is panned by finger, wheel or arrow keys; taps mean the same places.
  function enlarged() { var frame = byId("frame"); return !!frame && frame.classList.contains("large"); }

  function enlarge() {
    var frame = byId("frame"), on = !enlarged(), at;
    frame.classList.toggle("large", on);
    byId("enlarge").setAttribute("aria-pressed", on ? "true" : "false");
    if (on) { frame.setAttribute("tabindex", "0"); } else { frame.removeAttribute("tabindex"); }
    show();
    at = wanted();
    frame.scrollLeft = at[0] * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = at[1] * frame.scrollHeight - frame.clientHeight / 2;
  }

  // What is looked at first: the tiles that are asked about, or all of them, or the middle.
  function wanted() {
    var doubtful = picture.tiles.filter(function (tile) { return tile.state === "doubt"; });
    var tiles = doubtful.length ? doubtful.slice(0, 1) : picture.tiles;
    return [0, 1].map(function (i) {
      var all = tiles.map(function (tile) { return (tile.outline[0][i] + tile.outline[2][i]) / 2; });
      return all.length ? (Math.min.apply(null, all) + Math.max.apply(null, all)) / 2 : 0.5;
    });
  }

  if (byId("enlarge")) { byId("enlarge").addEventListener("click", enlarge); }

  function show() {
    var box = byId("picture"), old = box.querySelector("svg"), image = box.querySelector("img");
    byId("no-picture").hidden = picture !== null;
    ["labels", "enlarge"].forEach(function (name) { if (byId(name)) { byId(name).hidden = picture === null; } });
    box.hidden = picture === null;
    age();
    if (picture === null) { return; }
    var wide = Math.min(1920, Math.ceil(box.clientWidth * (window.devicePixelRatio || 1)) || 960), high = Math.round(1000 / picture.aspect);
    var source = "/picture/" + picture.look + ".jpg?w=" + wide;
    if (!image) {
      image = make("img", { alt: box.dataset.alt, width: 1000 });
      box.insertBefore(image, box.firstChild);
    }
    image.setAttribute("height", high);
    if (image.getAttribute("src") !== source) { image.setAttribute("src", source); }
    if (old) { box.removeChild(old); }
    var drawing = svg("svg", { viewBox: "0 0 1000 " + high, "aria-hidden": "true" });
    drawing.appendChild(patterns());
    drawing.appendChild(beside(high));
    var tints = svg("g", { mask: "url(#beside)" });
    picture.sets.forEach(function (set) { tint(tints, set); });
    drawing.appendChild(tints);
    picture.gone.forEach(function (outline) { drawing.appendChild(svg("polygon", { points: points(outline), class: "gone" })); });
    picture.tiles.forEach(function (tile) { drawing.appendChild(svg("polygon", { points: points(tile.outline), class: "outline " + tile.state })); });
    Referee.labels(picture.tiles, picture.aspect).forEach(function (box, number) { label(drawing, picture.tiles[number], box); });
    drawing.appendChild(svg("g", { id: "marks" }));
    box.appendChild(drawing);
    labels();
  }

  // Where the last look shows nothing of the table the one before stays, dimmed, with its age.
  function age() {
    var box = byId("picture"), line = box.querySelector(".age"), old = picture !== null && picture.since !== null, seconds, words = box.dataset;
    box.classList.toggle("old", old);
    if (!line) { line = box.appendChild(make("span", { class: "age" })); }
    line.hidden = !old;
    if (!old) { return; }
    seconds = Math.max(1, Math.floor(Referee.clock() - picture.since));
    line.textContent = seconds < 60 ? told(words.second, words.seconds, seconds) : told(words.minute, words.minutes, Math.floor(seconds / 60));
  }

  function told(one, many, number) { return (number === 1 ? one : many).replace("{number}", number); }

  setInterval(age, 1000);

  Referee.on(["picture"], function (parts) { picture = parts.picture; show(); });
  window.addEventListener("resize", function () { if (picture) { show(); } });

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

  function tint(drawing, set) {
    if (set.state === "plain") { return; }
    set.reads.forEach(function (read) {
      var around = points(wider(picture.tiles[read].outline, 12));
      drawing.appendChild(svg("polygon", { points: around, class: "under " + set.state }));
      drawing.appendChild(svg("polygon", { points: around, class: "over " + set.state, fill: "url(#tint-" + set.state + ")" }));
    });
  }

  // A name stands below its tile, as wide as it; where others lie there over the tile's lower part, above or beside it, or smaller.
  // It never lies on another tile or another name: each is placed where nothing is yet, at worst within its own tile.
  // Widths are those of the widest of the usual bold typefaces (DejaVu Sans), with a little around; all in sizes of the text.
  var SPACING = 0.92, WIDE_LETTER = 1, DIGIT = 0.69, LETTER = 0.68, AROUND = 0.08, OVER = 0.45, GAP = 0.5, SMALLEST = 3;

  function textWidth(line) {
    return line.split("").reduce(function (sum, letter) { return sum + (/[0-9]/.test(letter) ? DIGIT : /[mwMW\u2605]/.test(letter) ? WIDE_LETTER : LETTER); }, AROUND);
  }

  function middleOf(one, other) { return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]; }
  function direction(from, to) {
    var x = to[0] - from[0], y = to[1] - from[1], far = Math.sqrt(x * x + y * y) || 1;
    return { x: x / far, y: y / far, far: far };
  }

  function placed(tile, aspect) {
    var at = tile.outline.map(function (one) { return [one[0] * 1000, one[1] * 1000 / aspect]; });
    var low = middleOf(at[2], at[3]), high = middleOf(at[0], at[1]), right = middleOf(at[1], at[2]), left = middleOf(at[0], at[3]);
    var down = direction(high, low), across = direction(left, right);
    var xs = at.map(function (one) { return one[0]; }), ys = at.map(function (one) { return one[1]; });
    return {
      corners: at, low: low, high: high, right: right, left: left, down: down, across: across, width: across.far, height: down.far,
      x0: Math.min.apply(null, xs), x1: Math.max.apply(null, xs), y0: Math.min.apply(null, ys), y1: Math.max.apply(null, ys)
    };
  }

  // The box of a text in lines, outwards of the middle of an edge, and so far over the tile; wholly within it with null.
  function boxAt(edge, x, y, over, lines, size) {
    var width = Math.max.apply(null, lines.map(textWidth)) * size, height = ((lines.length - 1) * SPACING + 1) * size;
    var reach = (Math.abs(x) * width + Math.abs(y) * height) / 2, far = over === null ? -reach - GAP : reach + GAP - Math.min(over, 2 * reach);
    var middle = [edge[0] + x * far, edge[1] + y * far];
    return { x: middle[0], y: middle[1], x0: middle[0] - width / 2, x1: middle[0] + width / 2, y0: middle[1] - height / 2, y1: middle[1] + height / 2, lines: lines, size: size };
  }

  function apart(one, other) { return one.x1 <= other.x0 || other.x1 <= one.x0 || one.y1 <= other.y0 || other.y1 <= one.y0; }

  // Whether a box and the four corners of a tile, which is turned anyhow, have nothing in common.
  function clear(box, place) {
    if (apart(box, place)) { return true; }
    return [place.down, place.across].some(function (axis) {
      var ours = [box.x0, box.x1].map(function (x) { return x * axis.x; }), theirs = place.corners.map(function (at) { return at[0] * axis.x + at[1] * axis.y; });
      var ys = [box.y0, box.y1].map(function (y) { return y * axis.y; });
      var low = Math.min.apply(null, ours) + Math.min.apply(null, ys), high = Math.max.apply(null, ours) + Math.max.apply(null, ys);
      return high <= Math.min.apply(null, theirs) || low >= Math.max.apply(null, theirs);
    });
  }

  function within(box, place) {
    return [[box.x0, box.y0], [box.x1, box.y0], [box.x0, box.y1], [box.x1, box.y1]].every(function (at) {
      return place.corners.every(function (from, i) {
        var to = place.corners[(i + 1) % 4];
        return (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]) >= 0;
      });
    });
  }

  // Where else a name may stand, the best place first.
  function choices(tile, place) {
    var two = [tile.sign, tile.letters + (tile.state === "doubt" ? "?" : "")].filter(function (line) { return line; }), one = [two.join(" ")];
    var lies = Math.abs(place.down.x) > 0.75, lines = lies ? one : two, size = 0.98 * place.width / Math.max(1.4, Math.max.apply(null, two.map(textWidth)));
    var down = place.down, across = place.across, over = OVER * place.height, found = [];
    function at(edge, x, y, into, text, scales) { scales.forEach(function (scale) { found.push(boxAt(edge, x, y, into, text, scale * size)); }); }
    at(place.low, down.x, down.y, 0, lines, [1, 0.92, 0.84]);
    at(place.low, down.x, down.y, over, lines, [1, 0.92, 0.84]);
    at(place.high, -down.x, -down.y, 0, lines, [1, 0.85]);
    at(place.right, across.x, across.y, 0, lies ? two : one, [0.85]);
    at(place.left, -across.x, -across.y, 0, lies ? two : one, [0.85]);
    at(place.low, down.x, down.y, over, lines, [0.7, 0.6]);
    at(place.high, -down.x, -down.y, 0.3 * over, lines, [0.7, 0.6]);
    at(place.low, down.x, down.y, over, one, [0.6]);
    return { found: found, lines: two, one: one, size: size };
  }

  // Where the names of tiles stand in a picture of 1000 units' width: for each a box with its lines and their size, or null.
  Referee.labels = function (tiles, aspect) {
    var places = tiles.map(function (tile) { return placed(tile, aspect); }), high = 1000 / aspect, taken = [];
    return tiles.map(function (tile, number) {
      var place = places[number], might = choices(tile, place), size, inside;
      var best = might.found.filter(function (box) {
        return box.x0 >= 0 && box.x1 <= 1000 && box.y0 >= 0 && box.y1 <= high &&
          taken.every(function (other) { return apart(box, other); }) &&
          places.every(function (other, i) { return i === number || clear(box, other); });
      })[0] || null;
      for (size = might.size; !best && size >= SMALLEST; size *= 0.9) {
        [might.lines, might.one].forEach(function (lines) {
          inside = boxAt(place.low, place.down.x, place.down.y, null, lines, size);
          if (!best && within(inside, place)) { best = inside; }
        });
      }
      if (best) { taken.push(best); }
      return best;
    });
  };

  function label(drawing, tile, box) {
    if (!box) { return; }
    var made = svg("g", { class: "label " + tile.state, "font-size": box.size.toFixed(1), "stroke-width": (box.size / 5).toFixed(1) });
    box.lines.forEach(function (line, number) {
      var text = svg("text", { x: box.x.toFixed(1), y: (box.y + (number - (box.lines.length - 1) / 2) * SPACING * box.size).toFixed(1) });
      text.textContent = line;
      made.appendChild(text);
    });
    drawing.appendChild(made);
  }

  // Marks tiles in the picture, by read, and in the drawn table, by name; nothing with null.
  Referee.mark = function (reads, names) {
    var marks = byId("marks");
    if (marks) {
      empty(marks);
      (reads || []).forEach(function (read) {
        if (picture && picture.tiles[read]) { marks.appendChild(svg("polygon", { points: points(wider(picture.tiles[read].outline, 8)), class: "mark" })); }
      });
    }
    Array.prototype.forEach.call(document.querySelectorAll("#drawn .tile"), function (tile) {
      tile.classList.toggle("marked", !!names && names.indexOf(tile.getAttribute("data-tile")) >= 0);
    });
  };

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

  function about(names, sets) {
    if (!picture) { return []; }
    return picture.tiles.filter(function (tile) {
      return sets.length ? sets.indexOf(tile.set) >= 0 : names.indexOf(tile.tile) >= 0;
    }).map(function (tile) { return tile.read; });
  }

  // What is said of some tiles shows them: pointed at, focused, or tapped.
  function shows(line, tiles, sets) {
    var names = tiles.map(function (told) { return told.tile; });
    function on() { Referee.mark(about(names, sets), names); line.classList.add("shown"); }
    function off() { Referee.mark(null, null); line.classList.remove("shown"); }
    if (!names.length && !sets.length) { return; }
    line.setAttribute("tabindex", "0");
    line.addEventListener("mouseenter", on);
    line.addEventListener("mouseleave", off);
    line.addEventListener("focus", on);
    line.addEventListener("blur", off);
    line.addEventListener("click", on);
  }

  Referee.on(["verdict"], function (parts) {
    var box = empty(byId("verdict")), verdict = parts.verdict;
    box.hidden = !verdict;
    if (!verdict) { return; }
    box.className = "verdict " + (verdict.accepted ? "accepted" : "refused");
    box.appendChild(make("h2", { text: verdict.idle ? verdict.idle : (verdict.accepted ? "✓ " + box.dataset.accepted : "✗ " + box.dataset.refused) + Referee.colon() + verdict.player }));
    verdict.faults.forEach(function (fault) {
      var line = make("p", { class: "fault" }, [make("span", { text: fault.text })]);
      fault.tiles.forEach(function (told) { line.appendChild(drawTile(told, "small")); });
      shows(line, fault.tiles, fault.sets);
      box.appendChild(line);
    });
    verdict.explanation.forEach(function (text) { box.appendChild(make("p", { text: text })); });
  });

  Referee.on(["due"], function (parts) {
    var box = byId("due"), due = parts.due, steps = empty(byId("steps"));
    box.hidden = !due;
    if (!due) { return; }
    due.steps.forEach(function (step) {
      var line = make("li", { class: "fault" }, [make("span", { text: step.text })]);
      step.tiles.forEach(function (told) { line.appendChild(drawTile(told, "small")); });
      shows(line, step.tiles, []);
      steps.appendChild(line);
    });
    drawSets(byId("target"), due.target);
  });

  Referee.on(["said"], function (parts) {
    var list = empty(byId("said"));
    parts.said.slice().reverse().forEach(function (one) { list.appendChild(make("li", { text: one.text })); });
  });
})();
