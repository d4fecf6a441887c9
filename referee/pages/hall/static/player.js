// A player's own page asks again every few seconds while somebody looks at it; what has changed is put in its place.
// At a table without a referee its result is entered here, and confirmed by somebody else at the table.
"use strict";

(function () {
  var every = parseFloat(document.body.dataset.everyMs), box = document.getElementById("connection"), PARTS = ["player-announced", "player-now", "player-result", "player-table", "player-called", "player-call-state", "player-call", "player-rest"], LATE = 2, failed = 0, timer = null;
  var answers = { result: document.getElementById("player-answer"), call: document.getElementById("call-answer") }, shown = {}, sending = false, answered = false, tag = null;

  // Compared with what the hall sent last, not with the page: what somebody has typed or unfolded here stays.
  function put(text) {
    var fresh = new DOMParser().parseFromString(text, "text/html");
    PlayerDesk.take(fresh.getElementById("player-clock"));
    PARTS.forEach(function (name) {
      var old = document.getElementById(name), now = fresh.getElementById(name);
      if (!old || !now || shown[name] === now.innerHTML) { return; }
      shown[name] = now.innerHTML;
      forget(name);
      if (name === "player-announced") { PlayerDesk.announce(old, now); return; }
      while (old.firstChild) { old.removeChild(old.firstChild); }
      while (now.firstChild) { old.appendChild(document.adoptNode(now.firstChild)); }
    });
  }

  // What the hall has answered is no news any more once the page shows something else than right after the answer.
  function forget(name) {
    if ((name === "player-result" || name === "player-now") && !answered) { say("result", ""); }
    if (name === "player-called") { say("call", ""); }
  }

  // One answer may be lost on the way; two say that the hall cannot be reached.
  function tell() {
    var cut = failed >= LATE, at = document.activeElement, before = !box.hidden;
    box.hidden = !cut;
    box.textContent = cut ? box.dataset.connecting : "";
    document.documentElement.classList.toggle("cut-off", cut);
    if (cut && !before && at && at !== document.body) { at.scrollIntoView({ block: "nearest" }); }  // the line stays in sight, but covers nothing chosen
  }

  function ask() {
    var first = answered;
    clearTimeout(timer);
    if (document.hidden) { return; }
    // The tag is told by hand: then an answer that nothing has changed comes here as it is, with the hall's clock.
    var headers = tag ? { Accept: "text/html", "If-None-Match": tag } : { Accept: "text/html" };
    fetch(location.pathname + location.search, { credentials: "same-origin", cache: "no-store", headers: headers }).then(function (answer) {
      if (!answer.ok && answer.status !== 304) { throw new Error(String(answer.status)); }
      PlayerDesk.heard(answer);
      tag = answer.headers.get("ETag") || null;
      return answer.status === 304 ? null : answer.text();
    }).then(function (text) { failed = 0; if (text !== null) { put(text); } }).catch(function () { failed += 1; }).then(function () {
      if (first) { answered = false; }
      tell();
      clearTimeout(timer);
      timer = setTimeout(ask, every);
    });
  }

  function number(text) { return /^[+\-\u2212\u2013]?[0-9]+$/.test(text) ? Number(text.replace(/[\u2212\u2013]/, "-")) : null; }

  function typed(form) { return [].map.call(form.querySelectorAll("input"), function (input) { return number(input.value.replace(/\s/g, "")); }); }

  function say(what, text, bad) {
    answers[what].textContent = text;
    answers[what].classList.toggle("wrong", Boolean(bad));
  }

  // Whoever disputes a result need not know a better one: points as they are shown, or incomplete ones, are none.
  function post(form) {
    var seen = JSON.parse(form.closest("[data-draw]").dataset.points), points = typed(form), what = form.dataset.do;
    var body = { "do": what, draw: form.closest("[data-draw]").dataset.draw, points: what === "report" ? points : seen };
    if (what === "dispute" && points.indexOf(null) < 0 && String(points) !== String(seen)) { body.otherwise = points; }
    return body;
  }

  function send(form) {
    var what = form.dataset.do === "call" || form.dataset.do === "withdraw" ? "call" : "result", body = what === "call" ? PlayerDesk.post(form) : post(form);
    if (sending) { return; }
    sending = true;
    say(what, "");
    fetch(location.pathname + "/" + what, {
      method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body)
    }).then(function (told) {
      if (what === "call") { PlayerDesk.answered(told.ok); }
      return told.json().then(function (body) { say(what, body.told || answers[what].dataset.failed, !told.ok); });
    }).catch(function () { say(what, answers[what].dataset.failed, true); }).then(function () { sending = false; answered = true; ask(); });
  }

  // The choice of the language is a form of the page, too; it leads to the page in that language.
  document.addEventListener("submit", function (event) {
    if (!event.target.dataset.do) { return; }
    event.preventDefault();
    send(event.target);
  });
  [].forEach.call(document.querySelectorAll(".languages"), function (form) {
    form.addEventListener("change", function () { form.submit(); });
    form.querySelector("button").hidden = true;
  });
  PARTS.forEach(function (name) { var part = document.getElementById(name); if (part) { shown[name] = part.innerHTML; } });  // the page of a table has some of them
  document.addEventListener("visibilitychange", ask);
  ask();  // the page may come from the browser's memory, and it does not know the hall's clock yet
})();
