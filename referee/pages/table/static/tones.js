// The tones of the panel, once somebody has wanted them: browsers sound only after a tap.
"use strict";

var Tones = (function () {
  var STALE_S = 1.5, LOUD = 0.2, EDGE_S = 0.008, KEPT = "panel.sound";
  var context = null, heard = null;

  function kept() { try { return localStorage.getItem(KEPT) === "on"; } catch (barred) { return false; } }
  var wanted = kept();

  function silent() { return wanted && (context === null || context.state !== "running"); }

  function wake() {
    var Context = window.AudioContext || window.webkitAudioContext;
    if (!wanted || !Context) { return; }
    if (context === null) { context = new Context(); }
    if (context.state === "suspended" && context.resume) { context.resume(); }
  }

  function want(on) {
    wanted = on;
    try { localStorage.setItem(KEPT, on ? "on" : "off"); } catch (barred) { /* it is asked again next time */ }
    wake();
  }

  function play(notes) {
    var at = context.currentTime + 0.01;
    notes.forEach(function (note) {
      if (note[0] !== null) {
        var tone = context.createOscillator(), loud = context.createGain();
        tone.type = "triangle";
        tone.frequency.value = note[0];
        loud.gain.setValueAtTime(0, at);
        loud.gain.linearRampToValueAtTime(LOUD, at + EDGE_S);
        loud.gain.setValueAtTime(LOUD, Math.max(at + EDGE_S, at + note[1] - EDGE_S));
        loud.gain.linearRampToValueAtTime(0, at + note[1]);
        tone.connect(loud);
        loud.connect(context.destination);
        tone.start(at);
        tone.stop(at + note[1]);
      }
      at += note[1];
    });
  }

  Referee.on(["tune"], function (parts) {
    var tune = parts.tune, fresh = tune && tune.n !== heard && Referee.clock() - tune.at < STALE_S;
    heard = tune ? tune.n : null;
    if (!fresh || !wanted) { return; }
    if (context !== null && context.state === "running") { play(tune.notes); }
    if (navigator.vibrate) { navigator.vibrate(tune.notes.map(function (note) { return Math.round(note[1] * 1000); })); }
  });

  ["click", "touchend", "keydown"].forEach(function (kind) { document.addEventListener(kind, wake); });

  return { wanted: function () { return wanted; }, want: want, silent: silent, wake: wake };
})();
