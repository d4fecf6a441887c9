// A finger on a button: told to the referee when it comes, while it stays, and when it leaves, with its own moment.
"use strict";

var Press = (function () {
  var STILL_MS = 150, HELD_MS = 800, TAP_MS = 100, FRESH_MS = 2000, SETTLE_MS = 700;
  var fingers = [], told = function () {}, changed = "", count = 0;

  function name() {
    var bytes = new Uint8Array(12);
    window.crypto.getRandomValues(bytes);
    return Array.prototype.map.call(bytes, function (byte) { return ("0" + byte.toString(16)).slice(-2); }).join("");
  }

  // When it happened, even if the browser was busy since; browsers of old give another kind of time.
  function moment(event) {
    var now = performance.now(), ago = event ? now - event.timeStamp : 0;
    return ago >= 0 && ago < FRESH_MS ? now - ago : now;
  }

  function send(finger, what, at) {
    var body = { id: finger.name + "-" + ++count, n: finger.number, command: "press", button: finger.button, what: what, finger: finger.name };
    if (Referee.doubt() !== null) { body.at = Referee.clock(at); body.doubt = Referee.doubt(); }
    finger.waiting += 1;
    finger.last = finger.last.then(function () {
      return fetch("/api/command", { method: "POST", credentials: "same-origin", cache: "no-store", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    }).then(function (answer) {
      return answer.ok ? null : answer.json();
    }).then(function (refused) {
      if (refused) { told(refused.told || refused.error || ""); forget(finger); }
    }).catch(function () {
      told(null);
      forget(finger);
    }).then(function () { finger.waiting -= 1; });
  }

  function forget(finger) {
    clearInterval(finger.timer);
    clearTimeout(finger.long);
    fingers = fingers.filter(function (other) { return other !== finger; });
    finger.pad.classList.remove("pressed");
    finger.pad.classList.remove("held");
  }

  function down(pad, event) {
    if (pad.disabled || fingers.some(function (other) { return other.pad === pad; })) { return; }
    if (!Referee.connected()) { told(null); return; }
    if (Date.now() - (pad.dataset.since || 0) < SETTLE_MS) { told(changed); return; }
    told("");
    var finger = { pad: pad, button: pad.dataset.button, name: name(), number: Referee.number(), last: Promise.resolve(), waiting: 0 };
    fingers.push(finger);
    send(finger, "down", moment(event));
    pad.classList.add("pressed");
    finger.timer = setInterval(function () { if (!finger.waiting) { send(finger, "still", performance.now()); } }, STILL_MS);
    finger.long = setTimeout(function () { pad.classList.add("held"); buzz(60); }, HELD_MS);
    buzz(20);
  }

  function up(pad, event) {
    fingers.filter(function (finger) { return finger.pad === pad; }).forEach(function (finger) {
      forget(finger);
      send(finger, "up", moment(event));
    });
  }

  function buzz(pattern) { if (Tones.wanted() && navigator.vibrate) { navigator.vibrate(pattern); } }

  function isKey(event) { return event.key === "Enter" || event.key === " " || event.key === "Spacebar"; }

  function listen(pad) {
    var tapped = 0;
    function comes(event) { tapped = Date.now(); down(pad, event); }
    function leaves(event) { tapped = Date.now(); up(pad, event); }
    if (window.PointerEvent) {
      pad.addEventListener("pointerdown", function (event) {
        if (event.button) { return; }
        if (pad.setPointerCapture) { try { pad.setPointerCapture(event.pointerId); } catch (gone) { /* the finger has left already */ } }
        comes(event);
      });
      ["pointerup", "pointercancel", "lostpointercapture"].forEach(function (kind) { pad.addEventListener(kind, leaves); });
    } else {
      pad.addEventListener("touchstart", function (event) { event.preventDefault(); comes(event); });
      ["touchend", "touchcancel", "mouseup", "mouseleave"].forEach(function (kind) { pad.addEventListener(kind, leaves); });
      pad.addEventListener("mousedown", function (event) { if (!event.button) { comes(event); } });
    }
    pad.addEventListener("keydown", function (event) {
      if (!isKey(event)) { return; }
      event.preventDefault();
      if (!event.repeat) { comes(event); }
    });
    pad.addEventListener("keyup", function (event) { if (isKey(event)) { event.preventDefault(); leaves(event); } });
    pad.addEventListener("blur", function () { up(pad, null); });
    pad.addEventListener("contextmenu", function (event) { event.preventDefault(); });
    // A screen reader only clicks.
    pad.addEventListener("click", function (event) {
      if (event.detail || Date.now() - tapped < 500) { return; }
      comes(event);
      setTimeout(function () { leaves(null); }, TAP_MS);
    });
  }

  function release() { fingers.slice().forEach(function (finger) { up(finger.pad, null); }); }

  document.addEventListener("visibilitychange", function () { if (document.hidden) { release(); } });
  window.addEventListener("pagehide", release);
  window.addEventListener("blur", release);

  return { listen: listen, answers: function (run, says) { told = run; changed = says; } };
})();
