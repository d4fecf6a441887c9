// The director's list of players: many entered at once, checked in with one tap, renamed, gone.
"use strict";

var Players = (function () {
  var make = Referee.element, byId = Tournament.byId, box = byId("players"), open = {}, leavers = "", reasons = {};
  if (!box) { return null; }
  var text = box.dataset;

  function button(name, label, player, run) {
    var made = make("button", { type: "button", id: name + "-" + player.number }, [make("span", { text: label }), make("span", { class: "sr", text: " " + player.name })]);
    made.addEventListener("click", function () { run(made); });
    return made;
  }

  function close(player, then) {
    delete open[player.number];
    show();
    var back = byId(then + "-" + player.number);
    if (back) { back.focus(); }
  }

  // One line to be filled in below a player's name: another name, a team, or why somebody leaves.
  function line(player, kind, label, submit, value, needed) {
    var input = make("input", { id: kind + "-text-" + player.number, maxlength: kind === "leave" ? text.longestWhy : text.longestName, autocomplete: "off", required: needed });
    var yes = make("button", { type: "submit", class: "strong", text: submit }), no = make("button", { type: "button", text: text.cancel });
    var form = make("form", { class: "fields inline" }, [make("p", {}, [make("label", { "for": input.id, text: label }), input]), make("p", { class: "choices" }, [yes, no])]);
    input.value = value;
    no.addEventListener("click", function () { close(player, kind); });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var fields = { player: player.number };
      fields[{ rename: "name", team: "team", leave: "why" }[kind]] = input.value;
      Orders.send(yes, kind, fields, function () { close(player, kind); }, { player: player.name, as: kind === "team" && !input.value.trim() ? "none" : "" });
    });
    form.addEventListener("keydown", function (event) { if (event.key === "Escape") { close(player, kind); } });
    return form;
  }

  function opens(player, kind) {
    return function () {
      open[player.number] = kind;
      show();
      byId(kind + "-text-" + player.number).focus();
    };
  }

  // The code of the player's own page, to be photographed from the director's screen.
  function code(player) {
    var no = make("button", { type: "button", id: "code-text-" + player.number, text: text.codeClose });
    no.addEventListener("click", function () { close(player, "code"); });
    no.addEventListener("keydown", function (event) { if (event.key === "Escape") { close(player, "code"); } });
    return make("div", { class: "inline player-code" }, [make("img", { src: "/tournament/slip/" + player.number + ".svg", alt: Tournament.fill(text.codeOf, { player: player.name }) }), make("p", { class: "choices" }, [no])]);
  }

  function row(one) {
    var player = one.player, about = [player.team, player.club, player.rating].filter(Boolean).join(" · "), children = [
      make("span", { class: "who" }, [make("span", { text: player.name }), about ? make("span", { class: "about", text: " · " + about }) : null]), make("span", { class: "state", text: player.here ? "✓ " + Tournament.words.here : player.away || Tournament.words.noPlace }),
      one.why ? make("span", { class: "about why-left", text: one.why }) : null
    ];
    if (one.open === "rename") { children.push(line(player, "rename", text.name, text.rename, player.name, true)); }
    else if (one.open === "leave") { children.push(line(player, "leave", text.why, text.leave, "", false)); }
    else if (one.open === "team") { children.push(line(player, "team", text.teamName, text.teamSave, player.team, false)); }
    else if (one.open === "code") { children.push(code(player)); }
    else {
      var buttons = make("span", { class: "choices" }, [
        one.ended ? null : player.here ? button("leave", text.leave, player, opens(player, "leave")) : button("check-in", text.checkIn, player, function (made) {
          Orders.send(made, "check-in", { player: player.number }, function () {
            var next = byId("leave-" + player.number);
            if (next && document.activeElement === document.body) { next.focus(); }
          }, { player: player.name });
        }),
        button("rename", text.rename, player, opens(player, "rename")), one.ended ? null : button("team", text.team, player, opens(player, "team")), button("code", text.code, player, opens(player, "code"))
      ]);
      children.push(buttons);
    }
    return make("li", { class: player.here ? "here" : "gone" }, children);
  }

  // Why somebody has left only directors may know: it is not among what everybody is sent.
  function ask(told) {
    var now = JSON.stringify([told.name, told.players.filter(function (one) { return one.away; }).map(function (one) { return one.number; })]);
    if (now === leavers) { return; }
    leavers = now;
    fetch("/tournament/leavers.json", { credentials: "same-origin", cache: "no-store" }).then(function (answer) { return answer.ok ? answer.json() : {}; }).then(function (found) {
      reasons = found;
      show();
    }).catch(function () { leavers = ""; });
  }

  function show() {
    var told = Referee.parts.tournament;
    if (!told) { return; }
    ask(told);
    var wanted = byId("find").value.trim().toLowerCase(), all = told.players.slice().sort(Tournament.named);
    var seen = all.filter(function (player) { return player.name.toLowerCase().indexOf(wanted) >= 0; });
    Tournament.keyed(box, seen.map(function (player) { return { player: player, ended: told.ended, open: open[player.number] || null, why: player.here ? "" : reasons[player.number] || "" }; }), function (one) { return one.player.number; }, row);
    var here = all.filter(function (player) { return player.here; }).length;
    Tournament.write(byId("players-ratings"), told.ratings);
    Tournament.write(byId("players-count"), Tournament.fill(byId("players-count").dataset.text, { here: here, players: all.length }));
    byId("enter").hidden = told.ended;
    byId("find").parentNode.hidden = all.length < 8;
  }

  byId("find").addEventListener("input", show);
  byId("enter").addEventListener("submit", function (event) {
    event.preventDefault();
    Orders.send(byId("enter").querySelector("button"), "enter", { names: byId("enter-names").value }, function () { byId("enter-names").value = ""; });
  });
  return { show: show };
})();
