"""Pictures for an enrolment: what the reader finds in them, and tiles that people point out and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import BadInput, CannotJudge
from referee.game.notice import Notice
from referee.game.tiles import Tile, TileSet
from referee.vision.boxes.batches import tile_at
from referee.vision.boxes.enrol import Batch, Enrolment, enrol
from referee.vision.finding import grouping as group
from referee.vision.finding import search
from referee.vision.finding.finder import Candidates
from referee.vision.geometry import tile_edges as edges
from referee.vision.geometry.markers import Located, grey_of
from referee.vision.pipeline import TableReader, tops
from referee.vision.placing import lies_on_another
from referee.vision.reading import crops
from referee.vision.reading import joint as reading
from referee.vision.reading.answers import Predictions
from referee.vision.sighting import Floats, Image

Mask = npt.NDArray[np.bool_]
OF_SIZE = 1.25
"""The factor by which the sides of a tile that people mark may differ from the box's."""


class EnrolmentReader:
    """Reads pictures of an enrolment with a reader that does not know the box."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader

    def enrol(
        self, name: str, tileset: TileSet, batches: Sequence[Batch], network: str,
        named: Mapping[tuple[int, int], str] | None = None, *, sure: bool = False,
    ) -> Enrolment:  # fmt: skip
        """Return a box learnt from batches; `network` names the network, `named` and `sure` are answers of people."""
        known, calibration = self._reader.known, self._reader.calibration
        return enrol(name, tileset, batches, network, known, calibration, named, sure=sure)

    def batch(self, picture: Image, name: str, tileset: TileSet, table_mm: tuple[float, float]) -> Batch:
        """Return one picture of an enrolment as a batch; tiles of `tileset` lie in it in any order."""
        steps = _EnrolmentSteps(self._reader)
        sighting, answered, corners, plane = self._reader.look(picture, tileset, table_mm, steps, marked_only=True)
        turned = self._reader.placer.read_tiles(picture, np.roll(corners, 2, axis=1))
        sides = np.zeros((0, 2), np.float32) if plane is None else _sides(plane)
        return Batch(name, sighting, answered, turned, sides, steps.passed_px)

    def with_tile_named(
        self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile, tileset: TileSet,
        table_mm: tuple[float, float],
    ) -> Batch:  # fmt: skip
        """Return the batch of a picture in which somebody has said that `tile` lies at a pixel (x, y).

        A tile that was found there gets that name; otherwise a tile is added at that place. Raises CannotJudge if the
        picture shows no marked table, and BadInput for a place outside of the picture.
        """
        index = tile_at(batch.sighting.reads, place_px)
        if index is None:
            batch, index = self._with_tile(batch, picture, place_px, tile, tileset, table_mm), len(batch.answers)
        reads = list(batch.sighting.reads)
        reads[index] = replace(reads[index], tile=tile, confidence=1.0, doubtful=False, alternatives=())
        sighting = replace(batch.sighting, reads=tuple(reads))
        return replace(batch, sighting=sighting, named={**batch.named, index: tile.name})

    def _with_tile(
        self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile, tileset: TileSet,
        table_mm: tuple[float, float],
    ) -> Batch:  # fmt: skip
        """Return the batch with one more tile at a pixel.

        It gets the quad of a candidate there that the reader did not take for a tile. If there is none, all turns are
        tried, and it gets the one that looks most like a tile.
        """
        height, width = picture.shape[:2]
        if not (0 <= place_px[0] < width and 0 <= place_px[1] < height):
            raise BadInput(f"expected a place within {width} x {height} pixels, found {place_px[0]:g},{place_px[1]:g}")
        grey, size = grey_of(picture), tops(tileset)
        located = self._reader.locate(picture, grey, table_mm)
        if located is None:
            raise CannotJudge(Notice("reading.no_markers"))
        shown = [cv2.pointPolygonTest(other, place_px, False) >= 0 for other in batch.passed_px]
        nominal = batch.passed_px[np.asarray(shown, bool)] if any(shown) else search.quads_at(located, size, *place_px)
        tried = self._reader.placer.align_tiles(picture, self._reader.placer.align_tiles(picture, nominal))
        answered = self._reader.placer.read_tiles(picture, tried)
        tried = crops.apply_shifts(tried, answered.shifts)
        strayed = ~_like_nominal(tried, nominal)
        best = int(np.argmin(self._reader.placer.nothing_chances(answered) + strayed))
        # If nothing there looks like a tile, people are believed nevertheless; the first turn is taken.
        quad = (nominal[:1] if strayed[best] else tried[best : best + 1]).astype(np.float32)
        answered = self._reader.placer.read_tiles(picture, quad)
        plane = edges.on_tops(grey, located.pose, quad, size[2])
        upright, inverted = reading.ways_up(self._reader.placer.kind_chances(answered)[0], tile)
        (read,) = self._reader.namer.reads_of(
            [[(tile.name, 1.0)]], np.asarray([inverted > upright]), (), quad, plane, answered
        )
        passed = np.asarray([not lies_on_another(other, quad) for other in batch.passed_px], bool)
        return replace(
            batch, sighting=replace(batch.sighting, reads=(*batch.sighting.reads, read)),
            answers=batch.answers.followed_by(answered),
            turned=batch.turned.followed_by(self._reader.placer.read_tiles(picture, np.roll(quad, 2, axis=1))),
            sides_mm=np.concatenate([batch.sides_mm, _sides(plane)]), passed_px=batch.passed_px[passed],
        )  # fmt: skip


@dataclass
class _EnrolmentSteps:
    """The reader's own steps, which also keep the candidates that only the finder takes for tiles."""

    reader: TableReader
    passed_px: Floats = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))

    def locate(self, picture: Image, grey: Image, table_mm: tuple[float, float]) -> Located | None:
        """Find the markers like the reader itself."""
        return self.reader.locate(picture, grey, table_mm)

    def candidates(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> Candidates:
        """Search the whole picture like the reader itself."""
        return self.reader.candidates(picture, located, tileset, table_mm)

    def answer(self, picture: Image, candidates: Candidates, *, any_scale: bool) -> tuple[Candidates, Predictions]:
        """Read all candidates like the reader itself, and keep those that are no tiles in `passed_px`."""
        tiles, answered = self.reader.answer(picture, candidates, any_scale=any_scale)
        quads = candidates.corners if candidates.usual is None else candidates.usual[:, 0]
        passed = [not lies_on_another(quad, tiles.corners) for quad in quads]
        self.passed_px = np.asarray(quads[np.asarray(passed, bool)], np.float32)
        return tiles, answered


def _sides(plane: Floats) -> Floats:
    """Return widths and heights (n, 2) of quads (n, 4, 2)."""
    _, across, down = group.axes(plane)
    return np.stack([np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)], axis=1).astype(np.float32)


def _like_nominal(quads: Floats, nominal: Floats) -> Mask:
    """Return which quads (n, 4, 2) have about the place and the size of the nominal ones."""
    sides = crops.short_sides(nominal)
    apart = np.linalg.norm(quads.mean(axis=1) - nominal.mean(axis=1), axis=1)
    return np.asarray((apart < sides / 2) & (np.abs(np.log(crops.short_sides(quads) / sides)) < np.log(OF_SIZE)), bool)
