"""Reading only what has changed since the last picture of the same table, if camera and light have not changed.

The finder's candidates and the networks' answers of the last picture are kept for everything that looks as it did
then. Inks, faces, sets and the picture's quality are always computed again from all tiles. So reading the same picture
again gives the same result, and reading one in which a few tiles have changed gives the result of a complete reading.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.tiles import TileSet
from referee.vision.change import unchanged_tiles as areas
from referee.vision.change.unchanged_tiles import KnownTiles, Rows, match_unchanged
from referee.vision.finding import finder as find
from referee.vision.finding import grouping as group
from referee.vision.finding.finder import Candidates
from referee.vision.finding.prints import find_prints
from referee.vision.finding.search import PLANE_SHORT_PX, Rectification
from referee.vision.geometry.markers import IDS, Located, align_marker
from referee.vision.pipeline import TableReader, tops
from referee.vision.placing import PRINT_SCORE
from referee.vision.reading import crops
from referee.vision.reading.answers import Predictions
from referee.vision.sighting import Floats, Image, Sighting
from referee.vision.threads import run_in_threads

# Chosen by hand, not fitted: so small that reading a picture in part gives the same result as reading all of it, which
# tests check.
MOST_LOOKS = 10
"""After this many pictures that were read in part, one is read completely, so that no error lasts for ever."""
REST = 0.35 / 2304
"""In picture widths: a camera is at rest if its markers have moved by less than this."""
SAME_PLACE = 0.1
"""In short sides of a tile: a candidate this close to an earlier one is the same candidate."""
SAME_TILE = 0.5
"""In short sides of a tile: the middles of two tiles are never this close."""
Mask = npt.NDArray[np.bool_]


class PartialReader:
    """Reads pictures of one table like its reader, but in successive pictures only the changes.

    Must not be used by two threads at once.
    """

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self._last: Last | None = None

    def read(
        self, picture: Image, tileset: TileSet | None = None, table_mm: tuple[float, float] = (900.0, 600.0),
        *, marked_only: bool = False,
    ) -> Sighting:  # fmt: skip
        """Like `TableReader.read()`, but read only what has changed since the last picture."""
        last, self._last = self._last, None  # after a picture that raises CannotJudge, nothing is kept
        sighting, self._last = read_after(last, self._reader, picture, tileset, table_mm, marked_only=marked_only)
        return sighting

    def read_closer(
        self, picture: Image, tileset: TileSet | None = None, table_mm: tuple[float, float] = (900.0, 600.0),
        *, marked_only: bool = False,
    ) -> Sighting:  # fmt: skip
        """Read one more picture of the table that was read last and not touched since, perhaps in other light.

        All of the picture is searched; tiles are read again if they were in doubt or look different now.
        """
        asked = tileset, table_mm, picture.shape
        last = self._last if self._last is not None and self._last.asked == asked else None
        steps = _Steps(self._reader, tileset, last, closer=True)
        return self._reader.look(picture, tileset, table_mm, steps, marked_only=marked_only)[0]

    def forget(self) -> None:
        """Make the next call read the whole picture."""
        self._last = None


def read_after(
    last: Last | None, reader: TableReader, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float],
    *, marked_only: bool = False,
) -> tuple[Sighting, Last | None]:  # fmt: skip
    """Read a picture, using the results of the last one; return the sighting, and the results to use for the next one.

    `last` is None for the first picture. The results are None for a picture without markers.
    """
    asked = tileset, table_mm, picture.shape
    usable = last is not None and last.asked == asked and last.looks < MOST_LOOKS
    steps = _Steps(reader, tileset, last if usable else None)
    sighting = reader.look(picture, tileset, table_mm, steps, marked_only=marked_only)[0]
    return sighting, steps.carry_over(picture, sighting, asked)


@dataclass(frozen=True, slots=True)
class Last:
    """The results of the last picture that the next one can use.

    `view` is the rectified table, each part as it was when it was last searched. `found` is what the finder found in
    it, in its pixels. `tile` (len(found),) has the row of each find in `known` and `answers`, or -1 if it is no tile.
    """

    asked: tuple[TileSet | None, tuple[float, float], tuple[int, ...]]
    looks: int
    rectification: Rectification
    view: Image
    found: Candidates
    tile: Rows
    known: KnownTiles
    answers: Predictions

    def unchanged_tiles(self, picture: Image) -> Mask:
        """Return which tiles in `known` certainly look in the picture as they did."""
        if not len(self.known.corners):
            return np.zeros(0, bool)
        return np.asarray(match_unchanged(self.known, picture, self.known.corners) >= 0, bool)

    def found_by_print(self, among: Mask) -> Rows:
        """Return the rows of those of the tiles `among` (len(known),) that only their print showed."""
        return np.setdiff1d(np.flatnonzero(among), self.tile)


class _Steps:
    """The steps for one picture; see `pipeline.Steps`."""

    def __init__(
        self, reader: TableReader, tileset: TileSet | None, last: Last | None, *, closer: bool = False
    ) -> None:
        """`closer`: search all of the picture, whatever its light."""
        self._reader, self._last, self._tops, self._closer = reader, last, tops(tileset), closer
        self._rectification: Rectification | None = None
        self._view: Image | None = None
        self._changed: Mask | None = None
        self._found = Candidates(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
        self._before = np.zeros(0, np.intp)
        """The row of each find in `last.found`; -1 for a new one."""
        self._rows = self._kept = np.zeros(0, np.intp)
        self._same = np.zeros(0, bool)
        """Which tiles in `last.known` look as they did."""
        self._tiles: tuple[Candidates, Predictions] | None = None

    def locate(self, picture: Image, grey: Image, table_mm: tuple[float, float]) -> Located | None:
        """Return where the table lies; drop the last picture's results if camera or light have changed."""
        if self._last is not None and at_rest(grey, self._last.rectification.located):
            self._rectification = self._last.rectification
            self._view = self._rectification.rectify(picture)
            everywhere = np.ones(self._view.shape[:2], bool)
            self._changed = everywhere if self._closer else areas.changed_mask(self._last.view, self._view)
            if self._changed is not None:
                return self._rectification.located
        self._last = self._rectification = self._view = None
        return self._reader.locate(picture, grey, table_mm)

    def candidates(
        self, picture: Image, located: Located | None, tileset: TileSet | None, table_mm: tuple[float, float]
    ) -> Candidates:
        """Search around what has changed; elsewhere, take the candidates of the last picture."""
        if located is None:
            return self._reader.candidates(picture, located, tileset, table_mm)
        if self._last is None or self._view is None or self._changed is None:
            rectification = self._rectification = Rectification.for_finder(located, self._tops, table_mm)
            self._view = rectification.rectify(picture)
            prints = find_prints(self._view, PLANE_SHORT_PX)
            self._found = rectification.on_table(self._reader.spot(self._view))
            self._before = np.full(len(self._found.scores), -1, np.intp)
        else:
            rectification = self._last.rectification
            anew = areas.area_to_search(self._changed)
            self._same = self._last.unchanged_tiles(picture)
            lost = rectification.in_view(self._last.known.corners[self._last.found_by_print(~self._same)])
            prints = find_prints(self._view, PLANE_SHORT_PX)
            prints = prints[_are_inside(anew, prints) | _are_near(prints, lost)]
            self._search_again(self._last, self._view, anew)
        return rectification.in_picture(self._found, prints)

    def _search_again(self, last: Last, view: Image, anew: Mask) -> None:
        parts = [find.shift_candidates(self._reader.spot(w.cut(view)), w.offset) for w in areas.windows(anew)]
        dropped = _is_inside(anew, last.found)
        fresh = find.join_candidates(parts)
        fresh = last.rectification.on_table(fresh[_is_inside(anew, fresh) | _beside_one(fresh, last.found[dropped])])
        stay = np.flatnonzero(~dropped)
        found = find.join_candidates([last.found[stay], fresh])
        before = np.concatenate([stay, _match_earlier(fresh, last.found, np.flatnonzero(dropped))])
        order = np.argsort(-found.scores, kind="stable")
        if _meet(fresh, last.found[stay]):
            centres, across, down = group.axes(found.corners[order])
            order = order[find.suppress(centres, np.float32(0.5) * down, np.float32(0.5) * across)]
        self._found, self._before = found[order], before[order]
        self._view = np.asarray(cv2.copyTo(view, anew.astype(np.uint8), last.view.copy()), np.uint8)

    def answer(self, picture: Image, candidates: Candidates, *, any_scale: bool) -> tuple[Candidates, Predictions]:
        """Align and read those candidates that are not certainly an unchanged tile of the last picture."""
        if any_scale:
            return self._reader.answer(picture, candidates, any_scale=True)
        before = self._rows_in_known()
        new, old = np.flatnonzero(before < 0), np.flatnonzero(before >= 0)
        corners, is_tile = candidates.corners.copy(), before >= 0
        stayed, alone = np.zeros(0, np.intp), corners[:0]
        if self._last is not None:
            stayed = self._last.found_by_print(self._same)
            alone = self._last.known.corners[stayed]
            corners[old] = self._last.known.corners[before[old]]
        certain = np.concatenate([corners[old], alone])
        tried, told, kept = self._reader.placer.align_and_read(picture, candidates[new], certain)
        corners[new], is_tile[new] = tried.corners, kept
        answers = told
        if self._last is not None:
            both = self._last.answers[before[old]].followed_by(told)
            answers = both[np.argsort(np.concatenate([old, new]), kind="stable")]
        self._rows = np.flatnonzero(is_tile)
        scores = np.full(len(alone), PRINT_SCORE, np.float32)
        found = find.join_candidates([Candidates(corners, candidates.scores)[self._rows], Candidates(alone, scores)])
        answers = answers[self._rows]
        if self._last is not None:
            answers = answers.followed_by(self._last.answers[stayed])
        printed, more = self._reader.placer.read_prints(picture, candidates.proposed, found.corners)
        self._kept = np.concatenate([before[self._rows], stayed, np.full(len(more), -1, np.intp)])
        self._tiles = find.join_candidates([found, printed]), answers.followed_by(more)
        return self._tiles

    def _rows_in_known(self) -> Rows:
        """Return for each candidate the row in `last.known` of the tile that it surely is; -1 if it must be read."""
        before = np.full(len(self._before), -1, np.intp)
        if self._last is not None and len(self._last.tile):
            tile = np.where(self._before >= 0, self._last.tile[self._before], -1)
            sure = (tile >= 0) & np.append(self._same, False)[tile]
            before[sure] = tile[sure]
        return before

    def carry_over(
        self, picture: Image, sighting: Sighting, asked: tuple[TileSet | None, tuple[float, float], tuple[int, ...]]
    ) -> Last | None:
        """Return what the next picture can use of this one; None if this one has no markers."""
        if self._rectification is None or self._view is None or self._tiles is None:
            return None
        corners, answers = self._tiles[0].corners, self._tiles[1]
        sure = np.asarray([not read.doubtful for read in sighting.reads], bool)
        new, old = np.flatnonzero(self._kept < 0), np.flatnonzero(self._kept >= 0)
        known = KnownTiles.from_picture(picture, corners[new], sure[new])
        if self._last is not None:
            earlier = self._last.known[self._kept[old]]
            earlier = replace(earlier, sure=earlier.sure & sure[old])
            known = earlier.followed_by(known)[np.argsort(np.concatenate([old, new]), kind="stable")]
        tile = np.full(len(self._found.scores), -1, np.intp)
        tile[self._rows] = np.arange(len(self._rows))
        looks = 0 if self._last is None else self._last.looks + 1
        return Last(asked, looks, self._rectification, self._view, self._found, tile, known, answers)


