"""Checks 4 and 6: the time for reading a full table and from press to lamp, heat over hours, and stray edges.

Stray edges are those that come without a press.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import pairwise
from queue import Empty, SimpleQueue
from typing import Any

from referee.devices.camera.camera import Camera
from referee.devices.panel.debounce import Debouncer, Down
from referee.devices.panel.lights import Glow, Lights
from referee.devices.panel.panel import SILENCE, Panel
from referee.doctor.camera import SLOW_READ_S
from referee.doctor.finding import Finding, Result, sentence
from referee.doctor.first.bench import REAL_CAMERAS, Bench, Lacking, attention, ok, wrong
from referee.doctor.machine import HOT_C, heat, power
from referee.errors import CameraLost, CannotJudge
from referee.i18n.wording import count

LAMP_MS, VERDICT_MS = 50.0, 3000.0
SLOWER = 1.25
"""The factor by which a read may take longer at the end than at the beginning. Beyond it, the processor was slowed
down."""
NOISE = ((880.0, 0.2), (None, 0.05), (1760.0, 0.2), (None, 0.05))
STEP_S = 0.05
"""Seconds between changes of the bar while edges are counted; lamps in a real match change far less often."""
PREVIEW_EVERY_S = 0.25


def reading(bench: Bench) -> Finding:
    """Read a rendered full table, always the same, on one, two and four threads; and the table in view, if any."""
    table, by_threads = bench.full_table(), {}
    right = 0
    for threads in bench.effort.threads:
        reader, taken = bench.reader(threads), []
        for _ in range(bench.effort.looks):
            began = bench.now()
            sighting = reader.read(table.picture, table.tileset, table.table_mm)
            taken.append(1e3 * (bench.now() - began))
        warm = taken[1:] or taken
        by_threads[str(threads)] = {"median_ms": round(statistics.median(warm), 1), "worst_ms": round(max(warm), 1),
                                    "first_ms": round(taken[0], 1)}  # fmt: skip
        right = sum((Counter(table.tiles) & Counter(one.name for one in sighting.reads)).values())
    best = min(one["median_ms"] for one in by_threads.values())
    figures = {"tiles": len(table.tiles), "right": right, "threads": by_threads, "in_view": _in_view(bench)}
    each = ", ".join(f"{one['median_ms']:.0f} ms on {name}" for name, one in by_threads.items())
    text = f"A table of {len(table.tiles)} tiles is read in {each} threads, {right} of them right"
    if right < len(table.tiles):
        return wrong("reading", f"{text}.", "Install the program again; then send the record.", **figures)
    if best > 1e3 * SLOW_READ_S:
        return attention("reading", f"{text}: slow.", "A Pi 4 or 5 is wanted; send the record.", **figures)
    return ok("reading", f"{text}.", **figures)


def _in_view(bench: Bench) -> dict[str, Any] | None:
    """Read the table that the camera sees now; return None if no camera is free."""
    if bench.settings.camera.kind not in REAL_CAMERAS or bench.holder() is not None:
        return None
    try:
        with closing(bench.open_camera()) as camera:
            picture = camera.frame(bench.now()).picture
        began = bench.now()
        table_mm = (bench.settings.table.width_mm, bench.settings.table.height_mm)
        sighting = bench.reader(2).read(picture, None, table_mm)
    except (CameraLost, CannotJudge) as error:
        return {"why_not": sentence(error)}
    return {
        "tiles": len(sighting.reads),
        "doubtful": len(sighting.doubts),
        "ms": round(1e3 * (bench.now() - began), 1),
    }


def measure_presses(bench: Bench) -> Finding:
    """Measure the time from the edge of a press to the amber lamp, and to a verdict lamp.

    The verdict follows a look without reading ahead.
    """
    pins, presses = bench.pin_map(), bench.effort.presses
    edges: SimpleQueue[tuple[str, float]] = SimpleQueue()
    reader, table, camera = bench.reader(2), bench.full_table(), _camera(bench)
    amber: list[float] = []
    verdict: list[float] = []
    panel = bench.panel(lambda contact, closed, at: edges.put((contact, at)) if closed else None)
    try:
        bench.hands.tell(f"Press any player's button {count(presses, 'time')}, each after the green lamp went out.")
        while len(amber) < presses:
            try:
                contact, at = edges.get(timeout=bench.effort.patience_s)
            except Empty:
                break
            if contact not in pins.contacts:
                continue
            panel.show(Lights(amber=Glow.ON))
            amber.append(1e3 * (bench.now() - at))
            picture = table.picture if camera is None else camera.frame(at).picture
            with suppress(CannotJudge):  # a table without markers: the time counts all the same
                reader.read(picture, table.tileset, table.table_mm)
            panel.show(Lights(green=Glow.ON))
            verdict.append(1e3 * (bench.now() - at))
            bench.wait(0.5)
            _empty_queue(edges)  # bounces of this press, and presses that came too early
            panel.show(Lights())
    finally:
        panel.close()
        if camera is not None:
            camera.close()
    if not amber:
        raise Lacking(f"No button was heard within {bench.effort.patience_s:.0f} s.", "Try referee doctor --panel.")
    figures = {"presses": len(amber), "camera": camera is not None, "amber_ms": _spread(amber),
               "verdict_ms": _spread(verdict)}  # fmt: skip
    text = (
        f"Pressed {count(len(amber), 'time')}: the amber lamp was lit within {max(amber):.1f} ms,"
        f" a verdict within {max(verdict):.0f} ms"
    )
    if max(amber) > LAMP_MS or statistics.median(verdict) > VERDICT_MS:
        return attention("pressing", f"{text}: slow.", "Send the record.", **figures)
    return ok("pressing", f"{text}.", **figures)


def _camera(bench: Bench) -> Camera | None:
    """Open the camera and return it; None if there is none. Presses are measured without it, too."""
    try:
        return bench.open_camera()
    except (CameraLost, Lacking):
        return None


def _empty_queue(edges: SimpleQueue[tuple[str, float]]) -> None:
    while not edges.empty():
        edges.get_nowait()


def measure_heat(bench: Bench) -> Finding:
    """Look at a table as often as on an evening, for hours.

    The finding has the heat, the firmware's complaints and the times of the looks.
    """
    if heat(bench.machine).result is Result.SKIPPED:
        raise Lacking("This machine does not report how hot it is.")
    reader, table, camera = bench.reader(2), bench.full_table(), _camera(bench)
    samples: list[dict[str, Any]] = []
    cut = False
    began = bench.now()
    try:
        for minute in _minutes(bench, camera, began):
            before = bench.now()
            reader.read(table.picture, table.tileset, table.table_mm)
            samples.append({"minute": minute, "celsius": heat(bench.machine).figures.get("celsius"),
                            "throttled": power(bench.machine).figures.get("throttled"),
                            "read_ms": round(1e3 * (bench.now() - before), 1)})  # fmt: skip
    except KeyboardInterrupt:
        cut = True  # what was measured until then is worth keeping
    finally:
        if camera is not None:
            camera.close()
    if not samples:
        raise Lacking("It was cut short before anything was measured.")
    return _judge_samples(samples, cut)


def _minutes(bench: Bench, camera: Camera | None, began: float) -> Iterator[float]:
    """Yield the minutes that have passed, at intervals; in between the table is watched as in a match."""
    end, due = began + 60 * bench.effort.heat_minutes, began
    while (at := bench.now()) < end:
        if at >= due:
            due += bench.effort.look_every_s
            yield round((at - began) / 60, 2)
        elif camera is not None:
            camera.preview(at)
        bench.wait(PREVIEW_EVERY_S)


def _judge_samples(samples: list[dict[str, Any]], cut: bool) -> Finding:
    tail = max(1, len(samples) // 10)
    first, last = (statistics.median(one["read_ms"] for one in part) for part in (samples[:tail], samples[-tail:]))
    hottest = max(float(one["celsius"]) for one in samples)
    bits = {one["throttled"] for one in samples if one["throttled"]}
    minutes = samples[-1]["minute"]
    step = max(1, len(samples) // 180)  # a record that can be sent: three hours in one-minute steps
    figures = {"minutes": minutes, "cut_short": cut, "hottest_c": hottest, "throttled": sorted(bits),
               "read_ms": [first, last], "samples": samples[::step]}  # fmt: skip
    looks = f"a look took {first:.0f} ms, then {last:.0f}"
    text = f"After {minutes:.0f} minutes the hottest was {hottest:.0f} degrees; {looks}"
    if hottest >= HOT_C or last > SLOWER * first or any(int(one, 16) & 0xF for one in bits):
        do = "Give it air: a heat sink or a fan, out of the box; see the power supply."
        return attention("heat", f"{text}: it slows itself down.", do, **figures)
    return ok("heat", f"{text}.", **figures)


def edges(bench: Bench) -> Finding:
    """Count edges on the buttons' pins while nobody presses: at rest, with the bar, with the buzzer, with both."""
    pins = bench.pin_map()
    seen: list[tuple[str, bool, float]] = []
    phases: dict[str, Any] = {}
    with closing(bench.panel(lambda contact, closed, at: seen.append((contact, closed, at)))) as panel:
        held = panel.closed_contacts()
        for name, bar, tone in (("rest", False, False), ("bar", True, False), ("buzzer", False, True),
                                ("both", True, True)):  # fmt: skip
            seen.clear()
            began = bench.now()
            _driven(bench, panel, bar=bar, tone=tone)
            phases[name] = _count_edges(list(seen), pins.contacts, held, began, bench.now())
    total = sum(sum(one["edges"].values()) for one in phases.values())
    presses = sum(one["presses"] for one in phases.values())
    figures = {"seconds_each": bench.effort.edges_s, "phases": phases, "closed_at_first": sorted(held)}
    text = f"{count(total, 'edge')} came while nobody pressed, {presses} of them taken for a press"
    do = "Twist each button's two wires, keep the bar's away from them, and put 330 ohm to 1 kiloohm into each line."
    if presses:
        return wrong("edges", f"{text}.", do, **figures)
    if total:
        return attention("edges", f"{text}: the filter holds them back.", do, **figures)
    return ok("edges", "No edge came while nobody pressed.", **figures)


