"""From what is done in each column to sets, and places for the jokers that were not needed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from referee.game.columns import Runs, group_count
from referee.game.search import Column, Found
from referee.game.sets import LARGEST_GROUP, SMALLEST, is_set
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile

Sets = list[list[Tile]]


def build(found: Found, colours: tuple[Colour, ...]) -> Sets:
    """The sets that the columns describe, runs in rising order."""
    sets: Sets = []
    for index, colour in enumerate(colours):
        sets += _runs(found.columns, index, colour, found.crossings[index])
    for column in found.columns:
        sets += _groups(column, colours)
    return sets


def _groups(column: Column, colours: tuple[Colour, ...]) -> Sets:
    """The groups of one number: tiles dealt out in turn, each colour to different groups, then the jokers."""
    tiles = {colours[index]: way.to_groups for index, way in column.ways.items() if way.to_groups}
    count = group_count(sum(tiles.values()), max(tiles.values(), default=0))
    groups: Sets = [[] for _ in range(count)]
    dealt = [Tile(column.number, colour) for colour, times in tiles.items() for _ in range(times)]
    for index, tile in enumerate(dealt + [JOKER] * column.group_jokers):
        groups[index % count].append(tile)
    return groups


class _Run:
    """A run that grows; `before` are its tiles in the columns before the first one, which are not known yet."""

    def __init__(self, before: int = 0) -> None:
        self.before = before
        self.tiles: list[Tile] = []

    def __len__(self) -> int:
        return self.before + len(self.tiles)


def _runs(columns: Iterable[Column], index: int, colour: Colour, crossing: Runs) -> Sets:
    """The runs of one colour."""
    going = [_Run(length) for length, times in enumerate(crossing, start=1) for _ in range(times)]
    done: list[_Run] = []
    for column in columns:
        way = column.ways.get(index)
        if way is None:
            done, going = done + going, []
            continue
        short = [run for run in going if len(run) < SMALLEST]
        long = [run for run in going if len(run) >= SMALLEST]
        done += long[way.kept :]
        going = short + long[: way.kept]
        row = [Tile(column.number, colour)] * way.to_runs
        row += [JOKER] * (len(going) - way.to_runs)
        going += [_Run() for _ in range(len(row) - len(going))]
        for run, tile in zip(going, row, strict=True):
            run.tiles.append(tile)
        closed = [run for run in going if len(run) == SMALLEST - 1][: way.closed]
        for run in closed:
            run.tiles.append(JOKER)
        done += closed
        going = [run for run in going if run not in closed]
    return _joined(done, going)


def _joined(done: list[_Run], going: list[_Run]) -> Sets:
    """The runs, where those still going are joined to those that came from before the first column."""
    heads = sorted((run for run in (*done, *going) if run.before), key=lambda run: run.before)
    tails = sorted(going, key=len)
    following = dict(zip(map(id, tails), heads, strict=False))
    firsts = [run for run in (*done, *going) if not run.before]
    sets, linked = [], set()
    for run in (*firsts, *heads):  # what is left of the heads then goes all the way round
        tiles: list[Tile] = []
        link: _Run | None = run
        while link is not None and id(link) not in linked:
            linked.add(id(link))
            tiles += link.tiles
            link = following.get(id(link))
        sets += _cut(tiles)
    return sets


def _cut(run: list[Tile]) -> Sets:
    """A run in parts of at most 13 tiles."""
    parts = []
    while len(run) > HIGHEST:
        parts.append(run[: HIGHEST - SMALLEST + 1])
        run = run[HIGHEST - SMALLEST + 1 :]
    return [*parts, run] if run else parts


def add_jokers(sets: Sets, jokers: int, *, wraps: bool, joker_sets: bool) -> int:
    """Add as many jokers to the sets as find a place; gives how many do not.

    A run has room for any number, for beyond 13 tiles it falls apart into two. So jokers are left over only where
    there are but groups of four and one joker, a single group and two jokers, or no sets at all.
    """
    while jokers:
        roomy = next((tiles for tiles in sets if len(tiles) < (HIGHEST if _is_run(tiles) else LARGEST_GROUP)), None)
        long = next((tiles for tiles in sets if len(tiles) == HIGHEST), None)
        if roomy is not None:
            roomy.append(JOKER)
            jokers -= 1
        elif long is not None:
            sets.append(long[:SMALLEST])
            del long[:SMALLEST]
        elif sets and jokers > 1:
            sets.append([sets[0].pop(0), JOKER, JOKER])
            jokers -= 2
        elif sets:
            return 0 if _join(sets, wraps) else 1
        elif joker_sets and jokers >= SMALLEST:
            sets.append([JOKER] * jokers)
            jokers = 0
        else:
            break
    return jokers


def _is_run(tiles: list[Tile]) -> bool:
    """True where a set is a run, or can be one: it has one colour only."""
    return len({tile.colour for tile in tiles if not tile.is_joker}) < 2


def _join(groups: Sets, wraps: bool) -> bool:
    """Make a set of one joker and a tile each out of two groups of four, where two such tiles are found."""
    for one, other in combinations(groups, 2):
        for first in one:
            for second in other:
                if is_set((first, second, JOKER), wraps):
                    one.remove(first)
                    other.remove(second)
                    groups.append([first, second, JOKER])
                    return True
    return False
