// A whole tournament in one file: the newest is saved at any time; one is restored while none is under way.
"use strict";

(function () {
  var byId = Tournament.byId, form = byId("saving-restore"), input = byId("saving-file"), button = byId("saving-do");
  if (!form) { return; }

  function show(parts) {
    var told = parts.tournament;
    byId("saving-save").hidden = !told;
    form.hidden = Boolean(told && !told.ended);
  }

  input.addEventListener("change", function () { button.disabled = !input.files.length; });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    if (!input.files.length || button.sending) { return; }
    button.sending = true;
    fetch("/api/tournament/restore", {
      method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/octet-stream" }, body: input.files[0]
    }).then(function (answer) {
      return answer.json().then(function (body) {
        Orders.tell(body.told || byId("words").dataset.failed, !answer.ok);
        if (!answer.ok) { return; }
        form.reset();
        button.disabled = true;
        byId("saving-heading").focus();
      });
    }).catch(function () { Orders.tell(byId("words").dataset.failed, true); }).then(function () { button.sending = false; });
  });
  Referee.on(["tournament"], show);
})();
