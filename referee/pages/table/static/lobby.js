// Before a match: how everybody opens the page, who has joined, and the rules in brief.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty;

  function byId(name) { return document.getElementById(name); }

  // A code of the page's address in a figure; nothing while the address is not known.
  function invite(figure, alt, wanted) {
    var setup = Referee.parts.setup, address = setup ? setup.address : "";
    figure.hidden = !wanted || !address;
    if (figure.hidden) { return; }
    if (!figure.querySelector("img")) { figure.insertBefore(make("img", { src: "/setup/qr.svg", alt: alt }), figure.firstChild); }
    figure.querySelector("span").textContent = address;
  }

  function guest(button, words) {
    return make("li", { class: button.joined ? "joined" : "" }, [
      make("span", { class: "name", text: button.name }),
      make("span", { class: "joins", text: button.joined ? words.joins : words.press })
    ]);
  }

  Referee.on(["match", "setup", "picture"], function (parts) {
    var box = byId("lobby"), match = parts.match, begins = Boolean(match) && match.phase === "lobby";
    box.hidden = !begins;
    document.body.classList.toggle("in-lobby", begins);
    invite(byId("invitation"), box.dataset.alt, begins);
    invite(byId("join"), box.dataset.alt, !begins && !parts.picture);
    if (!begins) { return; }
    empty(byId("guests"));
    match.buttons.forEach(function (button) { byId("guests").appendChild(guest(button, box.dataset)); });
    empty(byId("brief"));
    match.brief.forEach(function (text) { byId("brief").appendChild(make("li", { text: text })); });
  });
})();
