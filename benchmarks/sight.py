"""Seeing, measured: tiles found and read on photos, on marked tables and on the virtual table; speed and memory."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

from benchmarks import virtual
from benchmarks.report import Row, rate_row, skipped
from benchmarks.truth import Tally, photos, tally_photo, tally_scene
from referee.app import build_reader
from referee.devices.stills import load_picture
from referee.game.tiles import tile_set
from referee.vision.pipeline import TableReader

SESSIONS = ("rummy", "rummy2", "rummy3")
REPEATS = 25


def measure(shared: Path, models: Path) -> tuple[list[Row], list[str]]:
    """All rows, and a line for every single failure."""
    reader = build_reader(models)
    rows: list[Row] = []
    failures: list[str] = []
    for part in (_on_photos(reader, shared / "photos"), _on_scenes(reader, shared / "scenes"), _on_virtual(reader)):
        rows += part[0]
        failures += part[1]
    rows.append(_memory(models))
    return rows, failures


def _on_photos(reader: TableReader, folder: Path) -> tuple[list[Row], list[str]]:
    if not (folder / "labels.jsonl").is_file():
        return [skipped("tiles found", "photos", "../shared/photos is missing")], []
    total, tallies = Tally(), {}
    for entry in photos(folder):
        sighting = reader.read(load_picture(folder / entry["image"]), tile_set("rummikub"))
        tally = tally_photo(sighting, entry)
        tallies.setdefault(entry["session"], Tally()).add(tally)
    for session in SESSIONS:
        total.add(tallies.get(session, Tally()))
    rows = []
    for name, tally in [("photos " + ", ".join(SESSIONS), total), *((f"photos {s}", tallies[s]) for s in SESSIONS)]:
        rows += _reading_rows(name, tally, 0.99, 0.995, 0.001)
    empty = tallies.get("rummyBackground", Tally())
    rows.append(Row("false tiles", "photos rummyBackground", str(empty.false), f"{empty.pictures} pictures", "0",
                    empty.false == 0))  # fmt: skip
    rows.append(Row("false tiles", "photos " + ", ".join(SESSIONS), str(total.false), f"{total.pictures} pictures", "",
                    None))  # fmt: skip
    return rows, total.failures + empty.failures


def _reading_rows(on: str, tally: Tally, found: float, right: float | None, silent: float) -> list[Row]:
    return [
        rate_row("tiles found", on, tally.found, tally.tiles, found),
        rate_row("found tiles read right", on, tally.right, tally.found, right),
        rate_row("wrong and not marked doubtful", on, tally.silent_wrong, tally.found, silent, at_most=True),
        Row("marked doubtful", on, f"{100 * tally.doubtful / max(1, tally.found):.2f} %",
            f"{tally.doubtful} of {tally.found}", "", None),
    ]  # fmt: skip


def _on_scenes(reader: TableReader, folder: Path) -> tuple[list[Row], list[str]]:
    files = sorted(folder.glob("s*.jpg"))
    if not files:
        return [skipped("tiles found", "scenes", "../shared/scenes is missing")], []
    total, named_by_inks = Tally(), 0
    for file in files:
        truth = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        picture = load_picture(file)
        total.add(tally_scene(reader.read(picture, tile_set(truth["tileset"])), truth, file.stem))
        named_by_inks += _same_inks(reader.read(picture).tileset, truth["tileset"])
    rows = _reading_rows("scenes", total, 0.99, None, 0.0)
    p95 = float(np.percentile(total.distances_mm, 95))
    rows += [
        Row("position, 95th percentile", "scenes", f"{p95:.2f} mm", f"{len(total.distances_mm)} tiles", "≤ 0.8 mm",
            p95 <= 0.8),
        rate_row("sets grouped and ordered as laid", "scenes", total.sets_right, total.sets, None),
        Row("false face-up tiles", "scenes", str(total.false), f"{total.pictures} pictures", "", None),
        Row("box told from the inks alone", "scenes", str(named_by_inks), f"{total.pictures} pictures", "", None),
    ]  # fmt: skip
    return rows, total.failures


def _same_inks(one: str, other: str) -> bool:
    return set(tile_set(one).colours) == set(tile_set(other).colours)


def _on_virtual(reader: TableReader) -> tuple[list[Row], list[str]]:
    total = Tally()
    for name, picture, truth in virtual.tables():
        total.add(tally_scene(reader.read(picture, tile_set(truth["tileset"])), truth, name))
    rows = _reading_rows("virtual tables", total, 0.99, None, 0.0)
    rows.append(rate_row("sets grouped and ordered as laid", "virtual tables", total.sets_right, total.sets, None))
    rows.append(speed(reader))
    return rows, total.failures


def speed(reader: TableReader) -> Row:
    """Median of whole reads, warm, beside the median of one fixed piece of OpenCV work on the same picture."""
    picture, tiles = virtual.full_table()
    cv2.setNumThreads(2)
    times, peer = [], []
    for _ in range(REPEATS + 3):
        times.append(reader.read(picture, tile_set("rummikub")).timings_ms["total"])
        start = cv2.getTickCount()
        cv2.bilateralFilter(picture, 5, 40, 40)
        peer.append(1e3 * (cv2.getTickCount() - start) / cv2.getTickFrequency())
    median = statistics.median(times[3:])
    ratio = median / statistics.median(peer[3:])
    return Row("one 2304x1296 picture read", f"virtual table of {tiles} tiles, warm",
               f"{median:.0f} ms median; {ratio:.2f} x one 5-pixel bilateral filter of it", f"{REPEATS} reads",
               "≤ 150 ms", median <= 150)  # fmt: skip


_MEMORY = """
import re, sys
from pathlib import Path
from referee.cli import main
try:
    main()
except SystemExit:
    pass
status = Path("/proc/self/status").read_text()
print(int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1024, file=sys.stderr)
"""


def _memory(models: Path) -> Row:
    """The peak resident memory of `referee read` in a process of its own."""
    picture, _ = virtual.full_table()
    file = models.parent / "build" / "memory.png"
    file.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(file), picture)
    done = subprocess.run([sys.executable, "-c", _MEMORY, "read", str(file), "--json"], capture_output=True, text=True,
                          check=True, timeout=120)  # fmt: skip
    megabytes = float(done.stderr.strip().splitlines()[-1])
    return Row("peak resident memory of `read`", "2304x1296 picture", f"{megabytes:.0f} MB", "1 run", "≤ 250 MB",
               megabytes <= 250)  # fmt: skip
