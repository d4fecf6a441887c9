"""The search behind `arrange`: one column of the board at a time.

All tiles of one number form a column. Going from 1 to 13, the only thing that the tiles already placed tell the rest
is, for each colour, how many runs are still open and whether they hold one, two, or three and more tiles. So the best
way into each such state is enough: the number of states, not the number of arrangements, sets the effort (the idea is
that of van Rijn, Takes and Vis, "The Complexity of Rummikub Problems").

Two facts keep the states few. A run of three or more may end or go on, so it is never worse than a shorter one: tiles
go to short runs first, then to long ones, then open new runs. And a run is opened only where the next two columns can
carry it on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from referee.game.sets import LARGEST_GROUP, SMALLEST
from referee.game.tiles import HIGHEST, Colour, Tile

Runs = tuple[int, int, int]
"""Open runs of one colour: how many hold one tile, two tiles, three or more."""
State = tuple[tuple[Runs, ...], int]
"""The open runs of each colour, and how many jokers are used."""


class Pick(NamedTuple):
    """What one colour does in one column: tiles to groups, tiles and jokers to runs, and the runs open afterwards."""

    to_groups: int
    to_runs: int
    jokers: int
    score: int
    runs: Runs


class Column(NamedTuple):
    """What all colours do in one column; `jokers` counts those in groups."""

    picks: tuple[Pick, ...]
    jokers: int


class Best(NamedTuple):
    """The best way into a state: its score, the state before, and the column between."""

    score: int
    before: State | None
    column: Column | None


Layer = dict[State, Best]


@dataclass(frozen=True, slots=True)
class Supply:
    """The tiles at hand: those that must be placed, those that may be, and jokers that help."""

    must: Mapping[Tile, int]
    may: Mapping[Tile, int]
    jokers: int
    worth: Callable[[Tile], int]
    """What placing a tile that may be placed adds to the score."""
    spare: bool = False
    """Whether jokers are also placed where none is needed."""

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that occur."""
        return tuple(c for c in Colour if any(t.colour is c for tiles in (self.must, self.may) for t in tiles))

    def most(self, number: int, colour: Colour) -> int:
        """How many tiles of this face there are; none beyond 13."""
        if number > HIGHEST:
            return 0
        tile = Tile(number, colour)
        return self.must.get(tile, 0) + self.may.get(tile, 0)


@lru_cache(maxsize=1 << 12)
def _extend(runs: Runs, tiles: int) -> Runs | None:
    """The runs after `tiles` more of the next number, or None where a short run would break off."""
    one, two, more = runs
    rest = tiles - one - two
    if rest < 0:
        return None
    longer = min(more, rest)
    return rest - longer, one, two + longer


@lru_cache(maxsize=1 << 12)
def group_count(tiles: tuple[int, ...], jokers: int) -> int | None:
    """How many groups so many tiles per colour and so many jokers make, or None where they make none exactly."""
    total = sum(tiles)
    for groups in range(max(tiles, default=0), total + 1):
        if SMALLEST * groups <= total + jokers <= LARGEST_GROUP * groups:
            return groups
    return None


@lru_cache(maxsize=1 << 12)
def _group_jokers(tiles: tuple[int, ...], most: int, spare: bool) -> tuple[int, ...]:
    """Numbers of jokers, at most `most`, with which these tiles make groups; without `spare` only the fewest."""
    fitting = tuple(jokers for jokers in range(most + 1) if group_count(tiles, jokers) is not None)
    return fitting if spare else fitting[:1]


def search(supply: Supply) -> list[Column] | None:
    """The columns 1 to 13 of the best placing, or None where the tiles that must be placed cannot be."""
    layer: Layer = {(((0, 0, 0),) * len(supply.colours), 0): Best(0, None, None)}
    layers = [layer]
    for number in range(1, HIGHEST + 1):
        layer = _next_layer(layer, number, supply)
        layers.append(layer)
    ends = [state for state in layer if not any(one or two for one, two, _ in state[0])]
    if not ends:
        return None
    return _trace(layers, max(ends, key=lambda state: (layer[state].score, -state[1])))


def _trace(layers: list[Layer], state: State) -> list[Column]:
    """The columns that led to `state`."""
    columns = []
    for layer in layers[:0:-1]:
        _, before, column = layer[state]
        if before is not None and column is not None:
            columns.append(column)
            state = before
    return columns[::-1]


def _next_layer(layer: Layer, number: int, supply: Supply) -> Layer:
    """The best way into every state after the column `number`."""
    after: Layer = {}
    picks: dict[tuple[int, Runs, int], list[Pick]] = {}
    for state, best in layer.items():
        left = supply.jokers - state[1]
        choices = []
        for index, runs in enumerate(state[0]):
            key = index, runs, left
            if key not in picks:
                picks[key] = list(_picks(number, supply.colours[index], runs, left, supply))
            choices.append(picks[key])
        for column in _columns(choices, left, supply.spare):
            score = best.score + sum(pick.score for pick in column.picks)
            used = state[1] + column.jokers + sum(pick.jokers for pick in column.picks)
            reached = tuple(pick.runs for pick in column.picks), used
            known = after.get(reached)
            if known is None or score > known.score:
                after[reached] = Best(score, state, column)
    return after


def _columns(choices: list[list[Pick]], left: int, spare: bool) -> Iterator[Column]:
    """Every way to combine the colours' picks that leaves no broken group and needs at most `left` jokers."""
    for picks in product(*choices):
        rest = left - sum(pick.jokers for pick in picks)
        if rest < 0:
            continue
        for jokers in _group_jokers(tuple(pick.to_groups for pick in picks), rest, spare):
            yield Column(picks, jokers)


def _picks(number: int, colour: Colour, runs: Runs, left: int, supply: Supply) -> Iterator[Pick]:
    """Everything one colour can do in one column."""
    tile = Tile(number, colour)
    must, most = supply.must.get(tile, 0), supply.most(number, colour)
    next_one, next_two = supply.most(number + 1, colour), supply.most(number + 2, colour)
    for used in range(must, most + 1):
        for to_groups in range(used + 1):
            for jokers in range(left + 1):
                reached = _extend(runs, used - to_groups + jokers)
                if reached is None:
                    continue
                one, two, _ = reached
                needed = max(0, one + two - next_one) + max(0, one - next_two)
                if (number + 2 > HIGHEST and one) or (number + 1 > HIGHEST and two):
                    continue
                if needed <= left - jokers:
                    yield Pick(to_groups, used - to_groups, jokers, (used - must) * supply.worth(tile), reached)
