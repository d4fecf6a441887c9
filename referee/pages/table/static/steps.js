// Steps of a turn, one at a time: the step in words, and the table after it with the tiles that it has moved.
"use strict";

// The number of a set above its tiles; a screen reader says what it is the number of.
Referee.setNumber = function (words, number) {
  return Referee.element("span", { class: "set-number" }, [
    Referee.element("span", { "aria-hidden": "true", text: String(number) }),
    Referee.element("span", { class: "sr", text: words.replace("{number}", number) })
  ]);
};

// `Referee.steps(box, steps)` draws into `box`, whose data has the words `step`, `previous`, `next` and `set`; each step has `text` and
// `groups`, and each of these `tiles` and perhaps a `number`. Steps up to `most` may be looked at.
Referee.steps = function (box, steps) {
  var make = Referee.element, shown = -1, most = 0;

  function way(name, step) {
    var button = make("button", { type: "button", class: "quiet", "data-way": name, disabled: step < 0 || step >= most, text: box.dataset[name] });
    button.addEventListener("click", function () { show(step, most, name); });
    return button;
  }

  function group(told) {
    var row = make("div", { class: "set" });
    if (told.number) { row.appendChild(Referee.setNumber(box.dataset.set, told.number)); }
    told.tiles.forEach(function (tile) { row.appendChild(Referee.tile(tile, "small" + (tile.moved ? " moved" : ""))); });
    return row;
  }

  // `focus`: the button that was pressed to get here, or nothing.
  function show(step, upTo, focus) {
    var told = steps[step], heading, back;
    shown = step;
    most = upTo;
    heading = box.dataset.step.replace("{number}", step + 1).replace("{of}", steps.length);
    Referee.empty(box).appendChild(make("article", { class: "step" }, [
      make("h3", { text: heading }),
      make("p", { text: told.text, role: "status" }),
      make("div", { class: "drawn" }, told.groups.map(group)),
      make("nav", { "aria-label": heading }, [way("previous", step - 1), way("next", step + 1)])
    ]));
    box.hidden = false;
    // The button was drawn anew; at the end there is only the way back.
    back = focus && (box.querySelector("[data-way=" + focus + "]:not([disabled])") || box.querySelector("[data-way]:not([disabled])"));
    if (back) { back.focus(); }
  }

  return { show: show, shown: function () { return shown; }, most: function () { return most; } };
};
