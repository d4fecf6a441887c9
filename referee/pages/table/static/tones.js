// The tones of the panel, once somebody has wanted them: browsers sound only after a tap.
"use strict";

var Tones = (function () {
  var STALE_S = 1.5, LOUD = 0.28, EDGE_S = 0.008, TICK_S = 0.07, OVERTONE = 4, KEPT = "panel.sound";
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

  // One partial of a struck note: there at once, fading to a part of its loudness, and gone without a click.
  function ring(kind, hertz, at, lasts, loud, left) {
    var tone = context.createOscillator(), gain = context.createGain();
    tone.type = kind;
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(loud, at + EDGE_S);
    gain.gain.exponentialRampToValueAtTime(loud * left, at + lasts - EDGE_S);
    gain.gain.linearRampToValueAtTime(0, at + lasts);
    tone.connect(gain);
    gain.connect(context.destination);
    tone.start(at);
    tone.stop(at + lasts);
  }

  // The notes are those of the buzzer; here they sound like tiles that are struck: with a short, high overtone.
  function play(notes) {
    var at = context.currentTime + 0.01;
    notes.forEach(function (note) {
      if (note[0] !== null) {
        ring("triangle", note[0], at, note[1], LOUD, 0.25);
        ring("sine", OVERTONE * note[0], at, Math.min(note[1], TICK_S), LOUD / 4, 0.05);
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
