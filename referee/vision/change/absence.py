"""Whether the place of a tile that was not found is bare, judged by earlier pictures of the same place.

A tile may be called gone only if the table itself is visible there: a book of the table's colour is not the table. So
a place counts as bare only if the table's own texture is recognised, or other tiles lie there now. On a table without
texture, it also counts as bare if several pictures show, to half a percent, that its colour is unchanged.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Set
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
from referee.vision.sighting import Floats, Image, Read, Sighting

# Unless a comment names a source, these values were chosen by hand, not fitted. `python -m benchmarks hands` measures
# how often a tile is wrongly called gone, and how often players are asked about one that is gone (models/METRICS.md).
TAKEN = 0.3
"""If other tiles cover at least this part of a place, no tile can lie in it. If a tile in doubt does, the missing one
may: of two wooden tiles side by side, an outline across both was once all that was found (`benchmarks.evenings`)."""
OTHER_MM = 14.0
"""A tile found closer to the place than this may be the missing one, half covered and misread."""
SAME = 0.94
"""A tile counts as still there if at least this part of it is unchanged: more than everything but the print."""
LIKE = 0.5
"""A print counts as the same from this correlation on; two different faces of one shape have less."""
PRINT = 1.8
"""Levels: a part of a tile that varies by less than this shows no print."""
TEXTURE = 0.55
"""Levels: a table with weaker texture may have none, and then differs from a sheet of paper only by its colour."""
STRONG = 3.0
"""Levels: a table with stronger texture than this is always recognised in a bare place."""
SAME_LIGHT = 0.025
"""If the texture of the table is weaker than STRONG, its colour must also be unchanged to this part, after allowing
for the light on the rest of the table: the edge of a steady light would be seen on a sheet of paper, too."""
SAMPLE_PX, SAMPLES_EVERY_PX = (23, 16), 48
"""Size of the patches by which a table's usual texture is measured (as large as a tile), and their spacing."""
SEVERAL = 4
"""The least number of pictures whose mean shows a table without texture well enough."""
ALIKE = 0.5
"""The texture of the table counts as recognised from this correlation on; by noise, a plain sheet reaches 0.3."""
RISES = 0.5
"""The least slope of the present texture against the earlier one; if only a sheet's rim is similar, it is lower."""
UNLIKE = 0.3
"""The texture of the table counts as hidden below this correlation."""
EDGE, EDGES = 6.0, 3.0
"""The edge of a shadow on the bare table differs by more than this many levels, and multiples of the texture."""
STEADY = 0.75
"""The rest of the table counts as unmoved from this correlation on."""
LEAST = 0.3
"""The least part of a place that must be visible to judge it."""
SHADED_MM, FAR = (15.0, 18.0), 0.2
"""The shadow of a tile may darken the table within these distances. A place is judged without them, too, if more than
this part of it lies beyond them (LEAST, if it must be recognised by its texture). Chosen on 35 undecided places of
tiles that had been taken away (`benchmarks.evenings`, enrolled, seed 95)."""
MOST = 0.6
"""The part that must be visible, outside the shadows of other tiles, for saying that something lies there."""
MARKER_PX = 20
"""Pixels by which the markers' sheets reach into the play area."""
DEEP = (0.5, 1.6)
"""A shadow or a lamp changes the light by a factor between these."""
TINT = 0.12
"""The factors of the channels then differ by at most this part."""
FOREIGN = 0.25
"""Something lies over a place if more than this part of it has colours that the table shows in no light."""


