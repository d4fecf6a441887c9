// The director's desk on the page of a player or of a table: the clock of the round counts here between two answers of the
// hall, announcements go when their time is over, and the director is called.
"use strict";

var PlayerDesk = (function () {
  var ROUNDING_S = 0.001, TOLD_S = 20, box = document.getElementById("player-clock"), told = document.getElementById("player-clock-told"), offset = null, clock = null, ids = {}, said = null;

  function write(place, text) { if (place.textContent !== text) { place.textContent = text; } }
  function local() { return performance.now() / 1000; }
  function written(whole) {
    var hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60, seconds = whole % 60;
    return (hours ? hours + ":" + (minutes < 10 ? "0" : "") : "") + minutes + ":" + (seconds < 10 ? "0" : "") + seconds;
  }

  // Every answer tells what the hall's clock says; an answer that changes nothing does, too.
  function heard(answer) {
    var now = parseFloat(answer.headers.get("Referee-Now"));
    if (!isNaN(now)) { offset = now - local(); }
  }

  function read(place) {
    var data = place.dataset;
    return data.number === undefined ? null : {
      number: data.number, left: parseFloat(data.left), ends: data.endsAt ? parseFloat(data.endsAt) : null, warn: parseFloat(data.warn), warning: data.warning, changed: data.changed, stands: data.stands
    };
  }

  // The clock as the newest page has it. Another number is another time: whoever has seen the one before is told.
  function take(fresh) {
    var before = clock;
    clock = read(fresh);
    if (before && clock && before.number !== clock.number) { say("changed " + clock.number, clock.changed); }
    tick();
  }

  function left() { return clock.ends === null ? clock.left : Math.max(0, clock.ends - offset - local()); }

  // Each thing is said once, and stays to be read for a while; that the time is up stays until another time is set.
  function say(what, text) {
    if (said && said.what === what) { return; }
    said = { what: what, until: local() + TOLD_S };
    write(told, text);
  }

  function tick() {
    var seconds = clock && (clock.ends === null || offset !== null) ? left() : null, soon, up;
    box.hidden = seconds === null;
    if (seconds === null) { said = null; write(told, ""); return; }
    up = seconds === 0;
    soon = !up && clock.warn > 0 && seconds <= clock.warn && clock.ends !== null;
    write(box.querySelector("b"), written(Math.ceil(seconds - ROUNDING_S)));
    write(box.querySelector(".stands"), clock.ends === null && !up ? clock.stands : "");
    box.className = up ? "up" : soon ? "soon" : "";
    if (up) { say("up " + clock.number, box.dataset.up); return; }
    if (soon && seconds > clock.warn - TOLD_S) { say("soon " + clock.number, clock.warning); }
    if (said && local() > said.until) { write(told, ""); }
  }

  function announcements() {
    if (offset === null) { return; }
    [].forEach.call(document.querySelectorAll(".my-announcement"), function (one) { if (offset + local() >= parseFloat(one.dataset.until)) { one.remove(); } });
  }

  // Announcements that stand here already stay as they are, so that only a new one is read aloud.
  function announce(place, fresh) {
    var before = {};
    [].slice.call(place.children).forEach(function (one) { before[one.dataset.id] = one; });
    [].slice.call(fresh.children).forEach(function (one, index) {
      var same = before[one.dataset.id];
      delete before[one.dataset.id];
      if (!same) { place.insertBefore(document.adoptNode(one), place.children[index] || null); }
    });
    Object.keys(before).forEach(function (id) { before[id].remove(); });
  }

  function made() {
    var numbers = new Uint32Array(3);
    crypto.getRandomValues(numbers);
    return [].map.call(numbers, function (one) { return one.toString(36); }).join("-");
  }

  // A call keeps its id until the hall has answered, so that one that is sent again calls nobody twice.
  function post(form) {
    var reason = form.querySelector("#call-reason"), what = form.dataset.do, body;
    if (what === "withdraw") { return { "do": what, id: form.dataset.call }; }
    ids.call = ids.call || made();
    body = { "do": what, id: ids.call, text: form.querySelector("#call-text").value };
    if (reason.value) { body.reason = reason.value; }
    return body;
  }

  function answered(ok) { if (ok) { delete ids.call; } }

  clock = read(box);
  setInterval(function () { tick(); announcements(); }, 200);
  return { heard: heard, take: take, announce: announce, post: post, answered: answered };
})();
