"""Boxes with other inks and faces, read by a reader that does not know them and by one that has enrolled them.

A box is enrolled from its pictures bNN-eM; then its tables bNN-tM are read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from benchmarks.report import Figures, Row, rate_row, skipped
from benchmarks.sight import Truth, labelled, reading_rows, table_of
from benchmarks.truth import Tally, scene_label, tally_scene
from referee.game.tiles import Tile, TileSet, tile_set
from referee.vision.boxes.enrol import Batch, Enrolment
from referee.vision.boxes.pictures import EnrolmentReader
from referee.vision.pipeline import TableReader
from referee.vision.sighting import Image, Reader

SURE, SURE_ENROLLED = 0.95, 0.995
"""The least share of tiles that must be read right and without doubt, for unknown and for enrolled boxes."""
FOUND_MM = 12.0
"""The longest distance between a tile and its read."""
MOST_ASKED = 1
"""The most tables of enrolled boxes about which something may be asked."""
UNKNOWN, ENROLLED = "boxes, not enrolled", "boxes, enrolled"
Labelled = tuple[str, Image, Truth]


def enrolled_reader(
    reader: Reader, pictures: Sequence[Image], box: TileSet, table_mm: tuple[float, float],
    truths: Sequence[Truth] = (),
) -> TableReader | None:  # fmt: skip
    """Return `reader` after it has enrolled the box whose tiles are in these pictures; None if that is impossible.

    All measurements enrol boxes with this function. Questions are answered from `truths`, and tiles that were not
    found are pointed out and named, as people would do. Without `truths`, such a box cannot be enrolled.
    """
    if not isinstance(reader, TableReader):
        return None
    learner = EnrolmentReader(reader)
    batches = [learner.batch(picture, f"picture {i}", box, table_mm) for i, picture in enumerate(pictures, 1)]
    if truths:
        batches = [with_missed(reader, *one, box, table_mm) for one in zip(batches, pictures, truths, strict=True)]
    learnt, _ = enrol_and_count_questions(reader, batches, box, truths)
    return None if learnt.box is None else reader.reader_for(learnt.box)


def enrol_and_count_questions(
    reader: TableReader, batches: Sequence[Batch], box: TileSet, truths: Sequence[Truth] = ()
) -> tuple[Enrolment, int]:  # fmt: skip
    """Return the enrolment from these pictures, and how many tiles it asked about; `truths` has the answers."""
    named: dict[tuple[int, int], str] = {}
    learnt = EnrolmentReader(reader).enrol("measured", box, batches, "measured", sure=True)
    while learnt.questions and truths and len(named) < box.total:
        named |= {(q.batch, q.read): _true_name(batches[q.batch], q.read, truths[q.batch]) for q in learnt.questions}
        learnt = EnrolmentReader(reader).enrol("measured", box, batches, "measured", named, sure=True)
    return learnt, len(named) if truths else len(learnt.questions)


def with_missed(
    reader: TableReader, batch: Batch, picture: Image, truth: Truth, box: TileSet, table_mm: tuple[float, float]
) -> Batch:  # fmt: skip
    """Return the batch with the tiles that were not found, pointed out and named as people would do."""
    outline = batch.sighting.outline_px
    if outline is None:
        return batch
    width, height = table_mm
    corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_pixels = cv2.getPerspectiveTransform(corners, np.asarray(outline, np.float32))
    places = [(read.x_mm or 0.0, read.y_mm or 0.0) for read in batch.sighting.reads]
    for tile in truth["tiles"]:
        if all(math.hypot(x - tile["x_mm"], y - tile["y_mm"]) > FOUND_MM for x, y in places):
            at = np.asarray([[[tile["x_mm"], tile["y_mm"]]]], np.float32)
            x, y = (float(part) for part in cv2.perspectiveTransform(at, to_pixels)[0, 0])
            named = Tile.from_name(scene_label(tile))
            batch = EnrolmentReader(reader).with_tile_named(batch, picture, (x, y), named, box, table_mm)
    return batch


def _true_name(batch: Batch, read: int, truth: Truth) -> str:
    """Return the true name of the tile of a read."""
    seen = batch.sighting.reads[read]
    return scene_label(
        min(truth["tiles"], key=lambda tile: math.hypot(tile["x_mm"] - seen.x_mm, tile["y_mm"] - seen.y_mm))
    )


def on_boxes(reader: Reader, folder: Path) -> Figures:
    """Measure all boxes of a folder."""
    files = list(labelled(folder, "b*.jpg"))
    if not files:
        return Figures([skipped("tiles found", UNKNOWN, "../shared/boxes is missing")])
    unknown = read_all(reader, files)
    rows, failures = reading_rows(UNKNOWN, unknown, SURE, 0.0), {UNKNOWN: unknown.summary}
    rows.append(rate_row("face-down tiles beyond doubt", UNKNOWN, unknown.backs_sure, unknown.backs, None))
    known = Tally()
    for _, pictures in groupby(files, key=lambda entry: entry[0].partition("-")[0]):
        known.add(_read_enrolled(reader, list(pictures)))
    if known.pictures:
        *rest, _ = reading_rows(ENROLLED, known, SURE_ENROLLED, 0.0)
        rows += [*rest, _asked(known)]
        failures[ENROLLED] = known.summary
    else:
        rows.append(skipped("right without doubt", ENROLLED, "no box can be enrolled yet"))
    return Figures(rows, failures)


def read_all(reader: Reader, files: Iterable[Labelled]) -> Tally:
    """Read pictures of marked tables; the reader is told the kind of box."""
    total = Tally()
    for name, picture, truth in files:
        total.add(tally_scene(reader.read(picture, tile_set(truth["tileset"]), table_of(truth)), truth, name))
    return total


def _read_enrolled(reader: Reader, files: Sequence[Labelled]) -> Tally:
    """Enrol one box and read its tables; return an empty tally if it cannot be enrolled."""
    batches = [entry for entry in files if entry[2]["enrolment"]]
    if not batches:
        return Tally()
    truth = batches[0][2]
    pictures = [picture for _, picture, _ in batches]
    truths = [entry[2] for entry in batches]
    knowing = enrolled_reader(reader, pictures, tile_set(truth["tileset"]), table_of(truth), truths)
    if knowing is None:
        return Tally()
    return read_all(knowing, [entry for entry in files if not entry[2]["enrolment"]])


def _asked(tally: Tally) -> Row:
    return Row("pictures asked about", ENROLLED, str(tally.asked), f"{tally.pictures} pictures", f"≤ {MOST_ASKED}",
               tally.asked <= MOST_ASKED)  # fmt: skip
