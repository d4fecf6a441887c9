// How the director's orders go to the server, and how what came of them is told.
"use strict";

var Orders = (function () {
  var words = document.getElementById("words").dataset, box = document.getElementById("answer"), SLOW_MS = 700;

  function id() {
    var numbers = new Uint32Array(3);
    crypto.getRandomValues(numbers);
    return "contest-" + [].map.call(numbers, function (one) { return one.toString(36); }).join("-");
  }

  function tell(text, refused) {
    box.hidden = !text;
    box.classList.toggle("refused", Boolean(refused));
    box.textContent = text;
    if (!text || !refused) { return; }
    var read = Referee.element("button", { type: "button", text: "OK" });
    read.addEventListener("click", function () { tell(""); });
    box.appendChild(read);
  }

  // A button that was pressed takes no other press until there was an answer; `after` runs where it was done.
  function send(button, command, fields, after) {
    if (button.sending) { return; }
    var what = (button.getAttribute("data-what") || button.textContent).trim(), post = { command: "tournament-" + command, id: id(), n: Referee.number() };
    Object.keys(fields).forEach(function (name) { post[name] = fields[name]; });
    button.sending = true;
    tell("");
    // To find seats for many takes a while.
    var slow = setTimeout(function () { tell(box.dataset.moment); }, SLOW_MS);
    fetch("/api/command", {
      method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/json" }, body: JSON.stringify(post)
    }).then(function (answer) {
      clearTimeout(slow);
      return answer.json().then(function (body) {
        if (!answer.ok) { tell(body.told || words.failed, true); return; }
        tell(box.dataset.done.replace("{what}", what) + (body.told ? " " + body.told : ""));
        if (after) { after(); }
      });
    }).catch(function () { tell(words.failed, true); }).then(function () {
      button.sending = false;
      clearTimeout(slow);
      if (Orders.answered) { Orders.answered(); }
    });
  }

  // What was done is no news any more once somebody does something else, and is in nobody's way; a refusal stays until it is read.
  function forget(event) { if (!box.classList.contains("refused") || event.key === "Escape") { tell(""); } }

  if (box) {
    document.addEventListener("keydown", forget);
    document.addEventListener("mousedown", forget);
  }
  return { send: send, tell: tell, answered: null };
})();
