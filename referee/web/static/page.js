// The stream of the table's state, and what all pages share. Plain ES2015: televisions of 2018 run it.
"use strict";

var Referee = (function () {
  var parts = {}, listeners = [], source = null, number = 0, alive = 0, offset = null, best = Infinity, sure = null, epoch = null;
  var SILENT_MS = 12000, LOST_MS = 2000;
  // Since when the connection is down; null while it is up. By part, why it cannot be shown.
  var lost = null, failures = {};

  // The server's clock, now or at a moment of `performance.now()`.
  function clock(at) {
    return (at === undefined ? performance.now() : at) / 1000 + (offset === null ? 0 : offset);
  }

  // By how many seconds the server's clock may be misjudged; null before it was asked.
  function doubt() { return sure; }

  // A sign of life has the server's clock: it takes a while to come, but never comes early.
  function ticked(event) {
    var late = clock() - parseFloat(event.data);
    heard();
    if (offset !== null && (late < -0.05 || late > 1)) { best = Infinity; synchronise(3); }
  }

  // The server's clock is asked a few times; the answer that took the shortest is the best one.
  function synchronise(times) {
    var sent = performance.now();
    fetch("/api/now", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      return answer.json();
    }).then(function (told) {
      var back = performance.now(), took = back - sent;
      if (took < best) {
        best = took;
        sure = took / 2000;
        offset = told.now - (sent + took / 2) / 1000;
      }
      if (times > 1) { setTimeout(function () { synchronise(times - 1); }, 300); }
    }).catch(function () {});
  }

  function heard() {
    alive = Date.now();
    lost = null;
    show();
  }

  // Whether the connection is down: "connecting" after two seconds, and since when after twelve.
  function show() {
    var box = document.getElementById("connection"), now = Date.now(), text = "";
    if (!box) { return; }
    if (listeners.length && !document.hidden) {
      if (now - alive > SILENT_MS && alive) {
        text = box.dataset.cutOff.replace("{time}", new Date(alive).toLocaleTimeString(document.documentElement.lang));
      } else if ((lost !== null && now - lost > LOST_MS) || now - alive > SILENT_MS) { text = box.dataset.connecting; }
    }
    if (box.textContent !== text) { box.textContent = text; }
    box.hidden = !text;
    document.body.classList.toggle("cut", !!text);
  }

  // What cannot be shown is said, and what was shown of it before stays.
  function fail() {
    var box = document.getElementById("failure"), texts = {};
    Object.keys(failures).forEach(function (name) { texts[failures[name]] = true; });
    box.textContent = Object.keys(texts).join(" ");
    box.hidden = !box.textContent;
  }

  function run(listener, told) {
    try {
      listener.run(told);
      return true;
    } catch (error) {
      if (window.console) { console.error(error); }
      return false;
    }
  }

  function take(event) {
    var told = JSON.parse(event.data), changed = {}, from = event.lastEventId.split("-")[0], shown = true;
    Object.keys(told.parts).forEach(function (name) {
      var part = told.parts[name], broken = part && typeof part.failed === "string";
      if (broken) { failures[name] = part.failed; } else { delete failures[name]; changed[name] = part; }
    });
    if (epoch !== null && epoch !== from && api.restarted) { api.restarted(); }
    epoch = from;
    number = told.n;
    Object.keys(changed).forEach(function (name) { parts[name] = changed[name]; });
    listeners.forEach(function (listener) {
      if (!listener.names) { shown = run(listener, changed) && shown; }
      else if (listener.names.some(function (name) { return name in changed; })) { shown = run(listener, parts) && shown; }
    });
    if (shown) { delete failures[""]; } else { failures[""] = document.getElementById("failure").dataset.text; }
    fail();
    heard();
  }

  // Where looking on takes the PIN and the session has ended, it is asked for again.
  function ask() {
    fetch("/api/me", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      return answer.json();
    }).then(function (me) {
      if (me.may_read === false) { location.replace("/enter?next=" + encodeURIComponent(location.pathname)); }
    }).catch(function () {});
  }

  function open() {
    if (source || document.hidden || !listeners.length) { return; }
    source = new EventSource("/api/stream");
    source.addEventListener("snapshot", take);
    source.addEventListener("changes", take);
    source.addEventListener("alive", ticked);
    lost = Date.now();
    source.onerror = function () {
      if (lost === null) { lost = Date.now(); }
      // A browser gives up after an answer that is no stream: then we try again.
      if (source && source.readyState === 2) { close(); setTimeout(open, 5000); ask(); }
    };
    synchronise(5);
  }

  function close() {
    if (source) { source.close(); source = null; }
  }

  document.addEventListener("visibilitychange", function () {
    if (document.hidden) { close(); } else { best = Infinity; open(); }
  });
  setInterval(show, 1000);
  setInterval(function () { if (source) { best = Infinity; synchronise(3); } }, 60000);

  function on(names, run) { listeners.push({ names: names, run: run }); }

  // Whatever changes: called with just that.
  function all(run) { listeners.push({ names: null, run: run }); }

  function element(name, attributes, children) {
    var made = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      var value = attributes[key];
      if (key === "text") { made.textContent = value; }
      else if (value !== null && value !== undefined && value !== false) { made.setAttribute(key, value === true ? "" : value); }
    });
    (children || []).forEach(function (child) { if (child) { made.appendChild(child); } });
    return made;
  }

  function empty(box) { while (box.firstChild) { box.removeChild(box.firstChild); } return box; }

  function tile(face, extra) {
    return element("span", { class: "tile ink-" + (face.colour || "back") + (extra ? " " + extra : ""), role: "img", "aria-label": face.name, title: face.name }, [
      element("span", { class: "sign", text: face.sign, "aria-hidden": "true" }),
      element("span", { class: "letters", text: face.letters, "aria-hidden": "true" })
    ]);
  }

  document.addEventListener("DOMContentLoaded", function () {
    var chosen = document.getElementById("language");
    if (chosen) {
      chosen.addEventListener("change", function () { chosen.form.submit(); });
      chosen.form.querySelector("button").hidden = true;
    }
    open();
  });

  // Between a word and what it is about; French leaves a blank before a colon.
  function colon() { return document.documentElement.lang === "fr" ? "\u00a0: " : ": "; }

  function connected() { return source !== null && source.readyState === 1; }

  var api = { on: on, all: all, element: element, empty: empty, tile: tile, colon: colon, clock: clock, doubt: doubt, connected: connected, number: function () { return number; }, parts: parts };
  return api;
})();
