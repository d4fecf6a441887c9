// The director's desk of the hall, as a table has it: the time of the round, the call for the director, announcements.
"use strict";

(function () {
  var ROUNDING_S = 0.001, busy = false, height = 0;
  var strip = document.getElementById("desk"), box = document.getElementById("call-box");
  if (!strip) { return; }

  function byId(name) { return document.getElementById(name); }
  function write(place, text) { if (place.textContent !== text) { place.textContent = text; } }
  function written(whole) { return Math.floor(whole / 60) + ":" + (whole % 60 < 10 ? "0" : "") + whole % 60; }

  // Seconds left of the round; null without a clock, and before the server's clock is known.
  function left(clock) {
    if (!clock || clock.ends_at !== null && Referee.doubt() === null) { return null; }
    return clock.ends_at === null ? clock.left : Math.max(0, clock.ends_at - Referee.clock());
  }

  // What has its size from the room that is left, as on a television, is measured anew.
  function measure() {
    if (strip.offsetHeight === height) { return; }
    height = strip.offsetHeight;
    window.dispatchEvent(new Event("resize"));
  }

  function tick() {
    var desk = Referee.parts.desk, clock = desk && desk.clock, seconds = left(clock), line = byId("round-time"), up = seconds === 0;
    line.hidden = seconds === null;
    if (seconds !== null) {
      write(line.querySelector("b"), written(Math.ceil(seconds - ROUNDING_S)));
      write(line.querySelector(".state"), clock.ends_at === null && !up ? clock.started ? strip.dataset.stands : strip.dataset.notStarted : "");
      line.className = "round-time" + (up ? " up" : clock.warn && seconds <= clock.warn ? " soon" : "");
    }
    write(byId("round-up"), up ? strip.dataset.up : "");
    byId("round-up").hidden = !up;
    strip.hidden = !desk || seconds === null && !desk.call && !desk.announcement;
    measure();
  }

  function show(parts) {
    var desk = parts.desk, told = desk.announcement;
    write(byId("called"), desk.call ? desk.call.text : "");
    byId("called").hidden = !desk.call;
    byId("called").className = "called" + (desk.call && desk.call.coming ? " coming" : "");
    write(byId("announced").querySelector("p"), told ? told.text : "");
    byId("announced").hidden = !told;
    tick();
    if (box) { offer(desk); }
  }

  // A call is offered in a club only. While there is one, it can be withdrawn.
  function offer(desk) {
    box.hidden = !desk.club;
    byId("call-open").hidden = Boolean(desk.call) || !byId("call-form").hidden;
    if (desk.call) { shut(); }
    byId("call-withdraw").hidden = !desk.call;
    byId("call-stops-line").hidden = !desk.can_stop;
    byId("call-hint").hidden = !desk.hint || Boolean(desk.call);
    write(byId("call-hint"), desk.hint);
  }

  function shut() {
    byId("call-form").hidden = true;
    byId("call-open").setAttribute("aria-expanded", "false");
    byId("call-open").hidden = Boolean(Referee.parts.desk && Referee.parts.desk.call);
  }

  function id() {
    var numbers = new Uint32Array(2);
    crypto.getRandomValues(numbers);
    return "desk-" + numbers[0].toString(36) + "-" + numbers[1].toString(36);
  }

  function post(fields, done) {
    var told = byId("call-told"), failed = box ? box.dataset.failed : "";
    if (busy) { return; }
    busy = true;
    if (told) { write(told, ""); }
    fields.id = id();
    Referee.command(fields).then(function (answer) {
      busy = false;
      if (answer.status === 403) { location.href = "/enter?next=" + encodeURIComponent(location.pathname); return null; }
      if (answer.ok) { if (done) { done(); } return null; }
      return answer.json().then(function (body) { if (told) { write(told, body.told || body.error || failed); } });
    }).catch(function () { busy = false; if (told) { write(told, failed); } });
  }

  if (byId("dismiss")) {
    byId("dismiss").addEventListener("click", function () {
      var told = Referee.parts.desk && Referee.parts.desk.announcement;
      if (told) { post({ command: "dismiss", number: told.n }); }
    });
  }
  if (box) {
    byId("call-open").addEventListener("click", function () {
      byId("call-form").hidden = false;
      byId("call-open").hidden = true;
      byId("call-open").setAttribute("aria-expanded", "true");
      byId("call-why").focus();
    });
    byId("call-cancel").addEventListener("click", function () { shut(); byId("call-open").focus(); });
    byId("call-form").addEventListener("submit", function (event) {
      var fields = { command: "call-director", text: byId("call-more").value, stops: byId("call-stops").checked && !byId("call-stops-line").hidden };
      event.preventDefault();
      if (byId("call-why").value) { fields.reason = byId("call-why").value; }
      post(fields, function () { byId("call-more").value = ""; byId("call-why").value = ""; byId("call-withdraw").hidden = false; shut(); byId("call-withdraw").focus(); });
    });
    byId("call-withdraw").addEventListener("click", function () { post({ command: "withdraw-call" }); });
  }
  Referee.on(["desk"], show);
  setInterval(tick, 200);
})();
