"""Whether the place of a tile that was not found is bare, judged by earlier pictures of that very place.

A tile may be called gone only where the table itself shows again: a book of the table's colour is not the table. So a
place counts as bare only where the table's own texture is seen, or other tiles lie there by now, or, on a table
without texture, where several pictures show to half a percent that its colour is what it was.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.game.tiles import Tile
from referee.vision.change import patches as plain
from referee.vision.change.bare_table import BESIDE_MM, Bare, Mean
from referee.vision.change.occlusion import (
    FEWEST_PX,
    MARGIN_MM,
    NEAR_MM,
    PX_PER_MM,
    RIM_PX,
    STEP,
    Mask,
    TopView,
    light,
    wider,
)
from referee.vision.change.patches import Match, correlation, fine, match, usual_texture, without_shadows
from referee.vision.finding.grouping import regroup_sets
from referee.vision.sighting import Floats, Image, Sighting

# Unless a comment names a source, these values were chosen by hand, not fitted. `python -m benchmarks hands` measures
# how often a tile is called gone wrongly, and how often one that is gone is asked about (models/METRICS.md).
TAKEN = 0.3
"""Where another tile covers at least this part of a place, no tile can lie in it;"""
OTHER_MM = 14.0
"""a tile found nearer to it than this may be the same one, half covered and misread."""
SAME = 0.94
"""The part of a tile that must look as it did for the tile to count as still there: more than all but its print."""
LIKE = 0.5
"""The correlation from which a print counts as the same; two faces of one shape reach less."""
PRINT = 1.8
"""Levels: a part of a tile that differs less than this from its own mean shows no print."""
TEXTURE = 0.55
"""Levels: a table whose texture is weaker may have none, and differs from a sheet of paper in its colour alone;"""
STRONG = 3.0
"""one whose texture is stronger than this is always recognised where nothing lies on it."""
SAME_LIGHT = 0.025
"""A table whose texture is weaker than STRONG must also have its colour in the place, to this part, in the light of
the rest of it: an edge of light that stays falls on a sheet of paper as well."""
SAMPLE_PX, SAMPLES_EVERY_PX = (23, 16), 48
"""Size of the patches, as large as a tile, and their distance, by which a table's usual texture is measured."""
SEVERAL = 4
"""Pictures whose mean shows enough of a table without texture."""
ALIKE = 0.5
"""The correlation from which the table's texture counts as recognised: a plain sheet with camera noise reaches 0.3."""
RISES = 0.5
"""The least slope of the present texture against the earlier one: what shows only at the rim of a sheet has less."""
UNLIKE = 0.3
"""The correlation below which the table's texture counts as hidden."""
EDGE, EDGES = 6.0, 3.0
"""Levels, and multiples of the table's texture, by which the edge of a shadow on the bare table differs."""
STEADY = 0.75
"""The correlation from which the rest of the table lies where it lay."""
LEAST = 0.3
"""The least part of a place that must be visible to judge it,"""
MOST = 0.6
"""and the part that must be visible, outside other tiles' shadows, to say that something lies there."""
MARKER_PX = 20
"""Pixels that the sheets of the markers reach into the play area."""
DEEP = (0.5, 1.6)
"""A shadow or a lamp changes light by a factor between these,"""
TINT = 0.12
"""and changes no channel by this much more than another."""
FOREIGN = 0.25
"""The part of a place whose colours no light gives the table from which something lies over it."""


