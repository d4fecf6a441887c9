"""What one column of the board can do: the ways of each colour, and which of them fit together.

All tiles of one number form a column. Going through the columns in order, the only thing that the tiles already placed
tell the rest is, for each colour, how many runs are open and whether they hold one, two, or three and more tiles (the
idea is that of van Rijn, Takes and Vis, "The Complexity of Rummikub Problems").

Some facts keep the ways few; each is an exchange of tiles that loses nothing:

- A run of three or more may end or go on, so it is never worse than a shorter one: tiles go to short runs first, then
  to long ones, then open new runs.
- A joker of a run either bridges a missing tile or is the third beside two neighbours, which closes the run. A tile
  that needs two jokers counts as a group.
- Where a joker bridges, no run of that colour opens or is closed: the tile that does so could take its place. Hence no
  more runs of a colour are ever open than there are copies of a tile.
- One tile may be bridged to the next over three columns, two tiles over two, longer runs over one: beyond that, jokers
  of their own cost no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.game.sets import LARGEST_GROUP, SMALLEST

Runs = tuple[int, int, int]
"""Open runs of one colour: how many hold one tile, two tiles, three or more."""
NO_RUNS: Runs = (0, 0, 0)
AHEAD = 4
"""How many of the following columns decide what can become of an open run."""


class Cell(NamedTuple):
    """One colour in one column.

    `must` tiles have to be placed, `most` can be. `next_one` and `next_two` are the tiles that can carry runs on in
    the next two columns; `gap` is the number of columns without any until one has some, at most AHEAD. At most
    `copies` runs are open at once. `end` is None except in the last column: there, whether runs may go on beyond it.
    """

    must: int
    most: int
    next_one: int
    next_two: int
    gap: int
    copies: int
    end: bool | None = None


class Way(NamedTuple):
    """What one colour can do in one column.

    `runs` are open afterwards. `to_runs` tiles go to runs: to all short ones, to `kept` of the long ones and to new
    ones, and where they are too few, jokers take their place. `closed` runs of two are closed with a joker each.
    """

    to_groups: int
    unplayed: int
    jokers: int
    runs: Runs
    to_runs: int
    kept: int
    closed: int


def as_good(runs: Runs, other: Runs) -> bool:
    """Whether every open run of `other` has a counterpart that is as long, and only long runs have none."""
    one, two, more = runs
    return one <= other[0] and one + two <= other[0] + other[1] and one + two + more >= sum(other)


@lru_cache(maxsize=1 << 12)
def no_better(runs: Runs, copies: int) -> tuple[Runs, ...]:
    """All open runs of a colour that `runs` are as good as."""
    counts = range(copies + 1)
    every = ((one, two, more) for one in counts for two in counts for more in counts if one + two + more <= copies)
    return tuple(other for other in every if as_good(runs, other))


@lru_cache(maxsize=1 << 15)
def ways(cell: Cell, runs: Runs, jokers: int) -> tuple[Way, ...]:
    """What one colour can do in one column with at most this many jokers, best first, without what is never best."""
    found = [
        Way(to_groups, cell.most - used, *step)
        for used in range(cell.must, cell.most + 1)
        for to_groups in range(used + 1)
        for step in _steps(cell, runs, used - to_groups, jokers)
    ]
    found.sort(key=lambda way: (way.unplayed, way.jokers, way.runs[0], way.runs[1], -way.runs[2]))
    best: list[Way] = []
    for way in found:
        if not any(_swap(way, rival) <= way.jokers and as_good(rival.runs, way.runs) for rival in best):
            best.append(way)
    return tuple(best)


def _swap(way: Way, rival: Way) -> int:
    """The jokers that `rival` needs at most to take the place of `way`.

    In groups a joker stands in for a tile, and two jokers make a group of one more.
    """
    more = rival.to_groups - way.to_groups
    return rival.jokers + (2 * more if more > 0 else -more)


def _steps(cell: Cell, runs: Runs, tiles: int, jokers: int) -> Iterator[tuple[int, Runs, int, int, int]]:
    """Jokers, runs afterwards, tiles, long runs kept and runs closed, for this many tiles that go to runs."""
    one, two, more = runs
    rest = tiles - one - two
    if rest >= 0:
        kept = min(more, rest)
        for closed in range(min(one, jokers) + 1):
            after = _lasting((rest - kept, one - closed, two + kept), jokers - closed, cell)
            if after is not None:
                yield closed, after, tiles, kept, closed
    for kept in range(max(0, rest + 1), more + 1):
        bridges = kept - rest
        after = _lasting((0, one, two + kept), jokers - bridges, cell) if bridges <= jokers else None
        if after is not None:
            yield bridges, after, tiles, kept, 0


def _lasting(runs: Runs, jokers: int, cell: Cell) -> Runs | None:
    """The runs without long ones that cannot go on, or None where short ones cannot."""
    one, two, more = runs
    short = one + two
    if cell.end is not None:
        open_ended = (one, two, min(more, cell.copies - short))
        return open_ended if cell.end else None if short else NO_RUNS
    missing = max(0, short - cell.next_one) + max(0, one - cell.next_two)
    if missing > jokers or (one and cell.gap > 3) or (two and cell.gap > 2):
        return None
    if cell.gap > 1:
        return one, two, 0
    return one, two, min(more, max(0, cell.next_one - short) + jokers, cell.copies - short)


def group_count(tiles: int, most: int) -> int:
    """How many groups this many tiles make, where no colour has more than `most` of them."""
    return max(most, -(-tiles // LARGEST_GROUP))


@lru_cache(maxsize=1 << 8)
def lacking(tiles: int, most: int) -> int:
    """How many jokers must join this many tiles so that they make whole groups."""
    return max(0, SMALLEST * group_count(tiles, most) - tiles)
