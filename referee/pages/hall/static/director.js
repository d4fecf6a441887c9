// What the director asks of one table or of all.
"use strict";

(function () {
  var words = document.getElementById("words").dataset, told = document.getElementById("told"), one = document.getElementById("one");
  var shown = document.getElementById("shown"), busy = false, seen = null;

  function id() {
    var numbers = new Uint32Array(2);
    crypto.getRandomValues(numbers);
    return "hall-" + numbers[0].toString(36) + "-" + numbers[1].toString(36);
  }

  function send(what, text, all) {
    if (busy) { return; }
    busy = true;
    told.textContent = "";
    var post = { command: "order", id: id(), "do": what, text: text };
    if (one && !all) { post.table = one.dataset.table; }
    Referee.command(post).then(function (answer) {
      busy = false;
      if (answer.ok) { told.textContent = words.sent; return null; }
      return answer.json().then(function (body) { told.textContent = body.told || words.failed; });
    }).catch(function () { busy = false; told.textContent = words.failed; });
  }

  [].forEach.call(document.querySelectorAll("[data-do]"), function (button) {
    button.addEventListener("click", function () { send(button.dataset["do"], "", button.dataset.all); });
  });
  Referee.all(function (changed) {
    var table = one && changed["table:" + one.dataset.table];
    if (!table || !shown || !table.picture || table.picture === seen) { return; }
    seen = table.picture;
    shown.src = "/picture/" + one.dataset.table + ".jpg?" + seen;
    shown.hidden = false;
  });
})();
