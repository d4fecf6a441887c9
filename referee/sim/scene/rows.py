"""One set as people lay it: a row of touching tiles, with a hand's jitter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count, pairwise

import numpy as np

from referee.game.table import Set, Table
from referee.game.tiles import Tile
from referee.sim.scene.arrays import Floats, floats
from referee.sim.scene.scene import Placed

Size = tuple[float, float]
_NEW = -1  # the copy of a tile that was not on the table before


@dataclass(frozen=True, slots=True)
class Row:
    """One set as it lies: its tiles in reading order and where each of them is."""

    tiles: Set
    placed: tuple[Placed, ...]

    def part(self, start: int, length: int) -> Row:
        """What is left of the row when tiles at its ends are taken."""
        end = start + length
        return Row(self.tiles[start:end], self.placed[start:end])

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


def number_copies(rows: Mapping[int, Row]) -> Layout:
    """The layout of `rows`, where tiles that were new get a copy of their own."""
    used = {(tile.tile, tile.copy) for row in rows.values() for tile in row.placed}

    def number_copy(tile: Placed) -> Placed:
        if tile.copy != _NEW:
            return tile
        copy = next(n for n in count() if (tile.tile, n) not in used)
        used.add((tile.tile, copy))
        return replace(tile, copy=copy)

    return Layout(tuple(Row(rows[i].tiles, tuple(map(number_copy, rows[i].placed))) for i in range(len(rows))))


def stretch(short: Set, long: Set) -> int | None:
    """Where `short` starts as a stretch of `long`."""
    starts = range(len(long) - len(short) + 1)
    return next((start for start in starts if long[start : start + len(short)] == short), None)


def grown_row(tiles: Set, old: Row, rng: np.random.Generator, size_mm: Size) -> Row | None:
    """`old` with further tiles laid at its ends."""
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
    """`tile` touching `neighbour`, or almost, on its right or, where `width` is negative, on its left.

    `line` is the row's own angle, degrees.
    """
    lean = shake(rng, 0.4)
    slant = float(np.radians(abs(lean) + abs(neighbour.angle_deg - line)))
    spare = height / 2 * slant + abs(shake(rng, 0.2)) + 0.05
    x, y = _shift((neighbour.x_mm, neighbour.y_mm), line, width + float(np.copysign(spare, width)), shake(rng, 0.3))
    return Placed(tile, x, y, line + lean, _NEW)


def shake(rng: np.random.Generator, deviation: float) -> float:
    """A small error of the hand, never more than 2.5 deviations."""
    return float(np.clip(rng.normal(0, deviation), -2.5 * deviation, 2.5 * deviation))


def _shift(spot: Size, angle_deg: float, along: float, down: float) -> Size:
    """`spot` moved along and across a direction, mm."""
    c, s = float(np.cos(np.radians(angle_deg))), float(np.sin(np.radians(angle_deg)))
    return spot[0] + along * c - down * s, spot[1] + along * s + down * c


def fresh_row(tiles: Set, middle: Size, angle_deg: float, rng: np.random.Generator, size_mm: Size) -> Row:
    """A new row around `middle`. Tiles lean against the row, not their neighbour: it stays straight."""
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
