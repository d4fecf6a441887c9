// What the camera sees while somebody looks, with what is missing in it.
"use strict";

(function () {
  var SVG = "http://www.w3.org/2000/svg", make = Referee.element, empty = Referee.empty;

  function byId(name) { return document.getElementById(name); }

  function svg(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  function outline(drawing, corners, size, kind, text) {
    var points = corners.map(function (at) { return Math.round(at[0] * size[0]) + "," + Math.round(at[1] * size[1]); });
    drawing.appendChild(svg("polygon", { points: points.join(" "), class: "ring " + kind }));
    if (!text) { return; }
    var x = 0, y = 0;
    corners.forEach(function (at) { x += at[0] / corners.length; y += at[1] / corners.length; });
    var label = svg("text", { x: x * size[0], y: y * size[1], class: "label " + kind });
    label.textContent = text;
    drawing.appendChild(label);
  }

  Referee.on(["camera"], function (parts) {
    var camera = parts.camera, box = byId("view");
    box.hidden = !camera || !camera.size;
    byId("no-view").hidden = !box.hidden;
    document.querySelector(".found").hidden = !camera;
    if (!camera) { return; }
    if (camera.size) { showPicture(box, camera); }
    var markers = empty(byId("markers"));
    camera.markers.forEach(function (marker) {
      markers.appendChild(make("li", { class: marker.outline ? "seen" : "hidden-marker", text: (marker.outline ? "✓ " : "✗ ") + marker.text }));
    });
    camera.lamps.slice(0, 1).forEach(function (lamp) { markers.appendChild(make("li", { class: "hidden-marker", text: "✗ " + lamp.text })); });
    // Where nothing is wrong with them, one line is enough.
    byId("not-all-seen").hidden = !camera.lamps.length && camera.markers.every(function (marker) { return marker.outline; });
    byId("all-seen").hidden = !byId("not-all-seen").hidden;
    showRemarks(camera.remarks);
  });

  function showPicture(box, camera) {
    var picture = new Image();
    picture.onload = function () {
      var drawing = svg("svg", { viewBox: "0 0 " + camera.size.join(" "), "aria-hidden": "true" });
      camera.markers.forEach(function (marker) { if (marker.outline) { outline(drawing, marker.outline, camera.size, "good", String(marker.id)); } });
      camera.lamps.forEach(function (lamp) { outline(drawing, lamp.outline, camera.size, "bad", lamp.text); });
      empty(box);
      picture.alt = box.dataset.alt;
      box.appendChild(picture);
      box.appendChild(drawing);
    };
    picture.src = "/setup/camera/" + camera.view + ".jpg";
  }

  var told = "";

  function remark(list, one) {
    return make("li", { class: one.level }, [
      one.level === "ok" ? null : make("strong", { text: list.dataset[one.level] + Referee.colon() }), make("span", { text: one.found + " " }),
      one.do ? make("em", { text: one.do }) : null
    ]);
  }

  function showRemarks(remarks) {
    var list = byId("remarks"), news = JSON.stringify(remarks);
    if (news === told) { return; } // a screen reader is not told the same every second
    told = news;
    var opened = Boolean(list.querySelector("details[open]"));
    empty(list);
    if (remarks.every(function (one) { return one.level === "ok"; })) { list.appendChild(make("li", { class: "ok", text: "✓ " + list.dataset.well })); }
    var good = remarks.filter(function (one) { return one.level === "ok"; });
    remarks.forEach(function (one) { if (one.level !== "ok") { list.appendChild(remark(list, one)); } });
    if (good.length) {
      list.appendChild(make("li", {}, [make("details", { open: opened }, [
        make("summary", { text: list.dataset.ok + " (" + good.length + ")" }), make("ul", {}, good.map(function (one) { return remark(list, one); }))
      ])]));
    }
  }

  function look() {
    var setup = Referee.parts.setup;
    if (!document.hidden && setup && setup.stage === "ready" && setup.lobby) { SetUp.send("look_through", {}, function () {}); }
  }

  function kinds() {
    var kind = byId("kind").value;
    [].forEach.call(document.querySelectorAll("[data-kinds]"), function (field) {
      field.hidden = field.dataset.kinds.split(" ").indexOf(kind) < 0;
    });
  }

  // What was chosen when the page came; as the address of a network camera is not shown, there is no way back to one.
  function remember() {
    var form = byId("settings"), before = form.dataset.kind;
    if (before === "network" || Referee.parts.setup.stage !== "ready") { return; }
    SetUp.rememberCamera({ "camera.kind": before, "camera.source": byId("source").defaultValue });
  }

  document.addEventListener("DOMContentLoaded", function () {
    // Without a camera another one is what to choose now, and while one is waited for.
    Referee.on(["setup"], function (parts) {
      var setup = parts.setup, waits = setup.stage === "building" && setup.missing;
      if ((setup.stage === "missing" || waits || location.hash === "#another") && !setup.decision) { byId("another").open = true; }
    });
    byId("source").closest("p").insertAdjacentElement("afterend", byId("answer")); // what is wrong with an address stands at its field
    byId("settings").addEventListener("submit", remember);
    byId("kind").addEventListener("change", kinds);
    kinds();
    setInterval(look, 1200);
  });
})();
