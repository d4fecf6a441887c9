// Players from a file: first what is in it, then, if the director wants, all of them are entered.
"use strict";

(function () {
  var make = Referee.element, byId = Tournament.byId, input = byId("import-file"), chosen = null;
  if (!input) { return; }
  var table = byId("import-players"), path = "/api/tournament/players";

  function cell(text, extra) { return make("td", { class: extra, text: text === null ? "" : String(text) }); }

  // A team has a column only if the file names one.
  function columns(all, teams) { return all.filter(function (one, at) { return teams || at !== 3; }); }

  function row(one, teams) {
    var state = one.right ? (one.known ? table.dataset.known : table.dataset["new"]) : table.dataset.wrong;
    return make("tr", { class: one.right ? "" : "bad-line" }, columns([
      cell(one.line, "number"), make("th", { scope: "row", text: one.name }), cell(one.club), cell(one.team), cell(one.rating === null ? one.written : one.rating, "number"), cell((one.right ? "" : "\u26a0 ") + state)
    ], teams));
  }

  function head(teams) {
    return make("thead", {}, [make("tr", {}, columns(table.dataset.head.split("|"), teams).map(function (label) {
      return make("th", { scope: "col", text: label });
    }))]);
  }

  function show(found) {
    var wrong = found.wrong.length > 0, teams = found.players.some(function (one) { return one.team; });
    byId("import-found").hidden = false;
    Tournament.write(byId("import-told"), found.told);
    byId("import-wrong").hidden = !wrong;
    Tournament.list(byId("import-wrong"), found.wrong);
    Referee.empty(table);
    table.appendChild(head(teams));
    table.appendChild(make("tbody", {}, found.players.map(function (one) { return row(one, teams); })));
    byId("import-do").hidden = wrong;
    Tournament.write(byId("import-not"), byId("import-not").dataset[wrong ? "close" : "not"]);
    byId("import-heading").focus();
  }

  function close() {
    byId("import-found").hidden = true;
    input.value = "";
    chosen = null;
  }

  function send(file, enter, then) {
    fetch(path + "?enter=" + (enter ? 1 : 0), {
      method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/octet-stream" }, body: file
    }).then(function (answer) {
      return answer.json().then(function (told) {
        if (answer.ok) { then(told); } else { Orders.tell(told.told || byId("words").dataset.failed, true); }
      });
    }).catch(function () { Orders.tell(byId("words").dataset.failed, true); });
  }

  // A file that was put right has the same name: browsers tell only of a choice that differs from what stands in the field.
  input.addEventListener("click", function () { input.value = ""; });
  input.addEventListener("change", function () {
    chosen = input.files[0] || null;
    byId("import-found").hidden = true;
    if (!chosen) { return; }
    send(chosen, false, show);
    Tournament.write(byId("import-heading"), byId("import-heading").dataset.text + Referee.colon() + chosen.name);
  });
  byId("import-do").addEventListener("click", function () {
    if (!chosen) { return; }
    send(chosen, true, function (found) {
      Orders.tell(found.told);
      close();
      byId("players-heading").focus();
    });
  });
  byId("import-not").addEventListener("click", function () { close(); input.focus(); });
  byId("import-form").addEventListener("submit", function (event) { event.preventDefault(); });
})();
