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
    box.hidden = !lacks && !setup.lobby;
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
  Referee.on(["match", "said"], function (parts) {
    var box = byId("news"), match = parts.match, said = parts.said || [];
    var told = !match || match.phase === "starting" ? "" : match.draws_text;
    if (!told && said.length && (["lobby", "between", "over"].indexOf(match.phase) >= 0 || match.gin && match.phase === "turn")) { told = said[said.length - 1].text; }
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
    var places = picture.tiles.map(placed);
    picture.tiles.forEach(function (tile, number) { label(drawing, tile, places[number], places); });
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

  // The middle of a tile's lower edge, its directions to the right and down, its width and height, in the drawing's units.
  function placed(tile) {
    var at = tile.outline.map(function (one) { return [one[0] * 1000, one[1] * 1000 / picture.aspect]; });
    var low = [(at[2][0] + at[3][0]) / 2, (at[2][1] + at[3][1]) / 2], high = [(at[0][0] + at[1][0]) / 2, (at[0][1] + at[1][1]) / 2];
    var down = [low[0] - high[0], low[1] - high[1]], right = [at[1][0] - at[0][0], at[1][1] - at[0][1]];
    var height = Math.sqrt(down[0] * down[0] + down[1] * down[1]) || 1, width = Math.sqrt(right[0] * right[0] + right[1] * right[1]) || 1;
    return { corners: at, low: low, down: [down[0] / height, down[1] / height], right: [right[0] / width, right[1] / width], width: width, height: height };
  }

  // How much room there is below a tile until the next one.
  function free(one, others, most) {
    function down(at) { return (at[0] - one.low[0]) * one.down[0] + (at[1] - one.low[1]) * one.down[1]; }
    function right(at) { return (at[0] - one.low[0]) * one.right[0] + (at[1] - one.low[1]) * one.right[1]; }
    return others.reduce(function (room, other) {
      var corners = other.corners, middle = [(corners[0][0] + corners[2][0]) / 2, (corners[0][1] + corners[2][1]) / 2];
      if (down(middle) < one.height * 0.25 || Math.abs(right(middle)) > one.width) { return room; }
      return Math.max(0, Math.min.apply(null, [room].concat(corners.map(down))));
    }, most);
  }

  // A name is as large as fits below its tile, or over its lower part where others lie: in two lines as wide as the tile,
  // and in one line beside a tile that lies across.
  var LINES = 1.9, OVER = 0.45, LETTER = 0.73;

  function label(drawing, tile, place, places) {
    var lines = [tile.sign, tile.letters + (tile.state === "doubt" ? "?" : "")].filter(function (line) { return line; });
    var across = Math.abs(place.down[0]) > 0.75;
    if (across) { lines = [lines.join(" ")]; }
    var longest = Math.max.apply(null, lines.map(function (line) { return line.length; })), deep = across ? longest * LETTER : LINES;
    var size = place.width / (across ? 2 : Math.max(2, longest)) / LETTER, room = free(place, places, deep * size);
    size = Math.min(size, (room + OVER * place.height) / deep);
    var far = Math.min(room, deep * size) - deep * size / 2, middle = [0, 1].map(function (i) { return place.low[i] + place.down[i] * far; });
    var made = svg("g", { class: "label " + tile.state, "font-size": size.toFixed(1), "stroke-width": (size / 5).toFixed(1) });
    lines.forEach(function (line, number) {
      var text = svg("text", { x: middle[0].toFixed(1), y: (middle[1] + (number - (lines.length - 1) / 2) * 0.92 * size).toFixed(1) });
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
