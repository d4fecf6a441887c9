// What can be laid: the table and the hand, from pictures or tapped, corrected where they were misread, and the question.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, form = document.getElementById("ask"), words = form.dataset;
  var rows = JSON.parse(words.tiles), coloursOf = JSON.parse(words.colours), faces = {}, chosen = null, busy = false;
  // A tile is {face, outline, read}; without a picture it has no outline. `doubts` are questions about tiles that were read.
  var table = { sets: [], picture: null }, hand = { tiles: [], picture: null }, doubts = [], opened = null;
  // Where the next tile goes: to the hand, to a set of the table, or in the place of a tile.
  var target = { kind: "hand" };

  Object.keys(rows).forEach(function (name) { rows[name].forEach(function (face) { faces[face.tile] = face; }); });

  function byId(name) { return document.getElementById(name); }
  function all(selector) { return [].slice.call(document.querySelectorAll(selector)); }
  function rules() { return Referee.parts.coach && Referee.parts.coach.match ? "" : byId("rules").value; }
  function tableTiles() { return table.sets.reduce(function (found, set) { return found.concat(set); }, []); }
  function isDoubtful(tile) { return doubts.some(function (one) { return one.tile === tile; }); }

  // What has been changed needs another answer.
  function changed() {
    table.sets = table.sets.filter(function (set) { return set.length || target.kind === "set" && target.set === set; });
    CoachAnswer.hide();
    problem("");
    show();
  }

  function problem(text) {
    byId("problem").textContent = text;
    byId("problem").hidden = !text;
  }

  function work(text) {
    busy = !!text;
    byId("status").textContent = text;
    form.classList.toggle("busy", busy);
    ["find", "from-camera", "from-match"].forEach(function (name) { byId(name).disabled = busy; });
    all("#table-photo, #hand-photo").forEach(function (input) { input.disabled = busy; });
  }

  // Table and hand

  function tileButton(tile, set) {
    var marked = target.kind === "tile" && target.tile === tile;
    var made = make("button", { type: "button", class: "tile-button" + (marked ? " marked" : "") + (isDoubtful(tile) ? " doubtful" : ""), "aria-pressed": marked ? "true" : "false" }, [Referee.tile(tile.face)]);
    made.addEventListener("click", function () { aim(marked ? { kind: "hand" } : { kind: "tile", tile: tile, set: set }); });
    return made;
  }

  // As people sort their racks: by colour, then by number, jokers last.
  function byFace(one, other) {
    var colours = all("[name=colour]").map(function (input) { return input.value; }).concat("joker");
    function key(tile) { return [colours.indexOf(tile.face.colour), Number(tile.face.tile.split("-")[1]) || 0]; }
    var a = key(one), b = key(other);
    return a[0] - b[0] || a[1] - b[1];
  }

  function show() {
    var list = empty(byId("table-sets")), mine = empty(byId("hand-tiles"));
    table.sets.forEach(function (set) {
      var marked = target.kind === "set" && target.set === set, add;
      add = make("button", { type: "button", class: "add" + (marked ? " marked" : ""), "aria-label": words.add, "aria-pressed": marked ? "true" : "false" }, [make("span", { text: "+", "aria-hidden": "true" })]);
      add.addEventListener("click", function () { aim(marked ? { kind: "hand" } : { kind: "set", set: set }); });
      list.appendChild(make("div", { class: "set" + (marked ? " touched" : "") }, set.map(function (tile) { return tileButton(tile, set); }).concat(add)));
    });
    var more = make("button", { type: "button", class: "quiet new-set", text: "+ " + words.newSet });
    more.addEventListener("click", function () { var set = []; table.sets.push(set); aim({ kind: "set", set: set }); });
    list.appendChild(more);
    hand.tiles.sort(byFace);
    hand.tiles.forEach(function (tile) { mine.appendChild(tileButton(tile, hand.tiles)); });
    byId("hand-count").textContent = hand.tiles.length ? "(" + hand.tiles.length + ")" : "";
    byId("table-empty").hidden = table.sets.length > 0;
    byId("hand-empty").hidden = hand.tiles.length > 0;
    byId("clear-table").hidden = !table.sets.length && !table.picture;
    byId("clear-hand").hidden = !hand.tiles.length && !hand.picture;
    byId("to-hand").hidden = target.kind === "hand";
    byId("remove").hidden = target.kind !== "tile";
    byId("target").textContent = target.kind === "hand" ? words.toHand : target.kind === "set" ? words.toSet : words.replaces;
    guessFirstMeld();
    drawPicture(byId("table-picture"), table.picture, tableTiles(), words.tablePicture);
    drawPicture(byId("hand-picture"), hand.picture, hand.tiles, words.handPicture);
    ask();
  }

  // Unless somebody has said it: in a round it is known whether whoever has the turn has laid the first meld.
  function guessFirstMeld() {
    var known = Referee.parts.coach ? Referee.parts.coach.opened : null;
    if (opened === null) { form.elements.opened.value = (known === null ? table.sets.length > 0 : known) ? "yes" : "no"; }
  }

  function drawPicture(box, picture, tiles, label) {
    var drawn = tiles.filter(function (tile) { return tile.outline; });
    if (!picture) { box.hidden = true; return; }
    CoachPicture.draw(box, picture, drawn, drawn.map(function (tile) {
      return { tile: tile, kind: isDoubtful(tile) ? "doubtful" : target.kind === "tile" && target.tile === tile ? "comes" : "read" };
    }), label);
  }

  function aim(at) {
    target = at;
    table.sets = table.sets.filter(function (set) { return set.length || at.kind === "set" && at.set === set; });
    show();
  }

  // Keypad

  function put(face) {
    var tile = { face: face, outline: null };
    if (target.kind === "set") { target.set.push(tile); }
    else if (target.kind === "hand") { hand.tiles.push(tile); }
    else {
      settle(target.tile, face);
      target = { kind: "hand" };
    }
    changed();
  }

  function remove(tile) {
    table.sets.concat([hand.tiles]).forEach(function (set) { if (set.indexOf(tile) >= 0) { set.splice(set.indexOf(tile), 1); } });
    doubts = doubts.filter(function (one) { return one.tile !== tile; });
  }

  function colours() {
    var held = coloursOf[Referee.parts.coach && Referee.parts.coach.match ? Referee.parts.coach.rules : byId("rules").value] || coloursOf[words.own] || [];
    if (held.indexOf(chosen) < 0) { chosen = held[0]; }
    all(".colours label, .pad-row[data-colour]").forEach(function (one) { one.hidden = held.indexOf(one.dataset.colour) < 0; });
    all("[name=colour]").forEach(function (one) { one.checked = one.value === chosen; });
    all(".pad-row[data-colour]").forEach(function (row) { row.classList.toggle("shown", row.dataset.colour === chosen); });
  }

  // Doubts: one question after the other, before anything is looked for.

  // What a tile is; where only the names of two colours were in doubt, all tiles of both.
  function settle(tile, face) {
    var doubt = doubts.filter(function (one) { return one.tile === tile; })[0], was = tile.face, swap = {};
    if (doubt && doubt.together.length && face.colour !== was.colour) {
      swap[was.colour] = face.colour;
      swap[face.colour] = was.colour;
      doubt.together.forEach(function (other) {
        var colour = swap[other.face.colour];
        if (other !== tile && colour) { other.face = faces[colour + "-" + other.face.tile.split("-")[1]] || other.face; }
      });
    }
    tile.face = face;
    doubts = doubts.filter(function (one) { return one !== doubt; });
  }

  function ask() {
    var box = byId("doubt"), doubt = doubts[0], choices = empty(byId("doubt-choices"));
    box.hidden = !doubt;
    if (!doubt) { return; }
    byId("doubt-text").textContent = doubt.text;
    CoachPicture.draw(byId("doubt-crop"), doubt.picture, [doubt.tile], [{ tile: doubt.tile, kind: "doubtful" }], byId("doubt-title").textContent, 60);
    doubt.likely.forEach(function (face) {
      if (face.tile === "face-down") { return; }
      choices.appendChild(choice([Referee.tile(face), make("span", { class: "name", text: face.name, "aria-hidden": "true" })], function () { settle(doubt.tile, face); changed(); }));
    });
    choices.appendChild(choice([make("span", { text: words.noTile })], function () { remove(doubt.tile); changed(); }));
    choices.appendChild(choice([make("span", { text: words.another })], function () {
      aim({ kind: "tile", tile: doubt.tile });
      byId("target").textContent = words.onKeypad;
      byId("keypad").scrollIntoView({ block: "nearest" });
      (document.querySelector(".pad-row.shown .tile-key") || byId("keypad")).focus();
    }));
  }

  function choice(children, run) {
    var made = make("button", { type: "button", class: "pick" }, children);
    made.addEventListener("click", run);
    return made;
  }

  // Pictures

  function tilesOf(read) {
    return read.tiles.map(function (one) { return { face: faces[one.tile] || one, outline: one.outline, back: one.tile === "face-down" }; });
  }

  function take(read, side) {
    var tiles = tilesOf(read), picture = { source: read.picture, aspect: read.aspect }, set;
    forget(side);
    if (side === "table") {
      table.picture = picture;
      table.sets = read.sets.map(function (reads) { return reads.map(function (number) { return tiles[number]; }); });
    } else {
      hand.picture = picture;
      hand.tiles = tiles.filter(function (tile) { return !tile.back; });
    }
    set = side === "table" ? tableTiles() : hand.tiles;
    read.asked.forEach(function (one) {
      var tile = tiles[one.read];
      if (set.indexOf(tile) < 0) { // It may be a back, or a tile: it is in no set until somebody says so.
        if (side === "table") { table.sets.push([tile]); } else { hand.tiles.push(tile); }
      }
      doubts.push({ side: side, tile: tile, text: one.text, likely: one.likely, picture: picture, together: one.together.map(function (number) { return tiles[number]; }) });
    });
    byId(side + "-told").textContent = read.told.join(" ");
    byId(side + "-told").hidden = !read.told.length;
    target = { kind: "hand" };
    changed();
  }

  function forget(side) {
    doubts = doubts.filter(function (one) { return one.side !== side; });
    if (side === "table") { table = { sets: [], picture: null }; } else { hand = { tiles: [], picture: null }; }
    byId(side + "-told").hidden = true;
    target = { kind: "hand" };
  }

  function reads(begin, side) {
    if (busy) { return; }
    problem("");
    work(words.reading);
    begin(function (read) { work(""); take(read, side); }, function (text) { work(""); problem(text); });
  }

  ["table", "hand"].forEach(function (side) {
    byId(side + "-photo").addEventListener("change", function (event) {
      var file = event.target.files[0];
      if (file) { reads(function (done, failed) { CoachRead.photo(file, rules(), done, failed); }, side); }
      event.target.value = "";
    });
    byId("clear-" + side).addEventListener("click", function () { forget(side); changed(); });
  });
  byId("from-camera").addEventListener("click", function () { reads(function (done, failed) { CoachRead.look(rules(), done, failed); }, "table"); });

  // The table of the match, on the camera's picture if that shows the same sets.
  function fromMatch() {
    var confirmed = Referee.parts.table.sets, seen = Referee.parts.picture, names = function (set) { return set.map(function (one) { return one.tile; }).join(); };
    var shown = seen ? seen.sets.map(function (set) { return set.reads.map(function (number) { return seen.tiles[number]; }); }) : [];
    var same = confirmed.length > 0 && shown.length === confirmed.length && confirmed.map(names).sort().join("|") === shown.map(names).sort().join("|");
    forget("table");
    table.picture = same ? { source: "/picture/" + seen.look + ".jpg?w=1280", aspect: seen.aspect } : null;
    table.sets = (same ? shown : confirmed).map(function (set) { return set.map(function (one) { return { face: faces[one.tile] || one, outline: same ? one.outline : null }; }); });
    changed();
  }

  byId("from-match").addEventListener("click", fromMatch);

  // The question

  form.addEventListener("submit", function (event) {
    var asked;
    event.preventDefault();
    if (busy) { return; }
    if (doubts.length) {
      problem(doubts.length === 1 ? words.doubt : words.doubts.replace("77", doubts.length));
      byId("doubt").scrollIntoView({ block: "center" });
      return;
    }
    asked = { sets: table.sets.filter(function (set) { return set.length; }).map(function (set) { return set.slice(); }), picture: table.picture };
    problem("");
    CoachAnswer.hide();
    work(words.finding);
    CoachRead.solve({
      table: asked.sets.map(function (set) { return set.map(function (tile) { return tile.face.tile; }); }),
      hand: hand.tiles.map(function (tile) { return tile.face.tile; }),
      rules: rules(), opened: form.elements.opened.value === "yes", points: form.elements.most.value === "points"
    }, function (answer) { work(""); CoachAnswer.show(answer, asked); }, function (text) { work(""); problem(text); });
  });

  all(".tile-key").forEach(function (key) { key.addEventListener("click", function () { put(faces[key.dataset.tile]); }); });
  all("[name=colour]").forEach(function (one) { one.addEventListener("change", function () { chosen = one.value; colours(); }); });
  all("[name=opened], [name=most]").forEach(function (one) {
    one.addEventListener("change", function () { if (one.name === "opened") { opened = one.value; } CoachAnswer.hide(); });
  });
  byId("rules").addEventListener("change", function () { CoachAnswer.hide(); colours(); });
  byId("to-hand").addEventListener("click", function () { aim({ kind: "hand" }); });
  byId("remove").addEventListener("click", function () { var tile = target.tile; target = { kind: "hand" }; remove(tile); changed(); });

  // During a match the page begins with its table.
  var begun = false;
  Referee.on(["coach", "table", "picture"], function (parts) {
    if (begun || !parts.coach || !parts.table || !parts.coach.match || !parts.coach.open) { return; }
    begun = true;
    if (!table.sets.length) { fromMatch(); }
  });

  Referee.on(["coach"], function (parts) {
    var coach = parts.coach;
    byId("why").textContent = coach.why;
    byId("why").hidden = byId("elsewhere").hidden = coach.open;
    form.hidden = !coach.open;
    if (!coach.open) { CoachAnswer.hide(); }
    byId("agreed").textContent = coach.agreed;
    byId("agreed").hidden = !coach.agreed;
    byId("from-match").hidden = !coach.match;
    byId("from-camera").hidden = !coach.camera;
    byId("rules-field").hidden = coach.match;
    guessFirstMeld();
    colours();
  });
  colours();
  show();
})();
