// What all set-up pages share: commands, and how far the table is.
"use strict";

var SetUp = (function () {
  var AGAIN_MS = 300, BUILT_MS = 30000, BEFORE = "setup.camera-before";
  var answer = null, waits = null, changed = false, onward = "", sure = null, ended = false, resumed = false;

  function byId(name) { return document.getElementById(name); }

  function id() {
    var letters = "";
    while (letters.length < 24) { letters += Math.floor(Math.random() * 16).toString(16); }
    return letters;
  }

  // `pin`: what it takes is the PIN; the way to where that is entered leads back here.
  function words(text, pin) {
    return pin ? Referee.element("a", { href: "/enter?next=" + encodeURIComponent(location.pathname), text: text }) : document.createTextNode(text);
  }

  function tell(text, well, pin) {
    answer = byId("answer");
    Referee.empty(answer).appendChild(words(text, pin));
    answer.hidden = !text;
    answer.className = "answer" + (well ? " well" : "");
    if (text && !well) { answer.scrollIntoView({ block: "nearest" }); } // not behind the tabs of a phone
  }

  // `done` is called with whether it was done, the sentence why not, whether it takes the PIN, and whether no table stands just now.
  function send(command, fields, done, confirmed) {
    var post = { id: id(), command: command }, headers = {};
    Object.keys(fields || {}).forEach(function (name) { post[name] = fields[name]; });
    if (confirmed) { headers["X-Confirmed"] = confirmed; }
    Referee.command(post, { headers: headers, keepalive: true }).then(function (reply) {
      if (reply.status === 428 && !confirmed && window.Presence) {
        tell("", true);
        window.Presence.ask(reply.headers.get("X-Confirm"), byId("answer"), function (allowed) { send(command, fields, done, allowed); }, function (text) { done(false, text, false, false); });
        return null;
      }
      return reply.json().then(function (told) { done(reply.ok, told.told || told.error || "", reply.status === 403, reply.status === 503); });
    }).catch(function () { done(false, byId("connection").dataset.connecting, false, false); });
  }

  // Other settings. While the table is being built with the settings before, these wait until it stands.
  function change(settings, done, until) {
    var end = until || Date.now() + BUILT_MS;
    send("configure", { settings: settings }, function (well, told, pin, building) {
      if (building && Date.now() < end) { setTimeout(change, AGAIN_MS, settings, done, end); return; }
      done(well, told, pin);
    });
  }

  function ask(command, fields) {
    send(command, fields, function (well, told, pin) { tell(well ? "" : told, well, pin); });
  }

  // Other settings: the table is built anew with them, and `then` is called when it stands or lacks something.
  function configure(settings, then) {
    var parts = Referee.parts, before = parts.setup ? parts.setup.run : 0;
    tell(byId("answer").dataset.taking, true);
    change(settings, function (well, told, pin) {
      changed = false;
      if (!well) { onward = ""; tell(told, false, pin); return; }
      waits = { before: before, then: then };
      look();
    });
  }

  function look() {
    var setup = Referee.parts.setup, waiting = waits;
    if (!waiting || !setup || setup.run <= waiting.before || setup.stage === "building") { return; }
    waits = null;
    tell(setup.stage === "ready" ? byId("answer").dataset.taken : "", true);
    if (waiting.then) { waiting.then(setup.stage === "ready"); }
    if (setup.stage === "missing") { byId("stage").scrollIntoView({ block: "nearest" }); }
    if (onward && setup.stage === "ready") { location.href = onward; }
    onward = "";
  }

  function show() {
    var setup = Referee.parts.setup, box = byId("stage"), missing = byId("missing");
    if (resumed && setup.playing && !setup.decision) { follow(); return; }
    byId("stage-text").textContent = setup.stage === "building" ? box.dataset.building
      : setup.stage === "missing" ? missing.dataset.lead : "✓ " + box.dataset.ready;
    missing.textContent = setup.missing || "";
    missing.hidden = !setup.missing;
    byId("try-again").hidden = setup.stage !== "missing";
    showWays(setup);
    box.className = "stage " + setup.stage;
    box.hidden = showMatch(setup);
    look();
  }

  // While a camera is waited for: for how long, and the ways out. Nobody has to wait for an address with a slip in it.
  function showWays(setup) {
    if (setup.stage === "ready") { forgetCamera(); }
    byId("camera-back").hidden = setup.stage === "ready" || setup.decision || !cameraBefore();
    byId("other-camera").hidden = setup.stage !== "building" || !setup.missing;
    count();
  }

  function count() {
    var setup = Referee.parts.setup, line = byId("waiting"), left = setup && setup.until ? Math.ceil(setup.until - Referee.clock()) : 0;
    line.hidden = left <= 0;
    line.textContent = line.dataset.text.replace("{seconds}", left);
  }

  // The camera that worked before another one was chosen. The address of one in the network is secret, so it is not known here.
  function cameraBefore() { try { return JSON.parse(sessionStorage.getItem(BEFORE)); } catch (barred) { return null; } }
  function forgetCamera() { try { sessionStorage.removeItem(BEFORE); } catch (barred) { /* it was not kept */ } }
  function rememberCamera(settings) { try { sessionStorage.setItem(BEFORE, JSON.stringify(settings)); } catch (barred) { /* then there is no way back */ } }

  // The match under way, or the one that is over: what becomes of it comes before anything else.
  function showMatch(setup) {
    var card = byId("match"), title = byId("match-title"), goes = setup.decision || !!setup.playing;
    card.hidden = !goes && !setup.over;
    title.textContent = goes ? title.dataset.playing : title.dataset.over;
    byId("match-text").textContent = (setup.decision ? setup.missing : setup.playing) || byId("match-text").dataset.over;
    byId("match-goes-on").hidden = byId("match-discarded").hidden = byId("match-anew").hidden = !goes;
    byId("next-match").hidden = goes;
    if (!goes) { ended = true; hush(); }
    showBegun(goes && !(ended && setup.playing));
    document.body.classList.toggle("match-first", !card.hidden);
    return !card.hidden;
  }

  // When it began is known if it was under way before this page came.
  function showBegun(known) {
    var line = byId("match-begun"), begun = new Date(byId("match").dataset.begun);
    line.hidden = !known || isNaN(begun);
    if (line.hidden) { return; }
    line.textContent = line.dataset.text.replace("{time}", Referee.moment(begun));
  }

  // One tap leads to the match, also where it first has to be decided that it goes on.
  function resume() {
    if (!Referee.parts.setup.decision) { follow(); return; }
    send("decide", { what: "go-on" }, function (well, told, pin) {
      resumed = well;
      tell(well ? "" : told, well, pin);
      show();
    });
  }

  function follow() {
    var parts = Referee.parts, onPage = parts.buttons && parts.buttons.touch;
    location.href = onPage ? "/panel" : "/";
  }

  // Nobody discards a match by one tap.
  function doubt(next) {
    sure = next;
    byId("match-ways").hidden = true;
    byId("sure").hidden = false;
    byId("sure-yes").focus();
  }

  function hush() {
    var from = sure;
    sure = null;
    byId("sure").hidden = true;
    byId("match-ways").hidden = false;
    return from;
  }

  function discard() {
    var onto = hush() === "match-anew" ? "/setup/game" : "", decides = Referee.parts.setup.decision;
    send(decides ? "decide" : "discard_match", decides ? { what: "discard" } : {}, function (well, told, pin) {
      tell(well ? "" : told, well, pin);
      if (well && onto && location.pathname !== onto) { location.href = onto; }
    });
  }

  Referee.on(["setup"], show);

  document.addEventListener("DOMContentLoaded", function () {
    byId("try-again").addEventListener("click", function () { ask("try_again", {}); });
    setInterval(count, 500);
    byId("camera-back").addEventListener("click", function () { configure(cameraBefore(), function () { location.href = "/setup/camera"; }); });
    byId("match-goes-on").addEventListener("click", resume);
    ["match-discarded", "match-anew"].forEach(function (name) { byId(name).addEventListener("click", function () { doubt(name); }); });
    byId("sure-yes").addEventListener("click", discard);
    byId("sure-no").addEventListener("click", function () {
      var from = hush();
      if (from) { byId(from).focus(); }
    });
    byId("next-match").addEventListener("click", function () { ask("next_match", {}); });
    var form = byId("settings");
    if (form && !form.dataset.own) {
      form.addEventListener("submit", function (event) {
        event.preventDefault();
        configure(SetUp.values(form));
      });
    }
    // What was changed and not taken over yet is taken over on the way to the next step.
    var next = document.querySelector(".onward .button");
    if (form && next && !form.dataset.own) {
      form.addEventListener("input", function () { changed = true; });
      form.addEventListener("change", function () { changed = true; });
      next.addEventListener("click", function (event) {
        if (!changed || !form.checkValidity()) { return; }
        event.preventDefault();
        onward = next.href;
        form.querySelector("button[type=submit]").click();
      });
    }
    [].forEach.call(document.querySelectorAll(".choose-language"), function (button) {
      button.addEventListener("click", function () {
        var language = button.dataset.language, onward = "/setup?lang=" + language;
        if (button.dataset.set) { location.href = onward; return; }
        configure({ "game.language": language }, function () { location.href = onward; });
      });
    });
  });

  // The fields of a form by name, numbers as numbers; hidden ones are left out.
  function values(form) {
    var found = {};
    [].forEach.call(form.elements, function (field) {
      if (!field.name || field.type === "submit" || hiddenWithin(field, form)) { return; }
      if (field.type === "password" && !field.value) { return; }
      found[field.name] = field.type === "number" ? Math.round(Number(field.value)) : field.value;
    });
    return found;
  }

  function hiddenWithin(field, form) {
    for (var at = field; at && at !== form; at = at.parentNode) { if (at.hidden) { return true; } }
    return false;
  }

  return { send: send, ask: ask, tell: tell, words: words, change: change, configure: configure, values: values, rememberCamera: rememberCamera };
})();
