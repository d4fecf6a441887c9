// What is entered is saved as soon as its field is left, and beside the field stands whether that was done.
"use strict";

var Save = (function () {
  var SOON_MS = 400, ANEW_MS = 8000;
  var form = null, read = null, known = {}, field = null, timer = 0, busy = false, waiting = [], run = 0;

  function byId(name) { return document.getElementById(name); }

  function around(one) { return one.closest(".field"); }

  // Beside the field: that it is being saved, that it is saved, or why it cannot be.
  function note(one, kind, text) {
    var box = around(one), told;
    clear();
    [].forEach.call(form.querySelectorAll(".note-saved"), function (other) { other.textContent = ""; });
    box.querySelector(".note-saved").textContent = kind === "wrong" ? "" : text;
    byId("saved").textContent = kind === "saved" ? text : "";
    if (kind !== "wrong") { return; }
    told = box.appendChild(Referee.element("p", { class: "field-error", role: "alert", id: (one.id || one.name) + "-error" }));
    told.appendChild(text);
    one.setAttribute("aria-invalid", "true");
    if (!one.dataset.described) { one.dataset.described = one.getAttribute("aria-describedby") || " "; }
    one.setAttribute("aria-describedby", (one.dataset.described + " " + told.id).trim());
  }

  function clear() {
    [].forEach.call(form.querySelectorAll("[aria-invalid]"), function (one) {
      one.removeAttribute("aria-invalid");
      if (one.dataset.described.trim()) { one.setAttribute("aria-describedby", one.dataset.described); } else { one.removeAttribute("aria-describedby"); }
    });
    [].forEach.call(form.querySelectorAll(".field-error"), function (told) { told.parentNode.removeChild(told); });
  }

  function later(one) {
    field = one;
    clearTimeout(timer);
    timer = setTimeout(save, SOON_MS);
  }

  function changed() {
    var now = read(), found = {};
    Object.keys(now).forEach(function (name) { if (JSON.stringify(now[name]) !== JSON.stringify(known[name])) { found[name] = now[name]; } });
    return found;
  }

  function done(well) {
    var those = waiting;
    waiting = [];
    those.forEach(function (then) { then(well); });
  }

  // To whoever wants to go on, the field with the reason beside it is shown; it may be far above the button.
  function refuse(text) {
    note(field, "wrong", text);
    if (waiting.length) { field.focus(); }
    done(false);
  }

  // `lacks`: what is not complete yet is not sent, and only said to be wrong once somebody wants to go on.
  function save() {
    var settings, one, lacks;
    clearTimeout(timer);
    if (busy) { return; }
    settings = changed();
    if (!Object.keys(settings).length) { if (field && !waiting.length) { clear(); } done(true); return; }
    if (!field) { field = form.querySelector("input"); }
    one = field;
    if (one.checkValidity && !one.checkValidity()) { refuse(document.createTextNode(one.validationMessage)); return; }
    lacks = api.lacks(settings);
    if (lacks) {
      if (waiting.length) { refuse(document.createTextNode(lacks)); } else { note(one, "lacks", lacks); }
      return;
    }
    busy = true;
    note(one, "saving", form.dataset.saving);
    run = Referee.parts.setup ? Referee.parts.setup.run : 0;
    SetUp.change(settings, function (well, told, pin) {
      busy = false;
      if (!well) { refuse(SetUp.words(told, pin)); return; }
      Object.keys(settings).forEach(function (name) { known[name] = settings[name]; });
      note(one, "saved", "✓ " + form.dataset.saved);
      save(); // what has been entered since
    });
  }

  // Save what is not saved yet; `then` is told whether all is saved, once the table is built with it.
  function flush(then) {
    waiting.push(function (well) { if (well) { built(then, Date.now() + ANEW_MS); } else { then(false); } });
    save();
  }

  function built(then, until) {
    var setup = Referee.parts.setup;
    if (!run || setup && setup.run > run || Date.now() > until) { then(true); return; }
    setTimeout(function () { built(then, until); }, 50);
  }

  // `settings` returns all settings of the form, by `table.key`.
  function begin(settings) {
    form = byId("settings");
    read = settings;
    known = read();
    form.addEventListener("change", function (event) { later(event.target); });
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("keydown", function (event) {
      var fields, next;
      if (event.key !== "Enter" || event.target.tagName !== "INPUT") { return; }
      event.preventDefault();
      fields = [].slice.call(form.querySelectorAll("input")).filter(function (one) { return one.offsetParent; });
      next = fields[fields.indexOf(event.target) + 1];
      if (next && next.type !== "radio") { next.focus(); } else { event.target.blur(); }
    });
    // Whoever leaves the page in any other way, or puts the phone away, has entered it all the same.
    window.addEventListener("pagehide", save);
    document.addEventListener("visibilitychange", function () { if (document.visibilityState === "hidden") { save(); } });
    // On the way to another page all is saved first; a second tap goes there although it was refused, unless something was changed.
    [].forEach.call(document.querySelectorAll(".onward a, .steps a"), function (link) {
      link.addEventListener("click", function (event) {
        var now = JSON.stringify(changed());
        if (link.dataset.refused === now || !busy && now === "{}" && !run) { return; }
        event.preventDefault();
        flush(function (well) {
          if (well) { location.href = link.href; } else { link.dataset.refused = JSON.stringify(changed()); }
        });
      });
    });
  }

  var api = { begin: begin, later: later, lacks: function () { return ""; } };
  return api;
})();
