// The time of the round, and which tables call the director, wherever a page of the hall has room for them.
"use strict";

var RoundDesk = (function () {
  var ROUNDING_S = 0.001, MOST_ON_WALL = 3, make = Referee.element, box = document.getElementById("round-desk");

  function byId(name) { return document.getElementById(name); }
  function write(place, text) { if (place.textContent !== text) { place.textContent = text; } }
  function written(whole) {
    var hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60, seconds = whole % 60;
    return (hours ? hours + ":" + (minutes < 10 ? "0" : "") : "") + minutes + ":" + (seconds < 10 ? "0" : "") + seconds;
  }

  // Seconds left of the round; null without a clock, and before the server's clock is known.
  function left() {
    var clock = Referee.parts["round-clock"];
    if (!clock || clock.ends_at !== null && Referee.doubt() === null) { return null; }
    return clock.ends_at === null ? clock.left : Math.max(0, clock.ends_at - Referee.clock());
  }

  // A clock that stands has not been started yet, or was stopped.
  function stands(clock, place) { return clock.ends_at !== null ? "" : clock.started ? place.dataset.stands : place.dataset.notStarted; }

  function tick() {
    var clock = Referee.parts["round-clock"], seconds = left(), line = byId("round-clock");
    if (!line) { return; }
    line.hidden = seconds === null;
    if (seconds !== null) {
      write(line.querySelector("b"), written(Math.ceil(seconds - ROUNDING_S)));
      write(line.querySelector(".state"), seconds === 0 ? box.dataset.up : stands(clock, box));
      line.className = "round-clock" + (seconds === 0 ? " up" : clock.warn && seconds <= clock.warn ? " soon" : "");
    }
    announce();
    show([line, byId("for-everybody"), byId("calling")].every(function (one) { return !one || one.hidden; }));
  }

  // What was announced to everybody stands here, the newest first, each until its time is over; the director's page has it with
  // its orders. What stands here already stays as it is, so that only what is new is read aloud.
  function announce() {
    var place = byId("for-everybody"), most = place && document.body.classList.contains("wall-page") ? MOST_ON_WALL : Infinity, before = {}, moved = false, told;
    if (!place || Referee.doubt() === null) { return; }
    told = (Referee.parts["for-everybody"] || []).filter(function (one) { return Referee.clock() < one.until; }).slice(0, most);
    [].slice.call(place.children).forEach(function (one) { before[one.dataset.id] = one; });
    told.forEach(function (one, index) {
      var same = before[one.id];
      delete before[one.id];
      if (same) { return; }
      moved = true;
      place.insertBefore(make("p", { class: "announcement", "data-id": one.id }, [make("b", { text: place.dataset.announcement + Referee.colon() }), make("span", { text: one.text })]), place.children[index] || null);
    });
    Object.keys(before).forEach(function (id) { before[id].remove(); moved = true; });
    place.hidden = !told.length;
    if (moved) { window.dispatchEvent(new Event("resize")); }
  }

  // What has its size from the room that is left, as on the wall, is measured anew.
  function show(hidden) {
    if (box.hidden === hidden) { return; }
    box.hidden = hidden;
    window.dispatchEvent(new Event("resize"));
  }

  function told(call) { return call.coming || box.dataset.calls; }

  function calls() { return Referee.parts.calls || []; }

  function list() {
    var place = byId("calling");
    if (!place) { return; }  // the director's page has them with their answers
    Referee.empty(place);
    calls().forEach(function (call) {
      place.appendChild(make("li", { class: call.coming ? "coming" : "" }, [make("b", { text: call.table }), make("span", { text: Referee.colon() + told(call) })]));
    });
    place.hidden = !calls().length;
    mark();
    tick();
    window.dispatchEvent(new Event("resize"));
  }

  // A table of the round that calls is marked where it stands, too.
  function mark() {
    [].forEach.call(document.querySelectorAll("#by-table .seat-card"), function (card) {
      var at = card.querySelector(".box"), name = at ? at.textContent.trim() : "", number = Number(card.getAttribute("data-table"));
      card.classList.toggle("calls", calls().some(function (call) { return name && call.place === name || number && call.number === number; }));
    });
  }

  if (box) {
    Referee.on(["calls"], list);
    Referee.on(["round-clock"], tick);
    Referee.on(["for-everybody"], tick);
    Referee.on(["tournament"], mark);
    setInterval(tick, 200);
  }
  return { left: left, written: written, stands: stands };
})();
