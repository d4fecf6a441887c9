"""Checks 2, 3, 5, 7 and 9: the camera at power-on, when it is lost, when it is opened often, and what it sees."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from referee.devices.camera.camera import Camera
from referee.doctor.finding import Finding, sentence
from referee.doctor.first.bench import Bench, Lacking, Left, attention, call_within, ok, wrong
from referee.doctor.seeing import DARK, focus
from referee.doctor.view import View, measure_view
from referee.errors import CameraLost
from referee.i18n.wording import count
from referee.vision.geometry.markers import NEEDED
from referee.vision.sighting import Image

PLACES = ("top left", "top right", "bottom right", "bottom left")
"""The places of the markers, by their numbers, as the record names them."""
DARK_EXPOSURES_MS = (0.0, 50.0)
"""Exposures in the dark: 0 is measured by the camera, and 50 ms is the longest that anybody sets. An autofocus scan
takes longest then."""
BRIGHT = 250.0
LAMP_S = 3.0
SLOW_OPENING_S = 10.0
LEAKED = 3
"""How many more descriptors may be open after many openings: a library may keep one or two for good."""


def power_on(bench: Bench) -> Finding:
    """Check the camera over bare dark cloth without light, then with the lamp on and the markers laid."""
    dark = [_opened_in_the_dark(bench, exposure) for exposure in DARK_EXPOSURES_MS]
    figures: dict[str, Any] = {"dark": dark, **_since_boot(bench)}
    seen: list[dict[str, Any]] = []
    with closing(bench.open_camera()) as camera, suppress(Left):  # what was measured in the dark is worth keeping
        bench.hands.wait_until_done(
            "Lay the four markers, then switch the lamp on and press Enter at the same moment."
        )
        seen = _watch_markers(bench, camera)
    figures["lamp"] = seen
    right = next((one["s"] for one in seen if one["markers"] >= NEEDED and DARK <= one["white"] < BRIGHT), None)
    figures["right_after_s"] = right
    do = "Send the record; [camera] focus_m and exposure_ms help meanwhile."
    if lost := [one for one in dark if "lost" in one]:
        return wrong("power-on", f"In the dark the camera does not open: {lost[0]['lost']}", do, **figures)
    if right is None or right > LAMP_S:
        after = f"only after {right:.1f} s" if right is not None else f"not within {bench.effort.lamp_s:g} s"
        return wrong("power-on", f"With the lamp on the picture is right {after}.", do, **figures)
    return ok("power-on", f"With the lamp on the picture is right after {right:.1f} s.", **figures)


def _opened_in_the_dark(bench: Bench, exposure_ms: float) -> dict[str, Any]:
    settings = bench.settings.camera
    chosen = replace(settings, exposure_ms=exposure_ms or settings.exposure_ms)
    began = bench.now()
    try:
        with closing(bench.open_camera(chosen)) as camera:
            ready = bench.now()
            picture = camera.frame(ready).picture
            return {"exposure_ms": chosen.exposure_ms, "opening_s": round(ready - began, 2), **known_of(camera),
                    "picture_s": round(bench.now() - ready, 2), "grey": round(float(picture.mean()), 1)}  # fmt: skip
    except CameraLost as lost:
        return {"exposure_ms": chosen.exposure_ms, "lost": sentence(lost), "after_s": round(bench.now() - began, 2)}


def _watch_markers(bench: Bench, camera: Camera) -> list[dict[str, Any]]:
    """Return how many markers are seen and how grey their paper is, picture by picture, from now on."""
    began, found = bench.now(), []
    while (at := bench.now()) - began < bench.effort.lamp_s:
        view = _view(bench, camera.frame(at).picture)
        whites = [one.white for one in (view.patches or {}).values()]
        white = round(min(whites), 1) if whites else 0.0
        found.append({"s": round(bench.now() - began, 2), "markers": len(view.markers), "white": white})
    return found


def _since_boot(bench: Bench) -> dict[str, Any]:
    """Return how long the service took from power-on, and its messages about the camera, as far as readable."""
    said = bench.machine.ask(["systemctl", "show", "referee.service", "--property=ActiveEnterTimestampMonotonic"])
    digits = (said or "").strip().partition("=")[2]
    log = bench.machine.ask(["journalctl", "--unit", "referee", "--boot", "--output", "short-monotonic", "--no-pager"])
    lines = [line for line in (log or "").splitlines() if "camera" in line.lower()]
    ready = round(int(digits) / 1e6, 1) if digits.isdigit() and int(digits) else None
    return {"boot_to_ready_s": ready, "said": lines[-20:]}


def known_of(camera: Camera) -> dict[str, Any]:
    """Return what a camera says it has locked, and what it could not do."""
    locked: Mapping[str, Any] = getattr(camera, "locked", None) or {}
    plain = {name: _plain(value) for name, value in locked.items()}
    return {"locked": plain, "notices": [one.found for one in getattr(camera, "notices", ())]}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if isinstance(value, (bool, int, str)) else round(float(value), 4)


def ribbon(bench: Bench) -> Finding:
    """Have the ribbon pulled while pictures come.

    Check whether that is noticed, whether closing ends, and whether the camera comes back.
    """
    effort, camera = bench.effort, bench.open_camera()
    bench.hands.tell(f"Pictures come now. Pull the ribbon out at the camera, within {effort.patience_s:.0f} s.")
    began = bench.now()

    def watch() -> None:
        while bench.now() - began < effort.patience_s:
            camera.preview(bench.now())

    ended, error = call_within(watch, effort.patience_s + effort.hung_s)
    figures: dict[str, Any] = {"noticed_s": round(bench.now() - began, 2)}
    closing_since = bench.now()
    closed, _ = call_within(camera.close, effort.hung_s)
    figures |= {"closed": closed, "closing_s": round(bench.now() - closing_since, 2)}
    if not (ended and closed):
        text = "The camera hangs in the kernel, and no program can end that."
        return wrong("ribbon", text, "Pull the plug; then send the record.", **figures, hangs=_stuck_threads(bench))
    if error is None:
        text = f"Pictures came for {effort.patience_s:.0f} s: the ribbon was not pulled, or not noticed."
        return attention("ribbon", text, "Take it up again, and pull the ribbon while pictures come.", **figures)
    figures |= {"told": sentence(error), "kind": str(getattr(error, "kind", type(error).__name__))}
    try:
        bench.hands.wait_until_done("Put the ribbon back at the camera; or answer s and why.")
    except Left as reason:
        return ok("ribbon", f"The loss was noticed; it was not put back: {reason}.", **figures)
    began = bench.now()
    ended, again = call_within(lambda: bench.open_camera().close(), effort.hung_s)
    back = ended and not isinstance(again, Exception)
    figures |= {"back": back, "reopening_s": round(bench.now() - began, 2)}
    if not back:
        figures["not_back"] = sentence(again) if ended else "hangs"
        text = "The loss was noticed, but the camera does not come back without a restart."
        return attention("ribbon", text, "Restart the Pi; then send the record.", **figures)
    return ok("ribbon", "The loss was noticed, and the camera came back.", **figures)


def _stuck_threads(bench: Bench) -> list[str]:
    """Return the threads of this program that the kernel does not release, and the functions in which they wait."""
    root, found = bench.machine.root / "proc/self/task", []
    for task in sorted(root.iterdir()) if root.is_dir() else ():
        place = f"proc/self/task/{task.name}"
        state = bench.machine.text(f"{place}/stat").rpartition(")")[2].split()
        if state[:1] == ["D"]:
            found.append(f"{bench.machine.text(f'{place}/comm')}: {bench.machine.text(f'{place}/wchan')}")
    return found


def corners(bench: Bench) -> Finding:
    """Measure how sharp every marker is, and where the lens stands."""
    with closing(bench.open_camera()) as camera:
        view, known = _view(bench, camera.frame(bench.now()).picture), known_of(camera)
    patches = _patches(view)
    each = {PLACES[i]: {"edge_mm": round(one.edge_mm, 2), "edge_px": round(one.edge_px, 2)} for i, one in
            patches.items()}  # fmt: skip
    found = focus(patches)
    return replace(found, figures={**found.figures, "corners": each, **known})


def check_reopening(bench: Bench) -> Finding:
    """Close and open the camera many times. Each time a picture must come, and no files may stay open."""
    bench.open_camera().close()  # after the first time, everything that a library keeps for good is there
    before, failed, taken = _descriptors(bench), [], []
    for _ in range(bench.effort.reopenings):
        began = bench.now()
        try:
            with closing(bench.open_camera()) as camera:
                camera.frame(bench.now())
        except CameraLost as lost:
            failed.append(sentence(lost))
        taken.append(bench.now() - began)
    after = _descriptors(bench)
    figures = {"openings": len(taken), "failed": len(failed), "why": sorted(set(failed))[:5],
               "median_s": round(statistics.median(taken), 2), "worst_s": round(max(taken), 2),
               "descriptors": [before, after], "resident_mb": _resident_mb(bench)}  # fmt: skip
    text = f"Of {count(len(taken), 'opening')} {len(failed)} failed; the slowest took {max(taken):.1f} s"
    if failed or after - before > LEAKED:
        return wrong("reopening", f"{text}; {after - before} files more are open.", "Send the record.", **figures)
    if max(taken) > SLOW_OPENING_S:
        return attention("reopening", f"{text}.", "Send the record.", **figures)
    return ok("reopening", f"{text}.", **figures)


def _descriptors(bench: Bench) -> int:
    folder = bench.machine.root / "proc/self/fd"
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


def _resident_mb(bench: Bench) -> int | None:
    words = bench.machine.text("proc/self/status").partition("VmRSS:")[2].split()
    return int(words[0]) // 1000 if words else None


def colours(bench: Bench) -> Finding:
    """Measure how far apart the inks on the table are in this light, after the camera has locked its colours."""
    with closing(bench.open_camera()) as camera:
        picture, known = camera.frame(bench.now()).picture, known_of(camera)
    patches = _patches(_view(bench, picture))
    table_mm = (bench.settings.table.width_mm, bench.settings.table.height_mm)
    sighting = bench.reader(2).read(picture, None, table_mm)
    papers = {PLACES[i]: [round(level, 1) for level in one.paper] for i, one in patches.items()}
    tiles = [{"tile": one.name, "doubtful": one.doubtful, "confidence": round(one.confidence, 6),
              "alternatives": [name for name, _ in one.alternatives[:2]],
              "absorbed": None if one.absorbed is None else [round(float(share), 3) for share in one.absorbed]}
             for one in sighting.reads]  # fmt: skip
    inks = Counter(str(one.tile.colour) for one in sighting.reads if one.tile is not None and not one.tile.is_joker)
    doubts = [one for one in sighting.reads if one.doubtful]
    figures = {"tileset": sighting.tileset, "inks": dict(inks), "doubtful": len(doubts), "tiles": tiles,
               "paper_bgr": papers, "apart": _ink_distance(tiles), **known}  # fmt: skip
    if not {"red", "orange"} <= set(inks):
        missing = " and ".join(sorted({"red", "orange"} - set(inks)))
        text = f"No tile was read as {missing}: red and orange are what this check is about."
        return attention("colours", text, "Lay all red and all orange tiles, then take it up again.", **figures)
    text = f"{inks['red']} red and {inks['orange']} orange tiles were read, {len(doubts)} tiles in doubt."
    if doubts:
        return attention("colours", text, "Send the record, with a picture of the table if you like.", **figures)
    return ok("colours", f"{text} Look whether it is right, and say so.", **figures)


def _ink_distance(tiles: list[dict[str, Any]]) -> float | None:
    """Return the distance of the mean red ink from the mean orange one, in shares of light absorbed."""
    middles = []
    for colour in ("red", "orange"):
        seen = [one["absorbed"] for one in tiles if one["tile"].startswith(f"{colour}-") and one["absorbed"]]
        if not seen:
            return None
        middles.append(np.mean(seen, axis=0))
    return round(float(np.linalg.norm(middles[0] - middles[1])), 3)


def _view(bench: Bench, picture: Image) -> View:
    return measure_view(picture, (bench.settings.table.width_mm, bench.settings.table.height_mm))


def _patches(view: View) -> Mapping[int, Any]:
    if not view.patches:
        raise Lacking(
            "None of the four markers can be seen, and they are what is measured.", "Lay them, and light them."
        )
    return view.patches