class Lies(enum.Enum):
    """What is in the place of a tile that was not found."""

    NOTHING = enum.auto()
    """The bare table, or other tiles: the missing tile is gone."""
    SOMETHING = enum.auto()
    """The missing tile itself, or something over it."""
    UNTOLD = enum.auto()


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a confirmed tile that was not found."""

    tile: Tile
    lies: Lies


def places(known: TopView, now: TopView, bare: Bare | None, mean: Floats | None = None) -> tuple[Place, ...]:
    """Return the places of tiles that are in `known`, the confirmed table, more often than in `now`.

    `mean` (h, w, 3) is the picture of `now` averaged over several pictures, to reduce noise.
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
    """Return whether a tile still lies where it lay in an earlier view, judged by all of its pixels.

    Used for tiles that the reader does not find. Only an identical print counts, whatever lies beside it.
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
    """Return the sighting without reads of places that may be bare and look exactly like the bare table.

    `view` shows the sighting from above. A read stays in doubt if its place was never seen bare.
    """
    doubtful = [i for i, read in enumerate(sighting.reads) if read.bare and read.doubtful]
    return _without_reads(sighting, {i for i in doubtful if _shows_bare_table(i, view, bare)})


def without_shadows_outside(sighting: Sighting) -> Sighting:
    """Return the sighting without reads outside the play area that may be bare, or are rather a back than a print.

    Racks stand there, and the bare table is not known there. In one of 78 matches (`benchmarks.evenings`, seed 92)
    the shadow of a rack was asked about at seven turns. No verdict depends on a back, and a tile whose print is seen
    is kept, wherever it lies.
    """
    if sighting.table_mm is None:
        return sighting
    width, depth = sighting.table_mm

    def is_shadow(read: Read) -> bool:
        if not read.doubtful or read.x_mm is None or read.y_mm is None:
            return False
        is_outside = not (0 <= read.x_mm <= width and 0 <= read.y_mm <= depth)
        return is_outside and bool(read.bare or read.tile is None)

    return _without_reads(sighting, {i for i, read in enumerate(sighting.reads) if is_shadow(read)})


def _without_reads(sighting: Sighting, gone: Set[int]) -> Sighting:
    if not gone:
        return sighting
    left = [i for i in range(len(sighting.reads)) if i not in gone]
    reads, quality = tuple(sighting.reads[i] for i in left), sighting.quality.for_tiles(left)
    return regroup_sets(replace(sighting, reads=reads, quality=quality))


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
    """The present view of the table, with masks of what is on or beside tiles."""

    now: TopView
    picture: Image | Floats
    averaged: bool
    """Whether `picture` is the mean of several."""
    settled: Mask
    """Which tiles of `now`, (n,), lay on the confirmed table as well, so that none of them is the missing one."""
    free: Mask
    tiles: Mask
    beside: Mask
    gain: Floats | None
    """The factor by which light has changed since the table was confirmed, per channel."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """An earlier picture of the bare table, and its usual `texture` in levels; `steady`: the table has not moved."""

    picture: Image | Floats
    known: Mask
    gain: Floats
    texture: float
    steady: bool
    lone: Mean | None = None
    """What the table looks like far from all tiles, if several pictures show that."""


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
    if (lying := _lies_under_tiles(known.tiles[i], inside, table)) is not None:
        return lying
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
    """Return which present tiles were there before: those with a face that is seen no more often than confirmed."""
    before, seen = Counter(known.names), Counter(now.names)
    return np.asarray([name is not None and seen[name] <= before[name] for name in now.names], bool)


def _lies_under_tiles(quad: Floats, inside: Mask, table: _Table) -> Lies | None:
    """Return what tiles that are found say about a place; None if too little of it is covered by them.

    Tiles that lie there face up leave no room, apart from one that may be the missing tile in its place.
    """
    now = table.now
    far = np.linalg.norm(now.tiles.mean(axis=1) - quad.mean(axis=0), axis=1) > OTHER_MM * PX_PER_MM
    face_up = np.asarray([name is not None for name in now.names], bool)
    doubtful = np.asarray([i in now.doubtful for i in range(len(now.names))], bool)
    least = TAKEN * inside.sum()
    if (now.fill(now.tiles[((far & face_up) | table.settled) & ~doubtful]) & inside).sum() > least:
        return Lies.NOTHING
    return Lies.SOMETHING if (now.fill(now.tiles[doubtful]) & inside).sum() > least else None


def _lies_still(found: Match, gain: Floats | None) -> bool:
    """Return whether a place looks as it did when the tile lay there."""
    if float(np.quantile(found.levels, SAME)) >= STEP:
        return False
    if found.texture < PRINT:
        return gain is not None and bool(np.abs(np.median(found.gain, axis=0) / gain - 1).max() < TINT / 2)
    return found.correlation > LIKE


def _on_bare(ground: _Ground, table: _Table, shown: Mask, size: int) -> Lies:
    """Return whether the visible part `shown` of a place, which has `size` pixels, shows the bare table."""
    now = table.picture
    found = match(ground.picture, now, shown)
    if _is_foreign(found.seen, found.told * ground.gain):
        return Lies.SOMETHING
    beyond = tuple(_parts_beyond_shadows(table, shown, size))
    matches = [(shown, found), *((part, match(ground.picture, now, part)) for part, _ in beyond)]
    if any(part.sum() > LEAST * size and _is_seen_again(ground, now, how, part, size) for part, how in matches):
        return Lies.NOTHING
    if table.tiles.any():
        then, lit = (without_shadows(picture, table.tiles, shown) for picture in (ground.picture, now))
        if _is_seen_again(replace(ground, picture=then), lit, match(then, lit, shown), shown, size):
            return Lies.NOTHING
    parts = (shown, wider(table.tiles, MARGIN_MM)), *beyond
    if table.averaged and ground.texture < 2 * TEXTURE and any(_is_plain(ground, table, *part) for part in parts):
        return Lies.NOTHING
    other = found.texture > STRONG and found.correlation < UNLIKE
    return Lies.SOMETHING if other and shown.sum() > MOST * size and ground.steady else Lies.UNTOLD


def _parts_beyond_shadows(table: _Table, shown: Mask, size: int) -> Iterator[tuple[Mask, Mask]]:
    """Yield what of the visible part `shown` of a place of `size` pixels lies outside shadows, and those shadows."""
    for reach in SHADED_MM if table.tiles.any() else ():
        shadows = wider(table.tiles, reach)
        beyond = shown & ~shadows
        if FAR * size < beyond.sum() < shown.sum():
            yield beyond, shadows


def _is_seen_again(ground: _Ground, now: Image | Floats, found: Match, shown: Mask, size: int) -> bool:
    """Return whether the table's own texture is recognised in `shown`, with or without edges of shadows."""
    rest = _without_edges(found, shown, size)
    clear = found if rest is shown else match(ground.picture, now, rest)
    alike = clear.correlation > ALIKE and clear.slope > RISES and float(np.quantile(clear.levels, SAME)) < STEP
    off = float(np.abs(np.median(clear.gain, axis=0) / ground.gain - 1).max())
    least = min(clear.texture, ground.texture)  # what is seen in one place only is not the table's texture
    return least > TEXTURE and alike and (least > STRONG or off < SAME_LIGHT)


