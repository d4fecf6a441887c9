// The enrolment of a box: pictures, the contact sheet, and one-tap corrections.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, chosen = null, photo = null, count = 0, spot = null;
  var HEIGHT = 96, WIDTH = 66, COLUMNS = 16, AROUND = 192, SVG = "http://www.w3.org/2000/svg";

  function byId(name) { return document.getElementById(name); }

  function crop(element, box, index, scale) {
    element.classList.remove("around");
    element.style.width = WIDTH * scale + "px";
    element.style.height = HEIGHT * scale + "px";
    element.style.backgroundImage = "url(/setup/box/" + box.sheet + ".jpg)";
    var left = index % COLUMNS, top = Math.floor(index / COLUMNS), rows = Math.ceil(box.tiles.length / COLUMNS);
    element.style.backgroundSize = COLUMNS * WIDTH * scale + "px " + rows * HEIGHT * scale + "px";
    element.style.backgroundPosition = -left * WIDTH * scale + "px " + -top * HEIGHT * scale + "px";
  }

  Referee.on(["enrolment"], function (parts) {
    var box = parts.enrolment, under = !!box && box.under_way;
    [].forEach.call(document.querySelectorAll("[data-enrol]"), function (button) {
      var step = button.dataset.enrol;
      button.hidden = step === "begin" ? under : !under;
      button.disabled = !!box && box.busy || (step === "back" || step === "learn") && (!box || !box.pictures);
    });
    byId("box-busy").hidden = !box || !box.busy;
    var told = byId("box-told"), left = byId("box-left");
    told.hidden = !box || !box.told;
    told.textContent = box && box.told || "";
    told.className = "answer" + (box && box.well ? " well" : "");
    left.hidden = !box || !box.left;
    left.textContent = box && box.left || "";
    byId("sheet").hidden = !box || !box.tiles.length;
    drawPhotos(box);
    if (!box) { return; }
    drawSheet(box);
  });

  function drawSheet(box) {
    var list = byId("sheet-tiles"), sheet = byId("sheet"), focus = document.activeElement ? document.activeElement.id : "";
    empty(list);
    box.tiles.forEach(function (tile, index) {
      var kind = tile.passed ? "passed" : tile.asked.length ? "asked" : tile.doubtful ? "doubtful" : "";
      var face = make("span", { class: "crop", "aria-hidden": "true" });
      crop(face, box, index, 1);
      var button = make("button", { type: "button", class: "cell " + kind, id: cell(tile) }, [
        face, tile.passed ? null : make("span", { class: "cell-name", text: tile.name }),
        kind ? make("span", { class: "cell-doubt", text: sheet.dataset[kind] }) : null
      ]);
      button.addEventListener("click", function () { choose(box, tile, index); });
      list.appendChild(make("li", {}, [button]));
      if (focus === button.id) { button.focus(); }
    });
  }

  function cell(tile) { return (tile.passed ? "passed-" : "cell-") + tile.batch + "-" + tile.read; }

  function choose(box, tile, index) {
    var own = tile.passed ? middle(tile.outline) : null;
    chosen = { sheet: box.sheet, batch: tile.batch, read: tile.read, at: own, from: cell(tile) };
    crop(byId("which-crop"), box, index, 2);
    byId("which-crop").setAttribute("aria-label", tile.passed ? byId("sheet").dataset.passed : tile.name);
    open(box, tile.asked);
  }

  // What is missing is offered first where nobody has seen a tile.
  function open(box, likely) {
    var missing = chosen.at ? box.missing.map(function (face) { return face.tile; }) : [];
    offer(byId("which-likely"), chosen.at ? box.missing : likely);
    offer(byId("which-every"), box.every.filter(function (face) { return missing.indexOf(face.tile) < 0; }));
    byId("which-missing").hidden = !missing.length;
    byId("which-other").hidden = !missing.length || missing.length === box.every.length;
    drawSpot();
    byId("which").hidden = false;
    byId("which").focus();
    byId("which").scrollIntoView();
  }

  function offer(place, faces) {
    empty(place);
    faces.forEach(function (face) {
      var button = make("button", { type: "button", class: "tile-button" }, [Referee.tile(face)]);
      button.addEventListener("click", function () {
        var told = { sheet: chosen.sheet, batch: chosen.batch, tile: face.tile };
        if (chosen.at) { told.x = chosen.at[0]; told.y = chosen.at[1]; } else { told.read = chosen.read; }
        SetUp.ask(chosen.at ? "add_tile" : "name_tile", told);
        close();
      });
      place.appendChild(button);
    });
  }

  function close() {
    var from = chosen && byId(chosen.from);
    byId("which").hidden = true;
    chosen = spot = null;
    drawSpot();
    if (from) { from.focus(); }
  }

  // The pictures: a tile that nobody has seen is tapped in one of them.

  function svg(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  function middle(outline) {
    return [0, 1].map(function (i) { return outline.reduce(function (sum, at) { return sum + at[i]; }, 0) / outline.length; });
  }

  function shownPhoto(box) {
    var at = box.photos.map(function (photo) { return photo.number; }).indexOf(photo);
    return at < 0 ? box.photos.length - 1 : at;
  }

  function source(box, at, wide) { return "/setup/box/picture/" + box.photos[at].number + ".jpg?w=" + wide; }

  function drawPhotos(box) {
    var shown = !!box && box.under_way && box.photos.length > 0, at;
    byId("photos").hidden = !shown;
    if (!shown) { count = 0; return; }
    if (box.photos.length > count) { photo = null; spot = null; } // the newest one is looked at
    count = box.photos.length;
    at = shownPhoto(box);
    drawChoice(box, at);
    drawPhoto(box, at);
  }

  function drawChoice(box, at) {
    var list = byId("photo-choice"), focus = list.contains(document.activeElement);
    empty(list);
    box.photos.forEach(function (one, number) {
      var button = make("button", { type: "button", "aria-pressed": number === at ? "true" : "false", text: one.name });
      button.addEventListener("click", function () { photo = one.number; spot = null; drawPhotos(Referee.parts.enrolment); });
      list.appendChild(button);
      if (focus && number === at) { button.focus(); }
    });
  }

  function drawPhoto(box, at) {
    var place = byId("photo"), image = place.querySelector("img"), old = place.querySelector("svg"), high = Math.round(1000 / box.photos[at].aspect);
    var wide = Math.min(1920, Math.ceil((enlarged() ? 2.5 : 1) * byId("photos").clientWidth * (window.devicePixelRatio || 1)) || 960);
    if (!image) { image = place.appendChild(make("img", { alt: place.dataset.alt })); }
    if (image.getAttribute("src") !== source(box, at, wide)) { image.setAttribute("src", source(box, at, wide)); }
    if (old) { place.removeChild(old); }
    place.setAttribute("aria-label", box.photos[at].name);
    var drawing = svg("svg", { viewBox: "0 0 1000 " + high, "aria-hidden": "true" });
    box.tiles.forEach(function (tile) {
      if (tile.batch !== at) { return; }
      var points = tile.outline.map(function (one) { return (1000 * one[0]).toFixed(1) + "," + (high * one[1]).toFixed(1); }).join(" ");
      drawing.appendChild(svg("polygon", { points: points, class: "outline" + (tile.passed || tile.doubtful ? " doubt" : "") }));
    });
    place.appendChild(drawing);
    drawSpot();
  }

  function enlarged() { return byId("photo-frame").classList.contains("large"); }

  // Where the tile lies that is chosen just now, or the mark that is moved by key.
  function drawSpot() {
    var place = byId("photo"), mark = place.querySelector(".spot"), box = Referee.parts.enrolment;
    if (mark) { place.removeChild(mark); }
    if (!spot || !box || !box.photos.length) { return; }
    mark = place.appendChild(make("span", { class: "spot", "aria-hidden": "true" }));
    mark.style.left = 100 * spot[0] + "%";
    mark.style.top = 100 * spot[1] + "%";
  }

  function within(outline, x, y) {
    var inside = false;
    outline.forEach(function (one, i) {
      var next = outline[(i + 1) % outline.length];
      if ((one[1] > y) !== (next[1] > y) && x < one[0] + (next[0] - one[0]) * (y - one[1]) / (next[1] - one[1])) { inside = !inside; }
    });
    return inside;
  }

  function tapped(x, y) {
    var box = Referee.parts.enrolment, at, found = -1;
    if (!box || !box.photos.length) { return; }
    at = shownPhoto(box);
    spot = [x, y];
    box.tiles.forEach(function (tile, index) { if (tile.batch === at && within(tile.outline, x, y)) { found = index; } });
    if (found >= 0) {
      choose(box, box.tiles[found], found);
    } else {
      chosen = { sheet: box.sheet, batch: at, at: spot };
      around(byId("which-crop"), box, at);
      open(box, []);
    }
    chosen.from = "photo";
  }

  // What lies around the place that was tapped.
  function around(element, box, at) {
    var wide = 1920, high = wide / box.photos[at].aspect;
    element.classList.add("around");
    element.style.width = element.style.height = AROUND + "px";
    element.style.backgroundImage = "url(" + source(box, at, wide) + ")";
    element.style.backgroundSize = wide + "px " + high + "px";
    element.style.backgroundPosition = AROUND / 2 - spot[0] * wide + "px " + (AROUND / 2 - spot[1] * high) + "px";
    element.setAttribute("aria-label", box.photos[at].name);
  }

  function moved(event) {
    var step = { ArrowLeft: [-0.01, 0], ArrowRight: [0.01, 0], ArrowUp: [0, -0.01], ArrowDown: [0, 0.01] }[event.key];
    var frame = byId("photo-frame"), place = byId("photo");
    if (step) {
      event.preventDefault();
      spot = spot ? [0, 1].map(function (i) { return Math.min(1, Math.max(0, spot[i] + step[i])); }) : [0.5, 0.5];
      drawSpot();
      Referee.keepInSight(frame, spot[0] * place.clientWidth, spot[1] * place.clientHeight);
    } else if (event.key === "Enter" && spot) { event.preventDefault(); tapped(spot[0], spot[1]); }
  }

  document.addEventListener("DOMContentLoaded", function () {
    [].forEach.call(document.querySelectorAll("[data-enrol]"), function (button) {
      button.addEventListener("click", function () { SetUp.ask("enrol", { step: button.dataset.enrol }); });
    });
    byId("photo").addEventListener("click", function (event) {
      var box = byId("photo").getBoundingClientRect();
      tapped((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    byId("photo").addEventListener("keydown", moved);
    byId("photo-enlarge").addEventListener("click", function () {
      byId("photo-enlarge").setAttribute("aria-pressed", byId("photo-frame").classList.toggle("large") ? "true" : "false");
      drawPhotos(Referee.parts.enrolment);
    });
    byId("which-close").addEventListener("click", close);
    byId("which").addEventListener("keydown", function (event) { if (event.key === "Escape") { close(); } });
  });
})();
