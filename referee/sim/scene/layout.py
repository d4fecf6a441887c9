"""Where people lay their sets: rows with a hand's jitter, apart from each other, moved only when they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from referee.errors import RefereeError
from referee.game.table import Set, Table, in_order
from referee.sim.scene.arrays import Floats, floats
from referee.sim.scene.rows import Layout, Row, Size, fresh_row, grown_row, number_copies, shake, stretch
from referee.sim.scene.scene import SHEET_MM

GAP_MM = 20.0
SIDES = {2: (0.0, 180.0), 3: (0.0, 90.0, 180.0), 4: (0.0, 90.0, 180.0, 270.0)}
"""For each number of players, where each sits: the angle of a tile that is upright for them."""
Spots = Mapping[int, tuple[float, float]]
"""Where new sets begin, mm: the middle of their first tile, by the set's index on the table."""
_EDGE_MM = 4.0
_TRIES = 150


class TableFull(RefereeError):
    """There is no room for all sets."""


@dataclass(frozen=True, slots=True)
class Room:
    """The play area and the size of the tiles; `taken` are outlines (N, 2) mm where nothing may be laid."""

    table_mm: Size = (900.0, 600.0)
    size_mm: Size = (26.0, 37.5)
    taken: tuple[Floats, ...] = ()

    def blocked_areas(self) -> list[Floats]:
        """The marker sheets and whatever else is taken."""
        width, height = self.table_mm
        half = SHEET_MM / 2 + 1.0
        sheet = floats([[-half, -half], [half, -half], [half, half], [-half, half]])
        corners = ((0, 0), (width, 0), (width, height), (0, height))
        return [floats(sheet + floats(corner)) for corner in corners] + list(self.taken)

    def contains(self, outline: Floats) -> bool:
        """Whether an outline lies inside the play area."""
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
    """Lay `table`: sets that did not change stay where `before` has them, others find a free place.

    New sets mostly face `side`, the angle of a tile that is upright for whoever lays them; None: any side. Those that
    `spots` names begin there in upright rows, unless something is in the way. When the
    table is too crowded, the people tidy it up: everything is laid anew in straight rows. Raises TableFull when even
    that does not help.
    """
    room = room or Room()
    try:
        return _beside(table, rng, room, before or Layout(), side, spots or {})
    except TableFull:
        return _tidy(table, rng, room)


def nudge(layout: Layout, rng: np.random.Generator, room: Room | None = None) -> Layout:
    """The same sets in the same places, each straightened by hand."""
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


class _Ground:
    """What is taken of the play area."""

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
        """Whether `row` lies inside the play area and far enough from everything."""
        outline = row.outline(self.room.size_mm)
        if not self.room.contains(outline):
            return False
        x, y = outline.mean(axis=0)
        far = np.hypot(self._circles[:, 0] - x, self._circles[:, 1] - y)
        near = np.flatnonzero(far < self._circles[:, 2] + _radius(outline))
        return all(apart(outline, *self._taken[i]) for i in near)


def _beside(
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
    """A row that begins at a spot."""
    x, y = spot
    middle = x + (len(tiles) - 1) * (room.size_mm[0] + 0.4) / 2
    return fresh_row(tiles, (middle + shake(rng, 0.5), y + shake(rng, 0.5)), shake(rng, 0.2), rng, room.size_mm)


def _find_kept_rows(table: Table, before: Layout) -> tuple[dict[int, Row], dict[int, Row | None]]:
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
            changed[index] = next((row for row in rest if stretch(row.tiles, tiles) is not None), None)
            if (old := changed[index]) is not None:
                rest.remove(old)
            elif (old := next((row for row in rest if stretch(tiles, row.tiles) is not None), None)) is not None:
                rest.remove(old)
                kept[index] = old.part(stretch(tiles, old.tiles) or 0, len(tiles))
                del changed[index]
    return kept, changed


def _somewhere(tiles: Set, rng: np.random.Generator, ground: _Ground, side: float | None) -> Row:
    """A row in a free place: near the middle first, facing the side its player sits at."""
    for x, y, facing in _places(rng, ground.room, side):
        row = fresh_row(tiles, (x, y), facing + shake(rng, 1.6), rng, ground.room.size_mm)
        if ground.free(row):
            return row
    raise TableFull(f"expected room for a set of {len(tiles)} tiles, found none")


def _places(rng: np.random.Generator, room: Room, side: float | None) -> Iterator[tuple[float, float, float]]:
    """Middles, mm, and directions, degrees, to try: at random at first, at last everywhere."""
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
    """Everything in straight rows, the longest sets first, as people do on a full table."""
    rows: dict[int, Row] = {}
    ground = _Ground(room)
    queue = sorted(range(len(table)), key=lambda i: -len(table[i]))
    slack = 3.4  # what jitter adds to a row's height
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
