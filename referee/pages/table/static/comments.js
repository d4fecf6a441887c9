// What can be proven about a round that is over, one line for each player: beside the table, on the television and on a score sheet.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, AGAIN_MS = 4000, TRIES = 3;
  // The round that is shown or asked for, with its points: a correction may change what can be said.
  var wanted = "";

  // Whatever fails here is tried again a few times; nothing is lost if it never comes.
  function ask(path, still, take, tries) {
    fetch("/api/comments/" + path + "?lang=" + document.documentElement.lang, { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      if (!answer.ok) { throw new Error(String(answer.status)); }
      return answer.json();
    }).then(function (told) { if (still()) { take(told.rounds); } }).catch(function () {
      if (tries > 1) { setTimeout(function () { if (still()) { ask(path, still, take, tries - 1); } }, AGAIN_MS); }
    });
  }

  function fill(list, lines) {
    empty(list);
    lines.forEach(function (text) { list.appendChild(make("li", { text: text })); });
  }

  function last(box) {
    Referee.on(["match"], function (parts) {
      var match = parts.match, scored = (match.phase === "between" || match.phase === "over") && match.sheet && match.sheet.length && match.number;
      var now = scored ? match.number + "/" + match.sheet.length : "", key = scored ? now + JSON.stringify(match.sheet) : "";
      if (key === wanted) { return; }
      wanted = key;
      box.hidden = true;
      if (!key) { return; }
      ask(now, function () { return wanted === key; }, function (rounds) {
        if (!rounds.length || !rounds[0].lines.length) { return; }
        fill(box.querySelector("ul"), rounds[0].lines);
        box.hidden = false;
        window.dispatchEvent(new Event("resize"));
      }, TRIES);
    });
  }

  // A score sheet has a list for each round.
  function sheet(lists) {
    ask(lists[0].dataset.match, function () { return true; }, function (rounds) {
      rounds.forEach(function (round) {
        Array.prototype.forEach.call(lists, function (list) {
          if (Number(list.dataset.round) === round.round && round.lines.length) {
            fill(list, round.lines);
            list.hidden = false;
          }
        });
      });
    }, TRIES);
  }

  var box = document.getElementById("comments"), lists = document.querySelectorAll("ul.comments[data-round]");
  if (box) { last(box); }
  if (lists.length) { sheet(lists); }
})();
