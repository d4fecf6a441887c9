"""A look from start to end: locate, rectify to the tile tops, find, align, read together, group, assess."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import BadInput, CannotJudge
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, Tile, TileSet
from referee.vision.boxes.batches import tile_at
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch, Enrolment, enrol
from referee.vision.finding import finder as find
from referee.vision.finding import grouping as group
from referee.vision.finding import search
from referee.vision.finding.finder import Candidates
from referee.vision.geometry import tile_edges as edges
from referee.vision.geometry.markers import Located, grey_of, locate
from referee.vision.geometry.pose import Lens
from referee.vision.quality import assess
from referee.vision.reading import crops
from referee.vision.reading import joint as reading
from referee.vision.reading.answers import SHIFTS, Model, Predictions, answers, join_answers, run_batched
from referee.vision.reading.certainty import Trust, trust_tiles
from referee.vision.reading.glyphs import BACK_KIND, NONE_KIND
from referee.vision.reading.joint import is_unsure, unless_contradicted, unless_faded, unless_overturned
from referee.vision.sighting import Floats, Image, Quality, Read, Sighting, enlarge_sighting, perhaps_bare

USUAL_TILE_MM = (26.0, 37.5, 9.5)
"""Width, height and thickness of a tile, if the box is not known: between those of the boxes in `game/tiles.py`."""
_ON_ITS_HEAD = [2, 3, 0, 1]
"""The order of a quad's corners after a half turn."""
Mask = npt.NDArray[np.bool_]
# Values without a source were chosen by hand, not fitted.
BESIDE = 0.7
"""In short sides of a tile: two quads whose middles are closer than this are one tile."""
PLAIN = 0.5
"""If something touches a tile, the reader does not take it for a tile but the finder's score exceeds this, it is kept
as a doubt. The finder gives 0.3 at most to other things on path-traced tables, but up to 0.7 to some on real ones."""
BARE_SLOPE, BARE_MIDDLE = 2.0, 1.3
"""The logistic function from evidence to the chance that a place is bare. Chosen by hand, not fitted, after 13 places
of drawn wooden tables (`benchmarks.wood`, seed 31) that seemed to bear a print and had evidence from 0 to 2.5."""
TURNED = 6
"""This many of the likeliest candidates that are no tiles as they were found are tried in all turns."""
SMALLER, LEAST_PX = (0.5, 0.25), 300
"""If no tile and no marker is found, the picture is read again at these scales, as long as its shorter side has this
many pixels. What is too large, too noisy or too blurred in one size may be clear in another."""
READ_FROM_PX = 12.0
"""Without markers, tiles narrower than this are reported as too small and not read. On five rendered tables that were
shrunk, 160 of the 163 tiles found with 12 to 13 px were read, 117 of 122 with 10 to 11 px, and 56 of 105 with 8 to 9
px; none of them was wrong without doubt."""
OF_SIZE = 1.25
"""The factor by which the sides of a tile that people mark may differ from the box's."""
SHEET_MM = 0.5  # markers are printed on card or taped paper, so that their plane lies a little above the table


@dataclass(frozen=True, slots=True)
class Nets:
    """The three networks; each maps an array to a tuple of arrays."""

    finder: Model
    aligner: Model
    reader: Model


