"""The pictures of an enrolment: their faults, the tile at a pixel, and reading them again with the box learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, Tile, TileSet
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch, Question
from referee.vision.geometry.pose import place_of
from referee.vision.reading import crops
from referee.vision.reading.joint import Calibration, Known, candidates, read_together, too_many
from referee.vision.sighting import Read

SMALLEST_PX = 30.0
"""The least width of a tile in pixels from which its print can be learnt; a camera at the recommended height shows
more than 50."""


def faults_of(batch: Batch) -> tuple[Notice, ...]:
    """Return the reasons why nothing may be learnt from a picture; empty if it is good enough."""
    sighting, found = batch.sighting, list[Notice]()
    quality, reads = sighting.quality, sighting.reads
    if sighting.scale != "markers":
        found.append(Notice("reading.no_markers"))
    if not reads:
        return (*found, Notice("box.no_tile"))
    if quality.hand:
        found.append(Notice("box.marker_covered"))
    wide = _width_px(reads)
    if wide < SMALLEST_PX:
        found.append(Notice("box.too_small", wide=round(wide), least=round(SMALLEST_PX)))
    elif not quality.sharp:
        found.append(Notice("box.blurred"))
    if quality.dark:
        found.append(Notice("box.too_dark"))
    elif quality.bright:
        found.append(Notice("box.too_bright"))
    if quality.grey:
        found.append(Notice("reading.grey"))
    if quality.cut_off_px:
        found.append(Notice("reading.cut_off"))
    if down := sum(read.tile is None for read in reads):
        found.append(Notice("box.face_down", number=down))
    return tuple(found)


def tile_at(reads: Sequence[Read], place_px: tuple[float, float]) -> int | None:
    """Return the index of the tile at a pixel (x, y) of the picture; None if no tile was found there."""
    inside = (i for i, read in enumerate(reads) if cv2.pointPolygonTest(read.corners_px, place_px, False) >= 0)
    return next(inside, None)


def _width_px(reads: Sequence[Read]) -> float:
    return float(np.median(crops.short_sides(np.stack([read.corners_px for read in reads]))))


@dataclass(frozen=True, slots=True)
class Meant:
    """The tile of a question, for people: number of its picture (from 1), its index there, its place, likely names."""

    number: int
    picture: str
    index: int
    place: Notice
    x_mm: float | None
    y_mm: float | None
    names: tuple[str, ...]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that it may be."""
        return tuple(map(Tile.from_name, self.names))


def tile_in_question(question: Question, batches: Sequence[Batch], table_mm: tuple[float, float]) -> Meant:
    """Return the tile that a question is about, described for people."""
    batch = batches[question.batch]
    read = batch.sighting.reads[question.read]
    if read.x_mm is None or read.y_mm is None:
        x_px, y_px = read.corners_px.mean(axis=0)
        place = Notice("box.at_pixels", x=round(float(x_px)), y=round(float(y_px)))
    else:
        about = place_of(read.x_mm / table_mm[0], read.y_mm / table_mm[1])
        place = Notice("box.at_mm", place=about, x=round(read.x_mm), y=round(read.y_mm))
    return Meant(question.batch + 1, batch.picture, question.read, place, read.x_mm, read.y_mm, question.names)


@dataclass(frozen=True, slots=True)
class Reread:
    """The pictures of an enrolment, read again with the box that was learnt from them.

    `names` has for each picture the name of each tile and whether it is in doubt. `strange` are the names of tiles
    that were read without doubt although the box does not hold so many of them.
    """

    names: tuple[tuple[tuple[str, bool], ...], ...]
    strange: tuple[str, ...]

    @property
    def sure(self) -> int:
        """The number of tiles that are read without doubt."""
        return sum(not doubtful for names in self.names for _, doubtful in names)

    @property
    def total(self) -> int:
        """The number of tiles."""
        return sum(map(len, self.names))


def reread(
    batches: Sequence[Batch], box: Box, tileset: TileSet, known: Known, calibration: Calibration
) -> Reread:  # fmt: skip
    """Read the networks' answers to the pictures again, with `box` known; runs no network."""
    names = []
    for batch in batches:
        table = read_together(batch.answers, tileset, Known(known.priors, known.styles, box), calibration)
        best = [names[0] for names in candidates(table.faces, table.colours)]
        contested = too_many([name for name, _ in best], tileset)
        sure = calibration.sure_from
        names.append(tuple((name, chance < sure or i in contested) for i, (name, chance) in enumerate(best)))
    plain = Counter(name for tiles in names for name, doubtful in tiles if not doubtful and name != FACE_DOWN)
    held = Counter({tile.name: count for tile, count in tileset.inventory().items()})
    return Reread(tuple(names), tuple(sorted((plain - held).elements())))
