"""Builds sets from the result of a search, and finds places for the jokers that it did not need."""

from __future__ import annotations

from itertools import combinations
from typing import cast

from referee.game.sets import LARGEST_GROUP, SMALLEST, is_set
from referee.game.solver.board import Board
from referee.game.solver.columns import Runs, group_count
from referee.game.solver.stages import Found
from referee.game.tiles import HIGHEST, JOKER, Tile

Sets = list[list[Tile]]


def build(board: Board, found: Found) -> tuple[Sets, list[Tile]]:
    """Return the sets of the best way found, and the tiles in them that were optional (those of the hand)."""
    lines = [_Runs(crossing) for crossing in found.crossings]
    played: list[list[Tile]] = [[] for _ in lines]
    groups: list[Sets] = []
    for column, (state, jokers, chosen) in enumerate(found.path):
        stage = found.stages[column]
        colours, mask = stage.colours, stage.coding.mask
        grouped, counts, bridged = [], [], 0
        for place, pick in enumerate(chosen):
            index, shift, options, spare, face = colours[place]
            to_groups, unplayed, uses, _, to_runs, kept, closed = options[state >> shift & mask][1][pick]
            if to_groups:
                grouped.append(face)
                counts.append(to_groups)
            if to_runs or uses:
                lines[index].grow(column, face, to_runs, kept, closed)
                bridged += uses
            if spare > unplayed:
                played[index] += [face] * (spare - unplayed)
        if counts:
            groups.append(_groups(grouped, counts, jokers - bridged))
    sets: Sets = []
    for line, row in zip(lines, board.faces, strict=True):
        rising = row[1].number == row[0].number % HIGHEST + 1
        runs = line.all()
        sets += runs if rising else [run[::-1] for run in runs]
    for each in reversed(groups):
        sets += each
    return sets, [tile for tiles in played for tile in tiles]


def _groups(faces: list[Tile], counts: list[int], jokers: int) -> Sets:
    """Return the groups of one number: tiles are dealt in turn, so that no group gets a colour twice, then jokers."""
    if max(counts) == 1 and len(counts) <= LARGEST_GROUP:
        return [[*faces, *[JOKER] * jokers]]
    groups: Sets = [[] for _ in range(group_count(sum(counts), max(counts)))]
    tiles = [face for face, times in zip(faces, counts, strict=True) for _ in range(times)]
    for place, tile in enumerate(tiles + [JOKER] * jokers):
        groups[place % len(groups)].append(tile)
    return groups


Growing = list[Tile | None]
"""A growing run; None stands for a tile in the last columns, of a run that goes on from there to the first column."""


class _Runs:
    """The open runs of one colour, which grow column by column: those of one tile, of two, and of three or more."""

    __slots__ = ("column", "crossing", "done", "long", "one", "two")

    def __init__(self, crossing: Runs) -> None:
        self.crossing = sum(crossing)
        one, two, more = crossing
        self.one: list[Growing] = [[None] for _ in range(one)] if one else []
        self.two: list[Growing] = [[None, None] for _ in range(two)] if two else []
        self.long: list[Growing] = [[None] * SMALLEST for _ in range(more)] if more else []
        self.done: list[Growing] = []
        self.column = 0
        """The next column, in which the open runs may continue."""

    def grow(self, column: int, face: Tile, to_runs: int, kept: int, closed: int) -> None:
        """Place tiles or jokers of one column in runs; the arguments are those of a `Way`."""
        if column != self.column:
            self.end()
        self.column = column + 1
        one, two, long = self.one, self.two, self.long
        if not (one or two or long):
            self.one = [[face] for _ in range(to_runs)]
            return
        if len(long) > kept:
            self.done += long[kept:]
            del long[kept:]
        new = to_runs - len(one) - len(two) - len(long)
        if new < 0:
            row = [face] * to_runs + [JOKER] * -new
            for run, tile in zip([*two, *one, *long], row, strict=True):
                run.append(tile)
        else:
            for run in two:
                run.append(face)
            for run in one:
                run.append(face)
            for run in long:
                run.append(face)
        if two:
            self.long = two + long
        self.two = one
        self.one = [[face] for _ in range(new)] if new > 0 else []
        if closed:
            self.done += [[*run, JOKER] for run in one[:closed]]
            del one[:closed]

    def end(self) -> None:
        """End all open runs."""
        if self.one or self.two or self.long:
            self.done += [*self.two, *self.one, *self.long]
            self.one, self.two, self.long = [], [], []

    def all(self) -> Sets:
        """Return all runs, after the last column."""
        if self.column != HIGHEST:
            self.end()
        going = [*self.two, *self.one, *self.long]
        return _join_runs(self.done, going) if self.crossing else cast(Sets, self.done + going)


def _join_runs(done: list[Growing], going: list[Growing]) -> Sets:
    """Return the runs, with those open at the end joined to those that began before the first column."""
    heads = sorted((run for run in done + going if run[0] is None), key=lambda run: run.count(None))
    tails = sorted(going, key=len)
    following = dict(zip(map(id, tails), heads, strict=False))
    sets, seen = [], set()
    for first in [run for run in done + going if run[0] is not None] + heads:  # last, runs that go all the way round
        run: Growing | None = first
        tiles: list[Tile] = []
        while run is not None and id(run) not in seen:
            seen.add(id(run))
            tiles += [tile for tile in run if tile is not None]
            run = following.get(id(run))
        sets += _cut(tiles)
    return sets


def _cut(run: list[Tile]) -> Sets:
    """Split a run into parts of at most 13 tiles."""
    parts = []
    while len(run) > HIGHEST:
        parts.append(run[: HIGHEST - SMALLEST + 1])
        run = run[HIGHEST - SMALLEST + 1 :]
    return [*parts, run] if run else parts


def add_jokers(sets: Sets, jokers: int, *, wraps: bool, joker_sets: bool) -> int:
    """Add as many jokers to the sets as possible; return how many are left over.

    A run has room for any number, since it is split in two beyond 13 tiles. So jokers are left over only if there are
    only groups of four and one joker, a single group and two jokers, or no sets at all.
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
    """Return whether a set is a run or can be one, since it has only one colour."""
    return len({tile.colour for tile in tiles if not tile.is_joker}) < 2


def _join(groups: Sets, wraps: bool) -> bool:
    """Make a set of one joker and one tile from each of two groups of four; return whether two such tiles exist."""
    for one, other in combinations(groups, 2):
        for first in one:
            for second in other:
                if is_set((first, second, JOKER), wraps):
                    one.remove(first)
                    other.remove(second)
                    groups.append([first, second, JOKER])
                    return True
    return False