@dataclass
class _Places:
    """The candidates (n) of one picture while they are tried.

    `corners` (n, 4, 2) is where each lies, `answered` has the reader's answers there, and `kept` (n,) says which are
    tiles. `others` (m, 4, 2) are tiles that certainly lie there. `again` (n,) marks candidates for which another
    attempt found only a tile that is known already.
    """

    corners: Floats
    answered: Predictions
    kept: Mask
    others: Floats
    again: Mask = field(init=False)

    def __post_init__(self) -> None:
        self.again = np.zeros(len(self.kept), bool)

    @property
    def open_rows(self) -> npt.NDArray[np.intp]:
        """The rows of candidates that have not turned out to be tiles so far."""
        return np.flatnonzero(~self.kept & ~self.again)

    @property
    def tiles(self) -> Floats:
        """All tiles so far (k, 4, 2)."""
        return np.concatenate([self.others, self.corners[self.kept]])

    def take(self, rows: npt.NDArray[np.intp], corners: Floats, answered: Predictions, found: Mask) -> None:
        """Keep those `rows` (n,) that were `found` (n,) to be tiles, with these `corners` (n, 4, 2)."""
        for row, i in zip(rows[found], np.flatnonzero(found), strict=True):
            self.again[row] = _on_another(corners[i], self.tiles)
            if not self.again[row]:
                self.kept[row], self.corners[row] = True, corners[i]
                self.answered = self.answered.with_row(row, answered[i])


