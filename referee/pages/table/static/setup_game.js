// Players, rule book, house rules.
"use strict";

(function () {
  var NEAR = 8;

  function all(selector, within) { return [].slice.call((within || document).querySelectorAll(selector)); }

  function byId(name) { return document.getElementById(name); }

  function book() { return document.querySelector("input[name=book]:checked"); }

  function names() {
    return all(".player-name").map(function (field) { return field.value.trim(); }).filter(function (name) { return name; });
  }

  function show() {
    var name = book() ? book().value : "", most = book() ? Number(book().dataset.most) : 99;
    all("[data-book]").forEach(function (one) { one.hidden = one.dataset.book !== name; });
    byId("rounds-field").hidden = !document.querySelector(".book[data-book='" + name + "'][data-rounds]");
    byId("coach-field").hidden = byId("rounds-field").hidden; // neither is a question in Gin
    all(".player-name").forEach(function (field, place) { field.parentNode.hidden = place >= most && !field.value; });
  }

  // Letters as people count them: an emoji of several characters is one. The referee counts in the same way.
  function letters(text) {
    if (window.Intl && Intl.Segmenter) { return Array.from(new Intl.Segmenter().segment(text)).length; }
    return Array.from(text.normalize().replace(/\u200d[^]|[\u0300-\u036f\ufe0f]/gu, "")).length;
  }

  // Nothing of a name is cut: near the limit it stands at the field how many letters are left, and beyond it the name is not saved.
  function countLetters(field) {
    var words = document.querySelector(".names").dataset, left = words.most - letters(field.value.trim()), line = byId(field.id.replace("player", "left"));
    field.setCustomValidity(left < 0 ? words.tooLong : "");
    line.textContent = left > NEAR ? "" : words.left.replace("{number}", left < 0 ? "\u2212" + -left : left);
    line.classList.toggle("bad", left < 0);
  }

  // Names that already stand in a field are not offered again.
  function offer() {
    var taken = names();
    all(".chip").forEach(function (chip) { chip.hidden = taken.indexOf(chip.dataset.name) >= 0; });
    all(".earlier").forEach(function (box) { box.hidden = !all(".chip", box).some(function (chip) { return !chip.hidden; }); });
  }

  function settings() {
    var players = names(), extra = JSON.parse(byId("settings").dataset.handicaps), handicaps;
    handicaps = players.map(function (name) { return extra[name] || 0; });
    return {
      "game.rules": book() ? book().value : "",
      "game.coach": byId("coach").checked,
      "game.rounds": Math.round(Number(byId("rounds").value)),
      "game.players": players,
      "game.handicaps": handicaps.some(function (seconds) { return seconds !== 0; }) ? handicaps : [],
      "game.options": all(".book:not([hidden]) .option").filter(function (field) {
        return field.value !== field.options[0].value; // the first is what holds anyway
      }).map(function (field) { return field.dataset.option + "=" + field.value; })
    };
  }

  document.addEventListener("DOMContentLoaded", function () {
    show();
    offer();
    Save.lacks = function (changed) {
      var few = changed["game.players"];
      return few && few.length && few.length < Number(book().dataset.fewest) ? book().dataset.wanted : "";
    };
    Save.begin(settings);
    byId("settings").addEventListener("change", show);
    all(".player-name").forEach(function (field) {
      countLetters(field);
      field.addEventListener("input", function () { countLetters(field); });
    });
    ["input", "change"].forEach(function (kind) { byId("settings").addEventListener(kind, offer); });
    all(".chip").forEach(function (chip) {
      chip.addEventListener("click", function () {
        var field = all(".player-name").filter(function (one) { return !one.value.trim() && !one.parentNode.hidden; })[0];
        if (!field) { return; }
        field.value = chip.dataset.name;
        countLetters(field);
        offer();
        Save.later(field);
      });
    });
  });
})();
