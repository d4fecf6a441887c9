"""One column of the board: the ways to place the tiles of each colour.

All tiles of one number form a column. If columns are filled in order, all that later columns need to know is, for each
colour, how many runs are open and whether they have one tile, two, or three and more (the idea is from van Rijn, Takes
and Vis, "The Complexity of Rummikub Problems").

Some facts keep the number of ways small; each can be shown by an exchange of tiles that loses nothing:

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
"""Gaps are counted up to this many columns, since no run goes on over one as wide."""


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
    """Return whether `runs` dominate `other`.

    They do if each run of `other` has a counterpart that is at least as long, and any runs left over have three tiles
    or more, so that they may end.
    """
    one, two, more = runs
    return one <= other[0] and one + two <= other[0] + other[1] and one + two + more >= sum(other)


@lru_cache(maxsize=1 << 12)
def no_better(runs: Runs, copies: int) -> tuple[Runs, ...]:
    """Return all open runs of a colour that are dominated by `runs` (see `as_good()`)."""
    counts = range(copies + 1)
    every = ((one, two, more) for one in counts for two in counts for more in counts if one + two + more <= copies)
    return tuple(other for other in every if as_good(runs, other))


@lru_cache(maxsize=1 << 15)
def ways(cell: Cell, runs: Runs, jokers: int) -> tuple[Way, ...]:
    """Return the ways of one colour in one column with up to this many jokers, best first, none of them dominated."""
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
    """Return the most jokers that `rival` needs to replace `way`.

    In groups, a joker replaces a missing tile, and two jokers make a group of each additional tile.
    """
    more = rival.to_groups - way.to_groups
    return rival.jokers + (2 * more if more > 0 else -more)


def _steps(cell: Cell, runs: Runs, tiles: int, jokers: int) -> Iterator[tuple[int, Runs, int, int, int]]:
    """Yield what can be done with this many tiles in runs: the fields of a `Way` from `jokers` on."""
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
    """Return the runs without long ones that cannot go on; None if a short one cannot."""
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
    """Return how many groups this many tiles make, if no colour has more than `most` of them."""
    return max(most, -(-tiles // LARGEST_GROUP))


@lru_cache(maxsize=1 << 8)
def lacking(tiles: int, most: int) -> int:
    """Return how many jokers must be added to this many tiles to make complete groups."""
    return max(0, SMALLEST * group_count(tiles, most) - tiles)
