"""Where people lay their sets: rows with a hand's jitter, apart from each other, moved only when they change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise

import numpy as np

from referee.errors import RefereeError
from referee.game.table import Set, Table, in_order
from referee.game.tiles import Tile
from referee.sim.arrays import Floats, floats
from referee.sim.scene import SHEET_MM, Placed

GAP_MM = 20.0
_EDGE_MM = 4.0
_TRIES = 150
_NEW = -1  # the copy of a tile that was not on the table before
Size = tuple[float, float]


class TableFull(RefereeError):
    """There is no room for all sets."""


@dataclass(frozen=True, slots=True)
class Row:
    """One set as it lies: its tiles in reading order and where each of them is."""

    tiles: Set
    placed: tuple[Placed, ...]

    def outline(self, size_mm: Size) -> Floats:
        """The smallest rectangle along the row that holds every tile: (4, 2) mm, clockwise."""
        first = np.radians(self.placed[0].angle_deg)
        turn = floats([[np.cos(first), -np.sin(first)], [np.sin(first), np.cos(first)]])
        corners = np.concatenate([tile.corners(size_mm) for tile in self.placed]) @ turn
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        return floats(floats([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) @ turn.T)


@dataclass(frozen=True, slots=True)
class Layout:
    """All sets on the table."""

    rows: tuple[Row, ...] = ()

    @property
    def table(self) -> Table:
        """The sets as the rules see them."""
        return tuple(row.tiles for row in self.rows)

    @property
    def tiles(self) -> tuple[Placed, ...]:
        """Every tile where it lies."""
        return tuple(tile for row in self.rows for tile in row.placed)


@dataclass(frozen=True, slots=True)
class Room:
    """The play area and the size of the tiles; `taken` are outlines (N, 2) mm where nothing may be laid."""

    table_mm: Size = (900.0, 600.0)
    size_mm: Size = (26.0, 37.5)
    taken: tuple[Floats, ...] = ()

    def blocked(self) -> list[Floats]:
        """The marker sheets and whatever else is taken."""
        width, height = self.table_mm
        half = SHEET_MM / 2 + 1.0
        sheet = floats([[-half, -half], [half, -half], [half, half], [-half, half]])
        corners = ((0, 0), (width, 0), (width, height), (0, height))
        return [floats(sheet + floats(corner)) for corner in corners] + list(self.taken)

    def holds(self, outline: Floats) -> bool:
        """Whether an outline lies inside the play area."""
        low, high = outline.min(axis=0), outline.max(axis=0)
        return bool((low >= _EDGE_MM).all() and (high <= floats(self.table_mm) - _EDGE_MM).all())


def lay_out(table: Table, rng: np.random.Generator, room: Room | None = None, before: Layout | None = None) -> Layout:
    """Lay `table`: sets that did not change stay where `before` has them, others find a free place.

    When the table is too crowded, the people tidy it up: everything is laid anew in straight rows. Raises TableFull
    when even that does not help.
    """
    room = room or Room()
    try:
        return _beside(table, rng, room, before or Layout())
    except TableFull:
        return _tidy(table, rng, room)


def apart(one: Floats, other: Floats, gap_mm: float = 0.0) -> bool:
    """Whether two convex outlines (N, 2) lie at least `gap_mm` apart, measured along their sides' normals."""
    middles = one.mean(axis=0) - other.mean(axis=0)
    if float(np.hypot(*middles)) > gap_mm + _radius(one) + _radius(other):
        return True
    for outline in (one, other):
        sides = np.roll(outline, -1, axis=0) - outline
        normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1)
        normals /= np.maximum(np.hypot(normals[:, 0], normals[:, 1]), 1e-9)[:, None]
        a, b = one @ normals.T, other @ normals.T
        if (a.max(axis=0) + gap_mm <= b.min(axis=0)).any() or (b.max(axis=0) + gap_mm <= a.min(axis=0)).any():
            return True
    return False


def _radius(outline: Floats) -> float:
    return float(np.hypot(*(outline - outline.mean(axis=0)).T).max())


