// Sends questions and pictures to the coach; a picture is made smaller before.
"use strict";

var CoachRead = (function () {
  var LONGEST_PX = 2600, QUALITY = 0.9, MOST_BYTES = 8e6, words = document.getElementById("ask").dataset;

  // `done` gets what was answered, `failed` one sentence.
  function post(path, body, type, done, failed) {
    fetch(path, { method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": type }, body: body }).then(function (answer) {
      return answer.json().then(function (told) {
        if (answer.ok) { done(told); } else { failed(told.told || told.error || words.failed); }
      });
    }).catch(function () { failed(words.failed); });
  }

  function solve(question, done, failed) { post("/api/coach/solve", JSON.stringify(question), "application/json", done, failed); }

  function look(rules, done, failed) { post("/api/coach/look?rules=" + encodeURIComponent(rules), "{}", "application/json", done, failed); }

  function photo(file, rules, done, failed) {
    smaller(file, function (blob) {
      // What is too large even so is not sent: the referee would break off the connection.
      if (blob.size > MOST_BYTES) { failed(words.noPicture); return; }
      post("/api/coach/read?rules=" + encodeURIComponent(rules), blob, blob.type === "image/png" ? "image/png" : "image/jpeg", done, failed);
    });
  }

  // The picture upright and not larger than it is read; as it is where the browser cannot do that.
  function smaller(file, then) {
    if (!window.createImageBitmap) { then(file); return; }
    createImageBitmap(file, { imageOrientation: "from-image" }).then(function (bitmap) {
      var scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height)), canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(bitmap.width * scale));
      canvas.height = Math.max(1, Math.round(bitmap.height * scale));
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(function (blob) { then(blob || file); }, "image/jpeg", QUALITY);
    }).catch(function () { then(file); });
  }

  return { solve: solve, look: look, photo: photo };
})();
