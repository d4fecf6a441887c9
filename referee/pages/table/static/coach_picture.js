// A picture that was read, cut to its tiles, with outlines and arrows drawn over it.
"use strict";

var CoachPicture = (function () {
  var SVG = "http://www.w3.org/2000/svg", WIDE = 1000, MARGIN = 40;

  function svg(name, attributes, text) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text !== undefined) { made.textContent = text; }
    return made;
  }

  // The corners of a tile in the drawing, which is WIDE units wide.
  function corners(picture, tile) {
    return tile.outline.map(function (at) { return [at[0] * WIDE, at[1] * WIDE / picture.aspect]; });
  }

  function middle(points) {
    return [0, 1].map(function (i) { return points.reduce(function (sum, at) { return sum + at[i]; }, 0) / points.length; });
  }

  // The part of the drawing in which these tiles lie, with a margin: left, top, width, height.
  function around(picture, tiles, margin) {
    var points = tiles.reduce(function (all, tile) { return all.concat(corners(picture, tile)); }, []), high = WIDE / picture.aspect, box;
    if (!points.length) { return [0, 0, WIDE, high]; }
    box = [0, 1].map(function (i) {
      var values = points.map(function (at) { return at[i]; }), most = i ? high : WIDE;
      return [Math.max(0, Math.min.apply(null, values) - margin), Math.min(most, Math.max.apply(null, values) + margin)];
    });
    return [box[0][0], box[1][0], box[0][1] - box[0][0], box[1][1] - box[1][0]];
  }

  // Draws a picture; `marks` are {tile, kind} and `cut` the tiles that must be seen. Returns the drawing.
  function draw(box, picture, cut, marks, label, margin) {
    var part = around(picture, cut, margin === undefined ? MARGIN : margin), made;
    made = svg("svg", { viewBox: part.join(" "), role: "img", "aria-label": label, class: "photo" });
    made.appendChild(svg("image", { href: picture.source, x: 0, y: 0, width: WIDE, height: WIDE / picture.aspect, preserveAspectRatio: "none" }));
    marks.forEach(function (mark) {
      made.appendChild(svg("polygon", { class: "on " + mark.kind, points: corners(picture, mark.tile).map(function (at) { return at.map(function (n) { return n.toFixed(1); }).join(","); }).join(" ") }));
    });
    Referee.empty(box).appendChild(made);
    box.hidden = false;
    return made;
  }

  // An arrow from one tile to where others lie.
  function arrow(made, picture, from, to) {
    var start = middle(corners(picture, from)), end = middle(to.map(function (tile) { return middle(corners(picture, tile)); }));
    var far = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1, along = [(end[0] - start[0]) / far, (end[1] - start[1]) / far], head = 22;
    var tip = [end, [end[0] - head * along[0] - head * along[1] / 2, end[1] - head * along[1] + head * along[0] / 2], [end[0] - head * along[0] + head * along[1] / 2, end[1] - head * along[1] - head * along[0] / 2]];
    ["under", "over"].forEach(function (layer) {
      made.appendChild(svg("line", { class: "arrow " + layer, x1: start[0], y1: start[1], x2: end[0] - head * along[0], y2: end[1] - head * along[1] }));
    });
    made.appendChild(svg("polygon", { class: "tip", points: tip.map(function (at) { return at.join(","); }).join(" ") }));
  }

  // Tiles that come from the hand, drawn below those that they are put to.
  function fromHand(made, picture, tiles, hand) {
    var points = tiles.reduce(function (all, tile) { return all.concat(corners(picture, tile)); }, []), part = made.viewBox.baseVal;
    var wide = Math.max(30, Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]) * 0.8), tall = wide * 1.35;
    var top = Math.min(part.y + part.height - tall - 4, Math.max.apply(null, points.map(function (at) { return at[1]; })) + wide * 0.3);
    var left = Math.min(part.x + part.width - 4 - wide * hand.length, Math.max(part.x + wide, middle(points)[0] - wide * hand.length / 2));
    made.appendChild(svg("text", { class: "plus", x: left - wide / 2, y: top + tall / 2, "font-size": wide }, "+"));
    hand.forEach(function (face, place) {
      var group = svg("g", { class: "hand-tile ink-" + face.colour }), x = left + place * wide;
      group.appendChild(svg("rect", { x: x, y: top, width: wide * 0.94, height: tall, rx: wide / 6 }));
      group.appendChild(svg("text", { x: x + wide * 0.47, y: top + tall * 0.42, "font-size": wide * 0.6 }, face.sign));
      group.appendChild(svg("text", { x: x + wide * 0.47, y: top + tall * 0.82, "font-size": wide * 0.34 }, face.letters));
      made.appendChild(group);
    });
  }

  return { draw: draw, arrow: arrow, fromHand: fromHand };
})();
