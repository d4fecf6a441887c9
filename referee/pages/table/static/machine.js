// The page of the machine: each button asks for one thing, and says in its part of the page what became of it.
"use strict";

var Machine = (function () {
  function byId(name) { return document.getElementById(name); }
  function all(selector) { return [].slice.call(document.querySelectorAll(selector)); }

  function say(box, text, well) {
    box.textContent = text;
    box.className = well ? "answer" : "answer failed";
    box.hidden = false;
  }

  // Posts and says the answer in the box; `done` is told whether it was carried out, and the status, 0 without an answer. What must be confirmed at the table is posted again with the id of that.
  function post(path, body, box, failed, done, confirmed) {
    var headers = { "Content-Type": "application/json" };
    if (confirmed) { headers["X-Confirmed"] = confirmed; }
    fetch(path, { method: "POST", credentials: "same-origin", cache: "no-store", headers: headers, body: JSON.stringify(body) }).then(function (answer) {
      return answer.json().then(function (told) {
        if (answer.status === 428 && !confirmed) {
          box.hidden = true;
          Presence.ask(answer.headers.get("X-Confirm"), box, function (id) { post(path, body, box, failed, done, id); }, function (text) {
            if (text) { say(box, text, false); }
            if (done) { done(false, 0); }
          });
          return;
        }
        say(box, told.told || told.error || failed, answer.ok);
        if (done) { done(answer.ok, answer.status); }
      });
    }).catch(function () {
      say(box, failed, false);
      if (done) { done(false, 0); }
    });
  }

  return { byId: byId, all: all, say: say, post: post };
})();

(function () {
  var part = Machine.byId("power-part"), NOT_SURE = 412;
  if (!part) { return; }

  // One question at a time; the focus goes to it, and back to its button.
  function ask(how) {
    ["off", "restart"].forEach(function (one) { Machine.byId("sure-" + one).hidden = one !== how; });
    if (how) { part.querySelector("#sure-" + how + " [data-end]").focus(); }
  }

  Machine.all("[data-ask]").forEach(function (button) {
    button.addEventListener("click", function () { ask(button.dataset.ask); });
  });
  Machine.all("[data-leave]").forEach(function (button) {
    button.addEventListener("click", function () {
      var how = button.closest(".sure").id.replace("sure-", "");
      ask("");
      part.querySelector("[data-ask=" + how + "]").focus();
    });
  });
  Machine.all("[data-end]").forEach(function (button) {
    button.addEventListener("click", function () {
      Machine.all("#power-part button").forEach(function (one) { one.disabled = true; });
      Machine.post("/api/machine/power", { how: button.dataset.end, sure: part.dataset.sure === "yes" }, Machine.byId("power-answer"), part.dataset.failed, function (well, status) {
        // A match that began after the page was opened is told now, and the question stays: a second tap is sure.
        if (well) { ask(""); } else if (status === NOT_SURE) { part.dataset.sure = "yes"; }
        Machine.all("#power-part button").forEach(function (one) { one.disabled = well; });
      });
    });
  });
})();

(function () {
  var part = Machine.byId("clock-part"), DIFFERS_MS = 60000, loaded = Date.now(), zone, answer, failed;
  if (!part) { return; }
  answer = Machine.byId("clock-answer");
  failed = part.dataset.failed;

  // What the phone's clock says, in the language of the page.
  function when() {
    return Referee.moment(new Date());
  }

  // What the page said of the time is no longer so.
  function forget() {
    Machine.byId("clock-now").hidden = true;
    Machine.all("[data-check$=clock]").forEach(function (one) { one.remove(); });
    Machine.all(".troubles-list").forEach(function (list) { list.hidden = !list.children.length; });
  }

  // The phone's time is offered where the machine's is a guess or the two clocks differ, and its zone where that is another one which can be chosen.
  (function () {
    var button = Machine.byId("phone-time");
    if (!button || !button.dataset.guess && Math.abs(loaded - 1000 * parseFloat(part.dataset.at)) < DIFFERS_MS) { return; }
    button.textContent = button.dataset.text.replace("{when}", when());
    button.hidden = false;
    button.addEventListener("click", function () {
      Machine.post("/api/machine/clock", { at: Date.now() / 1000 }, answer, failed, function (well) {
        button.hidden = well;
        if (well) { forget(); }
      });
    });
  })();

  function choose(name) {
    Machine.post("/api/machine/zone", { zone: name }, answer, failed, function (well) {
      if (!well) { return; }
      Machine.byId("zone").value = name;
      Machine.byId("clock-now").hidden = true;
      Machine.byId("phone-zone").hidden = true;
    });
  }

  try { zone = Intl.DateTimeFormat().resolvedOptions().timeZone; } catch (none) { zone = ""; }
  Machine.byId("set-zone").addEventListener("click", function () { choose(Machine.byId("zone").value); });
  if (zone && zone !== part.dataset.zone && part.querySelector('option[value="' + zone.replace(/[^\w/+-]/g, "") + '"]')) {
    Machine.byId("phone-zone").textContent = Machine.byId("phone-zone").dataset.text.replace("{zone}", zone);
    Machine.byId("phone-zone").hidden = false;
    Machine.byId("phone-zone").addEventListener("click", function () { choose(zone); });
  }
})();

