// The browser's own voice: switched on by whoever wants it. What is newer is spoken instead of what is older.
"use strict";

(function () {
  var button = document.getElementById("voice"), synthesis = window.speechSynthesis, heard = 0, on = false;
  if (!button || !synthesis || !window.SpeechSynthesisUtterance) { return; }
  button.hidden = false;

  function speak(text) {
    var said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    synthesis.cancel();
    synthesis.speak(said);
  }

  button.addEventListener("click", function (event) {
    event.stopPropagation();
    on = !on;
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? button.dataset.on : button.dataset.off;
    // A browser lets nobody speak before it was touched: the touch itself is answered.
    if (on) { speak(document.getElementById("live").textContent); } else { synthesis.cancel(); }
  });

  Referee.on(["said"], function (parts) {
    var last = parts.said.length ? parts.said[parts.said.length - 1].n : 0;
    if (last < heard) { heard = 0; }  // the referee has started anew
    var news = parts.said.filter(function (one) { return one.n > heard; });
    heard = last;
    if (on && news.length) { speak(news.map(function (one) { return one.text; }).join(" ")); }
  });
})();
