// An overlay for streaming software: clock, turn, scores, verdict and board. `?parts=clock,scores` shows only those.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty;
  // Sizes of the tiles, as parts of the screen's shorter side in percent: the board becomes smaller until it fits.
  var LARGEST = 3.6, SMALLEST = 1, STEP = 0.1;
  var wanted = (new URLSearchParams(location.search).get("parts") || "").split(",").filter(function (name) { return name; });

  function byId(name) { return document.getElementById(name); }

  // A part is seen if it is wanted and there is something in it.
  function show(box, filled) { box.hidden = !filled || wanted.length > 0 && wanted.indexOf(box.getAttribute("data-part")) < 0; }

  Referee.on(["clock"], function (parts) { show(byId("timing"), parts.clock); });

  Referee.on(["live", "match"], function (parts) {
    var match = parts.match;
    byId("live").textContent = parts.live ? parts.live.text : "";
    byId("facts").textContent = match ? match.facts.concat(match.leader_text || []).join(" · ") : "";
    show(byId("turn"), parts.live);
  });

  Referee.on(["match"], function (parts) {
    var players = parts.match.players, list = empty(byId("scores").querySelector("ul"));
    players.forEach(function (player) {
      list.appendChild(make("li", { class: (player.turn ? "turn" : "") + (player.won ? " won" : ""), "aria-current": player.turn ? "true" : null }, [
        make("span", { class: "name", text: player.name }), make("span", { class: "total", text: Referee.signed(player.total) })
      ]));
    });
    show(byId("scores"), players.length);
  });

  Referee.on(["verdict"], function (parts) {
    var box = byId("verdict"), line = empty(box.firstChild), verdict = parts.verdict, sign;
    show(box, verdict);
    if (!verdict) { return; }
    sign = verdict.accepted ? "✓ " + box.dataset.accepted : "✗ " + box.dataset.refused;
    box.className = "now " + (verdict.accepted ? "accepted" : "refused");
    line.appendChild(make("b", { text: verdict.idle || sign + Referee.colon() + verdict.player }));
    if (verdict.faults.length) { line.appendChild(make("span", { text: " · " + verdict.faults[0].text })); }
  });

  function fit() {
    var board = byId("board");
    for (var size = LARGEST; size >= SMALLEST; size -= STEP) {
      board.style.fontSize = size.toFixed(1) + "vmin";
      if (board.scrollHeight <= board.clientHeight && board.scrollWidth <= board.clientWidth) { return; }
    }
  }

  Referee.on(["table"], function (parts) {
    var board = empty(byId("board"));
    parts.table.sets.forEach(function (set) {
      board.appendChild(make("div", { class: "set" }, set.map(function (face) { return Referee.tile(face); })));
    });
    show(board, parts.table.sets.length);
  });
  // What stands above the board takes from its height.
  Referee.on(["table", "verdict", "match", "live", "clock"], function () { setTimeout(fit, 0); });
  window.addEventListener("resize", fit);
  if (document.fonts && document.fonts.ready) { document.fonts.ready.then(fit); }
  Referee.restarted = function () { location.reload(); };
})();
