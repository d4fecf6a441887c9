"""Where people lay their sets: in slightly irregular rows with gaps between them, which move only when they change.

A set is a row of touching tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count, pairwise

import numpy as np

from referee.errors import RefereeError
from referee.game.table import Set, Table, in_order
from referee.game.tiles import Tile
from referee.sim.scene.arrays import Floats, floats
from referee.sim.scene.scene import SHEET_MM, Placed

Size = tuple[float, float]
_NEW = -1  # the copy number of a tile that was not on the table before


@dataclass(frozen=True, slots=True)
class Row:
    """One set as it lies: its tiles in reading order, and the position of each."""

    tiles: Set
    placed: tuple[Placed, ...]

    def part(self, start: int, length: int) -> Row:
        """Return what is left of the row if tiles at its ends are taken away."""
        end = start + length
        return Row(self.tiles[start:end], self.placed[start:end])

    def outline(self, size_mm: Size) -> Floats:
        """Return the smallest rectangle along the row that contains all tiles: (4, 2) in mm, clockwise."""
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
        """All tiles with their positions."""
        return tuple(tile for row in self.rows for tile in row.placed)


def number_copies(rows: Mapping[int, Row]) -> Layout:
    """Return the layout of `rows`, in which new tiles get copy numbers that are not in use."""
    used = {(tile.tile, tile.copy) for row in rows.values() for tile in row.placed}

    def number_copy(tile: Placed) -> Placed:
        if tile.copy != _NEW:
            return tile
        copy = next(n for n in count() if (tile.tile, n) not in used)
        used.add((tile.tile, copy))
        return replace(tile, copy=copy)

    return Layout(tuple(Row(rows[i].tiles, tuple(map(number_copy, rows[i].placed))) for i in range(len(rows))))


def stretch(short: Set, long: Set) -> int | None:
    """Return the index at which `short` occurs within `long`; None if it does not."""
    starts = range(len(long) - len(short) + 1)
    return next((start for start in starts if long[start : start + len(short)] == short), None)


def grown_row(tiles: Set, old: Row, rng: np.random.Generator, size_mm: Size) -> Row | None:
    """Return `old` with further tiles at its ends; None if `tiles` is not an extension of it."""
    start = stretch(old.tiles, tiles)
    if start is None:
        return None
    placed = list(old.placed)
    line = sum(tile.angle_deg for tile in placed) / len(placed)
    for tile in reversed(tiles[:start]):
        placed.insert(0, _next_to(placed[0], tile, rng, -size_mm[0], size_mm[1], line=line))
    for tile in tiles[start + len(old.tiles) :]:
        placed.append(_next_to(placed[-1], tile, rng, size_mm[0], size_mm[1], line=line))
    return Row(tiles, tuple(placed))


def _next_to(
    neighbour: Placed, tile: Tile, rng: np.random.Generator, width: float, height: float, *, line: float
) -> Placed:
    """Return `tile` (nearly) touching `neighbour`, on its right or, if `width` is negative, on its left.

    `line` is the angle of the row, in degrees.
    """
    lean = shake(rng, 0.4)
    slant = float(np.radians(abs(lean) + abs(neighbour.angle_deg - line)))
    spare = height / 2 * slant + abs(shake(rng, 0.2)) + 0.05
    x, y = _shift((neighbour.x_mm, neighbour.y_mm), line, width + float(np.copysign(spare, width)), shake(rng, 0.3))
    return Placed(tile, x, y, line + lean, _NEW)


def shake(rng: np.random.Generator, deviation: float) -> float:
    """Return a small random error of the hand, at most 2.5 deviations."""
    return float(np.clip(rng.normal(0, deviation), -2.5 * deviation, 2.5 * deviation))


def _shift(spot: Size, angle_deg: float, along: float, down: float) -> Size:
    """Return `spot` moved along and across a direction, in mm."""
    c, s = float(np.cos(np.radians(angle_deg))), float(np.sin(np.radians(angle_deg)))
    return spot[0] + along * c - down * s, spot[1] + along * s + down * c


def fresh_row(tiles: Set, middle: Size, angle_deg: float, rng: np.random.Generator, size_mm: Size) -> Row:
    """Return a new row around `middle`. The angles of tiles vary around that of the row, so the row stays straight."""
    leans = [shake(rng, 0.4) for _ in tiles]
    places = [0.0]
    for one, other in pairwise(leans):
        slant = float(np.radians(abs(one) + abs(other)))
        places.append(places[-1] + size_mm[0] + size_mm[1] / 2 * slant + abs(shake(rng, 0.2)) + 0.05)
    placed = []
    for tile, lean, place in zip(tiles, leans, places, strict=True):
        x, y = _shift(middle, angle_deg, place - places[-1] / 2, shake(rng, 0.45))
        placed.append(Placed(tile, x, y, angle_deg + lean, _NEW))
    return Row(tiles, tuple(placed))


GAP_MM = 20.0
SIDES = {2: (0.0, 180.0), 3: (0.0, 90.0, 180.0), 4: (0.0, 90.0, 180.0, 270.0)}
"""By number of players, where each of them sits, as the angle of a tile that is upright for the player."""
Spots = Mapping[int, tuple[float, float]]
"""Where new sets begin: the middle of the first tile in mm, by the index of the set on the table."""
_EDGE_MM = 4.0
_TRIES = 150


class TableFull(RefereeError):
    """There is no room for all sets."""


@dataclass(frozen=True, slots=True)
class Room:
    """The play area and the size of the tiles; `taken` has outlines, (N, 2) in mm, of areas that must stay free."""

    table_mm: Size = (900.0, 600.0)
    size_mm: Size = (26.0, 37.5)
    taken: tuple[Floats, ...] = ()

    def blocked_areas(self) -> list[Floats]:
        """Return the outlines of the marker sheets and of `taken`."""
        width, height = self.table_mm
        half = SHEET_MM / 2 + 1.0
        sheet = floats([[-half, -half], [half, -half], [half, half], [-half, half]])
        corners = ((0, 0), (width, 0), (width, height), (0, height))
        return [floats(sheet + floats(corner)) for corner in corners] + list(self.taken)

    def contains(self, outline: Floats) -> bool:
        """Return whether an outline lies inside the play area."""
        low, high = outline.min(axis=0), outline.max(axis=0)
        return bool((low >= _EDGE_MM).all() and (high <= floats(self.table_mm) - _EDGE_MM).all())


def lay_out(
    table: Table,
    rng: np.random.Generator,
    room: Room | None = None,
    before: Layout | None = None,
    *,
    side: float | None = None,
    spots: Spots | None = None,
) -> Layout:
    """Return a layout of `table`: sets that did not change stay where they are in `before`, others get a free place.

    Most new sets face `side`, the angle of a tile that is upright for the player who lays them; with None they face
    any side. Sets in `spots` begin there in upright rows, unless something is in the way. If the table is too crowded,
    everything is laid anew in straight rows, as people would do. Raises TableFull if even that does not help.
    """
    room = room or Room()
    try:
        return _extend_layout(table, rng, room, before or Layout(), side, spots or {})
    except TableFull:
        return _tidy(table, rng, room)


def nudge(layout: Layout, rng: np.random.Generator, room: Room | None = None) -> Layout:
    """Return the layout with each set straightened by hand."""
    room = room or Room()
    rows = dict(enumerate(layout.rows))
    for index, row in rows.items():
        x, y = (sum(getattr(tile, axis) for tile in row.placed) / len(row.placed) for axis in ("x_mm", "y_mm"))
        angle = sum(tile.angle_deg for tile in row.placed) / len(row.placed)
        middle = (x + shake(rng, 1.0), y + shake(rng, 1.0))
        moved = fresh_row(row.tiles, middle, angle + shake(rng, 0.8), rng, room.size_mm)
        if _Ground(room, (other for k, other in rows.items() if k != index)).free(moved):
            same = zip(moved.placed, row.placed, strict=True)
            rows[index] = Row(row.tiles, tuple(replace(new, copy=old.copy) for new, old in same))
    return Layout(tuple(rows.values()))


def are_apart(one: Floats, other: Floats, gap_mm: float = 0.0) -> bool:
    """Return whether two convex outlines (N, 2) are at least `gap_mm` apart, measured along the normals of sides."""
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


class _Ground:
    """The areas of the play area that are occupied."""

    def __init__(self, room: Room, rows: Iterable[Row] = ()) -> None:
        self.room = room
        self._taken: list[tuple[Floats, float]] = []
        self._circles = np.zeros((0, 3))
        for outline in room.blocked_areas():
            self._add(outline, 2.0)
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        self._add(row.outline(self.room.size_mm), GAP_MM)

    def _add(self, outline: Floats, gap_mm: float) -> None:
        self._taken.append((outline, gap_mm))
        circle = [*outline.mean(axis=0), _radius(outline) + gap_mm]
        self._circles = np.concatenate([self._circles, [circle]])

    def free(self, row: Row) -> bool:
        """Return whether `row` lies inside the play area and far enough from everything else."""
        outline = row.outline(self.room.size_mm)
        if not self.room.contains(outline):
            return False
        x, y = outline.mean(axis=0)
        far = np.hypot(self._circles[:, 0] - x, self._circles[:, 1] - y)
        near = np.flatnonzero(far < self._circles[:, 2] + _radius(outline))
        return all(are_apart(outline, *self._taken[i]) for i in near)


def _extend_layout(
    table: Table, rng: np.random.Generator, room: Room, before: Layout, side: float | None, spots: Spots
) -> Layout:
    lying, changed = _find_kept_rows(table, before)
    ground = _Ground(room, lying.values())
    for index, old in list(changed.items()):
        grown = None if old is None else grown_row(table[index], old, rng, room.size_mm)
        if grown is not None and ground.free(grown):
            ground.add(grown)
            lying[index] = grown
            del changed[index]
    for index, spot in spots.items():
        if index in changed and (row := _begun_at(spot, table[index], rng, room)) and ground.free(row):
            ground.add(row)
            lying[index] = row
            del changed[index]
    for index in changed:
        lying[index] = _somewhere(table[index], rng, ground, side)
        ground.add(lying[index])
    return number_copies(lying)


def _begun_at(spot: tuple[float, float], tiles: Set, rng: np.random.Generator, room: Room) -> Row:
    """Return a row that begins at a spot."""
    x, y = spot
    middle = x + (len(tiles) - 1) * (room.size_mm[0] + 0.4) / 2
    return fresh_row(tiles, (middle + shake(rng, 0.5), y + shake(rng, 0.5)), shake(rng, 0.2), rng, room.size_mm)


def _find_kept_rows(table: Table, before: Layout) -> tuple[dict[int, Row], dict[int, Row | None]]:
    """Return the rows that stay in place, by index, and for each other set the row that it extends, if any."""
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
            changed[index] = next((row for row in rest if stretch(row.tiles, tiles) is not None), None)
            if (old := changed[index]) is not None:
                rest.remove(old)
            elif (old := next((row for row in rest if stretch(tiles, row.tiles) is not None), None)) is not None:
                rest.remove(old)
                kept[index] = old.part(stretch(tiles, old.tiles) or 0, len(tiles))
                del changed[index]
    return kept, changed


def _somewhere(tiles: Set, rng: np.random.Generator, ground: _Ground, side: float | None) -> Row:
    """Return a row in a free place, preferably near the middle and facing `side`."""
    for x, y, facing in _places(rng, ground.room, side):
        row = fresh_row(tiles, (x, y), facing + shake(rng, 1.6), rng, ground.room.size_mm)
        if ground.free(row):
            return row
    raise TableFull(f"expected room for a set of {len(tiles)} tiles, found none")


def _places(rng: np.random.Generator, room: Room, side: float | None) -> Iterator[tuple[float, float, float]]:
    """Yield middles in mm and angles in degrees to try: first at random, then on a grid over the whole table."""
    width, height = room.table_mm
    for attempt in range(_TRIES):
        spread = 0.12 + 0.25 * attempt / _TRIES
        x, y = (float(np.clip(rng.normal(0.5, spread), 0.05, 0.95)) for _ in range(2))
        any_side = float(rng.choice([0.0, 180.0, 90.0, 270.0], p=[0.55, 0.2, 0.125, 0.125]))
        yield width * x, height * y, any_side if side is None or attempt % 4 == 3 else side
    for facing in (0.0, 90.0):
        for y in np.arange(24.0, height, 15.0):
            for x in np.arange(24.0, width, 15.0):
                yield float(x), float(y), facing


def _tidy(table: Table, rng: np.random.Generator, room: Room) -> Layout:
    """Return a layout in straight rows, the longest sets first, as people lay them on a full table."""
    rows: dict[int, Row] = {}
    ground = _Ground(room)
    queue = sorted(range(len(table)), key=lambda i: -len(table[i]))
    slack = 3.4  # how much irregularities add to the height of a row
    shelf = room.size_mm[1] + slack + GAP_MM
    y = _EDGE_MM + (room.size_mm[1] + slack) / 2
    while queue and y < room.table_mm[1]:
        x = _EDGE_MM
        while queue and x < room.table_mm[0]:
            tiles = table[queue[0]]
            row = fresh_row(tiles, (x + len(tiles) * (room.size_mm[0] + 0.7) / 2, y), 0.0, rng, room.size_mm)
            if ground.free(row):
                ground.add(row)
                rows[queue.pop(0)] = row
                x = float(row.outline(room.size_mm)[:, 0].max()) + GAP_MM
            else:
                x += 6.0
        y += shelf
    if queue:
        tiles_laid = sum(map(len, table))
        area = f"{room.table_mm[0]:g} x {room.table_mm[1]:g} mm"
        raise TableFull(f"expected sets that fit on {area}, got {len(table)} sets of {tiles_laid} tiles")
    return number_copies(rows)
