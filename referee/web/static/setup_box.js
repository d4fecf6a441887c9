// The enrolment of a box: pictures, the contact sheet, and one-tap corrections.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, chosen = null;
  var HEIGHT = 96, WIDTH = 66, COLUMNS = 16;

  function byId(name) { return document.getElementById(name); }

  function crop(element, box, index, scale) {
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
    chosen = { sheet: box.sheet, batch: tile.batch, read: tile.read, passed: tile.passed };
    crop(byId("which-crop"), box, index, 2);
    byId("which-crop").setAttribute("aria-label", tile.passed ? byId("sheet").dataset.passed : tile.name);
    offer(byId("which-likely"), tile.asked);
    offer(byId("which-every"), box.every);
    byId("which").hidden = false;
    byId("which").focus();
    byId("which").scrollIntoView();
  }

  function offer(place, faces) {
    empty(place);
    faces.forEach(function (face) {
      var button = make("button", { type: "button", class: "tile-button", "aria-label": face.name }, [Referee.tile(face)]);
      button.addEventListener("click", function () {
        var told = { sheet: chosen.sheet, batch: chosen.batch, tile: face.tile };
        told[chosen.passed ? "passed" : "read"] = chosen.read;
        SetUp.ask(chosen.passed ? "add_tile" : "name_tile", told);
        close();
      });
      place.appendChild(button);
    });
  }

  function close() {
    byId("which").hidden = true;
    var place = chosen && byId(cell(chosen));
    if (place) { place.focus(); }
  }

  document.addEventListener("DOMContentLoaded", function () {
    [].forEach.call(document.querySelectorAll("[data-enrol]"), function (button) {
      button.addEventListener("click", function () { SetUp.ask("enrol", { step: button.dataset.enrol }); });
    });
    byId("which-close").addEventListener("click", close);
    byId("which").addEventListener("keydown", function (event) { if (event.key === "Escape") { close(); } });
  });
})();