def _beside(table: Table, rng: np.random.Generator, room: Room, before: Layout) -> Layout:
    lying, changed = _kept(table, before)
    for index, old in list(changed.items()):
        grown = None if old is None else _grown(table[index], old, rng, room)
        if grown is not None and _free(grown.outline(room.size_mm), _outlines(lying, room), room):
            lying[index] = grown
            del changed[index]
    for index in changed:
        lying[index] = _somewhere(table[index], rng, room, _outlines(lying, room))
    return _numbered(lying)


def _outlines(rows: Mapping[int, Row], room: Room) -> list[Floats]:
    return [row.outline(room.size_mm) for row in rows.values()]


def _numbered(rows: Mapping[int, Row]) -> Layout:
    """The layout of `rows`, where tiles that were new get a copy of their own."""
    used = {(tile.tile, tile.copy) for row in rows.values() for tile in row.placed}

    def known(tile: Placed) -> Placed:
        if tile.copy != _NEW:
            return tile
        copy = next(n for n in count() if (tile.tile, n) not in used)
        used.add((tile.tile, copy))
        return replace(tile, copy=copy)

    return Layout(tuple(Row(rows[i].tiles, tuple(map(known, rows[i].placed))) for i in range(len(rows))))


def _kept(table: Table, before: Layout) -> tuple[dict[int, Row], dict[int, Row | None]]:
    """Rows that stay as they are, by index, and for each other set the row it grew from, if any."""
    rest = list(before.rows)
    kept: dict[int, Row] = {}
    for exact in (True, False):
        for index, tiles in enumerate(table):
            if index in kept:
                continue
            same = (row for row in rest if (row.tiles == tiles if exact else in_order(row.tiles) == in_order(tiles)))
            if (row := next(same, None)) is not None:
                kept[index] = row
                rest.remove(row)
    changed: dict[int, Row | None] = {}
    for index, tiles in enumerate(table):
        if index not in kept:
            changed[index] = next((row for row in rest if _within(row.tiles, tiles) is not None), None)
            if (old := changed[index]) is not None:
                rest.remove(old)
    return kept, changed


def _within(short: Set, long: Set) -> int | None:
    """Where `short` starts as a stretch of `long`."""
    starts = range(len(long) - len(short) + 1)
    return next((start for start in starts if long[start : start + len(short)] == short), None)


def _grown(tiles: Set, old: Row, rng: np.random.Generator, room: Room) -> Row | None:
    """`old` with further tiles laid at its ends."""
    start = _within(old.tiles, tiles)
    if start is None:
        return None
    placed = list(old.placed)
    line = sum(tile.angle_deg for tile in placed) / len(placed)
    for tile in reversed(tiles[:start]):
        placed.insert(0, _next_to(placed[0], tile, rng, -room.size_mm[0], room.size_mm[1], line=line))
    for tile in tiles[start + len(old.tiles) :]:
        placed.append(_next_to(placed[-1], tile, rng, room.size_mm[0], room.size_mm[1], line=line))
    return Row(tiles, tuple(placed))


def _next_to(
    neighbour: Placed, tile: Tile, rng: np.random.Generator, width: float, height: float, *, line: float
) -> Placed:
    """`tile` touching `neighbour`, or almost, on its right or, where `width` is negative, on its left.

    `line` is the row's own angle, degrees.
    """
    lean = _shake(rng, 0.4)
    slant = float(np.radians(abs(lean) + abs(neighbour.angle_deg - line)))
    spare = height / 2 * slant + abs(_shake(rng, 0.2)) + 0.05
    x, y = _shifted((neighbour.x_mm, neighbour.y_mm), line, width + float(np.copysign(spare, width)), _shake(rng, 0.3))
    return Placed(tile, x, y, line + lean, _NEW)


def _shake(rng: np.random.Generator, deviation: float) -> float:
    """A small error of the hand, never more than 2.5 deviations."""
    return float(np.clip(rng.normal(0, deviation), -2.5 * deviation, 2.5 * deviation))


