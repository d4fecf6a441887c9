// The PIN is told once; one in the address, as a QR code has it, is taken out of the address at once.
"use strict";

(function () {
  var form = document.getElementById("enter"), field = document.getElementById("pin");
  var refused = document.getElementById("refused"), entered = document.getElementById("entered");
  var chosen = document.getElementById("language");
  if (chosen) {
    chosen.addEventListener("change", function () { chosen.form.submit(); });
    chosen.form.querySelector("button").hidden = true;
  }

  function show(text) {
    refused.textContent = text;
    field.value = "";
    field.focus();
  }

  function send(pin) {
    refused.textContent = "";
    fetch("/api/enter", {
      method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ pin: pin })
    }).then(function (answer) {
      if (answer.ok) { location.replace(form.dataset.onward); return null; }
      return answer.json().then(function (told) { show(told.told || told.error); });
    }).catch(function () { show(form.dataset.noAnswer); });
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    send(field.value.trim());
  });

  var told = /^#pin=(\d{1,20})$/.exec(location.hash);
  if (told) {
    history.replaceState(null, "", location.pathname + location.search);
    send(told[1]);
    return;
  }
  fetch("/api/me", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
    return answer.json();
  }).then(function (me) {
    form.hidden = !me.pin_needed;
    entered.hidden = me.pin_needed;
    if (me.pin_needed) { field.focus(); }
  }).catch(function () {});
})();
