// How the director's orders go to the server, and how what came of them is told.
"use strict";

var Orders = (function () {
  var words = document.getElementById("words").dataset, box = document.getElementById("answer"), SLOW_MS = 700, SHOWN_MS = 15000, NAME = "director-name", RELOAD_MS = 5000, shown = null, asked = "", typed = [];

  function id() {
    var numbers = new Uint32Array(3);
    crypto.getRandomValues(numbers);
    return "contest-" + [].map.call(numbers, function (one) { return one.toString(36); }).join("-");
  }

  function tell(text, refused) {
    clearTimeout(shown);
    box.hidden = !text;
    box.classList.toggle("refused", Boolean(refused));
    box.textContent = text;
    if (!text || !refused) { return; }
    var read = Referee.element("button", { type: "button", text: "OK" });
    read.addEventListener("click", function () { tell(""); });
    box.appendChild(read);
  }

  // News goes by itself after a while.
  function inform(text) {
    tell(text);
    shown = setTimeout(tell, SHOWN_MS, "");
  }

  // What an order changes; its reason may still be written differently.
  function values(command, fields) {
    return JSON.stringify([command, fields], function (name, value) { return name === "who" || name === "why" ? undefined : value; });
  }

  // A question stays until it is answered: here, or with the button of the form, or by another order.
  function ask(text, told, again) {
    function choice(label, kind, run) {
      var made = Referee.element("button", { type: "button", class: kind, text: label });
      made.addEventListener("click", run);
      box.appendChild(made);
    }
    tell(text, true);
    box.removeChild(box.lastChild);
    asked = told;
    choice(box.dataset.sure, "sure-yes", again);
    choice(box.dataset.cancel, "sure-no", function () { asked = ""; tell(""); });
  }

  // What is told of an order that was done: every order has its own sentence. `about` has what the fields do not,
  // such as the name of a player; `about.as` chooses a variant of the sentence.
  function did(command, fields, about) {
    var text = box.getAttribute("data-" + command + (about.as ? "-" + about.as : "")) || "";
    return text.replace(/\{(\w+)\}/g, function (whole, name) { return name in about ? about[name] : fields[name]; });
  }

  // A button that was pressed takes no other press until there was an answer; `after` runs where it was done.
  // `about`: what the sentence about it needs besides the fields, or a function that returns it once it was done.
  function post(button, command, fields, after, about) {
    if (button.sending) { return; }
    var made = { command: command, id: id() }, told = values(command, fields);
    // Whoever was asked, and sends the same again, is sure of it.
    if (asked === told) { made.sure = true; }
    asked = "";
    Object.keys(fields).forEach(function (name) { made[name] = fields[name]; });
    button.sending = true;
    tell("");
    // To find seats for many takes a while.
    var slow = setTimeout(function () { tell(box.dataset.moment); }, SLOW_MS);
    Referee.command(made).then(function (answer) {
      clearTimeout(slow);
      return answer.json().then(function (body) {
        if (body.asks) { ask(body.told, told, function () { post(button, command, fields, after, about); }); return; }
        if (!answer.ok) { tell(body.told || words.failed, true); return; }
        inform(did(command, fields, (typeof about === "function" ? about() : about) || {}) + (body.told ? " " + body.told : ""));
        done(button.form);
        if (after) { after(); }
      });
    }).catch(function () { tell(words.failed, true); }).then(function () {
      button.sending = false;
      clearTimeout(slow);
      if (Orders.answered) { Orders.answered(); }
    });
  }

  // An order of the page's own family.
  function send(button, command, fields, after, about) { post(button, Orders.family + command, fields, after, about); }

  // Whoever decides types their name once: it stands in all fields for it, and is known the next time, as at the director's desk.
  function name() { try { return localStorage.getItem(NAME) || ""; } catch (barred) { return ""; } }

  function everyName(text) { [].forEach.call(document.querySelectorAll("[data-who]"), function (input) { if (input.tagName === "INPUT" && input.value !== text) { input.value = text; } }); }

  function whoField(id, label, longest) {
    var input = Referee.element("input", { id: id, maxlength: longest, autocomplete: "name", "data-who": "", required: true });
    input.value = name();
    return { input: input, line: Referee.element("p", {}, [Referee.element("label", { "for": id, text: label }), input]) };
  }

  document.addEventListener("change", function (event) {
    if (event.target.tagName !== "INPUT" || !event.target.hasAttribute("data-who")) { return; }
    var text = event.target.value.trim();
    try { localStorage.setItem(NAME, text); } catch (barred) { /* It is typed anew next time. */ }
    everyName(text);
  });
  everyName(name());
  // The desk, or this page, may be open twice: what was typed there need not be typed here.
  window.addEventListener("storage", function (event) { if (event.key === NAME) { everyName(name()); } });

  // What was done is no news any more after a while, or once somebody does something else; a refusal stays until it is read.
  function forget(event) { if (!box.classList.contains("refused") || event.key === "Escape") { tell(""); } }

  // What is typed or chosen, and was not sent yet; a name that is known anyway is not. What a script has changed since is no longer what was typed.
  function unsent() {
    typed = typed.filter(function (one) { return one.input.isConnected && one.input.value === one.value && one.value !== ""; });
    return typed.length > 0;
  }

  function others(input) { return typed.filter(function (one) { return one.input !== input; }); }

  function done(form) { if (form) { typed = typed.filter(function (one) { return one.input.form !== form; }); } }

  document.addEventListener("input", function (event) {
    var input = event.target;
    if (input.hasAttribute("data-who") || input.type === "search") { return; }
    typed = others(input).concat([{ input: input, value: input.value }]);
  });

  // A hall that was started anew may have another version of this page: it is loaded once nothing would be lost by that.
  function reload() {
    if (unsent() || box && !box.hidden) { setTimeout(reload, RELOAD_MS); } else { location.reload(); }
  }

  if (box) {
    document.addEventListener("keydown", forget);
    document.addEventListener("mousedown", forget);
  }
  return { send: send, post: post, tell: tell, inform: inform, did: did, whoField: whoField, answered: null, reload: reload, family: "tournament-" };
})();
