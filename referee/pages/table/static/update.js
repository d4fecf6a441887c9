// The page of updates: what becomes of an update is asked for again and again, because the referee restarts meanwhile.
"use strict";

(function () {
  var SOON_MS = 1500, LATER_MS = 8000, HEAD_BYTES = 512, MAGIC_AT = 257;
  var kept = document.getElementById("state"), shown = kept && JSON.parse(kept.dataset.state), form = document.getElementById("send");
  var timer = 0, sending = null, silent = 0;
  if (!kept) { return; }

  function byId(name) { return document.getElementById(name); }

  function refuse(text) {
    byId("refused").textContent = text;
    byId("refused").hidden = !text;
  }

  // A part of the page changes only if its text does, so that screen readers say it once.
  function tell(texts) {
    var box = byId("told");
    if (texts.join("\n") === [].map.call(box.children, function (one) { return one.textContent; }).join("\n")) { return; }
    Referee.empty(box);
    texts.forEach(function (text) { box.appendChild(Referee.element("p", { text: text })); });
  }

  function showSticks(sticks) {
    var box = byId("sticks"), now = JSON.stringify(sticks);
    if (box.dataset.shown === now) { return; }
    box.dataset.shown = now;
    Referee.empty(box);
    sticks.forEach(function (one) {
      var name = "stick-" + one.id, button = Referee.element("button", { type: "button", text: box.dataset.use, "aria-describedby": name });
      button.addEventListener("click", function () { order(button, "/api/update/stick?id=" + encodeURIComponent(one.id)); });
      box.appendChild(Referee.element("li", {}, [Referee.element("p", { id: name, text: one.text }), button]));
    });
  }

  function show(state) {
    // Another version may have another page.
    if (state.in_use !== shown.in_use && !sending) { location.reload(); return; }
    shown = state;
    byId("other").textContent = state.other || byId("other").dataset.none;
    tell(state.told);
    if (!form) { return; }
    byId("cancel").hidden = !state.cancels;
    byId("back").hidden = !state.back;
    byId("back").textContent = state.back;
    byId("no-way-back").hidden = !state.no_way_back;
    byId("no-way-back").textContent = state.no_way_back;
    showSticks(sending ? [] : state.sticks);
    form.hidden = !!sending || !state.sends;
    byId("offers").hidden = !sending && !state.sends;
  }

  function again(ms) {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  }

  function ask() {
    if (document.hidden) { again(LATER_MS); return; }
    fetch("/api/update?lang=" + document.documentElement.lang, { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      if (!answer.ok) { throw new Error(String(answer.status)); }
      return answer.json();
    }).then(function (state) {
      silent = 0;
      show(state);
      again(["stays", "back", "failed", "cancelled", ""].indexOf(state.state) < 0 || sending ? SOON_MS : LATER_MS);
    }).catch(function () {
      silent += 1;
      // While a version is exchanged the referee is silent for a while.
      if (silent > 1) { tell([["asked", "installing", "waits", "trying"].indexOf(shown.state) < 0 ? kept.dataset.noAnswer : kept.dataset.restarting]); }
      again(SOON_MS);
    });
  }

  // Where it must be confirmed at the table, `then` gets the id of that once it was; `after`: below which element that is asked for.
  function confirm(after, then) {
    if (!kept.dataset.confirms) { then(""); return; }
    Presence.ask("update", after, then, refuse);
  }

  function order(button, path) {
    refuse("");
    if (button.id === "cancel") { post(button, path, ""); } else { confirm(button.parentNode, function (id) { post(button, path, id); }); }
  }

  function post(button, path, confirmed) {
    var headers = { "Content-Type": "application/json" };
    if (confirmed) { headers["X-Confirmed"] = confirmed; }
    button.disabled = true;
    fetch(path, { method: "POST", credentials: "same-origin", cache: "no-store", headers: headers, body: "{}" }).then(function (answer) {
      return answer.json().then(function (told) {
        if (answer.ok) { show(told); } else { refuse(told.told || told.error); }
      });
    }).catch(function () { refuse(kept.dataset.noAnswer); }).then(function () {
      button.disabled = false;
      again(SOON_MS);
    });
  }

  // What cannot be an update is not sent at all: `then` is called with why not, or with an empty text.
  function check(file, then) {
    var reader = new FileReader();
    if (file.size > form.dataset.most * 1e6) { then(form.dataset.tooLarge); return; }
    reader.onload = function () {
      var head = String.fromCharCode.apply(null, new Uint8Array(reader.result));
      then(head.indexOf("manifest.json\0") === 0 && head.substr(MAGIC_AT, 5) === "ustar" ? "" : form.dataset.noBundle);
    };
    reader.onerror = function () { then(form.dataset.noBundle); };
    reader.readAsArrayBuffer(file.slice(0, HEAD_BYTES));
  }

  function progress(percent) {
    byId("bar").value = percent;
    byId("sent").textContent = byId("sent").dataset.text.replace("987654", percent);
  }

  function ended(text) {
    sending = null;
    byId("sending").hidden = true;
    refuse(text);
    if (text) { byId("offers").hidden = form.hidden = false; byId("file").focus(); } else { form.reset(); }
    again(0);
  }

  function send(file, confirmed) {
    var request = sending = new XMLHttpRequest();
    form.hidden = true;
    byId("offers").hidden = byId("sending").hidden = false;
    progress(0);
    byId("stop").focus();
    request.open("POST", "/api/update/bundle?lang=" + document.documentElement.lang);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    if (confirmed) { request.setRequestHeader("X-Confirmed", confirmed); }
    request.upload.onprogress = function (event) { if (event.lengthComputable) { progress(Math.floor(100 * event.loaded / event.total)); } };
    request.onload = function () {
      var told = {};
      try { told = JSON.parse(request.responseText); } catch (error) { /* no answer of ours */ }
      ended(request.status === 200 ? "" : told.told || told.error || kept.dataset.noAnswer);
    };
    request.onerror = function () { ended(kept.dataset.noAnswer); };
    request.onabort = function () { ended(""); };
    request.send(file);
  }

  if (form) {
    form.addEventListener("submit", function (event) {
      var file = byId("file").files[0];
      event.preventDefault();
      refuse("");
      if (file) { check(file, function (text) { if (text) { refuse(text); } else { confirm(form, function (id) { send(file, id); }); } }); }
    });
    byId("stop").addEventListener("click", function () { if (sending) { sending.abort(); } });
    ["cancel", "back"].forEach(function (name) {
      byId(name).addEventListener("click", function () { order(byId(name), byId(name).dataset.path); });
    });
  }
  document.addEventListener("visibilitychange", function () { if (!document.hidden) { again(0); } });
  show(shown);
  again(SOON_MS);
})();