def _shifted(spot: Size, angle_deg: float, along: float, down: float) -> Size:
    """`spot` moved along and across a direction, mm."""
    c, s = float(np.cos(np.radians(angle_deg))), float(np.sin(np.radians(angle_deg)))
    return spot[0] + along * c - down * s, spot[1] + along * s + down * c


def _fresh(tiles: Set, middle: Size, angle_deg: float, rng: np.random.Generator, size_mm: Size) -> Row:
    """A new row around `middle`. Tiles lean against the row, not their neighbour: it stays straight."""
    leans = [_shake(rng, 0.4) for _ in tiles]
    places = [0.0]
    for one, other in pairwise(leans):
        slant = float(np.radians(abs(one) + abs(other)))
        places.append(places[-1] + size_mm[0] + size_mm[1] / 2 * slant + abs(_shake(rng, 0.2)) + 0.05)
    placed = []
    for tile, lean, place in zip(tiles, leans, places, strict=True):
        x, y = _shifted(middle, angle_deg, place - places[-1] / 2, _shake(rng, 0.45))
        placed.append(Placed(tile, x, y, angle_deg + lean, _NEW))
    return Row(tiles, tuple(placed))


def _free(outline: Floats, others: Sequence[Floats], room: Room) -> bool:
    return (
        room.holds(outline)
        and all(apart(outline, other, GAP_MM) for other in others)
        and all(apart(outline, other, 2.0) for other in room.blocked())
    )


def _somewhere(tiles: Set, rng: np.random.Generator, room: Room, others: Sequence[Floats]) -> Row:
    """A row in a free place: near the middle first, facing the side its player sits at."""
    for x, y, side in _places(rng, room):
        row = _fresh(tiles, (x, y), side + _shake(rng, 1.6), rng, room.size_mm)
        if _free(row.outline(room.size_mm), others, room):
            return row
    raise TableFull(f"expected room for a set of {len(tiles)} tiles, found none")


def _places(rng: np.random.Generator, room: Room) -> Iterator[tuple[float, float, float]]:
    """Middles, mm, and directions, degrees, to try: at random at first, at last everywhere."""
    width, height = room.table_mm
    for attempt in range(_TRIES):
        spread = 0.12 + 0.25 * attempt / _TRIES
        x, y = (float(np.clip(rng.normal(0.5, spread), 0.05, 0.95)) for _ in range(2))
        yield width * x, height * y, float(rng.choice([0.0, 180.0, 90.0, 270.0], p=[0.55, 0.2, 0.125, 0.125]))
    for side in (0.0, 90.0):
        for y in np.arange(24.0, height, 15.0):
            for x in np.arange(24.0, width, 15.0):
                yield float(x), float(y), side


def _tidy(table: Table, rng: np.random.Generator, room: Room) -> Layout:
    """Everything in straight rows, the longest sets first, as people do on a full table."""
    rows: dict[int, Row] = {}
    queue = sorted(range(len(table)), key=lambda i: -len(table[i]))
    slack = 3.4  # what jitter adds to a row's height
    shelf = room.size_mm[1] + slack + GAP_MM
    y = _EDGE_MM + (room.size_mm[1] + slack) / 2
    while queue and y < room.table_mm[1]:
        x = _EDGE_MM
        while queue and x < room.table_mm[0]:
            tiles = table[queue[0]]
            row = _fresh(tiles, (x + len(tiles) * (room.size_mm[0] + 0.7) / 2, y), 0.0, rng, room.size_mm)
            outline = row.outline(room.size_mm)
            if _free(outline, _outlines(rows, room), room):
                rows[queue.pop(0)] = row
                x = float(outline[:, 0].max()) + GAP_MM
            else:
                x += 6.0
        y += shelf
    if queue:
        tiles_laid = sum(map(len, table))
        area = f"{room.table_mm[0]:g} x {room.table_mm[1]:g} mm"
        raise TableFull(f"expected sets that fit on {area}, got {len(table)} sets of {tiles_laid} tiles")
    return _numbered(rows)