class Steps(Protocol):
    """How a look finds its tiles: in the whole picture, or only in what has changed."""

    def locate(self, picture: Image, grey: Image, table_mm: tuple[float, float]) -> Located | None:
        """Return the table's position by the markers in a picture, given as BGR and grey; None if there are none."""

    def candidates(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> Candidates:
        """Return where tiles may lie, likeliest first."""

    def answer(self, picture: Image, candidates: Candidates, *, any_scale: bool) -> tuple[Candidates, Predictions]:
        """Return the tiles among the candidates, aligned, and the reader's answers for each."""


class TableReader:
    """Reads pictures of tables; stateless.

    `description` holds the tables of `tiles.toml`, `known` what boxes look like, and `lens` the camera's lens if it is
    known.
    """

    def __init__(
        self, nets: Nets, description: Mapping[str, Any], known: reading.Known,
        now: Callable[[], float] = time.perf_counter, calibration: reading.Calibration | None = None,
        lens: Lens | None = None,
    ) -> None:  # fmt: skip
        """`calibration` overrides the one in the description."""
        self._nets, self._known, self._description = nets, known, description
        self._calibration = calibration or reading.Calibration.from_description(description.get("reader", {}))
        finder_table = description.get("finder", {})
        self._threshold = float(finder_table.get("threshold", 0.25))
        self._keep_from = float(finder_table.get("keep_from", 1.0))
        self._ask_from = float(finder_table.get("ask_from", 0.0))
        self._now, self._lens = now, lens

    @property
    def sure_from(self) -> float:
        """The confidence from which a read is beyond doubt."""
        return self._calibration.sure_from

    def read(
        self, picture: Image, tileset: TileSet | None = None, table_mm: tuple[float, float] = (900.0, 600.0),
        *, marked_only: bool = False,
    ) -> Sighting:  # fmt: skip
        """Return what lies on the table in a BGR picture (H, W, 3).

        If `tileset` is None, the inks decide which box it is. Raises CannotJudge if there are markers, but not three
        of ours. With `marked_only`, also raises it if there are no markers, since searching for tiles of any size is
        slow.
        """
        sighting = self._look(picture, tileset, table_mm, self, marked_only=marked_only)[0]
        height, width = picture.shape[:2]
        for part in SMALLER:
            if sighting.reads or sighting.outline_px is not None or part * min(height, width) < LEAST_PX:
                break
            size = (round(width * part), round(height * part))
            smaller = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            again = self._look(smaller, tileset, table_mm, self, marked_only=False)[0]
            if again.reads:
                sighting = enlarge_sighting(again, (width / size[0], height / size[1]))
        return sighting

    def read_by(
        self, steps: Steps, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float],
        *, marked_only: bool = False,
    ) -> Sighting:  # fmt: skip
        """Like `read()`, but `steps` decide how tiles are found (for instance only where the picture changed).

        A picture without tiles is not tried again in smaller sizes.
        """
        return self._look(picture, tileset, table_mm, steps, marked_only=marked_only)[0]

    def reader_for(self, box: Box | None) -> TableReader:
        """Return a reader with the same networks for an enrolled box, or with None for any box."""
        known = reading.Known(self._known.priors, self._known.styles, box)
        return TableReader(self._nets, self._description, known, self._now, self._calibration, self._lens)

    def enrol(
        self, name: str, tileset: TileSet, batches: Sequence[Batch], network: str,
        named: Mapping[tuple[int, int], str] | None = None, *, sure: bool = False,
    ) -> Enrolment:  # fmt: skip
        """Return a box learnt from batches; `network` names the network, `named` and `sure` are answers of people."""
        return enrol(name, tileset, batches, network, self._known, self._calibration, named, sure=sure)

    def batch(self, picture: Image, name: str, tileset: TileSet, table_mm: tuple[float, float]) -> Batch:
        """Return one picture of an enrolment as a batch; tiles of `tileset` lie in it in any order."""
        steps = _EnrolmentSteps(self)
        sighting, answered, corners, plane = self._look(picture, tileset, table_mm, steps, marked_only=True)
        turned = self._answers(picture, np.roll(corners, 2, axis=1))
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
        located = locate(grey, table_mm, self._lens)
        if located is None:
            raise CannotJudge(Notice("reading.no_markers"))
        shown = [cv2.pointPolygonTest(other, place_px, False) >= 0 for other in batch.passed_px]
        nominal = batch.passed_px[np.asarray(shown, bool)] if any(shown) else search.quads_at(located, size, *place_px)
        tried = self._align_tiles(picture, self._align_tiles(picture, nominal))
        answered = self._answers(picture, tried)
        tried = crops.apply_shifts(tried, answered.shifts)
        kinds = reading.softmax(answered.kinds, self._calibration.kind_temperature)
        strayed = ~_like_nominal(tried, nominal)
        best = int(np.argmin(kinds[:, NONE_KIND] + strayed))
        # If nothing there looks like a tile, people are believed nevertheless; the first turn is taken.
        quad = (nominal[:1] if strayed[best] else tried[best : best + 1]).astype(np.float32)
        answered = self._answers(picture, quad)
        plane = edges.on_tops(grey, located.pose, quad, size[2])
        kinds = reading.softmax(answered.kinds, self._calibration.kind_temperature)
        upright, inverted = reading.ways_up(kinds[0], tile)
        read = self._read_of([(tile.name, 1.0)], inverted > upright, False, quad[0], plane[0], answered[0])
        passed = np.asarray([not _on_another(other, quad) for other in batch.passed_px], bool)
        return replace(
            batch, sighting=replace(batch.sighting, reads=(*batch.sighting.reads, read)),
            answers=batch.answers.followed_by(answered),
            turned=batch.turned.followed_by(self._answers(picture, np.roll(quad, 2, axis=1))),
            sides_mm=np.concatenate([batch.sides_mm, _sides(plane)]), passed_px=batch.passed_px[passed],
        )  # fmt: skip

    def _look(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], steps: Steps,
        *, marked_only: bool,
    ) -> tuple[Sighting, Predictions, Floats, Floats | None]:  # fmt: skip
        """Return a sighting with the reader's answers, the quads in pixels, and the quads in millimetres."""
        started = self._now()
        if tileset is not None and self._known.box is not None:
            tileset = self._known.box.measure(tileset)
        grey = grey_of(picture)
        located = steps.locate(picture, grey, table_mm)
        if located is None and marked_only:
            raise CannotJudge(Notice("reading.no_markers"))
        at_located = self._now()
        candidates = steps.candidates(picture, located, tileset, table_mm)
        at_found = self._now()
        candidates, answered = steps.answer(picture, candidates, any_scale=located is None)
        small = np.zeros(len(answered), bool)
        if located is None:
            small = crops.short_sides(candidates.corners) < READ_FROM_PX
            candidates, answered = candidates[~small], answered[~small]
        top = tops(tileset)[2]
        plane = None if located is None else edges.on_tops(grey, located.pose, candidates.corners, top)
        quality = assess(picture, candidates.corners, None if located is None else set(located.corners))
        quality = replace(quality, too_small=int(small.sum()))
        trust = trust_tiles(quality, len(answered), enrolled=self._known.box is not None)
        reads, sets, box = self._read_tiles(picture, candidates.corners, answered, plane, tileset, trust)
        bare = self._bare_chances(candidates.scores, answered)
        reads = tuple(perhaps_bare(r, chance) if chance else r for r, chance in zip(reads, bare.tolist(), strict=True))
        reads = unless_faded(reads)
        at_read = self._now()
        ended = self._now()
        timings = {"locate": at_located - started, "find": at_found - at_located, "read": at_read - at_found,
                   "total": ended - started}  # fmt: skip
        sighting = Sighting(box.name, "tiles" if located is None else "markers", reads, sets, quality,
                            {k: 1e3 * v for k, v in timings.items()}, self._calibration.sure_from,
                            _outline(located, table_mm), None if located is None else table_mm)  # fmt: skip
        return sighting, answered, candidates.corners, plane

    def read_at(
        self, picture: Image, corners: Floats, tileset: TileSet | None = None, quality: Quality | None = None
    ) -> tuple[Read, ...]:
        """Read tiles of one table at known quads (n, 4, 2) in pixels; whatever lies there is taken for a tile.

        The picture is assumed to be of good quality if `quality` is None.
        """
        corners = self._align_tiles(picture, corners)
        answered = self._answers(picture, corners)
        pixels = crops.apply_shifts(corners, answered.shifts)
        trust = trust_tiles(quality or Quality(), len(answered), enrolled=self._known.box is not None)
        return self._read_tiles(picture, pixels, answered, None, tileset, trust)[0]

    def answers_at(self, picture: Image, corners: Floats) -> Predictions:
        """Return the reader's answers for quads (n, 4, 2) after aligning them."""
        return self._answers(picture, self._align_tiles(picture, corners))

    def _align_tiles(self, picture: Image, corners: Floats) -> Floats:
        loose = crops.relative_ink(crops.cut(picture, corners))
        return crops.apply_shifts(corners, run_batched(self._nets.aligner, loose, SHIFTS))

    def _answers(self, picture: Image, corners: Floats) -> Predictions:
        return answers(self._nets.reader, crops.relative_ink(crops.cut(picture, corners)))

    def locate(self, picture: Image, grey: Image, table_mm: tuple[float, float]) -> Located | None:  # noqa: ARG002 - other steps look at it
        """Find the markers in the grey picture; return None if there are none."""
        return locate(grey, table_mm, self._lens)

    def candidates(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> Candidates:
        """Search the whole picture: in the plane of the tile tops, or at all sizes if there are no markers."""
        if located is None:
            return search.at_any_scale(
                self._nets.finder, picture, self._threshold, lambda found: self._print_evidence(picture, found)
            )
        return search.on_plane(self._nets.finder, picture, located, tops(tileset), table_mm, self._threshold)

    def answer(self, picture: Image, candidates: Candidates, *, any_scale: bool) -> tuple[Candidates, Predictions]:
        """Align and read all candidates once; keep those that finder and reader together take for tiles.

        With `any_scale`, candidates that differ in size from the other tiles are dropped.
        """
        candidates, answered, kept = self.align_and_read(picture, candidates)
        if any_scale and kept.any():
            kept &= search.of_one_size(candidates, candidates[kept])
        rows = np.flatnonzero(kept)
        return candidates[rows], answered[rows]

    def spot(self, rectified: Image) -> Candidates:
        """Return what the finder finds in a rectified view or a part of it, in pixels of that."""
        return find.decode(self._nets.finder(find.to_input(rectified))[0][0], self._threshold)

    def align_and_read(
        self, picture: Image, candidates: Candidates, others: Floats | None = None
    ) -> tuple[Candidates, Predictions, Mask]:
        """Return candidates (n) aligned, the reader's answers for each, and which of them (n,) are tiles.

        `others` (m, 4, 2) are tiles that certainly lie there. Two tiles side by side on a table of their colour often
        get a wrong outline. So if the size of tiles is known, a candidate that is no tile as it was found is tried
        again: beside a tile that it half covers, and in the known size. Anything that touches a tile and looks much
        like another one is never dropped: it is returned as a tile, and will be in doubt.
        """
        tried = self._attempt(picture, candidates.corners, candidates.scores)
        places = _Places(*tried, others=np.zeros((0, 4, 2), np.float32) if others is None else others)
        if candidates.usual is None:
            return Candidates(places.corners, candidates.scores), places.answered, places.kept
        for way in (None, 0, 1):
            lost = places.open_rows
            if way is None:
                lost = lost[search.tiles_touched_by(places.corners[lost], places.tiles) >= 0]
            quads = places.corners[lost] if way is None else candidates.usual[lost, way]
            self._try_again(picture, candidates.scores, places, lost, search.move_beside(quads, places.tiles))
        self._try_turned(picture, candidates, places)
        self._keep_doubtful(candidates.scores, places)
        return Candidates(places.corners, candidates.scores), places.answered, places.kept

    def _try_again(
        self, picture: Image, scores: Floats, places: _Places, rows: npt.NDArray[np.intp], quads: Floats
    ) -> None:
        """Try those of the candidates `rows` (n,) that are no tiles so far with other quads (n, 4, 2)."""
        open_rows = ~places.kept[rows] & ~places.again[rows]
        if open_rows.any():
            rows = rows[open_rows]
            places.take(rows, *self._attempt(picture, quads[open_rows], scores[rows]))

    def _try_turned(self, picture: Image, candidates: Candidates, places: _Places) -> None:
        """Try the likeliest candidates that are no tiles so far in the box's size and in all turns; keep the best."""
        if candidates.usual is None:
            return
        lost = places.open_rows
        likely = lost[np.argsort(-candidates.scores[lost], kind="stable")][:TURNED]
        if not len(likely):
            return
        turns = search.turn_quads(candidates.usual[likely, 0])
        rows = np.tile(likely, len(turns))
        corners, answered, found = self._attempt(picture, np.concatenate(turns), candidates.scores[rows])
        nothing = self._nothing(answered)
        best = np.asarray([min(np.flatnonzero(rows == row), key=lambda i: nothing[i]) for row in likely])
        places.take(likely, corners[best], answered[best], found[best])

    def _keep_doubtful(self, scores: Floats, places: _Places) -> None:
        """Keep candidates that must not be dropped silently: those that touch a tile, and those that may have a print.

        Leaving one out would claim that its place is bare. Those that are kept here will be in doubt.
        """
        lost = ~places.kept & ~places.again
        touching = search.tiles_touched_by(places.corners, places.tiles) >= 0
        likely = self._likely_prints(scores, places.answered)
        for row in np.flatnonzero(lost & ((touching & (scores > PLAIN)) | likely)):
            places.kept[row] = not _on_another(places.corners[row], places.tiles)

    def _attempt(self, picture: Image, quads: Floats, scores: Floats) -> tuple[Floats, Predictions, Mask]:
        """Return quads (n, 4, 2) aligned, the reader's answers for each, and which are tiles."""
        corners = self._align_tiles(picture, quads)
        answered = self._answers(picture, corners)
        return crops.apply_shifts(corners, answered.shifts), answered, self._are_tiles(scores, answered)

    def _likely_prints(self, scores: Floats, answered: Predictions) -> Mask:
        """Return which of n candidates may be tiles that bear a print; a back changes no verdict."""
        kinds = reading.softmax(answered.kinds, self._calibration.kind_temperature)
        nothing = kinds[:, NONE_KIND]
        prints = np.delete(kinds, [NONE_KIND, BACK_KIND], axis=1)
        printed = prints.max(axis=1, initial=0) > nothing + kinds[:, BACK_KIND]
        return np.asarray(printed & (reading.tile_evidence(scores, nothing) > self._ask_from), bool)

    def _print_evidence(self, picture: Image, candidates: Candidates) -> Floats:
        """Return the tile evidence (n,) of those candidates that are tiles and bear a print; 0 for the others."""
        _, answered, tiles = self._attempt(picture, candidates.corners, candidates.scores)
        printed = tiles & ~np.isin(answered.kinds.argmax(axis=1), (NONE_KIND, BACK_KIND))
        return np.asarray(np.where(printed, self._evidence(candidates.scores, answered), 0), np.float32)

    def _are_tiles(self, scores: Floats, answered: Predictions) -> Mask:
        """Return which of n candidates, by their scores and the reader's answers, are tiles beyond doubt."""
        return np.asarray(self._evidence(scores, answered) > self._keep_from, bool)

    def _evidence(self, scores: Floats, answered: Predictions) -> Floats:
        """Return how strongly the finder's scores and the reader's answers speak for a tile, (n,), in log odds."""
        return reading.tile_evidence(scores, self._nothing(answered))

    def _nothing(self, answered: Predictions) -> Floats:
        """Return how likely the reader takes it that there is no tile, (n,)."""
        return np.asarray(reading.softmax(answered.kinds, self._calibration.kind_temperature)[:, NONE_KIND])

    def _bare_chances(self, scores: Floats, answered: Predictions) -> Floats:
        """Return how likely it is that nothing lies in each of n places; 0 for tiles beyond doubt."""
        evidence = self._evidence(scores, answered)
        chances = 1 / (1 + np.exp(BARE_SLOPE * (evidence - BARE_MIDDLE)))
        return np.asarray(np.where(evidence > self._keep_from, 0, chances), np.float32)

    def _read_tiles(
        self, picture: Image, pixels: Floats, answered: Predictions, plane: Floats | None, tileset: TileSet | None,
        trust: Sequence[Trust],
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...], TileSet]:  # fmt: skip
        """Read all tiles together, and then once more upside down those that are not quite certain.

        For tiles in doubt both readings are combined, and all tiles are read together again. For other tiles, the
        second reading must only not contradict the first.
        """
        first, sets, box = self._read_together(answered, pixels, plane, tileset, trust)
        reads = first
        doubtful = [i for i, read in enumerate(reads) if read.doubtful]
        unsure = [i for i, read in enumerate(reads) if not read.doubtful and is_unsure(read, box, trust[i])]
        if not (doubtful or unsure):
            return reads, sets, box
        second = self._answers(picture, np.roll(pixels[doubtful + unsure], 2, axis=1))
        if doubtful:
            both = join_answers(answered, second[np.arange(len(doubtful))], np.asarray(doubtful))
            reads, sets, box = self._read_together(both, pixels, plane, tileset, trust)
            reads = tuple(unless_overturned(*pair) for pair in zip(first, reads, strict=True))
        kinds = reading.softmax(second.kinds[len(doubtful) :], self._calibration.kind_temperature)
        for i, kind in zip(unsure, kinds, strict=True):
            reads = (*reads[:i], unless_contradicted(reads[i], kind, box), *reads[i + 1 :])
        return reads, sets, box

    def _read_together(
        self,
        answered: Predictions,
        pixels: Floats,
        plane: Floats | None,
        tileset: TileSet | None,
        trust: Sequence[Trust],
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...], TileSet]:
        table = reading.read_together(answered, tileset, self._known, self._calibration)
        corners = pixels if plane is None else plane
        faces = table.faces
        upside_down = [reading.is_inverted(f) for f in faces]
        inverted = list(upside_down)
        sure = [reading.way_up_known(f) for f in faces]
        rows = group.rows(corners)
        weighed = faces.copy()
        for row in rows:
            for i, upright in group.way_up_votes(row, corners, upside_down, sure).items():
                if not sure[i]:
                    weighed[i] = reading.prefer_way_up(faces[i], upright)
                    inverted[i] = reading.is_inverted(weighed[i])
        choices = [reading.candidates(*tile) for tile in zip(weighed, table.colours, trust, strict=True)]
        contested = reading.too_many([c[0][0] for c in choices], table.box)
        reads = tuple(
            self._read_of(
                choice,
                inverted[i],
                i in contested,
                pixels[i],
                None if plane is None else plane[i],
                answered[i],
            )
            for i, choice in enumerate(choices)
        )
        printed = corners.copy()
        printed[inverted] = np.roll(corners[inverted], 2, axis=1)
        sets: list[tuple[int, ...]] = []
        for row in rows:
            sets += [tuple(group.reading_order(part, printed)) for part in _face_up_parts(row, reads)]
        return reads, tuple(sorted(sets, key=min)), table.box

    def _read_of(
        self, choice: list[tuple[str, float]], inverted: bool, contested: bool, pixels: Floats, flat: Floats | None,
        answered: Predictions,
    ) -> Read:  # fmt: skip
        """Return the read of one tile.

        `choice`: the names that it may have with their confidence, likeliest first.
        `inverted`: whether it is upside down in the crop.
        `contested`: whether more tiles of this name were read than the box holds, which makes it doubtful.
        `pixels`: its corners (4, 2) in the picture.
        `flat`: its corners (4, 2) in the plane of the tile tops, in mm. None: there are no markers.
        `answered`: the reader network's answers for this tile alone.
        """
        name, confidence = choice[0]
        tile = reading.tile_named(name)
        blue, green, red = (float(part) for part in answered.absorbed)
        pixels = pixels[_ON_ITS_HEAD] if inverted else pixels
        shown = pixels if flat is None else flat[_ON_ITS_HEAD] if inverted else flat
        a, b, c, d = shown.tolist()
        up = a[0] + b[0] - c[0] - d[0], a[1] + b[1] - c[1] - d[1]
        centre = None if flat is None else flat.mean(axis=0)
        return Read(
            tile=tile,
            confidence=confidence,
            doubtful=contested or confidence < self._calibration.sure_from,
            alternatives=tuple(choice[1:]),
            corners_px=np.asarray(pixels, np.float32),
            angle_deg=math.degrees(math.atan2(up[0], -up[1])) % 360.0,
            x_mm=None if centre is None else float(centre[0]),
            y_mm=None if centre is None else float(centre[1]),
            absorbed=None if tile is None or tile.is_joker else (blue, green, red),
            embedding=None if tile is None else answered.embedding,
        )


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
        passed = [not _on_another(quad, tiles.corners) for quad in quads]
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