def _is_plain(ground: _Ground, table: _Table, shown: Mask, shadows: Mask) -> bool:
    """Return whether `shown` and its surroundings outside `shadows` look as before, on a table without texture."""
    lone = ground.lone
    if lone is None:
        return False
    often = lone.looks >= SEVERAL
    if not shown.any() or often[shown].mean() < SAME:
        return False
    clear = often & ~shadows & _away_from_markers(shown.shape)
    return plain.looks_as_it_did(lone.picture, table.picture, shown & often, clear)


def _without_edges(found: Match, shown: Mask, size: int) -> Mask:
    """Return `shown` without edges of shadows, which hide a weak texture; all of it if too little would be left.

    The remaining part must still be recognised as the table, so that a print is not taken for a shadow. If nothing is
    removed, `shown` itself is returned.
    """
    far = found.levels > max(EDGE, EDGES * found.texture)
    if not far.any():
        return shown
    edges = np.zeros(shown.shape, np.uint8)
    edges[shown] = far
    left = shown & ~cv2.dilate(edges, np.ones((3, 3), np.uint8)).astype(bool)
    return left if left.sum() > LEAST * size else shown


def _without_ground(table: _Table, inside: Mask) -> Lies:
    """Judge a place that was never seen bare by the table around it; the result is never NOTHING."""
    if table.free.sum() < FEWEST_PX:
        return Lies.UNTOLD
    picture = table.picture
    usual = np.median(picture[table.free], axis=0).astype(np.float32)
    return Lies.SOMETHING if _is_foreign(picture[inside].astype(np.float32), usual) else Lies.UNTOLD


def _is_foreign(seen: Floats, table: Floats) -> bool:
    """Return whether enough of the pixels (n, 3) have a colour that the table shows in no light."""
    factors = (seen + 8) / (table + 8)
    low, high = factors.min(axis=1), factors.max(axis=1)
    lit = (low > DEEP[0]) & (high < DEEP[1]) & (high - low < TINT * high)
    return float((~lit & (np.abs(seen - table).max(axis=1) > STEP)).mean()) > FOREIGN


def _found_near(known: TopView, i: int, now: TopView) -> bool:
    """Return whether a tile with the face of tile `i` was found where that lay."""
    same = np.asarray([name == known.names[i] for name in now.names], bool)
    steps = now.tiles[same].mean(axis=1) - known.tiles[i].mean(axis=0)
    return bool((np.linalg.norm(steps, axis=1) < NEAR_MM * PX_PER_MM).any())
