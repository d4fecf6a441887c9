"""From what is done in each column to sets, and places for the jokers that were not needed."""

from __future__ import annotations

from itertools import combinations
from typing import cast

from referee.game.sets import LARGEST_GROUP, SMALLEST, is_set
from referee.game.solver.board import Rows
from referee.game.solver.columns import Runs, Way, group_count
from referee.game.solver.stages import Found
from referee.game.tiles import HIGHEST, JOKER, Tile

Sets = list[list[Tile]]


def build(found: Found, faces: Rows[Tile]) -> Sets:
    """The sets that the ways describe, runs in rising order; `faces` are the tiles of each colour and column."""
    sets: Sets = []
    for ways, row, crossing in zip(found.ways, faces, found.crossings, strict=True):
        rising = row[1].number == row[0].number % HIGHEST + 1
        runs = _runs(ways, row, crossing)
        sets += runs if rising else [run[::-1] for run in runs]
    for column, counts, jokers in found.groups:
        sets += _groups([faces[index][column] for index in counts], list(counts.values()), jokers)
    return sets


def _groups(faces: list[Tile], counts: list[int], jokers: int) -> Sets:
    """The groups of one number: tiles dealt out in turn, each colour to different groups, then the jokers."""
    groups: Sets = [[] for _ in range(group_count(sum(counts), max(counts)))]
    tiles = [face for face, times in zip(faces, counts, strict=True) for _ in range(times)]
    for place, tile in enumerate(tiles + [JOKER] * jokers):
        groups[place % len(groups)].append(tile)
    return groups


Growing = list[Tile | None]
"""A run that grows; None stands for a tile that it has in the last columns, before it goes on in the first."""


def _runs(ways: list[Way | None], faces: list[Tile], crossing: Runs) -> Sets:
    """The runs of one colour."""
    heads: list[Growing] = [[None] * length for length, times in enumerate(crossing, start=1) for _ in range(times)]
    going, done = heads[:], []
    for way, face in zip(ways, faces, strict=True):
        if way is None or not (way.to_runs or way.jokers):
            if going:
                done += going
                going = []
        elif not going:
            going = [[face] for _ in range(way.to_runs)]
        else:
            long = [run for run in going if len(run) >= SMALLEST]
            if long:
                going = [run for run in going if len(run) < SMALLEST] + long[: way.kept]
                done += long[way.kept :]
            row = [face] * way.to_runs + [JOKER] * (len(going) - way.to_runs)
            for run, tile in zip(going, row, strict=False):
                run.append(tile)
            going += [[tile] for tile in row[len(going) :]]
            for _ in range(way.closed):
                place = next(place for place, run in enumerate(going) if len(run) == SMALLEST - 1)
                done.append([*going.pop(place), JOKER])
    return _joined(done, going, len(heads))


def _joined(done: list[Growing], going: list[Growing], crossing: int) -> Sets:
    """The runs, where those still going at the end go on in those that came from before the first column."""
    if not crossing:
        return cast(Sets, done + going)
    heads = sorted((run for run in done + going if run[0] is None), key=lambda run: run.count(None))
    tails = sorted(going, key=len)
    following = dict(zip(map(id, tails), heads, strict=False))
    sets, seen = [], set()
    for first in [run for run in done + going if run[0] is not None] + heads:  # what goes all the way round comes last
        run: Growing | None = first
        tiles: list[Tile] = []
        while run is not None and id(run) not in seen:
            seen.add(id(run))
            tiles += [tile for tile in run if tile is not None]
            run = following.get(id(run))
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
