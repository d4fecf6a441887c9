// Questions answered with one tap; and what players may say of a refused turn: misread, missing, agreed.
"use strict";

(function () {
  var make = Referee.element, empty = Referee.empty, WHO = "referee-who", SETTLE_MS = 400, UNDO_MS = 3000;
  var question = document.getElementById("question"), tell = document.getElementById("tell"), picture = document.getElementById("picture");
  var words = document.getElementById("words").dataset, reads = !document.body.classList.contains("display-page");
  var wrong = document.getElementById("wrong"), open = false, closedFor = null;
  var busy = false, shown = { key: "", since: 0 }, told = fresh(), drawn = "", LATE_MS = 20000, forgets = null, waits = null;

  function fresh() { return { mode: null, look: 0, read: null, at: null, every: false, note: "", link: false }; }
  function kept() { try { return localStorage.getItem(WHO); } catch (error) { return null; } }

  function id() {
    var numbers = new Uint32Array(2);
    crypto.getRandomValues(numbers);
    return "tap-" + numbers[0].toString(36) + "-" + numbers[1].toString(36);
  }

  function seat() {
    var names = (Referee.parts.match ? Referee.parts.match.players : []).map(function (player) { return player.name; });
    return names.indexOf(kept());
  }

  function send(command, fields, done, failed) {
    if (busy) { return; }
    busy = true;
    late("", false);
    fields.command = command;
    fields.id = id();
    if (["read_again", "keep_failure", "next_match", "press"].indexOf(command) < 0 && seat() >= 0) { fields.player = seat(); }
    Referee.command(fields).then(function (answer) {
      busy = false;
      if (answer.ok) { done(); return null; }
      return answer.json().then(function (body) { failed(body.told || body.error || words.failed, answer.status === 403, answer.status === 409); });
    }).catch(function () { busy = false; failed(words.failed, false, false); });
  }

  // What is told of an answer whose question has gone meanwhile: somebody else was quicker.
  function late(text, link) {
    var box = document.getElementById("late");
    clearTimeout(forgets);
    if (!box) { return; }
    empty(box);
    if (!text) { return; }
    box.appendChild(link ? make("a", { href: "/enter?next=/", text: text }) : document.createTextNode(text));
    forgets = setTimeout(function () { empty(box); }, LATE_MS);
  }

  function button(text, run, extra, children) {
    var made = make("button", { type: "button", class: extra || "" }, children || [make("span", { text: text })]);
    made.addEventListener("click", function () { if (!busy && Date.now() - shown.since > SETTLE_MS) { run(made); } });
    return made;
  }

  function pick(face, run, extra) {
    return button("", run, "pick " + (extra || ""), [Referee.tile(face), make("span", { class: "name", text: face.name, "aria-hidden": "true" })]);
  }

  function row(children, extra) { return make("div", { class: "choices " + (extra || "") }, children); }

  function every(run) {
    var box = make("div", { class: "every", role: "group", "aria-label": words.allTiles });
    (Referee.parts.box ? Referee.parts.box.rows : []).forEach(function (tiles) {
      box.appendChild(row(tiles.map(function (face) { return pick(face, function () { run(face); }, "little"); })));
    });
    return box;
  }

  function who() {
    var match = Referee.parts.match;
    if (!match || match.players.length < 2) { return null; }
    var choice = make("select", { id: "who" }, [make("option", { value: "", text: words.who })]);
    match.players.forEach(function (player) { choice.appendChild(make("option", { value: player.name, text: player.name })); });
    choice.value = kept() || "";
    if (choice.selectedIndex < 0) { choice.selectedIndex = 0; }
    choice.addEventListener("change", function () { try { localStorage.setItem(WHO, choice.value); } catch (error) { /* Nobody, then. */ } });
    return make("p", { class: "who" }, [make("label", { text: words.who, for: "who" }), choice]);
  }

  function crop(look, read) {
    return make("img", { class: "crop", src: "/picture/" + look + "/" + read + ".jpg?w=480", alt: words.crop, width: 240, height: 320 });
  }

  function note(text, link) {
    var line = make("p", { class: "note", role: "status" });
    if (link) { line.appendChild(make("a", { href: "/enter?next=/", text: text })); } else { line.textContent = text; }
    return line;
  }

  function free() {
    var now = document.activeElement;
    return !now || now === document.body || question.contains(now) || tell && tell.contains(now);
  }

  // What is asked: one doubt after the other; those that are no tile only say what to do.

  function ask() {
    var asked = Referee.parts.question, tiles = [], others = [];
    if (asked) {
      asked.doubts.forEach(function (doubt) { (doubt.read === null ? others : tiles).push(doubt); });
    }
    var key = asked ? asked.look + ":" + asked.doubts.map(function (doubt) { return doubt.read + doubt.text; }).join("|") : "";
    if (key === shown.key) { return; }
    var focus = free();
    // Another question, or none: an answer that still waits was to the one before.
    clearTimeout(waits);
    shown = { key: key, since: Date.now() };
    told = fresh();
    question.hidden = !asked;
    document.body.classList.toggle("asking", !!asked);
    empty(question);
    if (!asked) { return; }
    if (tiles.length) { askTile(asked, tiles, focus); }
    others.forEach(function (doubt) { question.appendChild(make("p", { class: "sentence", text: doubt.text })); });
    if (others.length) { question.appendChild(make("p", { class: "do", text: words.putRight })); }
    placing();
  }

  function askTile(asked, tiles, focus) {
    var doubt = tiles[0], more = make("div", {}), line = note("", false), choices = [];
    function offers(open) { choices.forEach(function (box) { box.hidden = !open; }); }

    // For some seconds an answer can be taken back: only then it is sent. Whoever leaves the page has not answered.
    function settle(face) {
      var undo = button(words.undo, function () {
        clearTimeout(waits);
        empty(line);
        offers(true);
        title.focus({ preventScroll: true });
      }, "undo");
      offers(false);
      empty(line);
      line.appendChild(make("span", { text: words.answered.replace("{tile}", face.name) + " " }));
      line.appendChild(undo);
      undo.focus({ preventScroll: true });
      clearTimeout(waits);
      waits = setTimeout(function () {
        line.textContent = words.sent;
        send("settle", { look: asked.look, read: doubt.read, tile: face.tile }, function () {}, function (text, link, refused) {
          if (!question.contains(line)) { late(refused ? words.late : text, link); return; }
          var news = note(text, link);
          question.replaceChild(news, line);
          line = news;
          offers(true);
        });
      }, UNDO_MS);
    }
    var heading = words.which + (tiles.length > 1 ? " " + words.of.replace("{number}", 1).replace("{of}", tiles.length) : "");
    // The heading takes the focus: a key that was meant for something else must not answer.
    var title = make("h2", { text: heading, tabindex: "-1" });
    question.appendChild(title);
    var side = make("div", { class: "answer" }, [make("p", { class: "sentence", text: doubt.text })]);
    question.appendChild(make("div", { class: "asked" }, [crop(asked.look, doubt.read), side]));
    if (!reads) {
      side.appendChild(row(doubt.likely.map(function (face) {
        return make("span", { class: "pick" }, [Referee.tile(face), make("span", { class: "name", text: face.name, "aria-hidden": "true" })]);
      }), "likely"));
      return;
    }
    choices.push(side.appendChild(row(doubt.likely.filter(function (face) { return face.colour; }).map(function (face) { return pick(face, function () { settle(face); }); }), "likely")));
    var another = button(words.another, function () {
      var open = another.getAttribute("aria-expanded") === "true";
      another.setAttribute("aria-expanded", open ? "false" : "true");
      empty(more);
      if (!open) { more.appendChild(every(settle)); }
    });
    another.setAttribute("aria-expanded", "false");
    choices.push(side.appendChild(row([another, button(words.noTile, function () { settle(Referee.parts.box.back); }), placeButton(asked.look)])));
    choices.push(question.appendChild(more));
    var by = who();
    if (by) { question.appendChild(by); }
    question.appendChild(line);
    question.appendChild(make("div", { class: "place" }));
    if (focus) { title.focus({ preventScroll: true }); }
    Referee.mark([doubt.read], null);
  }

  // A tile that was not found: its place is tapped, then its face.

  function placeButton(look) {
    return button(words.tileHere, function () {
      told.mode = "place"; told.look = look; told.at = null;
      refresh();
      picture.closest(".seen").scrollIntoView({ block: "nearest" });
      picture.focus({ preventScroll: true });
    });
  }

  // After the mode has changed: a question keeps what it shows, the sheet does not.
  function refresh() { if (question.hidden) { redraw(); } else { placing(); } }

  function placing() {
    var on = told.mode === "place" || told.mode === "misread";
    picture.classList.toggle("picking", on);
    document.body.classList.toggle("placing", told.mode === "place");
    if (on) { picture.setAttribute("tabindex", "0"); } else { picture.removeAttribute("tabindex"); }
    var spot = picture.querySelector(".spot"), box = (question.hidden ? tell : question), where = box && box.querySelector(".place");
    if (spot) { picture.removeChild(spot); }
    if (where) { empty(where); }
    Referee.fitPicture();
    if (told.mode !== "place") { return; }
    if (told.at) {
      spot = make("span", { class: "spot", "aria-hidden": "true" });
      spot.style.left = 100 * told.at[0] + "%";
      spot.style.top = 100 * told.at[1] + "%";
      picture.appendChild(spot);
    }
    if (!where) { return; }
    where.appendChild(make("p", { class: "sentence", text: told.at && told.sure ? words.whichHere : words.tapPlace }));
    if (told.at && told.sure) { where.appendChild(every(here)); }
    where.appendChild(row([button(words.cancel, function () { told = fresh(); refresh(); }, "quiet")]));
    where.appendChild(note(told.note, told.link));
  }

  // In an enlarged picture the place that is moved by key stays in sight.
  function follow() {
    Referee.keepInSight(picture.parentNode, told.at[0] * picture.clientWidth, told.at[1] * picture.clientHeight);
  }

  function here(face) {
    told.note = words.sent;
    send("tile_here", { look: told.look, x: told.at[0], y: told.at[1], tile: face.tile }, function () {
      told = fresh();
      placing();
    }, function (text, link, refused) {
      if (told.mode !== "place") { late(refused ? words.late : text, link); return; }
      told.note = text; told.link = link; placing();
    });
  }

  function at(x, y) {
    if (told.mode === "misread") {
      var read = Referee.readAt(x, y);
      if (read !== null) { again(read); }
    } else if (told.mode === "place") {
      told.at = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
      told.sure = true;
      placing();
      var first = document.querySelector(".place button");
      if (first) { first.focus(); }
    }
  }

  picture.addEventListener("click", function (event) {
    if (!told.mode) { return; }
    var box = picture.getBoundingClientRect();
    at((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  picture.addEventListener("keydown", function (event) {
    var step = { ArrowLeft: [-0.01, 0], ArrowRight: [0.01, 0], ArrowUp: [0, -0.01], ArrowDown: [0, 0.01] }[event.key];
    if (told.mode !== "place") { return; }
    if (step) {
      event.preventDefault();
      told.at = told.at || [0.5, 0.5];
      told.at = [Math.min(1, Math.max(0, told.at[0] + step[0])), Math.min(1, Math.max(0, told.at[1] + step[1]))];
      told.sure = false;
      placing();
      follow();
    } else if (event.key === "Enter" && told.at) { event.preventDefault(); at(told.at[0], told.at[1]); }
  });

  // A refused turn: what was misread, what was not found, what all agree to. A sheet that one button opens.

  function spread(on) {
    open = on;
    closedFor = on || !Referee.parts.offers ? null : Referee.parts.offers.look;
    if (!on) { told = fresh(); Referee.mark(null, null); }
    offer();
    if (on) { tell.querySelector("button").focus({ preventScroll: true }); } else { wrong.focus({ preventScroll: true }); }
  }

  if (wrong) {
    wrong.addEventListener("click", function () {
      Referee.hideBefore();
      spread(!open);
    });
    Referee.closeTell = function () { if (open) { spread(false); } };
    tell.addEventListener("keydown", function (event) { if (event.key === "Escape") { spread(false); } });
  }

  function offer() {
    if (!tell) { return; }
    var offers = Referee.parts.offers;
    if (!offers || told.look && told.look !== offers.look && told.mode) { told = fresh(); }
    open = !!offers && (open || offers.proposed && offers.look !== closedFor);
    wrong.hidden = !offers;
    wrong.setAttribute("aria-expanded", open ? "true" : "false");
    tell.hidden = !open;
    if (!open) { empty(tell); drawn = ""; placing(); return; }
    if (offers.proposed && !told.mode && offers.look !== closedFor) { told.mode = "agree"; told.look = offers.look; }
    if (!offers.proposed && told.mode === "agree") { told = fresh(); }
    draw(offers);
  }

  // What stays the same is not made anew: a finger may be on it. What was read again comes into its own place.
  function same(offers) {
    var match = Referee.parts.match, before = drawn;
    drawn = JSON.stringify([
      offers.look, offers.agree, offers.proposed, told, told.mode === "misread" ? seen() : null,
      match ? match.players.map(function (player) { return player.name; }) : null, Referee.parts.box, !!Referee.parts.before
    ]);
    return drawn === before;
  }

  function draw(offers) {
    if (same(offers)) { fillLikely(offers); return; }
    var focus = free() && tell.contains(document.activeElement);
    empty(tell);
    if (told.mode === "misread") { misread(offers); }
    else if (told.mode === "agree") { agreement(offers); }
    else if (told.mode !== "place") { actions(offers); }
    tell.appendChild(make("div", { class: "place" }));
    var by = who();
    if (by) { tell.appendChild(by); }
    tell.appendChild(note(told.note, told.link));
    placing();
    var first = tell.querySelector("button");
    if (focus && first) { first.focus({ preventScroll: true }); }
  }

  function redraw() { var offers = Referee.parts.offers; if (tell && offers && open) { draw(offers); } }
  function fails(text, link, refused) {
    if (!Referee.parts.offers) { late(refused ? words.late : text, link); return; }
    told.note = text; told.link = link; redraw();
  }

  function actions(offers) {
    var choices = [
      button(words.misread, function () { told = fresh(); told.mode = "misread"; told.look = offers.look; redraw(); }),
      placeButton(offers.look)
    ];
    if (offers.agree) {
      choices.push(button(words.agree, function () { send("agree", { look: offers.look }, function () {}, fails); }));
    }
    choices.push(button(words.keep, function () {
      send("keep_failure", { look: offers.look }, function () { told.note = words.kept; redraw(); }, fails);
    }));
    if (Referee.parts.before) { choices.push(button(words.before, function () { spread(false); Referee.showBefore(wrong); })); }
    choices.push(button(words.close, function () { spread(false); }, "quiet"));
    tell.appendChild(make("h2", { text: wrong.textContent }));
    tell.appendChild(row(choices));
  }

  function agreement(offers) {
    tell.appendChild(make("p", { class: "sentence", text: words.agreeSure }));
    tell.appendChild(row([
      button(words.agreeYes, function () { send("agree", { look: offers.look }, function () { told.note = words.sent; }, fails); }, "strong"),
      button(words.cancel, function () { told = fresh(); told.mode = "no"; redraw(); }, "quiet")
    ]));
  }

  function again(read) {
    told.read = read; told.every = false; told.note = "";
    Referee.mark([read], null);
    send("read_again", { look: told.look, read: read }, function () {}, fails);
    redraw();
  }

  // The tiles of the last look: those of refused sets first, set by set, then what lies in none.
  function seen() {
    var picture = Referee.parts.picture, order = [];
    if (!picture) { return []; }
    picture.sets.forEach(function (set) { if (set.state === "refused") { order = order.concat(set.reads); } });
    picture.sets.forEach(function (set) { if (set.state !== "refused") { order = order.concat(set.reads); } });
    picture.tiles.forEach(function (tile) { if (order.indexOf(tile.read) < 0) { order.push(tile.read); } });
    return order.map(function (read) { return picture.tiles[read]; });
  }

  function settleMisread(offers, face) {
    told.note = words.sent;
    send("misread", { look: offers.look, read: told.read, tile: face.tile }, function () { told = fresh(); redraw(); }, fails);
  }

  function fillLikely(offers) {
    var place = tell.querySelector(".reread"), found = offers.reread && offers.reread.read === told.read ? offers.reread.likely : null;
    if (!place || place.dataset.likely === JSON.stringify(found)) { return; }
    place.dataset.likely = JSON.stringify(found);
    empty(place);
    place.appendChild(found === null ? make("p", { text: words.reading }) : row(found.filter(function (face) { return face.colour; }).map(function (face) {
      return pick(face, function () { settleMisread(offers, face); });
    }), "likely"));
  }

  function misread(offers) {
    function settle(face) { settleMisread(offers, face); }
    if (told.read === null) {
      tell.appendChild(make("p", { class: "sentence", text: words.tapMisread }));
      tell.appendChild(row(seen().map(function (tile) { return pick(tile, function () { again(tile.read); }, "little"); })));
    } else {
      var side = make("div", { class: "answer" }, [make("p", { class: "sentence", text: words.whatIsIt }), make("div", { class: "reread" })]);
      var another = button(words.another, function () { told.every = !told.every; redraw(); });
      another.setAttribute("aria-expanded", told.every ? "true" : "false");
      side.appendChild(row([another, button(words.noTile, function () { settle(Referee.parts.box.back); })]));
      tell.appendChild(make("div", { class: "asked" }, [crop(offers.look, told.read), side]));
      fillLikely(offers);
      if (told.every) { tell.appendChild(every(settle)); }
    }
    tell.appendChild(row([button(words.cancel, function () { told = fresh(); Referee.mark(null, null); redraw(); }, "quiet")]));
  }

  // After a match: the way to the next one, where no start button is at hand, too.
  var next = document.getElementById("next");

  if (next) {
    Referee.on(["setup"], function (parts) { next.hidden = !parts.setup.over; });
    document.getElementById("next-match").addEventListener("click", function () {
      send("next_match", {}, function () {}, late);
    });
  }

  // A pause: whoever looks at the table goes on with one tap where buttons may be pressed on pages, and is told of start elsewhere.
  var paused = document.getElementById("paused"), goOn = document.getElementById("go-on");

  function pressStart() {
    var press = { button: Referee.parts.buttons.start.button, finger: id() };
    send("press", { button: press.button, finger: press.finger, what: "down" }, function () {
      send("press", { button: press.button, finger: press.finger, what: "up" }, function () {}, late);
    }, late);
  }

  if (paused) {
    Referee.on(["match", "buttons", "live"], function (parts) {
      var start = parts.buttons && parts.buttons.touch ? parts.buttons.start : null;
      var cut = Boolean(parts.live && parts.live.cut);
      paused.hidden = !cut && (!parts.match || parts.match.phase !== "paused");
      goOn.hidden = !start || !start.now;
      document.getElementById("paused-panel").hidden = goOn.hidden || cut;
      document.getElementById("paused-cut").hidden = document.getElementById("paused-discard").hidden = !cut;
      document.getElementById("paused-told").hidden = !goOn.hidden;
    });
    goOn.addEventListener("click", pressStart);
  }

  Referee.on(["question", "box"], ask);
  Referee.on(["offers", "box", "match", "before"], offer);
})();
