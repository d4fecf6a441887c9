// The browser's own voice: switched on by whoever wants it. What is newer is spoken instead of what is older.
"use strict";

(function () {
  var KEY = "voice-level";
  var button = document.getElementById("voice"), choice = document.getElementById("voice-level");
  var synthesis = window.speechSynthesis, heard = 0, on = false;
  if (!button || !synthesis || !window.SpeechSynthesisUtterance) { return; }
  button.hidden = false;

  function kept() { try { return localStorage.getItem(KEY); } catch (error) { return null; } }

  choice.value = kept() || "everything";
  if (!choice.value) { choice.value = "everything"; }  // kept by a version with other levels
  choice.addEventListener("change", function () {
    try { localStorage.setItem(KEY, choice.value); } catch (error) { /* It is chosen anew next time. */ }
    if (choice.value === "silent") { synthesis.cancel(); }
  });
  choice.addEventListener("click", function (event) { event.stopPropagation(); });

  function speak(text) {
    var said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    synthesis.cancel();
    synthesis.speak(said);
  }

  button.addEventListener("click", function (event) {
    event.stopPropagation();
    on = !on;
    choice.hidden = !on;
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? button.dataset.on : button.dataset.off;
    // A browser lets nobody speak before it was touched: the touch itself is answered.
    if (!on) { synthesis.cancel(); } else if (choice.value !== "silent") { speak(document.getElementById("live").textContent); }
  });

  Referee.on(["said"], function (parts) {
    var last = parts.said.length ? parts.said[parts.said.length - 1].n : 0;
    if (last < heard) { heard = 0; }  // the referee has started anew
    var news = parts.said.filter(function (one) {
      return one.n > heard && one.short && one.levels.indexOf(choice.value) >= 0;
    });
    heard = last;
    if (on && news.length) { speak(news.map(function (one) { return one.short; }).join(" ")); }
  });

  // The marks at which the panel sounds; the last ones are counted.
  document.addEventListener("clockmark", function (event) {
    var counts = choice.value === "everything" || choice.value === "clock";
    if (on && counts) { speak(choice.getAttribute("data-mark-" + event.detail) || String(event.detail)); }
  });
})();
