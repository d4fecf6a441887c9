// A replay: links, arrow keys and swipes show another turn without loading the page anew, and a turn is passed on.
// Without this script the links load pages. Plain ES2015.
"use strict";

(function () {
  var FAR = 48; // pixels of a swipe; less is a tap, or a finger that rests
  var wanted = 0, touched = null;

  function byId(name) { return document.getElementById(name); }
  function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }

  // Show the turn of this address. Of several requests only the newest counts.
  function show(address, push) {
    var number = ++wanted;
    fetch(address, { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      if (!answer.ok) { throw new Error(answer.status); }
      return answer.text();
    }).then(function (text) {
      var page = new DOMParser().parseFromString(text, "text/html"), turn = page.getElementById("turn");
      if (number !== wanted) { return; }
      if (!turn) { throw new Error("no turn"); }
      if (push) { history.pushState(null, "", address); }
      put(document.adoptNode(turn), page);
    }).catch(function () {
      if (number === wanted) { location.assign(address); } // the browser says what is wrong
    });
  }

  // Put a turn in the place of the one that is shown; what had the focus has it again, and an open part stays open.
  function put(turn, page) {
    var old = byId("turn"), focus = old.contains(document.activeElement) ? document.activeElement : null;
    var relation = focus && focus.getAttribute("rel"), open = old.querySelector("details").open;
    turn.querySelector("details").open = open;
    old.parentNode.replaceChild(turn, old);
    document.title = page.title;
    byId("turned").textContent = turn.querySelector("h1").textContent + ". " + turn.querySelector(".where").textContent;
    if (focus) { (relation && turn.querySelector("a[rel=" + relation + "]") || turn.querySelector("h1")).focus(); }
    follow(page);
    offer();
  }

  // The strip marks the turn that is shown. If turns were played meanwhile, it is replaced.
  function follow(page) {
    var strip = document.querySelector(".strip"), fresh = page && page.querySelector(".strip");
    if (fresh && fresh.querySelectorAll("a").length !== strip.querySelectorAll("a").length) {
      strip.parentNode.replaceChild(document.adoptNode(fresh), strip);
    } else if (fresh) {
      var now = fresh.querySelector("[aria-current]");
      all(".strip a").forEach(function (link) {
        if (link.getAttribute("href") === now.getAttribute("href")) { link.setAttribute("aria-current", "true"); } else { link.removeAttribute("aria-current"); }
      });
    }
    centre();
  }

  function centre() {
    var strip = document.querySelector(".strip"), link = strip.querySelector("[aria-current]");
    if (!link) { return; }
    var box = link.getBoundingClientRect(), whole = strip.getBoundingClientRect();
    strip.scrollLeft += box.left + box.width / 2 - whole.left - whole.width / 2;
  }

  function turn(relation) {
    var link = document.querySelector("#turn a[rel=" + relation + "]");
    if (link) { show(link.href, true); }
    return Boolean(link);
  }

  function key(event) {
    var relation = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!relation || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { return; }
    if (turn(relation)) { event.preventDefault(); }
  }

  function click(event) {
    var link = event.target.closest("a"), button = event.target.closest("button");
    if (button && button.hasAttribute("data-copy")) { copy(byId(button.getAttribute("data-copy"))); }
    if (button && button.hasAttribute("data-share")) { passOn(); }
    if (!link || event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    if (link.origin === location.origin && link.pathname === location.pathname && link.search) {
      event.preventDefault();
      show(link.href, true);
    }
  }

  // One finger across the turn; two fingers enlarge it, and a finger that goes down scrolls.
  function begin(event) {
    var there = event.touches.length === 1 && event.target.closest("#turn") && !event.target.closest("input, textarea");
    touched = there ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
  }

  function end(event) {
    if (!touched || event.touches.length || !event.changedTouches.length) { return; }
    var x = event.changedTouches[0].clientX - touched.x, y = event.changedTouches[0].clientY - touched.y;
    touched = null;
    if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) { turn(x < 0 ? "next" : "prev"); }
  }

  // Browsers give pages without a certificate no clipboard; there the older way works, or one copies by hand.
  function copy(field) {
    var told = byId("copied");
    function tell(done) { told.textContent = told.getAttribute(done ? "data-done" : "data-by-hand"); }
    function mark() {
      field.focus();
      field.select();
      var done = false;
      try { done = document.execCommand("copy"); } catch (error) { done = false; }
      tell(done);
    }
    told.textContent = "";
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(field.value).then(function () { tell(true); }, mark);
    } else { mark(); }
  }

  function passOn() {
    navigator.share({ text: byId("text").value.trim() }).catch(function () { /* closed without a choice */ });
  }

  function offer() {
    all("[data-copy]").forEach(function (button) { button.hidden = false; });
    all("[data-share]").forEach(function (button) { button.hidden = !navigator.share; });
  }

  document.addEventListener("DOMContentLoaded", function () {
    byId("arrows").hidden = false;
    document.addEventListener("keydown", key);
    document.addEventListener("click", click);
    document.addEventListener("touchstart", begin, { passive: true });
    document.addEventListener("touchend", end, { passive: true });
    window.addEventListener("popstate", function () { show(location.href, false); });
    offer();
    centre();
  });
})();
