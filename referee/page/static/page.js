// The stream of the table's state, and what all pages share. Plain ES2015: televisions of 2018 run it.
"use strict";

var Referee = (function () {
  var parts = {}, listeners = [], number = 0, last = "", epoch = null, offset = null, best = Infinity, sure = null;
  // After CUT_MS without news it is told since when; a page that stood still for longer than STALL_MS heard nothing because of that.
  var CUT_MS = 12000, STALL_MS = 1000;
  // `quiet`: since when nothing has come, by performance.now(); `heardAt`: when something came, for people. By part, why it cannot be shown.
  var quiet = 0, looked = 0, heardAt = null, up = false, cut = false, failures = {}, awaited = [];

  // The server's clock, now or at a moment of `performance.now()`.
  function clock(at) {
    return (at === undefined ? performance.now() : at) / 1000 + (offset === null ? 0 : offset);
  }

  // By how many seconds the server's clock may be misjudged; null before it was asked.
  function doubt() { return sure; }

  // A sign of life has the server's clock: it takes a while to come, but never comes early.
  function ticked(data) {
    var late = clock() - parseFloat(data);
    heard();
    if (offset !== null && (late < -0.05 || late > 1)) { best = Infinity; synchronise(3); }
  }

  // The server's clock is asked a few times; the answer that took the shortest is the best one.
  function synchronise(times) {
    var sent = performance.now();
    fetch("/api/now", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      return answer.json();
    }).then(function (told) {
      var back = performance.now(), took = back - sent;
      if (took < best) {
        best = took;
        sure = took / 2000;
        offset = told.now - (sent + took / 2) / 1000;
      }
      if (times > 1) { setTimeout(function () { synchronise(times - 1); }, 300); }
    }).catch(function () {});
  }

  function heard() {
    heardAt = Date.now();
    quiet = performance.now();
    up = true;
    show();
  }

  // The line that nothing comes stays in sight, but covers nothing that somebody has chosen.
  function uncover() {
    var at = document.activeElement;
    if (at && at !== document.body && at.scrollIntoView) { at.scrollIntoView({ block: "nearest" }); }
  }

  // Whether nothing comes: "connecting" after as long as the server says, which never is silent for so long; later since when.
  function show() {
    var box = document.getElementById("connection"), now = performance.now(), text = "";
    if (!box) { return; }
    quiet += Math.max(0, now - looked - STALL_MS);
    looked = now;
    if (running && now - quiet > CUT_MS && heardAt !== null) {
      text = box.dataset.cutOff.replace("{time}", time(new Date(heardAt), true));
    } else if (running && now - quiet > parseFloat(box.dataset.silentMs)) { text = box.dataset.connecting; }
    if (box.textContent !== text) { box.textContent = text; }
    box.hidden = !text;
    document.body.classList.toggle("cut", !!text);
    if (document.documentElement.classList.toggle("cut-off", !!text) !== cut) { cut = !cut; if (cut) { uncover(); } }
  }

  // What cannot be shown is said, and what was shown of it before stays.
  function fail() {
    var box = document.getElementById("failure"), texts = {};
    Object.keys(failures).forEach(function (name) { texts[failures[name]] = true; });
    box.textContent = Object.keys(texts).join(" ");
    box.hidden = !box.textContent;
  }

  function run(listener, told) {
    try {
      listener.run(told);
      return true;
    } catch (error) {
      if (window.console) { console.error(error); }
      return false;
    }
  }

  function take(data, id) {
    var told = JSON.parse(data), changed = {}, from = id.split("-")[0], shown = true;
    Object.keys(told.parts).forEach(function (name) {
      var part = told.parts[name], broken = part && typeof part.failed === "string";
      if (broken) { failures[name] = part.failed; } else { delete failures[name]; changed[name] = part; }
    });
    if (epoch !== null && epoch !== from && api.restarted) { api.restarted(); }
    epoch = from;
    last = id;
    number = told.n;
    Object.keys(changed).forEach(function (name) { parts[name] = changed[name]; });
    listeners.forEach(function (listener) {
      if (!listener.names) { shown = run(listener, changed) && shown; }
      else if (listener.names.some(function (name) { return name in changed; })) { shown = run(listener, parts) && shown; }
    });
    if (shown) { delete failures[""]; } else { failures[""] = document.getElementById("failure").dataset.text; }
    fail();
    heard();
    awaited.splice(0).forEach(function (resolve) { resolve(number); });
  }

  // The number of the state that is shown. Whoever is quicker than the first state waits for it, and fails if none comes;
  // a page that shows no state has none to wait for.
  function shown() {
    return new Promise(function (resolve, reject) {
      if (last || !running) { resolve(number); return; }
      awaited.push(resolve);
      setTimeout(reject, CUT_MS, new Error("no state has come"));
    });
  }

  // Post a command, with its id, about the state that is shown; `how`: other headers, and whether it arrives although the page is left.
  function command(fields, how) {
    var headers = { "Content-Type": "application/json" }, more = how && how.headers || {};
    Object.keys(more).forEach(function (name) { headers[name] = more[name]; });
    return shown().then(function (n) {
      fields.n = n;
      return fetch("/api/command", {
        method: "POST", credentials: "same-origin", cache: "no-store", keepalive: Boolean(how && how.keepalive), headers: headers, body: JSON.stringify(fields)
      });
    });
  }

  // Where looking on takes the PIN and the session has ended, it is asked for again.
  function ask() {
    fetch("/api/me", { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      return answer.json();
    }).then(function (me) {
      if (me.may_read === false) { location.replace("/enter?next=" + encodeURIComponent(location.pathname)); }
    }).catch(function () {});
  }

  // A browser has six connections to a host, and a stream keeps one: one window has the stream and passes on what comes to all the others.
  // Each listens; whoever hears of no window that leads has the stream itself. Of two that lead the older one goes on. Only windows that are seen lead.
  var LEAD_MS = 1000, LEADERLESS_MS = 2500, ANSWER_MS = 120, AGAIN_MS = 5000;
  var me = Date.now() + "-" + Math.random(), running = false, source = null, opened = 0, leads = false, beaten = 0, leader = null, ledAt = 0, patience = 0;
  var say = channel("referee-stream-" + document.documentElement.lang, listen);

  // A way to the other windows: gives what sends, or null where there is none. Older browsers tell each other of what they store.
  function channel(name, listener) {
    var made;
    try {
      if (window.BroadcastChannel) {
        made = new BroadcastChannel(name);
        made.onmessage = function (event) { listener(event.data); };
        return function (told) { made.postMessage(told); };
      }
      localStorage.removeItem(name);
    } catch (barred) { return null; }
    window.addEventListener("storage", function (event) { if (event.key === name && event.newValue) { listener(JSON.parse(event.newValue)); } });
    return function (told) {
      try { localStorage.setItem(name, JSON.stringify(told)); localStorage.removeItem(name); } catch (full) { /* the others have streams of their own */ }
    };
  }

  function tell(kind, told) {
    if (!say) { return; }
    told = told || {};
    told.kind = kind;
    told.from = me;
    say(told);
  }

  function receive(name, data, id) { if (name === "alive") { ticked(data); } else { take(data, id); } }

  // All that is known here, as the server would tell it.
  function whole() {
    var all = {};
    Object.keys(parts).forEach(function (name) { all[name] = parts[name]; });
    Object.keys(failures).forEach(function (name) { if (name) { all[name] = { failed: failures[name] }; } });
    return JSON.stringify({ n: number, parts: all });
  }

  // What another window tells.
  function listen(told) {
    var follows = running && !leads;
    if (told.kind === "ask" && leads) {
      tell("lead");
      if (last) { tell("state", { to: told.from, id: last, data: told.last === last ? null : whole(), up: up }); }
    } else if (told.kind === "lead" || told.kind === "event") {
      if (leads && told.from > me) { lead(); return; }
      if (leads) { follow(); }
      leader = told.from;
      ledAt = performance.now();
      if (told.kind === "event" && follows) { passed(told); }
    } else if (told.kind === "state" && told.to === me && follows && told.up) {
      if (told.data !== null) { take(told.data, told.id); } else { heard(); }
    } else if (told.kind === "down" && told.from === leader) {
      up = false;
    } else if (told.kind === "bye" && told.from === leader) {
      leader = null;
      up = false;
      wait(Math.random() * ANSWER_MS);
    }
  }

  // One event of the stream that another window has. Whoever lacks what came before it asks for everything.
  function passed(told) {
    if (told.name !== "alive" && told.id === last) { heard(); }
    else if (told.name !== "changes" || told.before === last) { receive(told.name, told.data, told.id); }
    else { tell("ask", { last: last }); }
  }

  function wait(ms) { setTimeout(function () { if (running && !leads && leader === null) { lead(); } }, ms); }

  // Have the stream, or tell that this is so.
  function lead() {
    leads = true;
    leader = null;
    beaten = performance.now();
    tell("lead");
    if (source === null) { connect(); }
  }

  function follow() {
    leads = false;
    if (source) { source.close(); source = null; }
  }

  function connect() {
    var made = source = new EventSource("/api/stream?lang=" + document.documentElement.lang + "&since=" + encodeURIComponent(last));
    opened = performance.now();
    ["snapshot", "changes", "alive"].forEach(function (name) {
      made.addEventListener(name, function (event) {
        var before = last;
        if (source !== made) { return; }
        receive(name, event.data, event.lastEventId);
        tell("event", { name: name, data: event.data, id: event.lastEventId, before: before });
      });
    });
    made.onerror = function () {
      if (source !== made) { return; }
      up = false;
      tell("down");
      // A browser gives up after an answer that is no stream: then we try again.
      if (made.readyState === 2) { made.close(); setTimeout(function () { if (source === made) { connect(); } }, AGAIN_MS); ask(); }
    };
  }

  function open() {
    if (running || document.hidden || !listeners.length) { return; }
    running = true;
    quiet = looked = ledAt = performance.now();
    patience = LEADERLESS_MS + Math.random() * LEAD_MS;
    leader = null;
    if (say) { tell("ask", { last: last }); wait(ANSWER_MS); } else { lead(); }
    synchronise(5);
  }

  function close() {
    if (leads) { tell("bye"); }
    running = up = false;
    follow();
  }

  // A leader says that it is there, and connects anew where nothing comes: not every way notices that it has ended.
  function watch() {
    var now = performance.now();
    if (leads && now - beaten >= LEAD_MS) { beaten = now; tell("lead"); }
    if (leads && source.readyState !== 2 && now - Math.max(quiet, opened) > CUT_MS) { source.close(); connect(); }
    if (running && !leads && now - ledAt > patience) { lead(); }
    show();
  }

  document.addEventListener("visibilitychange", function () {
    if (document.hidden) { close(); } else { best = Infinity; open(); }
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  setInterval(watch, 250);
  setInterval(function () { if (running) { best = Infinity; synchronise(3); } }, 60000);

  function on(names, run) { listeners.push({ names: names, run: run }); }

  // Whatever changes: called with just that.
  function all(run) { listeners.push({ names: null, run: run }); }

  function element(name, attributes, children) {
    var made = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      var value = attributes[key];
      if (key === "text") { made.textContent = value; }
      else if (value !== null && value !== undefined && value !== false) { made.setAttribute(key, value === true ? "" : value); }
    });
    (children || []).forEach(function (child) { if (child) { made.appendChild(child); } });
    return made;
  }

  function empty(box) { while (box.firstChild) { box.removeChild(box.firstChild); } return box; }

  function tile(face, extra) {
    return element("span", { class: "tile ink-" + (face.colour || "back") + (extra ? " " + extra : ""), role: "img", "aria-label": face.name, title: face.name }, [
      element("span", { class: "sign", text: face.sign, "aria-hidden": "true" }),
      element("span", { class: "letters", text: face.letters, "aria-hidden": "true" })
    ]);
  }

  document.addEventListener("DOMContentLoaded", function () {
    // A page may have the choice twice, in its header and in its text.
    Array.prototype.forEach.call(document.querySelectorAll(".languages"), function (form) {
      form.addEventListener("change", function () { form.submit(); });
      form.querySelector("button").hidden = true;
    });
    open();
  });

  // Points with their sign, a true minus; `written` is how they are written without it, where that is not plain.
  function signed(points, written) {
    return (points > 0 ? "+" : points < 0 ? "\u2212" : "") + (written === undefined ? Math.abs(points) : written);
  }

  // Dates and times as the referee writes them in the page's language, whatever the browser's country does: 27 November 2026 and 15:42.
  // The first of a month is an ordinal number in French and Italian.
  function date(at, short) {
    var language = document.documentElement.lang, how = short ? { day: "numeric", month: "long" } : { day: "numeric", month: "long", year: "numeric" };
    return at.toLocaleDateString(language === "en" ? "en-GB" : language, how).replace(/^1(?=\s)/, { fr: "1er", it: "1º" }[language] || "1");
  }

  function two(number) { return (number < 10 ? "0" : "") + number; }

  function time(at, seconds) { return two(at.getHours()) + ":" + two(at.getMinutes()) + (seconds ? ":" + two(at.getSeconds()) : ""); }

  function moment(at) { return date(at) + ", " + time(at); }

  // Between a word and what it is about; French leaves a blank before a colon.
  function colon() { return document.documentElement.lang === "fr" ? "\u00a0: " : ": "; }

  // Scrolls a frame so far that a place of what it holds, in pixels, is in sight.
  function keepInSight(frame, x, y) {
    if (x < frame.scrollLeft || x > frame.scrollLeft + frame.clientWidth) { frame.scrollLeft = x - frame.clientWidth / 2; }
    if (y < frame.scrollTop || y > frame.scrollTop + frame.clientHeight) { frame.scrollTop = y - frame.clientHeight / 2; }
  }

  function connected() { return up; }

  var api = { on: on, all: all, element: element, empty: empty, tile: tile, colon: colon, date: date, time: time, moment: moment, signed: signed, keepInSight: keepInSight, clock: clock, doubt: doubt, connected: connected, command: command, number: function () { return number; }, parts: parts };
  return api;
})();
