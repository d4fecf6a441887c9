// The best turn, one step after the other: a sentence, the moves in the picture, and the table as it then lies.
"use strict";

var CoachAnswer = (function () {
  var make = Referee.element, empty = Referee.empty, SWIPE_PX = 48, ROOM = 100; // around the tiles, for those that come from the hand
  var box = document.getElementById("answer"), told = null, at = 0, picture = null, sets = [], words = document.getElementById("ask").dataset, touch = null;

  function byId(name) { return document.getElementById(name); }

  function hide() { box.hidden = true; told = null; }

  // `asked` are the table's sets as they were sent, and the picture that they were read from.
  function show(answer, asked) {
    told = answer;
    at = 0;
    sets = asked.sets;
    picture = asked.picture;
    box.hidden = false;
    byId("answer-title").textContent = answer.told[0];
    byId("answer-more").textContent = answer.told.slice(1).join(" ");
    byId("answer-more").hidden = answer.told.length < 2;
    byId("steps").hidden = !answer.steps.length;
    if (answer.steps.length) { step(0); }
    byId("answer-title").focus({ preventScroll: true });
    box.scrollIntoView({ block: "start" });
  }

  function tiles(members) { return members.map(function (member) { return sets[member[0]][member[1]]; }); }

  function step(to) {
    var one, back = byId("step-back"), next = byId("step-next"), active = document.activeElement;
    at = Math.max(0, Math.min(told.steps.length - 1, to));
    one = told.steps[at];
    byId("step-number").textContent = box.dataset.step.replace("77", at + 1).replace("88", told.steps.length);
    byId("step-told").textContent = one.told;
    empty(byId("step-sources"));
    one.sources.forEach(function (text) { byId("step-sources").appendChild(make("li", { text: text })); });
    back.disabled = at === 0;
    next.disabled = at === told.steps.length - 1;
    // A button that can be pressed no more does not keep the focus.
    if (active === back && back.disabled) { next.focus(); } else if (active === next && next.disabled) { back.focus(); }
    drawPicture(one);
    drawAfter(one);
  }

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

  function drawAfter(one) {
    var list = empty(byId("step-after"));
    one.after.forEach(function (set) {
      list.appendChild(make("div", { class: "set" + (set.touched ? " touched" : "") }, set.tiles.map(function (face, place) {
        var isNew = set.new.indexOf(place) >= 0, made = Referee.tile(face, isNew ? "new" : "");
        if (isNew) { made.setAttribute("aria-label", face.name + ", " + words.moved); }
        return made;
      })));
    });
  }

  function go(by) { if (told && told.steps.length) { step(at + by); } }

  byId("step-back").addEventListener("click", function () { go(-1); });
  byId("step-next").addEventListener("click", function () { go(1); });
  document.addEventListener("keydown", function (event) {
    if (!told || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { return; }
    if (event.key === "ArrowRight") { go(1); } else if (event.key === "ArrowLeft") { go(-1); }
  });
  box.addEventListener("touchstart", function (event) {
    touch = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
  }, { passive: true });
  box.addEventListener("touchend", function (event) {
    var end = event.changedTouches[0], across = touch ? end.clientX - touch[0] : 0;
    if (touch && Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(end.clientY - touch[1])) { go(across < 0 ? 1 : -1); }
    touch = null;
  }, { passive: true });

  return { show: show, hide: hide };
})();
