// Score sheets: the form that corrects a round, and the print button. Plain ES2015.
"use strict";

(function () {
  function byId(name) { return document.getElementById(name); }

  function newId() {
    var bytes = new Uint8Array(16);
    crypto.getRandomValues(bytes);
    return Array.prototype.map.call(bytes, function (one) { return ("0" + one.toString(16)).slice(-2); }).join("");
  }

  // One id stays until there was an answer, so that a correction sent twice counts once.
  function correcting(form) {
    var id = newId(), sending = false, problem = byId("problem");

    function tell(text) {
      problem.textContent = text;
      problem.hidden = !text;
    }

    function told() {
      var points = Array.prototype.map.call(form.querySelectorAll("[name=points]"), function (one) { return parseInt(one.value, 10); });
      var winner = byId("winner").value, one = byId("in-one-turn");
      return {
        command: "correct", id: id, match: parseInt(form.dataset.match, 10), round: parseInt(form.dataset.round, 10),
        points: points, winner: winner === "" ? null : parseInt(winner, 10), in_one_turn: Boolean(one && one.checked),
        since: parseInt(form.dataset.since, 10), who: byId("who").value, why: byId("why").value
      };
    }

    function send() {
      var status = 0;
      return Referee.command(told()).then(function (answer) {
        status = answer.status;
        return answer.json();
      }).then(function (body) {
        if (status === 200) { location.assign(form.dataset.after); return; }
        id = newId();
        tell(body.told || form.dataset.noAnswer);
      }).catch(function () {
        tell(form.dataset.noAnswer);
      });
    }

    form.addEventListener("submit", function (event) {
      event.preventDefault();
      if (sending) { return; }
      sending = true;
      tell("");
      send().then(function () { sending = false; });
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    var form = byId("correct"), print = byId("print");
    if (form) { correcting(form); }
    if (print) {
      print.hidden = false;
      print.addEventListener("click", function () { window.print(); });
    }
  });
})();
