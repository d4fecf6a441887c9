"""The pictures of an enrolment: what is wrong with one, which tile is meant, and how they read with the box learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.game.tiles import FACE_DOWN, TileSet
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch, Question
from referee.vision.doubts import short
from referee.vision.geometry.table_areas import place_in_words
from referee.vision.reading import crops
from referee.vision.reading.joint import Calibration, Known, candidates, read_together, too_many
from referee.vision.sighting import Read

SMALLEST_PX = 30.0
"""Width of a tile from which its print can be learnt; on a table at the height that is advised it is above 50."""


def faults_of(batch: Batch) -> tuple[str, ...]:
    """Why nothing may be learnt from a picture, one sentence each; empty where it will do."""
    sighting, found = batch.sighting, []
    quality, reads = sighting.quality, sighting.reads
    if sighting.scale != "markers":
        found.append("I see none of the markers at the corners of the table.")
    if not reads:
        return (*found, "I see no tile in it.")
    if quality.hand:
        found.append("One of the markers at the corners is covered; take hands and sleeves away.")
    wide = _width_px(reads)
    if wide < SMALLEST_PX:
        found.append(
            f"The tiles are too small in it, {wide:.0f} pixels wide where {SMALLEST_PX:.0f} are needed: "
            "take larger pictures, or hang the camera lower."
        )
    elif not quality.sharp:
        found.append("It is blurred; see to the focus, and let nothing move.")
    if quality.dark:
        found.append("It is too dark; switch a lamp on, or let the camera expose for longer.")
    elif quality.bright:
        found.append("It is too bright: the tiles are bleached; let the camera expose for less long.")
    if down := sum(read.tile is None for read in reads):
        found.append(f"{down} of the tiles {'lies' if down == 1 else 'lie'} face down; turn every tile face up.")
    return tuple(found)


def _width_px(reads: Sequence[Read]) -> float:
    return float(np.median(crops.short_sides(np.stack([read.corners_px for read in reads]))))


@dataclass(frozen=True, slots=True)
class Meant:
    """The tile of a question, for people: number of the picture from 1, its index there, its place, likely names."""

    number: int
    picture: str
    index: int
    place: str
    x_mm: float | None
    y_mm: float | None
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The question in words, with the likeliest names in notation."""
        likely = ", ".join(short(name) for name in self.names) or "nothing that is left of the box"
        return f"picture {self.number} ({self.picture}), tile {self.index}, {self.place}: {likely}"


def meant(question: Question, batches: Sequence[Batch], table_mm: tuple[float, float]) -> Meant:
    """Which tile a question is about."""
    batch = batches[question.batch]
    read = batch.sighting.reads[question.read]
    if read.x_mm is None or read.y_mm is None:
        place = "at {:.0f}, {:.0f} pixels".format(*read.corners_px.mean(axis=0))
    else:
        words = place_in_words(read.x_mm / table_mm[0], read.y_mm / table_mm[1])
        place = f"{words} ({read.x_mm:.0f}, {read.y_mm:.0f} mm)"
    return Meant(question.batch + 1, batch.picture, question.read, place, read.x_mm, read.y_mm, question.names)


@dataclass(frozen=True, slots=True)
class Reread:
    """The pictures of an enrolment, read with the box that was learnt from them.

    `names` has for every picture the name of each tile and whether it is in doubt. `strange` is what was read without
    doubt more often than the box holds it.
    """

    names: tuple[tuple[tuple[str, bool], ...], ...]
    strange: tuple[str, ...]

    @property
    def sure(self) -> int:
        """How many tiles are read without doubt."""
        return sum(not doubtful for names in self.names for _, doubtful in names)

    @property
    def total(self) -> int:
        """How many tiles there are."""
        return sum(map(len, self.names))


def reread(
    batches: Sequence[Batch], box: Box, tileset: TileSet, known: Known, calibration: Calibration
) -> Reread:  # fmt: skip
    """Read the answers to the pictures again, by somebody who knows `box`: costs no look of the networks."""
    names = []
    for batch in batches:
        table = read_together(batch.answers, tileset, Known(known.priors, known.styles, box), calibration)
        best = [candidates(f, c)[0] for f, c in zip(table.faces, table.colours, strict=True)]
        contested = too_many([name for name, _ in best], tileset)
        sure = calibration.sure_from
        names.append(tuple((name, chance < sure or i in contested) for i, (name, chance) in enumerate(best)))
    plain = Counter(name for tiles in names for name, doubtful in tiles if not doubtful and name != FACE_DOWN)
    held = Counter({tile.name: count for tile, count in tileset.inventory().items()})
    return Reread(tuple(names), tuple(sorted((plain - held).elements())))