(function () {
  var part = Machine.byId("network-part"), AGAIN_MS = 2000, list, answer, words, chosen = null;
  if (!part) { return; }
  list = Machine.byId("wifi-list");
  answer = Machine.byId("network-answer");
  words = part.dataset;

  function choose(network, button) {
    var form = Machine.byId("join"), field = Machine.byId("wifi-password");
    chosen = network;
    [].forEach.call(list.querySelectorAll("button"), function (one) { one.setAttribute("aria-pressed", one === button ? "true" : "false"); });
    form.hidden = false;
    field.value = "";
    field.parentNode.hidden = !network.locked;
    part.querySelector("label[for=wifi-password]").textContent = words.password.replace("{name}", function () { return network.name; });
    Machine.byId("wifi-known").hidden = !network.known;
    Machine.byId("join-it").textContent = words.join.replace("{name}", function () { return network.name; });
    (network.locked ? field : Machine.byId("join-it")).focus();
  }

  function show(networks) {
    Referee.empty(list);
    networks.forEach(function (network) {
      var button = Referee.element("button", { type: "button", "aria-pressed": "false" }, [
        Referee.element("span", { text: network.name }), Referee.element("small", { text: network.text })
      ]);
      button.addEventListener("click", function () { choose(network, button); });
      list.appendChild(Referee.element("li", {}, [button]));
    });
    list.hidden = false;
    if (networks.length) { list.querySelector("button").focus(); } else { Machine.say(answer, words.none, false); }
  }

  Machine.byId("find-wifi").addEventListener("click", function () {
    var button = Machine.byId("find-wifi");
    button.disabled = true;
    Machine.say(answer, words.looking, true);
    fetch("/api/machine/networks", { credentials: "same-origin", cache: "no-store" }).then(function (told) {
      return told.json().then(function (found) {
        button.disabled = false;
        if (!told.ok) { Machine.say(answer, found.told || words.failed, false); return; }
        answer.hidden = true;
        button.setAttribute("aria-expanded", "true");
        show(found.networks);
      });
    }).catch(function () {
      button.disabled = false;
      Machine.say(answer, words.failed, false);
    });
  });

  // Meanwhile the page may be out of reach, because this phone is in the other network: it is asked for again and again.
  function watch() {
    setTimeout(function () {
      fetch("/api/machine/joined", { credentials: "same-origin", cache: "no-store" }).then(function (told) { return told.json(); }).then(function (state) {
        if (state.busy) { watch(); } else if (state.told) { Machine.say(answer, state.told, state.well); Machine.byId("used").hidden = state.well; }
      }).catch(watch);
    }, AGAIN_MS);
  }

  Machine.byId("join").addEventListener("submit", function (event) {
    var field = Machine.byId("wifi-password"), password = field.value;
    event.preventDefault();
    field.value = "";
    Machine.post("/api/machine/wifi", { name: chosen.name, password: chosen.locked ? password : "" }, answer, words.failed, function (well) {
      if (!well) { return; }
      Machine.byId("join").hidden = true;
      list.hidden = true;
      Machine.byId("find-wifi").setAttribute("aria-expanded", "false");
      watch();
    });
  });
})();

(function () {
  var button = Machine.byId("change-mode");
  if (!button) { return; }
  button.addEventListener("click", function () {
    button.disabled = true;
    Machine.post("/api/machine/safe", { on: button.dataset.on === "yes" }, Machine.byId("safe-answer"), Machine.byId("safe-part").dataset.failed, function (well) { button.disabled = well; });
  });
})();

(function () {
  var part = Machine.byId("pin-part"), form = Machine.byId("set-pin"), button = Machine.byId("drop-pin");
  if (!part) { return; }

  function send(pin, done) { Machine.post("/api/machine/pin", { pin: pin }, Machine.byId("pin-answer"), part.dataset.failed, done); }

  if (form) {
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      send(Machine.byId("pin").value, function (well) { form.hidden = well; Machine.byId("pin-about").hidden = well; });
    });
  } else {
    button.addEventListener("click", function () { send("", function (well) { button.disabled = well; }); });
  }
})();

(function () {
  var AGAIN_MS = 1500, LATEST_MS = 90000, form = Machine.byId("do-reset"), button = Machine.byId("ask-reset");
  if (!form) { return; }

  function show(shown) {
    form.hidden = !shown;
    button.setAttribute("aria-expanded", shown ? "true" : "false");
    (shown ? Machine.byId("reset-word") : button).focus();
  }

  // The referee starts again meanwhile: once it has been silent and answers, the first page is opened anew.
  function wait(silent, until) {
    setTimeout(function () {
      fetch("/api/me", { credentials: "same-origin", cache: "no-store" }).then(function () {
        if (silent || Date.now() > until) { location.replace("/"); } else { wait(false, until); }
      }).catch(function () { wait(true, until); });
    }, AGAIN_MS);
  }

  button.addEventListener("click", function () { show(form.hidden); });
  Machine.byId("leave-reset").addEventListener("click", function () { show(false); });
  form.addEventListener("submit", function (event) {
    var body = { word: Machine.byId("reset-word").value, backups: Machine.byId("reset-backups").checked };
    event.preventDefault();
    Machine.post("/api/machine/reset", body, Machine.byId("reset-answer"), Machine.byId("reset-part").dataset.failed, function (well) {
      if (!well) { return; }
      form.hidden = true;
      button.disabled = true;
      wait(false, Date.now() + LATEST_MS);
    });
  });
})();