def at_rest(grey: Image, before: Located) -> bool:
    """Return whether all four markers lie in a grey picture exactly where they lay in the last one."""
    if set(before.corners) != set(IDS):
        return False

    def has_stayed(number: int) -> bool:
        corners = before.corners[number]
        around = np.ptp(corners, axis=0).max()
        low = np.maximum(np.floor(corners.min(axis=0) - around).astype(int), 0)
        high = np.ceil(corners.max(axis=0) + around).astype(int)
        there = np.asarray(corners - low, np.float32)
        here = align_marker(grey[low[1] : high[1], low[0] : high[0]], there, number)
        return here is not there and bool(np.linalg.norm(here - there, axis=1).max() <= REST * max(grey.shape))

    return all(run_in_threads(has_stayed, IDS))


def _is_inside(mask: Mask, found: Candidates) -> Mask:
    """Return which candidates (n,) have their middle inside a mask (h, w)."""
    return _are_inside(mask, found.corners.mean(axis=1))


def _are_inside(mask: Mask, points: Floats) -> Mask:
    """Return which points (n, 2) lie inside a mask (h, w)."""
    x, y = np.round(points).astype(int).T
    return np.asarray(mask[np.clip(y, 0, mask.shape[0] - 1), np.clip(x, 0, mask.shape[1] - 1)], bool)


