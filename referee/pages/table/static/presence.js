// What those at the table must confirm with a press of start: it is asked for, waited for, and then done with the id of what was confirmed.
"use strict";

var Presence = (function () {
  var AGAIN_MS = 700, waiting = null;

  function byId(name) { return document.getElementById(name); }

  function json(path, body) {
    var how = { credentials: "same-origin", cache: "no-store" };
    if (body) { how.method = "POST"; how.headers = { "Content-Type": "application/json" }; how.body = JSON.stringify(body); }
    return fetch(path + "?lang=" + document.documentElement.lang, how).then(function (answer) {
      return answer.json().then(function (told) { return { ok: answer.ok, told: told }; });
    });
  }

  function fail(text) {
    byId("presence-failed").textContent = text;
    byId("presence-failed").hidden = !text;
  }

  // The focus goes back to the button that asked, or to the first one of its part of the page.
  function end(then) {
    var asked = waiting;
    waiting = null;
    byId("presence").hidden = true;
    if (asked && asked.back && document.contains(asked.back)) { asked.back.focus(); }
    then();
  }

  function look(asked) {
    setTimeout(function () {
      if (waiting !== asked) { return; }
      json("/api/presence/" + encodeURIComponent(asked.id)).then(function (answer) {
        if (waiting !== asked) { return; }
        if (answer.told.state === "waiting") { look(asked); }
        else if (answer.told.state === "allowed") { end(function () { asked.then(asked.id); }); }
        else { end(function () { asked.not(answer.told.told || byId("presence-failed").dataset.failed); }); }
      }).catch(function () { look(asked); });
    }, AGAIN_MS);
  }

  // `then` is called with the id of what was confirmed, which is empty where nobody needs to; `not` with why it was not. `after`: below which element it is shown.
  function ask(action, after, then, not) {
    var box = byId("presence"), back = document.activeElement;
    if (waiting) { return; }
    fail("");
    json("/api/presence", { action: action }).then(function (answer) {
      if (!answer.ok) { not(answer.told.told || answer.told.error); return; }
      if (!answer.told.id) { then(""); return; }
      waiting = { id: answer.told.id, then: then, not: not, back: back };
      if (after) { after.parentNode.insertBefore(box, after.nextSibling); }
      byId("presence-told").textContent = answer.told.told;
      box.hidden = false;
      box.focus();
      box.scrollIntoView({ block: "nearest" });
      look(waiting);
    }).catch(function () { not(byId("presence-failed").dataset.failed); });
  }

  function leave() {
    var asked = waiting;
    if (!asked) { return; }
    json("/api/presence/leave", { id: asked.id }).catch(function () {});
    end(function () { asked.not(""); });
  }

  // Links and forms that save a file go there once it is confirmed.
  function go(address, id) {
    location.assign(address + (id ? (address.indexOf("?") < 0 ? "?" : "&") + "confirmed=" + encodeURIComponent(id) : ""));
  }

  [].forEach.call(document.querySelectorAll("a[data-confirm]"), function (link) {
    link.addEventListener("click", function (event) {
      event.preventDefault();
      ask(link.dataset.confirm, link.parentNode, function (id) { go(link.href, id); }, fail);
    });
  });
  [].forEach.call(document.querySelectorAll("form[data-confirm]"), function (form) {
    form.addEventListener("submit", function (event) {
      var pictures = form.querySelector("[name=pictures]");
      if (!pictures || !pictures.checked) { return; }
      event.preventDefault();
      ask(form.dataset.confirm, form, function (id) { go(form.getAttribute("action") + "?pictures=1", id); }, fail);
    });
  });
  if (byId("presence-cancel")) { byId("presence-cancel").addEventListener("click", leave); }

  return { ask: ask, fail: fail };
})();
