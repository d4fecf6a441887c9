// Restores a backup: a file is sent, or one on the machine chosen; once it is checked, its content is shown, and whoever has read that confirms it.
"use strict";

(function () {
  var AGAIN_MS = 1500, LATEST_MS = 180000, part = byId("restore-part"), sending = null, checked = "";
  if (!part) { return; }

  function byId(name) { return document.getElementById(name); }

  function say(text, well) {
    var box = byId("restore-answer");
    box.textContent = text;
    box.className = well ? "answer" : "answer failed";
    box.hidden = !text;
  }

  // Only one of these is seen: the choice, how far the file is, and the question.
  function show(what) {
    [byId("restore-send"), byId("restore-choose")].forEach(function (one) { if (one) { one.hidden = what !== "choice"; } });
    byId("restore-sending").hidden = what !== "sending";
    byId("restore-sure").hidden = what !== "question";
  }

  function progress(percent) {
    var text = byId("restore-sent").dataset;
    if (percent < 100) { byId("restore-bar").value = percent; } else { byId("restore-bar").removeAttribute("value"); }
    byId("restore-sent").textContent = percent < 100 ? text.text.replace("987654", percent) : text.checking;
    byId("restore-stop").hidden = percent === 100;
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
    progress(type ? 0 : 100);
    show("sending");
    request.open("POST", path + "?lang=" + document.documentElement.lang);
    request.setRequestHeader("Content-Type", type || "application/json");
    if (confirmed) { request.setRequestHeader("X-Confirmed", confirmed); }
    request.upload.onprogress = function (event) { if (type && event.lengthComputable) { progress(Math.floor(100 * event.loaded / event.total)); } };
    request.onload = function () {
      var told = failed;
      try { told = JSON.parse(request.responseText); } catch (error) { /* no answer of ours */ }
      ended(request.status === 200, told);
    };
    request.onerror = function () { ended(false, failed); };
    request.onabort = function () { ended(false, {}); };
    request.send(body);
  }

  // The referee starts again meanwhile: once it has been silent and answers, the first page is opened anew.
  function wait(silent, until) {
    setTimeout(function () {
      fetch("/api/me", { credentials: "same-origin", cache: "no-store" }).then(function () {
        if (silent || Date.now() > until) { location.replace("/"); } else { wait(false, until); }
      }).catch(function () { wait(true, until); });
    }, AGAIN_MS);
  }

  function restore() {
    var how = { method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id: checked }) };
    byId("restore-yes").disabled = true;
    fetch("/api/backup/restore?lang=" + document.documentElement.lang, how).then(function (answer) {
      return answer.json().then(function (told) {
        show(answer.ok ? "" : "choice");
        say(told.told || told.error || part.dataset.failed, answer.ok);
        if (answer.ok) { wait(false, Date.now() + LATEST_MS); }
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
  byId("restore-no").addEventListener("click", function () { show("choice"); byId("restore-file").focus(); });
})();