class Lies(enum.Enum):
    """What is in the place of a tile that was not found."""

    NOTHING = enum.auto()
    """The bare table, or other tiles: that tile is gone."""
    SOMETHING = enum.auto()
    """That tile still, or something over it."""
    UNTOLD = enum.auto()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile lay that cannot be found."""

    tile: Tile
    lies: Lies


def places(known: TopView, now: TopView, bare: Bare | None, mean: Floats | None = None) -> tuple[Place, ...]:
    """Return the places of confirmed tiles in `known` whose face is seen less often in `now`.

    `mean` (h, w, 3) is the picture of `now` averaged over several, without the noise of a single one.
    """
    missing = Counter(known.names) - Counter(now.names)
    del missing[None]
    if not missing or known.picture.shape != now.picture.shape:
        return ()
    free = ~wider(known.fill(known.tiles) | now.fill(now.tiles), MARGIN_MM)
    tiles = now.fill(now.tiles)
    picture = now.picture if mean is None else mean
    gain = light(known.picture, picture, free)
    beside = wider(tiles, BESIDE_MM)
    table = _Table(now, picture, mean is not None, _tiles_from_before(known, now), free, tiles, beside, gain)
    grounds = tuple(_grounds(bare, picture, free))
    return tuple(
        Place(tile, _judge_place(i, known, table, grounds))
        for i, tile in enumerate(known.names)
        if tile is not None and tile in missing and not _found_near(known, i, now)
    )


def still_there(before: TopView, tile: Tile, place_mm: tuple[float, float], now: TopView) -> bool:
    """Return whether a tile still lies in its place of an earlier view, judged by all of its pixels.

    For tiles that the reader does not find: only the very same print counts, whatever lies beside it.
    """
    if before.picture.shape != now.picture.shape:
        return False
    at = np.asarray(place_mm) * PX_PER_MM + RIM_PX
    for name, quad in zip(before.names, before.tiles, strict=True):
        if name == tile and np.linalg.norm(quad.mean(axis=0) - at) < NEAR_MM * PX_PER_MM:
            found = match(before.picture, now.picture, before.fill(quad[None]))
            return found.texture >= PRINT and _lies_still(found, None)
    return False


def without_bare_places(sighting: Sighting, view: TopView, bare: Bare | None) -> Sighting:
    """Return the sighting without reads of places that may be bare, where the table looks just as it did bare.

    `view` shows the sighting from above. A place that was never seen bare stays in doubt.
    """
    doubtful = [i for i, read in enumerate(sighting.reads) if read.bare and read.doubtful]
    gone = {i for i in doubtful if _shows_bare_table(i, view, bare)}
    if not gone:
        return sighting
    reads = tuple(read for i, read in enumerate(sighting.reads) if i not in gone)
    return regroup_sets(replace(sighting, reads=reads))


def _shows_bare_table(index: int, view: TopView, bare: Bare | None) -> bool:
    others = np.delete(np.arange(len(view.tiles)), index)
    tiles, inside = view.fill(view.tiles[others]), view.fill(view.tiles[index : index + 1])
    free, beside = ~wider(tiles | inside, MARGIN_MM), wider(tiles, BESIDE_MM)
    shown = inside & ~beside
    if not shown.any() or shown.sum() < LEAST * inside.sum():
        return False
    settled = np.zeros(len(view.tiles), bool)
    table = _Table(view, view.picture, False, settled, free, tiles, beside, None)
    return any(
        ground.known[shown].mean() > SAME and _on_bare(ground, table, shown, int(inside.sum())) is Lies.NOTHING
        for ground in _grounds(bare, view.picture, free)
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """The present view where it shows the table, and what is on or beside tiles."""

    now: TopView
    picture: Image | Floats
    averaged: bool
    """Whether that is the mean of several."""
    settled: Mask
    """Which of its tiles, (n,), lay on the confirmed table as well, so that none of them is the missing one."""
    free: Mask
    tiles: Mask
    beside: Mask
    gain: Floats | None
    """The light since the table was confirmed."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """An earlier picture of the bare table, and its usual `texture` in levels. `steady`: it lies where it lay."""

    picture: Image | Floats
    known: Mask
    gain: Floats
    texture: float
    steady: bool
    lone: Mean | None = None
    """What it looks like far from all tiles, if several pictures show that."""


def _grounds(bare: Bare | None, now: Image | Floats, free: Mask) -> Iterator[_Ground]:
    if bare is None or bare.known.shape != free.shape:
        return
    known = bare.known
    table = free & known & _away_from_markers(known.shape)
    seen = bare.mean.looks > 0
    for picture, shown, lone in ((bare.first, known, None), (bare.mean.picture, seen, bare.lone)):
        gain = light(picture, now, free & known)
        if gain is not None:
            textures = [fine(p)[table] for p in (picture, now)]
            usual = usual_texture(picture, table & shown, SAMPLE_PX, SAMPLES_EVERY_PX)
            yield _Ground(picture, shown, gain, usual, correlation(*textures) > STEADY, lone)


def _away_from_markers(shape: tuple[int, ...]) -> Mask:
    away = np.zeros(shape, bool)
    inner = RIM_PX + MARKER_PX
    away[inner:-inner, inner:-inner] = True
    return away


def _judge_place(i: int, known: TopView, table: _Table, grounds: tuple[_Ground, ...]) -> Lies:
    inside = known.fill(known.tiles[i : i + 1])
    size = int(inside.sum())
    if (_other_tiles(known.tiles[i], table) & inside).sum() > TAKEN * size:
        return Lies.NOTHING
    shown = inside & ~table.beside
    if not shown.any() or shown.sum() < LEAST * size:
        return Lies.UNTOLD
    if _lies_still(match(known.picture, table.picture, shown), table.gain):
        return Lies.SOMETHING
    seen = []
    for ground in grounds:
        if ground.known[shown].mean() > SAME:
            seen.append(_on_bare(ground, table, shown, size))
            if seen[-1] is Lies.NOTHING:
                return Lies.NOTHING
    if not seen:
        return _without_ground(table, shown)
    return Lies.UNTOLD if Lies.UNTOLD in seen else Lies.SOMETHING


def _tiles_from_before(known: TopView, now: TopView) -> Mask:
    """Return which present tiles were there before: those whose face is not seen more often than it was confirmed."""
    before, seen = Counter(known.names), Counter(now.names)
    return np.asarray([name is not None and seen[name] <= before[name] for name in now.names], bool)


def _other_tiles(quad: Floats, table: _Table) -> Mask:
    """Return where tiles lie whose faces are seen, other than one that may still be in its place."""
    now = table.now
    far = np.linalg.norm(now.tiles.mean(axis=1) - quad.mean(axis=0), axis=1) > OTHER_MM * PX_PER_MM
    face_up = np.asarray([name is not None for name in now.names], bool)
    return now.fill(now.tiles[(far & face_up) | table.settled])


def _lies_still(found: Match, gain: Floats | None) -> bool:
    """Whether a place looks as it did when the tile lay there."""
    if float(np.quantile(found.levels, SAME)) >= STEP:
        return False
    if found.texture < PRINT:
        return gain is not None and bool(np.abs(np.median(found.gain, axis=0) / gain - 1).max() < TINT / 2)
    return found.correlation > LIKE


def _on_bare(ground: _Ground, table: _Table, shown: Mask, size: int) -> Lies:
    """Whether the part of a place that is `shown`, of `size` pixels, shows the table known from an earlier picture."""
    now = table.picture
    found = match(ground.picture, now, shown)
    if _is_foreign(found.seen, found.told * ground.gain):
        return Lies.SOMETHING
    if _is_seen_again(ground, now, found, shown, size):
        return Lies.NOTHING
    if table.tiles.any():
        then, lit = (without_shadows(picture, table.tiles, shown) for picture in (ground.picture, now))
        if _is_seen_again(replace(ground, picture=then), lit, match(then, lit, shown), shown, size):
            return Lies.NOTHING
    if table.averaged and ground.texture < 2 * TEXTURE and _is_plain(ground, table, shown):
        return Lies.NOTHING
    other = found.texture > STRONG and found.correlation < UNLIKE
    return Lies.SOMETHING if other and shown.sum() > MOST * size and ground.steady else Lies.UNTOLD


def _is_seen_again(ground: _Ground, now: Image | Floats, found: Match, shown: Mask, size: int) -> bool:
    """Return whether the table's own texture is recognised in `shown`, as it is or without edges of shadows."""
    rest = _without_edges(found, shown, size)
    clear = found if rest is shown else match(ground.picture, now, rest)
    alike = clear.correlation > ALIKE and clear.slope > RISES and float(np.quantile(clear.levels, SAME)) < STEP
    off = float(np.abs(np.median(clear.gain, axis=0) / ground.gain - 1).max())
    least = min(clear.texture, ground.texture)  # what shows in one place only is no texture of the table
    return least > TEXTURE and alike and (least > STRONG or off < SAME_LIGHT)


