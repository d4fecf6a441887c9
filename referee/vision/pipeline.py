"""A look from start to end: locate, rectify to the tile tops, find, align, read together, group, assess."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import CannotJudge
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, TileSet
from referee.vision.boxes.box import Box
from referee.vision.finding import cut_off, search
from referee.vision.finding import finder as find
from referee.vision.finding import grouping as group
from referee.vision.finding.finder import Candidates
from referee.vision.geometry import tile_edges as edges
from referee.vision.geometry.markers import Located, grey_of, locate
from referee.vision.geometry.pose import Lens
from referee.vision.placing import Limits, Nets, TilePlacer
from referee.vision.quality import assess, chroma_step
from referee.vision.reading import crops
from referee.vision.reading import joint as reading
from referee.vision.reading.answers import Predictions, join_answers, printed_inks
from referee.vision.reading.certainty import Trust, trust_tiles
from referee.vision.reading.joint import unless_faded
from referee.vision.reading.look_alikes import look_alikes, needs_telling_apart, settle, unless_open_four
from referee.vision.reading.print_places import is_six_or_nine, settle_turned
from referee.vision.reading.second_reading import (
    needs_second_reading,
    unless_contradicted,
    unless_overturned,
)
from referee.vision.sighting import (
    Floats,
    Image,
    Quality,
    Read,
    Sighting,
    enlarge_sighting,
    perhaps_bare,
)
from referee.vision.threads import run_beside

USUAL_TILE_MM = (26.0, 37.5, 9.5)
"""Width, height and thickness of a tile, if the box is not known: between those of the boxes in `game/tiles.py`."""
Mask = npt.NDArray[np.bool_]
# Values without a source were chosen by hand, not fitted.
SMALLER, LEAST_PX = (0.5, 0.25), 300
"""If no tile and no marker is found, the picture is read again at these scales, as long as its shorter side has this
many pixels. What is too large, too noisy or too blurred in one size may be clear in another."""
READ_FROM_PX = 8.0
"""Without markers, tiles narrower than this are reported as too small and not read. Of 6,460 tiles 12 to 56 px high
(`benchmarks.sizes`) one was wrong without doubt, at 16 px."""
SMALL_BELOW, FEWEST_SIZES = 0.8, 5
"""A tile on a marked table is outlined too small if its width or height is below this part of the median of all tiles,
which must be so many. That holds for 10 of 39,585 tiles in spoilt pictures (`benchmarks.disturbed`); of one of them a
part of the print lay outside, and it was read as another number, though in doubt."""
SHEET_MM = 0.5  # markers are printed on card or taped paper, so that their plane lies a little above the table
Answer = Callable[[Image, Floats], Predictions]
TellApart = Callable[[Image, Floats], Floats]


class TileNamer:
    """Names tiles by the networks' answers; stateless.

    `answer` reads quads (n, 4, 2) of a picture, and `tell_apart` asks the network for look-alikes about them.
    """

    def __init__(
        self, known: reading.Known, calibration: reading.Calibration, answer: Answer, tell_apart: TellApart
    ) -> None:
        self._known, self._calibration, self._answer, self._tell_apart = known, calibration, answer, tell_apart

    def name_tiles(
        self, picture: Image, pixels: Floats, answered: Predictions, plane: Floats | None, tileset: TileSet | None,
        quality: Quality,
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...], TileSet]:  # fmt: skip
        """Read all tiles together, and then once more upside down those that are not quite certain.

        For tiles in doubt both readings are combined, and all tiles are read together again. For other tiles, the
        second reading must only not contradict the first. Last, a network of its own tells apart numbers that look
        alike.
        """
        trust = trust_tiles(quality, len(answered), enrolled=self._known.box is not None)
        first, sets, table = self._read_together(answered, pixels, plane, tileset, trust, quality.faint)
        reads = first
        doubtful = [i for i, read in enumerate(reads) if read.doubtful]
        unsure = [i for i, r in enumerate(reads) if not r.doubtful and needs_second_reading(r, trust[i])]
        if doubtful or unsure:
            second = self._answer(picture, np.roll(pixels[doubtful + unsure], 2, axis=1))
            if doubtful:
                both = join_answers(answered, second[np.arange(len(doubtful))], np.asarray(doubtful))
                reads, sets, table = self._read_together(both, pixels, plane, tileset, trust, quality.faint)
                reads = tuple(unless_overturned(*pair) for pair in zip(first, reads, strict=True))
            upside_down = second[np.arange(len(doubtful), len(second))]
            believed = reading.chances_of(upside_down, [reads[i].tile for i in unsure], self._known, self._calibration)
            numbers = reading.likeliest_numbers(upside_down, table.styles, self._calibration)
            for i, chance, number in zip(unsure, believed.tolist(), numbers, strict=True):
                reads = (*reads[:i], unless_contradicted(reads[i], chance, number), *reads[i + 1 :])
        alone = trust_tiles(quality, len(answered))  # the network for look-alikes knows nothing of an enrolled box
        return self._without_look_alikes(picture, pixels, reads, table, alone), sets, table.box

    def _without_look_alikes(
        self, picture: Image, pixels: Floats, reads: tuple[Read, ...], table: reading.TableRead, trust: Sequence[Trust]
    ) -> tuple[Read, ...]:
        """Return the reads, where a number has a look-alike in this box as the network for these leaves them."""
        alike = look_alikes(table.box, table.styles)
        asked = [i for i, read in enumerate(reads) if needs_telling_apart(read, alike)]
        if not asked:
            return reads
        answers = dict(zip(asked, self._tell_apart(picture, pixels[asked]), strict=True))
        settled = list(reads)
        for i, answer in answers.items():
            settled[i] = unless_open_four(reads[i], answer, trust[i])
        contested = reading.too_many([r.name for r in settled], table.box, [r.confidence for r in settled])
        sure_from = self._calibration.sure_from
        for i, answer in answers.items():
            settled[i] = settle(settled[i], answer, trust[i], sure_from, contested=i in contested)
        kept = contested | {i for i, believed in enumerate(trust) if believed.most < sure_from}
        turned = [i for i in asked if i not in kept and is_six_or_nine(reads[i])]
        return self._doubt_too_many(settle_turned(picture, settled, turned, sure_from), table.box)

    @staticmethod
    def _doubt_too_many(reads: Sequence[Read], box: TileSet) -> tuple[Read, ...]:
        """Return the reads; if more of a tile were read than the box holds, all of these are in doubt."""
        over = reading.too_many([r.name for r in reads], box, [r.confidence for r in reads])
        return tuple(replace(r, doubtful=True) if i in over and not r.doubtful else r for i, r in enumerate(reads))

    def _read_together(
        self,
        answered: Predictions,
        pixels: Floats,
        plane: Floats | None,
        tileset: TileSet | None,
        trust: Sequence[Trust],
        faint: Collection[int],
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...], reading.TableRead]:
        table = reading.read_together(answered, tileset, self._known, self._calibration)
        corners = pixels if plane is None else plane
        sure = reading.ways_up_known(table.faces)
        rows = group.rows(corners)
        upright = group.way_up_votes(rows, corners, reading.are_inverted(table.faces), sure)
        faces = np.where(sure[:, None], table.faces, reading.prefer_way_up(table.faces, upright))
        inverted = reading.are_inverted(faces)
        choices = reading.candidates(faces, table.colours, trust)
        names = [choice[0][0] for choice in choices]
        merged = [names[i] for i in reading.too_many(names, table.box)]
        colours = reading.doubt_merged_inks(table.colours, merged, table.box)
        colours = reading.doubt_faded_inks(colours, names, faint, table.box, self._known.box)
        if colours is not table.colours:
            choices = reading.candidates(faces, colours, trust)
        likeliest = [choice[0] for choice in choices]
        contested = reading.too_many([name for name, _ in likeliest], table.box, [chance for _, chance in likeliest])
        reads = self.reads_of(choices, inverted, contested, pixels, plane, answered)
        parts = [part for row in rows for part in _face_up_parts(row, reads)]
        sets = [tuple(part) for part in group.reading_orders(parts, _turned(corners, inverted))]
        return reads, tuple(sorted(sets, key=min)), table

    def reads_of(
        self, choices: Sequence[list[tuple[str, float]]], inverted: Mask, contested: Collection[int], pixels: Floats,
        plane: Floats | None, answered: Predictions,
    ) -> tuple[Read, ...]:  # fmt: skip
        """Return the reads of n tiles.

        `choices`: the names that each may have with their confidence, likeliest first.
        `inverted` (n,): which are upside down in their crops.
        `contested`: the indices of tiles of which more were read than the box holds, which makes them doubtful.
        `pixels`: their corners (n, 4, 2) in the picture.
        `plane`: their corners (n, 4, 2) in the plane of the tile tops, in mm. None: there are no markers.
        `answered`: the reader network's answers.
        """
        corners = np.asarray(_turned(pixels, inverted), np.float32)
        shown = (corners if plane is None else _turned(plane, inverted)).astype(np.float64)
        up = shown[:, 0] + shown[:, 1] - shown[:, 2] - shown[:, 3]
        angles = (np.degrees(np.arctan2(up[:, 0], -up[:, 1])) % 360.0).tolist()
        centres = [(None, None)] * len(choices) if plane is None else plane.mean(axis=1).tolist()
        inks = answered.absorbed.tolist()
        reads = []
        for i, ((name, confidence), *others) in enumerate(choices):
            tile = reading.tile_named(name)
            reads.append(
                Read(
                    tile=tile,
                    confidence=confidence,
                    doubtful=i in contested or confidence < self._calibration.sure_from,
                    alternatives=tuple(others),
                    corners_px=corners[i],
                    angle_deg=angles[i],
                    x_mm=centres[i][0],
                    y_mm=centres[i][1],
                    absorbed=None if tile is None or tile.is_joker else tuple(inks[i]),
                    embedding=None if tile is None else answered.embedding[i],
                )
            )
        return tuple(reads)


def _turned(corners: Floats, inverted: Mask) -> Floats:
    """Return quads (n, 4, 2), beginning at the opposite corner where `inverted` (n,) says so."""
    return np.where(inverted[:, None, None], np.roll(corners, 2, axis=1), corners)


def _face_up_parts(row: list[int], reads: tuple[Read, ...]) -> list[list[int]]:
    """Return a row split at its face-down tiles, but not at tiles that are only possibly face down."""
    parts: list[list[int]] = [[]]
    for i in row:
        if reads[i].name == FACE_DOWN:
            parts.append([])
        else:
            parts[-1].append(i)
    return [part for part in parts if part]


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
        self._nets, self.known, self._description = nets, known, description
        self.calibration = calibration or reading.Calibration.from_description(description.get("reader", {}))
        finder_table = description.get("finder", {})
        self._threshold = float(finder_table.get("threshold", 0.25))
        limits = Limits(self.calibration.kind_temperature, float(finder_table.get("keep_from", 1.0)),
                        float(finder_table.get("ask_from", 0.0)))  # fmt: skip
        self.placer = TilePlacer(nets, limits)
        self.namer = TileNamer(known, self.calibration, self.placer.read_tiles, self.placer.tell_apart)
        self._now, self._lens = now, lens

    def read(
        self, picture: Image, tileset: TileSet | None = None, table_mm: tuple[float, float] = (900.0, 600.0),
        *, marked_only: bool = False,
    ) -> Sighting:  # fmt: skip
        """Return what lies on the table in a BGR picture (H, W, 3).

        If `tileset` is None, the inks decide which box it is. Raises CannotJudge if there are markers, but not three
        of ours. With `marked_only`, also raises it if there are no markers, since searching for tiles of any size is
        slow.
        """
        sighting = self.look(picture, tileset, table_mm, self, marked_only=marked_only)[0]
        height, width = picture.shape[:2]
        for part in SMALLER:
            if sighting.reads or sighting.outline_px is not None or part * min(height, width) < LEAST_PX:
                break
            size = (round(width * part), round(height * part))
            smaller = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            again = self.look(smaller, tileset, table_mm, self, marked_only=False)[0]
            if again.reads:
                sighting = enlarge_sighting(again, (width / size[0], height / size[1]))
        return sighting

    def reader_for(self, box: Box | None) -> TableReader:
        """Return a reader with the same networks for an enrolled box, or with None for any box."""
        return self.reader_with(reading.Known(self.known.priors, self.known.styles, box))

    def reader_with(self, known: reading.Known) -> TableReader:
        """Return a reader with the same networks and other knowledge of boxes."""
        return TableReader(self._nets, self._description, known, self._now, self.calibration, self._lens)

    def without_lens(self) -> TableReader:
        """Return a reader with the same networks and the same box, for pictures through an unknown lens."""
        return TableReader(self._nets, self._description, self.known, self._now, self.calibration)

    def look(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], steps: Steps,
        *, marked_only: bool,
    ) -> tuple[Sighting, Predictions, Floats, Floats | None]:  # fmt: skip
        """Return a sighting with the reader's answers, the quads in pixels, and the quads in millimetres.

        `steps` decide how tiles are found, for instance only where the picture changed. A picture without tiles is not
        tried again in smaller sizes.
        """
        started = self._now()
        if tileset is not None and self.known.box is not None:
            tileset = self.known.box.measure(tileset)
        grey = grey_of(picture)
        step, located = run_beside(lambda: chroma_step(picture), lambda: steps.locate(picture, grey, table_mm))
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
        seen = None if located is None else set(located.corners)
        quality = assess(picture, candidates.corners, seen, step, printed_inks(answered))
        outline = _outline(located, table_mm)
        cut = cut_off.look_at_edges(self._nets.finder, picture, candidates.corners, outline)
        quality = replace(quality, too_small=int(small.sum()), cut_off_px=cut.places_px, cut=cut.read,
                          small=_find_small_outlines(plane))  # fmt: skip
        reads, sets, box = self.namer.name_tiles(picture, candidates.corners, answered, plane, tileset, quality)
        bare = self.placer.bare_chances(candidates.scores, answered)
        reads = tuple(perhaps_bare(r, chance) if chance else r for r, chance in zip(reads, bare.tolist(), strict=True))
        reads = unless_faded(reads)
        at_read = self._now()
        ended = self._now()
        timings = {"locate": at_located - started, "find": at_found - at_located, "read": at_read - at_found,
                   "total": ended - started}  # fmt: skip
        sighting = Sighting(box.name, "tiles" if located is None else "markers", reads, sets, quality,
                            {k: 1e3 * v for k, v in timings.items()}, self.calibration.sure_from,
                            outline, None if located is None else table_mm)  # fmt: skip
        return sighting, answered, candidates.corners, plane

    def read_at(
        self, picture: Image, corners: Floats, tileset: TileSet | None = None, quality: Quality | None = None
    ) -> tuple[Read, ...]:
        """Read tiles of one table at known quads (n, 4, 2) in pixels; whatever lies there is taken for a tile.

        The picture is assumed to be of good quality if `quality` is None.
        """
        corners = self.placer.align_tiles(picture, corners)
        answered = self.placer.read_tiles(picture, corners)
        pixels = crops.apply_shifts(corners, answered.shifts)
        return self.namer.name_tiles(picture, pixels, answered, None, tileset, quality or Quality())[0]

    def answers_at(self, picture: Image, corners: Floats) -> Predictions:
        """Return the reader's answers for quads (n, 4, 2) after aligning them."""
        return self.placer.read_tiles(picture, self.placer.align_tiles(picture, corners))

    def locate(self, picture: Image, grey: Image, table_mm: tuple[float, float]) -> Located | None:  # noqa: ARG002 - other steps look at it
        """Find the markers in the grey picture; return None if there are none."""
        return locate(grey, table_mm, self._lens)

    def candidates(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> Candidates:
        """Search the whole picture: in the plane of the tile tops, or at all sizes if there are no markers."""
        if located is None:
            return search.at_any_scale(
                self._nets.finder, picture, self._threshold, lambda found: self.placer.print_evidence(picture, found)
            )
        return search.on_plane(self._nets.finder, picture, located, tops(tileset), table_mm, self._threshold)

    def answer(self, picture: Image, candidates: Candidates, *, any_scale: bool) -> tuple[Candidates, Predictions]:
        """Align and read all candidates once; keep those that finder and reader together take for tiles.

        With `any_scale`, candidates that differ in size from the other tiles are dropped.
        """
        proposed = candidates.proposed
        candidates, answered, kept = self.placer.align_and_read(picture, candidates)
        if any_scale and kept.any():
            kept &= search.of_one_size(candidates, candidates[kept])
        rows = np.flatnonzero(kept)
        tiles, answered = candidates[rows], answered[rows]
        printed, more = self.placer.read_prints(picture, proposed, tiles.corners)
        return find.join_candidates([tiles, printed]), answered.followed_by(more)

    def spot(self, rectified: Image) -> Candidates:
        """Return what the finder finds in a rectified view or a part of it, in pixels of that."""
        return find.decode(self._nets.finder(find.to_input(rectified))[0][0], self._threshold)


def tops(tileset: TileSet | None) -> tuple[float, float, float]:
    """Return width and height of a tile, and the height of its top above the markers' plane, in mm."""
    width, height, thickness = USUAL_TILE_MM if tileset is None else tileset.size_mm
    return width, height, thickness - SHEET_MM


def _find_small_outlines(plane: Floats | None) -> frozenset[int]:
    """Return the indices of tiles with outlines that are too small; `plane` (n, 4, 2) has their corners in mm."""
    if plane is None or len(plane) < FEWEST_SIZES:
        return frozenset()
    return frozenset(np.flatnonzero(crops.relative_sides(plane) < SMALL_BELOW).tolist())


def _outline(located: Located | None, table_mm: tuple[float, float]) -> Floats | None:
    """Return the corners (4, 2) of the play area in pixels."""
    if located is None:
        return None
    width, height = table_mm
    corners = located.pose.on_plane([(0, 0), (width, 0), (width, height), (0, height)], 0.0)
    return np.asarray(corners, np.float32)
