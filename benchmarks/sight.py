"""Measures how well tiles are found and read on photos, on marked tables and on the virtual table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import virtual
from benchmarks.report import Figures, Row, rate_row, skipped
from benchmarks.truth import Tally, photos, tally_photo, tally_scene
from referee.devices.camera.stills import load_picture
from referee.game.tiles import tile_set
from referee.vision.sighting import Image, Reader

SESSIONS = ("rummy", "rummy2", "rummy3")
PHOTOS_SURE, SCENES_SURE = 0.998, 0.99
"""The least share of tiles that must be read right and without doubt."""
POSITION_MM = 0.8
Truth = dict[str, Any]


def on_photos(reader: Reader, folder: Path) -> Figures:
    """Measure photos without markers, of a box in another room, and of the same table without any tile."""
    if not (folder / "labels.jsonl").is_file():
        return Figures([skipped("tiles found", "photos", "../shared/photos is missing")])
    total = Tally()
    tallies: dict[str, Tally] = {}
    for entry in photos(folder):
        sighting = reader.read(load_picture(folder / entry["image"]), tile_set("rummikub"), (900.0, 600.0))
        tallies.setdefault(entry["session"], Tally()).add(tally_photo(sighting, entry))
    for session in SESSIONS:
        total.add(tallies.get(session, Tally()))
    every = "photos " + ", ".join(SESSIONS)
    figures = Figures(reading_rows(every, total, PHOTOS_SURE, 0.001))
    for session in SESSIONS:
        figures.rows += reading_rows(f"photos {session}", tallies.get(session, Tally()), None, 0.001)
    empty = tallies.get("rummyBackground", Tally())
    figures.rows += [
        Row("false tiles", "photos rummyBackground", str(empty.false), f"{empty.pictures} pictures", "0",
            empty.false == 0),
        Row("false tiles", every, str(total.false), f"{total.pictures} pictures", "", None),
    ]  # fmt: skip
    figures.failures["photos"] = total.summary + empty.failures
    return figures


def reading_rows(on: str, tally: Tally, sure: float | None, silent: float | None) -> list[Row]:
    """Return the rows for all readings; `sure` and `silent` are targets for right and for wrong without doubt."""
    return [
        rate_row("tiles found", on, tally.found, tally.tiles, 0.99),
        rate_row("right without doubt", on, tally.sure, tally.tiles, sure),
        rate_row("wrong without doubt", on, tally.silent_wrong, tally.tiles, silent, at_most=True),
        rate_row("found tiles read right", on, tally.right, tally.found, None),
        rate_row("in doubt", on, tally.doubtful, tally.found, None),
        Row("pictures asked about", on, str(tally.asked), f"{tally.pictures} pictures", "", None),
    ]


def labelled(folder: Path, pattern: str) -> Iterator[tuple[str, Image, Truth]]:
    """Yield name, picture and ground truth of the marked tables in a folder."""
    for file in sorted(folder.glob(pattern)):
        truth = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        yield file.stem, load_picture(file), truth


def table_of(truth: Truth) -> tuple[float, float]:
    """Return the size of the play area in mm."""
    width, height = truth.get("table_mm", (900.0, 600.0))
    return float(width), float(height)


def on_scenes(reader: Reader, folder: Path) -> Figures:
    """Measure path-traced tables, with the kind of box given, and once more with the kind guessed."""
    total, guessed, named = Tally(), Tally(), 0
    for name, picture, truth in labelled(folder, "s*.jpg"):
        size = table_of(truth)
        total.add(tally_scene(reader.read(picture, tile_set(truth["tileset"]), size), truth, name))
        sighting = reader.read(picture, None, size)
        guessed.add(tally_scene(sighting, truth, f"{name}, box guessed,"))
        named += _same_inks(sighting.tileset, truth["tileset"])
    if not total.pictures:
        return Figures([skipped("tiles found", "scenes", "../shared/scenes is missing")])
    p95 = float(np.percentile(total.distances_mm, 95)) if total.distances_mm else float("inf")
    rows = [
        *reading_rows("scenes", total, SCENES_SURE, 0.0),
        Row("position, 95th percentile", "scenes", f"{p95:.2f} mm", f"{len(total.distances_mm)} tiles",
            f"≤ {POSITION_MM:g} mm", p95 <= POSITION_MM),
        rate_row("sets grouped and ordered as laid", "scenes", total.sets_right, total.sets, None),
        rate_row("face-down tiles beyond doubt", "scenes", total.backs_sure, total.backs, None),
        Row("false face-up tiles", "scenes", str(total.false), f"{total.pictures} pictures", "", None),
        rate_row("right without doubt", "scenes, box guessed", guessed.sure, guessed.tiles, None),
        rate_row("wrong without doubt", "scenes, box guessed", guessed.silent_wrong, guessed.tiles, 0.0, at_most=True),
        Row("box told from the inks alone", "scenes, box guessed", str(named), f"{total.pictures} pictures", "", None),
    ]  # fmt: skip
    silent = [line for line in guessed.failures if "SILENT" in line]
    return Figures(rows, {"scenes": total.summary, "scenes, box guessed": silent})


def _same_inks(one: str, other: str) -> bool:
    return set(tile_set(one).colours) == set(tile_set(other).colours)


def on_virtual(reader: Reader) -> Figures:
    """Measure rendered tables of every box, on every surface and in every light."""
    total = Tally()
    for name, picture, truth in virtual.tables():
        total.add(tally_scene(reader.read(picture, tile_set(truth["tileset"]), table_of(truth)), truth, name))
    rows = reading_rows("virtual tables", total, None, 0.0)
    rows.append(rate_row("sets grouped and ordered as laid", "virtual tables", total.sets_right, total.sets, None))
    return Figures(rows, {"virtual tables": total.summary})
