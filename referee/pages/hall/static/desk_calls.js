// The calls for the director on both of the director's pages: who calls, where, why, and the answers; their number is in the page's title.
"use strict";

(function () {
  var make = Referee.element, box = document.getElementById("calls"), title = document.title;
  if (!box) { return; }
  var text = box.dataset, section = byId("calls-section"), note = byId("calls-note"), who = byId("who"), seen = true;

  function byId(name) { return document.getElementById(name); }

  function time(moment) {
    return Referee.time(new Date(Date.now() - (Referee.clock() - moment) * 1000));
  }

  function call(one) {
    function button(label, command, fields, strong) {
      var made = make("button", { type: "button", class: strong ? "strong" : "", "data-answer": command + " " + one.id }, [make("span", { text: label }), make("span", { class: "sr", text: Referee.colon() + one.table })]);
      made.addEventListener("click", function () { Orders.post(made, command, fields(), null, { table: one.table }); });
      return made;
    }
    var about = [one.reason, one.text].filter(Boolean).join(Referee.colon());
    return make("li", { class: "call" + (one.coming ? " coming" : "") }, [
      make("h3", {}, [make("span", { text: one.table }), make("span", { class: "soft", text: " " + text.since.replace("{time}", time(one.at)) })]),
      one.by ? make("p", { text: one.by }) : null,
      about ? make("p", { text: about }) : null,
      one.stopped ? make("p", { class: "soft", text: one.stopped }) : null,
      one.away ? make("p", { class: "wrong", text: one.away }) : null,
      one.coming ? make("p", { class: "state", text: one.coming }) : null,
      make("p", { class: "choices" }, [
        one.coming ? null : button(text.come, "call-coming", function () { return { call: one.id, who: who.value.trim() }; }, true),
        button(text.done, "call-done", function () { return { call: one.id }; }, Boolean(one.coming))
      ])
    ]);
  }

  // Whoever stands on a button of a call still does after another call has come.
  function list(calls) {
    var focus = document.activeElement && document.activeElement.getAttribute("data-answer");
    Referee.empty(box);
    calls.forEach(function (one) { box.appendChild(call(one)); });
    box.hidden = !calls.length;
    if (!focus) { return; }
    var again = [].filter.call(box.querySelectorAll("[data-answer]"), function (button) { return button.getAttribute("data-answer") === focus; })[0];
    (again || box.querySelector("button") || byId("calls-heading")).focus();
  }

  // Far down a long page a call is seen, too: a line at the upper edge leads to it.
  function point(calls) {
    if (!note) { return; }
    note.hidden = seen || !calls.length;
    byId("calls-link").textContent = byId("calls-link").dataset.text.replace("{number}", calls.length);
  }

  function titled(calls) { document.title = calls.length ? "(" + calls.length + ") " + title : title; }

  Referee.on(["calls"], function (parts) {
    list(parts.calls);
    byId("no-calls").hidden = parts.calls.length > 0;
    if (section.hasAttribute("data-only-calls")) { section.hidden = !parts.calls.length; }
    titled(parts.calls);
    point(parts.calls);
  });
  if (note && window.IntersectionObserver) {
    new IntersectionObserver(function (entries) {
      seen = entries[entries.length - 1].isIntersecting;
      point(Referee.parts.calls || []);
    }).observe(section);
  }
})();
