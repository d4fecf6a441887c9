// Where the names of tiles stand in the picture: never on another tile, nor on another name.
"use strict";

(function () {
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
  function choices(tile, place, most) {
    var two = [tile.sign, tile.letters + (tile.state === "doubt" ? "?" : "")].filter(function (line) { return line; }), one = [two.join(" ")];
    var lies = Math.abs(place.down.x) > 0.75, lines = lies ? one : two, size = Math.min(most, 0.98 * place.width / Math.max(1.4, Math.max.apply(null, two.map(textWidth))));
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

  // Where the names of tiles stand in a picture of 1000 units' width: for each a box with its lines and their size, at most `most`, or null.
  Referee.labels = function (tiles, aspect, most) {
    var places = tiles.map(function (tile) { return placed(tile, aspect); }), high = 1000 / aspect, taken = [];
    return tiles.map(function (tile, number) {
      var place = places[number], might = choices(tile, place, most || Infinity), size, inside;
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
  Referee.labels.SPACING = SPACING;
})();
