// Players, rule book, options.
"use strict";

(function () {
  function all(selector, within) { return [].slice.call((within || document).querySelectorAll(selector)); }

  function byId(name) { return document.getElementById(name); }

  function current() {
    return all(".book").filter(function (book) { return book.dataset.book === byId("book").value; })[0];
  }

  function show() {
    var book = current();
    all(".book").forEach(function (one) { one.hidden = one !== book; });
    byId("rounds-field").hidden = !book.dataset.rounds;
  }

  function settings() {
    var names = [], handicaps = [], times = all(".player-handicap");
    all(".player-name").forEach(function (field, index) {
      var name = field.value.trim();
      if (name) {
        names.push(name);
        handicaps.push(Math.round(Number(times[index].value)) || 0);
      }
    });
    var some = handicaps.some(function (seconds) { return seconds !== 0; });
    return {
      "game.rules": byId("book").value,
      "game.season": byId("season").value.trim(),
      "game.rounds": Math.round(Number(byId("rounds").value)),
      "game.players": names,
      "game.handicaps": some ? handicaps : [],
      "game.options": all(".option", current()).filter(function (field) {
        return field.value !== field.options[0].value; // the first is what holds anyway
      }).map(function (field) { return field.dataset.option + "=" + field.value; })
    };
  }

  document.addEventListener("DOMContentLoaded", function () {
    byId("book").addEventListener("change", show);
    show();
    byId("settings").addEventListener("submit", function (event) {
      event.preventDefault();
      SetUp.configure(settings());
    });
  });
})();
