// What all set-up pages share: commands, and how far the table is.
"use strict";

var SetUp = (function () {
  var answer = null, waits = null, changed = false, onward = "", sure = null, ended = false;

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
  }

  // `done` is called with whether it was done, the sentence why not, and whether it takes the PIN.
  function send(command, fields, done) {
    var post = { id: id(), n: Referee.number(), command: command };
    Object.keys(fields || {}).forEach(function (name) { post[name] = fields[name]; });
    fetch("/api/command", {
      method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" }, body: JSON.stringify(post)
    }).then(function (reply) {
      return reply.json().then(function (told) { done(reply.ok, told.told || told.error || "", reply.status === 403); });
    }).catch(function () { done(false, byId("connection").dataset.connecting, false); });
  }

  function ask(command, fields) {
    send(command, fields, function (well, told, pin) { tell(well ? "" : told, well, pin); });
  }

  // Other settings: the table is built anew with them, and `then` is called when it stands or lacks something.
  function configure(settings, then) {
    var parts = Referee.parts, before = parts.setup ? parts.setup.run : 0;
    tell(byId("answer").dataset.taking, true);
    send("configure", { settings: settings }, function (well, told, pin) {
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
    if (onward && setup.stage === "ready") { location.href = onward; }
    onward = "";
  }

  function show() {
    var setup = Referee.parts.setup, box = byId("stage"), missing = byId("missing");
    byId("stage-text").textContent = setup.stage === "building" ? box.dataset.building
      : setup.stage === "missing" ? missing.dataset.lead : "✓ " + box.dataset.ready;
    missing.textContent = setup.missing || "";
    missing.hidden = !setup.missing;
    byId("try-again").hidden = setup.stage !== "missing";
    box.className = "stage " + setup.stage;
    box.hidden = showMatch(setup);
    look();
  }

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
    line.textContent = line.dataset.text.replace("{time}", begun.toLocaleString(document.documentElement.lang, { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" }));
  }

  function resume() {
    var parts = Referee.parts, onPage = parts.buttons && parts.buttons.touch;
    if (parts.setup.decision) { ask("decide", { what: "go-on" }); } else { location.href = onPage ? "/panel" : "/"; }
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

  return { send: send, ask: ask, tell: tell, words: words, configure: configure, values: values };
})();
