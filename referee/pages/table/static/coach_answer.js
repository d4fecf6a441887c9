// The best turn, one step after the other, with the moves in the picture.
"use strict";

var CoachAnswer = (function () {
  var ROOM = 100; // around the tiles, for those that come from the hand
  var box = document.getElementById("answer"), picture = null, sets = [], steps = Referee.Steps(box, drawPicture);

  function byId(name) { return document.getElementById(name); }

  function hide() {
    box.hidden = true;
    steps.show([]);
  }

  // `asked` are the table's sets as they were sent, and the picture that they were read from.
  function show(answer, asked) {
    sets = asked.sets;
    picture = asked.picture;
    box.hidden = false;
    byId("answer-title").textContent = answer.told[0];
    byId("answer-more").textContent = answer.told.slice(1).join(" ");
    byId("answer-more").hidden = answer.told.length < 2;
    steps.show(answer.steps, 0);
    byId("answer-title").focus({ preventScroll: true });
    box.scrollIntoView({ block: "start" });
  }

  function tiles(members) { return members.map(function (member) { return sets[member[0]][member[1]]; }); }

  function drawPicture(one) {
    var frame = byId("step-picture"), all = sets.reduce(function (found, set) { return found.concat(set); }, []), made, comes, stays;
    function drawn(tile) { return !!tile.outline; }
    if (!picture || !all.some(drawn)) { frame.hidden = true; return; }
    comes = tiles(one.comes).filter(drawn);
    stays = tiles(one.stays).filter(drawn);
    made = CoachPicture.draw(frame, picture, all.filter(drawn), [].concat(
      tiles(one.gone).filter(drawn).map(function (tile) { return { tile: tile, kind: "moved" }; }),
      stays.map(function (tile) { return { tile: tile, kind: "stays" }; }),
      comes.map(function (tile) { return { tile: tile, kind: "comes" }; })
    ), [one.told].concat(one.sources).join(" "), ROOM);
    if (stays.length) { comes.forEach(function (tile) { CoachPicture.arrow(made, picture, tile, stays); }); }
    if (one.hand.length && (stays.length || comes.length)) {
      CoachPicture.fromHand(made, picture, stays.length ? stays : comes, one.hand);
    }
  }

  return { show: show, hide: hide };
})();
