// What all set-up pages share: commands, and how far the table is.
"use strict";

var SetUp = (function () {
  var answer = null, waits = null, changed = false, onward = "";

  function byId(name) { return document.getElementById(name); }

  function id() {
    var letters = "";
    while (letters.length < 24) { letters += Math.floor(Math.random() * 16).toString(16); }
    return letters;
  }

  // `pin`: what it takes is the PIN; the way to where that is entered leads back here.
  function tell(text, well, pin) {
    answer = byId("answer");
    Referee.empty(answer).appendChild(pin
      ? Referee.element("a", { href: "/enter?next=" + encodeURIComponent(location.pathname), text: text })
      : document.createTextNode(text));
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
    var setup = Referee.parts.setup, box = byId("stage"), text = byId("stage-text"), missing = byId("missing");
    text.textContent = setup.stage === "building" ? box.dataset.building
      : setup.stage === "missing" ? missing.dataset.lead : setup.lobby ? box.dataset.ready : setup.over ? box.dataset.over : box.dataset.playing;
    byId("next-match").hidden = !setup.over;
    missing.textContent = setup.missing || "";
    missing.hidden = !setup.missing;
    byId("try-again").hidden = setup.stage !== "missing" || setup.decision;
    byId("decision").hidden = !setup.decision;
    box.className = "stage " + setup.stage;
    look();
  }

  Referee.on(["setup"], show);

  document.addEventListener("DOMContentLoaded", function () {
    byId("try-again").addEventListener("click", function () { ask("try_again", {}); });
    byId("match-goes-on").addEventListener("click", function () { ask("decide", { what: "go-on" }); });
    byId("match-discarded").addEventListener("click", function () { ask("decide", { what: "discard" }); });
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
    if (form && next) {
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
        var language = button.dataset.language, onward = "/setup/table?lang=" + language;
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

  return { send: send, ask: ask, tell: tell, configure: configure, values: values };
})();