def _are_near(points: Floats, others: Floats) -> Mask:
    """Return which points (n, 2) lie within a tile's width of one of the others (m, 2)."""
    apart = np.linalg.norm(points[:, None] - others[None], axis=2)
    return np.asarray((apart < PLANE_SHORT_PX).any(axis=1), bool)


def _beside_one(fresh: Candidates, dropped: Candidates) -> Mask:
    """Return which new candidates (n,) have their middle close to that of one that was dropped.

    If a middle lies near the rim of the searched area, one search may find it just inside and another just outside.
    """
    if not len(fresh.scores) or not len(dropped.scores):
        return np.zeros(len(fresh.scores), bool)
    apart = _middle_distances(fresh.corners, dropped.corners)
    return np.asarray((apart < SAME_TILE * crops.short_sides(dropped.corners)[None]).any(axis=1), bool)


def _meet(some: Candidates, others: Candidates) -> bool:
    """Return whether one of `some` lies so close to one of the others that both may be the same tile."""
    if not len(some.scores) or not len(others.scores):
        return False
    apart = _middle_distances(some.corners, others.corners)
    return bool(apart.min() < np.linalg.norm(some.corners[:, 0] - some.corners[:, 2], axis=1).max())


def _match_earlier(fresh: Candidates, earlier: Candidates, rows: Rows) -> Rows:
    """Return for each new candidate which of the earlier `rows` is the same one, or -1."""
    again = np.full(len(fresh.scores), -1, np.intp)
    if len(rows) and len(again):
        there = earlier.corners[rows]
        apart = _middle_distances(fresh.corners, there)
        near = apart < SAME_PLACE * crops.short_sides(there)[None]
        alone = near & (near.sum(axis=1, keepdims=True) == 1) & (near.sum(axis=0, keepdims=True) == 1)
        mine, theirs = np.nonzero(alone)
        again[mine] = rows[theirs]
    return again


def _middle_distances(some: Floats, others: Floats) -> Floats:
    """Return the distances (n, m) of the middles of quads (n, 4, 2) from those of others (m, 4, 2)."""
    return np.asarray(np.linalg.norm(some.mean(axis=1)[:, None] - others.mean(axis=1)[None], axis=2), np.float32)
