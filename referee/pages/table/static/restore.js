// Restores a backup: a file is sent, or one on the machine chosen; once it is checked, its content is shown, and whoever has read that confirms it.
// How far check and restore are, the referee is asked every second. Whoever cancels it only cuts the request off: the referee then ends the check.
"use strict";

(function () {
  var AGAIN_MS = 1000, LATEST_MS = 180000, CHECKED_MS = 1000, TOLD_PERCENT = 10, part = byId("restore-part"), sending = null, checked = "";
  if (!part) { return; }

  function byId(name) { return document.getElementById(name); }

  function say(text, well) {
    var box = byId("restore-answer");
    box.textContent = text;
    box.className = well ? "answer" : "answer failed";
    box.hidden = !text;
  }

  // Only one of these is seen: the choice, how far the file or the restore is, and the question.
  function show(what) {
    [byId("restore-send"), byId("restore-choose")].forEach(function (one) { if (one) { one.hidden = what !== "choice"; } });
    byId("restore-sending").hidden = what !== "sending" && what !== "restoring";
    byId("restore-stop").hidden = what === "restoring";
    byId("restore-sure").hidden = what !== "question";
  }

  // The bar has every percent; the text, which is read aloud, only every tenth. Without a number, the bar shows that something is going on.
  function progress(what, percent) {
    var bar = byId("restore-bar"), told = byId("restore-sent"), tenth = Math.floor(percent / TOLD_PERCENT) * TOLD_PERCENT;
    if (percent === null) { bar.removeAttribute("value"); } else { bar.value = percent; }
    var text = percent === null ? told.dataset[what] : told.dataset[what].replace("987654", tenth);
    if (told.textContent !== text) { told.textContent = text; }
  }

  // The file has arrived, or is on the machine: the referee says how far its check is.
  function check(request) {
    progress("checking", null);
    setTimeout(function look() {
      if (sending !== request) { return; }
      fetch("/api/backup/restore/progress", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
        return answer.json();
      }).then(function (told) {
        if (sending === request && typeof told.percent === "number") { progress("checked", told.percent); }
      }).catch(function () { /* the check itself says what is wrong */ }).then(function () { setTimeout(look, CHECKED_MS); });
    }, CHECKED_MS);
  }

  // Where it must be confirmed at the table, `then` gets the id of that once it was.
  function confirm(after, then) {
    say("", true);
    if (!part.dataset.confirms) { then(""); return; }
    Presence.ask("restore", after, then, function (text) { say(text, false); });
  }

  function ended(ok, told) {
    sending = null;
    show(ok ? "question" : "choice");
    if (!ok) { say(told.told || told.error || "", false); return; }
    checked = told.id;
    byId("restore-told").textContent = told.told;
    byId("restore-sure").focus();
  }

  function post(path, type, body, confirmed) {
    var request = sending = new XMLHttpRequest(), failed = { told: part.dataset.failed };
    show("sending");
    if (type) { progress("sent", 0); } else { check(request); }
    request.open("POST", path + "?lang=" + document.documentElement.lang);
    request.setRequestHeader("Content-Type", type || "application/json");
    if (confirmed) { request.setRequestHeader("X-Confirmed", confirmed); }
    if (type) {
      request.upload.onprogress = function (event) { if (event.lengthComputable) { progress("sent", Math.floor(100 * event.loaded / event.total)); } };
      request.upload.onload = function () { check(request); };
    }
    request.onload = function () {
      var told = failed;
      try { told = JSON.parse(request.responseText); } catch (error) { /* no answer of ours */ }
      ended(request.status === 200, told);
    };
    request.onerror = function () { ended(false, failed); };
    request.onabort = function () { ended(false, { told: part.dataset.cancelled }); };
    request.send(body);
  }

  // The page is closed meanwhile; a number is all that is answered there. The first page is opened anew once the program has started again, which a
  // phone may have slept through, or once it was silent in between; also if nothing of that comes, as when the restore was refused.
  function wait(silent, until) {
    setTimeout(function () {
      fetch("/api/backup/restore/progress", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
        return answer.json().catch(function () { return {}; });
      }).then(function (told) {
        if (typeof told.restored === "number") {
          show("restoring");
          progress("restored", told.restored);
          wait(true, until);
        } else if (silent || (told.start && told.start !== part.dataset.start) || Date.now() > until) { location.replace("/"); } else { wait(false, until); }
      }).catch(function () { wait(true, until); });
    }, AGAIN_MS);
  }

  function answer(path) {
    var how = { method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id: checked }) };
    return fetch(path + "?lang=" + document.documentElement.lang, how);
  }

  // What has arrived is removed from the card at once.
  function forget() {
    var forgotten = answer("/api/backup/restore/no").then(function (done) { return done.json(); });
    checked = "";
    return forgotten.catch(function () { return {}; });  // the referee forgets it after some minutes
  }

  function keep() {
    show("choice");
    byId("restore-file").focus();
    forget().then(function (told) { say(told.told || "", true); });
  }

  function restore() {
    byId("restore-yes").disabled = true;
    answer("/api/backup/restore").then(function (answer) {
      return answer.json().then(function (told) {
        show(answer.ok ? "" : "choice");
        say(told.told || told.error || part.dataset.failed, answer.ok);
        if (!answer.ok) { forget(); return; }
        checked = "";
        wait(false, Date.now() + LATEST_MS);
      });
    }).catch(function () { say(part.dataset.failed, false); }).then(function () { byId("restore-yes").disabled = false; });
  }

  byId("restore-send").addEventListener("submit", function (event) {
    var file = byId("restore-file").files[0];
    event.preventDefault();
    if (file) { confirm(byId("restore-send"), function (id) { post("/api/backup/restore/file", "application/octet-stream", file, id); }); }
  });
  if (byId("restore-choose")) {
    byId("restore-choose").addEventListener("submit", function (event) {
      event.preventDefault();
      confirm(byId("restore-choose"), function (id) { post("/api/backup/restore/kept", "", JSON.stringify({ name: byId("restore-kept").value }), id); });
    });
  }
  byId("restore-stop").addEventListener("click", function () { if (sending) { sending.abort(); } });
  byId("restore-yes").addEventListener("click", restore);
  byId("restore-no").addEventListener("click", keep);
  // Whoever leaves the page does not restore it either.
  window.addEventListener("pagehide", function () {
    if (checked) { navigator.sendBeacon("/api/backup/restore/no", new Blob([JSON.stringify({ id: checked })], { type: "application/json" })); }
  });
})();