def _on_another(quad: Floats, others: Floats) -> bool:
    """Return whether a quad (4, 2) lies on one of others (n, 4, 2); separate tiles lie beside each other."""
    apart = np.linalg.norm(others.mean(axis=1) - quad.mean(axis=0), axis=1)
    return bool((apart < BESIDE * crops.short_sides(others)).any())


def _face_up_parts(row: list[int], reads: tuple[Read, ...]) -> list[list[int]]:
    """Return a row split at its face-down tiles, but not at tiles that are only possibly face down."""
    parts: list[list[int]] = [[]]
    for i in row:
        if reads[i].name == FACE_DOWN:
            parts.append([])
        else:
            parts[-1].append(i)
    return [part for part in parts if part]


def tops(tileset: TileSet | None) -> tuple[float, float, float]:
    """Return width and height of a tile, and the height of its top above the markers' plane, in mm."""
    width, height, thickness = USUAL_TILE_MM if tileset is None else tileset.size_mm
    return width, height, thickness - SHEET_MM


def _outline(located: Located | None, table_mm: tuple[float, float]) -> Floats | None:
    """Return the corners (4, 2) of the play area in pixels."""
    if located is None:
        return None
    width, height = table_mm
    corners = located.pose.on_plane([(0, 0), (width, 0), (width, height), (0, height)], 0.0)
    return np.asarray(corners, np.float32)