def _driven(bench: Bench, panel: Panel, *, bar: bool, tone: bool) -> None:
    """Drive lamps, bar and buzzer harder than any match does, for the length of one phase."""
    until = bench.now() + bench.effort.edges_s
    played, turn = until, 0
    while (at := bench.now()) < until:
        if bar:
            lamps = (Glow.ON, Glow.OFF)[turn % 2]
            panel.show(Lights(players=(lamps,) * 4, red=lamps, amber=lamps, green=lamps, bar=(turn % 6) / 5))
        if tone and (turn == 0 or at >= played + 0.5):
            panel.play(NOISE)
            played = at
        panel.tick()
        turn += 1
        bench.wait(STEP_S)
    panel.play(SILENCE)
    panel.show(Lights())


def _count_edges(
    seen: list[tuple[str, bool, float]], contacts: tuple[str, ...], held: frozenset[str], began: float, ended: float
) -> dict[str, Any]:
    """Return the edges by contact, the shortest time between two, and how many presses debouncing makes of them."""
    filtered = Debouncer(contacts, held, began)
    told = [one for contact, closed, at in seen for one in filtered.edge(contact, closed, at)]
    told += filtered.poll(ended)
    moments = sorted(at for *_, at in seen)
    gaps = [b - a for a, b in pairwise(moments)]
    presses = sum(isinstance(one, Down) for one in told)
    shortest = round(1e3 * min(gaps), 3) if gaps else None
    return {"edges": dict(Counter(contact for contact, *_ in seen)), "presses": presses, "shortest_ms": shortest}


def _spread(taken: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(taken), 2), "worst": round(max(taken), 2)}