def _is_plain(ground: _Ground, table: _Table, shown: Mask) -> bool:
    """Return whether `shown` and the table around it look as they did, on a table that has no texture."""
    lone = ground.lone
    if lone is None:
        return False
    often = lone.looks >= SEVERAL
    if not shown.any() or often[shown].mean() < SAME:
        return False
    clear = often & ~wider(table.tiles, MARGIN_MM) & _away_from_markers(shown.shape)
    return plain.looks_as_it_did(lone.picture, table.picture, shown & often, clear)


def _without_edges(found: Match, shown: Mask, size: int) -> Mask:
    """Return `shown` without the edges of shadows, which hide a weak texture; all of it if too little would be left.

    The rest must still be recognised, so that a print is not taken for a shadow. `shown` itself is returned where
    nothing is removed.
    """
    far = found.levels > max(EDGE, EDGES * found.texture)
    if not far.any():
        return shown
    edges = np.zeros(shown.shape, np.uint8)
    edges[shown] = far
    left = shown & ~cv2.dilate(edges, np.ones((3, 3), np.uint8)).astype(bool)
    return left if left.sum() > LEAST * size else shown


def _without_ground(table: _Table, inside: Mask) -> Lies:
    """Judge a place that was never seen bare by the table around it: "bare" is never certain then."""
    if table.free.sum() < FEWEST_PX:
        return Lies.UNTOLD
    picture = table.picture
    usual = np.median(picture[table.free], axis=0).astype(np.float32)
    return Lies.SOMETHING if _is_foreign(picture[inside].astype(np.float32), usual) else Lies.UNTOLD


def _is_foreign(seen: Floats, table: Floats) -> bool:
    """Whether enough of (n, 3) pixels have a colour that no light gives the table."""
    factors = (seen + 8) / (table + 8)
    low, high = factors.min(axis=1), factors.max(axis=1)
    lit = (low > DEEP[0]) & (high < DEEP[1]) & (high - low < TINT * high)
    return float((~lit & (np.abs(seen - table).max(axis=1) > STEP)).mean()) > FOREIGN


def _found_near(known: TopView, i: int, now: TopView) -> bool:
    """Whether a tile of that face lies where one lay."""
    same = np.asarray([name == known.names[i] for name in now.names], bool)
    steps = now.tiles[same].mean(axis=1) - known.tiles[i].mean(axis=0)
    return bool((np.linalg.norm(steps, axis=1) < NEAR_MM * PX_PER_MM).any())
