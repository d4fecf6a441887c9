// The tournament on a large screen: one view at a time, as large as fits; nothing scrolls, and nothing is to be done.
// What would be too small to be read across the room is shown page by page; the pages turn by themselves.
"use strict";

(function () {
  var byId = Tournament.byId, make = Referee.element, wall = byId("wall"), SECTIONS = { names: "seats", tables: "tables-section", standings: "standings-section", groups: "groups-section", teams: "teams-section" };
  var OF_STAGE = { entering: "names", drawn: "names", playing: "tables", between: "standings", ended: "standings" };
  // Letters at least this high, as a share of the screen: capitals then are 2.7 % of it, which 4 m away is 16 minutes of arc on a screen of 55 inches.
  var READABLE = 0.038, SMALLEST = 12, LARGEST = 96, MUCH = 0.8, FEW = 8, STEPS = [1, 1.1, 1.2, 1.3], TURN_MS = 10000, NARROW = "(max-width: 48rem)";
  var still = window.matchMedia("(prefers-reduced-motion: reduce)").matches, page = 0, pages = 1, shown = "", timer = null, words = byId("turning").dataset;

  // What somebody chose stands in the address, so that every screen of a hall can show something else.
  function chosen() { var name = location.hash.slice(1); return SECTIONS[name] ? name : ""; }

  // Before the first draw there is nothing but names, and before the first result there are no standings.
  function view(told) {
    var wanted = chosen();
    if (wanted === "standings" && told && !told.standings.length) { wanted = ""; }
    if ((wanted === "groups" || wanted === "teams") && told && !Groups.has(told, wanted)) { wanted = ""; }
    // While groups are played, what counts is the place in the group.
    var usual = told && told.in_groups && told.stage === "between" && Groups.has(told, "groups") ? "groups" : told && OF_STAGE[told.stage];
    return told && told.round ? wanted || usual : "names";
  }

  // Nothing is cut off, and no name is broken within a word.
  function fits(box) {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) { return false; }
    return [].every.call(box.querySelectorAll(".who"), function (name) { return name.scrollWidth <= name.clientWidth + 1; });
  }

  function fitsAt(size) {
    wall.style.fontSize = size + "px";
    return fits(wall);
  }

  function largest() {
    var low = SMALLEST, high = LARGEST;
    while (low < high) {
      var size = Math.ceil((low + high) / 2);
      if (fitsAt(size)) { low = size; } else { high = size - 1; }
    }
    // Fewer columns of larger letters may hold more than many columns with broken names.
    if (low < readable()) { low = steps().filter(fitsAt).pop() || low; }
    wall.style.fontSize = low + "px";
    return low;
  }

  function readable() { return READABLE * window.innerHeight; }

  function steps() { return STEPS.map(function (step) { return Math.ceil(readable() * step); }); }

  // One very long name is broken before all others become small, or too small to be read, for its sake.
  function fit() {
    wall.classList.remove("breaks");
    var whole = largest(), least = readable();
    wall.classList.add("breaks");
    var broken = largest();
    if (whole > MUCH * broken && (whole >= least || broken < least)) {
      wall.classList.remove("breaks");
      wall.style.fontSize = whole + "px";
    }
    wall.classList.toggle("too-much", !fits(wall));
  }

  // Each view: how many entries it has, and how those from one to another are shown.
  var VIEWS = {
    names: { count: function (told) { return Tournament.seatList(told).length; }, show: function (told, from, to) { Tournament.names(byId("by-name"), told, from, to); } },
    tables: { count: function (told) { return told.tables.length; }, show: function (told, from, to) {
      Tournament.tables(byId("by-table"), told, ordered(told).slice(from, to));
      Tournament.byes(byId("byes"), told);
      live();
    } },
    standings: { count: function (told) { return told.standings.length; }, show: columns },
    groups: { count: function (told) { return told.groups.length; }, show: function (told, from, to) { Groups.briefGroups(byId("group-orders"), told, from, to); } },
    teams: { count: function (told) { return told.teams.length; }, show: function (told, from, to) { Groups.briefTeams(byId("team-order"), told, from, to); } }
  };

  function referee(one) { return one.at && one.points === null ? Referee.parts["table:" + one.at] : null; }

  function needs(one) { var known = referee(one); return Boolean(known && known.needs); }

  // Tables at which somebody is needed come first, then those that still play: whoever looks at the wall looks for them.
  function ordered(told) {
    return told.tables.slice().sort(function (one, other) { return needs(other) - needs(one) || (one.points !== null) - (other.points !== null) || one.number - other.number; });
  }

  // A long list of standings goes on in a second column. It is told in brief, so that it can be read across a room, and so is one
  // with scores: names would be broken for the sake of all these columns.
  function columns(told, from, to) {
    var box = Referee.empty(byId("columns")), all = to - from, wide = window.innerWidth > window.innerHeight, whole = told.standings.length;
    var count = !wide || all <= 12 ? 1 : 2, rows = Math.ceil(all / count);
    for (var at = from; at < to; at += rows) {
      var table = make("table", { class: "standings" });
      Tournament.standings(table, told, at, Math.min(to, at + rows), whole > 12 || told.counting !== "points");
      box.appendChild(table);
    }
  }

  function cut(count, into, at) { return Math.round(count * at / into); }

  function draw(told, now) {
    var one = VIEWS[now], count = one.count(told);
    one.show(told, cut(count, pages, page), cut(count, pages, page + 1));
  }

  // As few pages as can be read across the room; on a phone there is one, which scrolls.
  function divide(told, now) {
    var count = VIEWS[now].count(told), kept = page;
    wall.classList.add("breaks");
    byId("head").classList.toggle("paged", count > FEW);
    for (pages = 1; pages < count; pages += 1) {
      var all = true;
      for (page = 0; page < pages && all; page += 1) {
        draw(told, now);
        all = steps().some(fitsAt);
      }
      if (all || window.matchMedia(NARROW).matches) { break; }
    }
    page = kept < pages ? kept : 0;
  }

  function show() {
    var told = Referee.parts.tournament, now = view(told), what = told ? JSON.stringify([now, told, window.innerWidth, window.innerHeight]) : "";
    Tournament.title(told);
    wall.hidden = !told;
    Object.keys(SECTIONS).forEach(function (name) { byId(SECTIONS[name]).hidden = name !== now; });
    [].forEach.call(document.querySelectorAll("[data-view]"), function (button) {
      var name = button.getAttribute("data-view");
      button.setAttribute("aria-pressed", String(name === chosen()));
      button.hidden = (name === "groups" || name === "teams") && !(told && Groups.has(told, name));
    });
    if (!told) { byId("turning").hidden = true; return; }
    if (what !== shown) { divide(told, now); }
    shown = what;
    draw(told, now);
    fit();
    // Clocks, calls and announcements that came since take room: then fewer entries fit on a page.
    if (tooSmall() && pages < VIEWS[now].count(told)) {
      divide(told, now);
      draw(told, now);
      fit();
    }
    turning(now);
  }

  function tooSmall() { return parseFloat(wall.style.fontSize) < readable() && !window.matchMedia(NARROW).matches; }

  // Which page it is, and between which names; the pages can be stopped, and stand still where somebody wants no motion.
  function turning(now) {
    byId("turning").hidden = pages < 2;
    var names = now === "names" ? byId("by-name").querySelectorAll(".who") : [];
    var range = names.length ? " · " + names[0].textContent + " – " + names[names.length - 1].textContent : "";
    Tournament.write(byId("page"), pages < 2 ? "" : Tournament.fill(words.page, { page: page + 1, pages: pages }) + range);
    byId("page").hidden = pages < 2;
    Tournament.write(byId("stop"), still ? words.goOn : words.stop);
    clearTimeout(timer);
    timer = pages < 2 || still ? null : setTimeout(turn, TURN_MS);
  }

  function turn() {
    page = (page + 1) % pages;
    show();
  }

  // What the referees at the tables tell: the clock of the turn, and that somebody is needed there.
  function live() {
    var told = Referee.parts.tournament;
    if (!told) { return; }
    [].forEach.call(byId("by-table").children, function (card) {
      var one = told.tables.filter(function (each) { return String(each.number) === card.getAttribute("data-table"); })[0], known = one ? referee(one) : null;
      var box = card.querySelector(".live"), text = known ? left(known.clock) : "", asks = Boolean(known && known.needs);
      if (!box) { card.querySelector("h3").appendChild(box = make("span", { class: "live" }, [make("span", { class: "needs" }), make("span", { class: "time" })])); }
      Tournament.write(box.firstChild, asks ? " ? " + words.needs : "");
      Tournament.write(box.lastChild, text ? " " + text : "");
      card.classList.toggle("needs", asks);
    });
  }

  function left(clock) {
    if (!clock || clock.left === null || clock.ends_at !== null && Referee.doubt() === null) { return ""; }
    var seconds = Math.ceil((clock.ends_at === null ? clock.left : Math.max(0, clock.ends_at - Referee.clock())) - 0.001);
    return Math.floor(seconds / 60) + ":" + (seconds % 60 < 10 ? "0" : "") + seconds % 60;
  }

  [].forEach.call(document.querySelectorAll("[data-view]"), function (button) {
    button.addEventListener("click", function () {
      var name = button.getAttribute("data-view");
      history.replaceState(null, "", location.pathname + location.search + (name ? "#" + name : ""));
      page = 0;
      show();
    });
  });
  byId("stop").addEventListener("click", function () { still = !still; show(); });
  byId("next").addEventListener("click", turn);
  window.addEventListener("hashchange", show);
  window.addEventListener("resize", show);
  window.addEventListener("load", show);
  Referee.on(["tournament"], show);
  // In the page's own letters, which may come later than the names, words are wider than in those shown before.
  if (document.fonts) { document.fonts.ready.then(function () { shown = ""; show(); }); }
  if (window.ResizeObserver) { new ResizeObserver(show).observe(wall); }
  Referee.all(function () {
    if (byId("tables-section").hidden) { return; }
    live();
    if (!fits(wall)) { show(); }
  });
  setInterval(function () { if (!byId("tables-section").hidden) { live(); } }, 500);
  Referee.restarted = function () { location.reload(); };
})();
