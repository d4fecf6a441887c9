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
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from referee.game.sets import LARGEST_GROUP, SMALLEST
from referee.game.tiles import HIGHEST, Colour, Tile

Runs = tuple[int, int, int]
"""Open runs of one colour: how many hold one tile, two tiles, three or more."""
State = tuple[tuple[Runs, ...], int]
"""The open runs of each colour, and how many jokers are used."""


class Pick(NamedTuple):
    """What one colour does in one column: tiles and jokers that go to runs, and the runs open afterwards."""

    to_runs: int
    jokers: int
    score: int
    runs: Runs


class Column(NamedTuple):
    """What all colours do in one column: tiles to groups, what goes to runs, and the jokers in groups."""

    to_groups: tuple[int, ...]
    picks: tuple[Pick, ...]
    jokers: int


class Path(NamedTuple):
    """The columns so far: the latest, and the way to it."""

    column: Column
    before: Path | None


class Best(NamedTuple):
    """The best way into a state."""

    score: int
    path: Path | None


Layer = dict[State, Best]
Picks = dict[int, list[Pick]]


@dataclass(frozen=True)
class Supply:
    """The tiles at hand: those that must be placed, those that may be, and jokers that help."""

    must: Mapping[Tile, int]
    may: Mapping[Tile, int]
    jokers: int
    worth: Callable[[Tile], int]
    """What placing a tile that may be placed adds to the score."""
    spare: int | None = None
    """None: jokers are placed only where one is needed; otherwise anywhere, and at least so many."""

    @cached_property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that occur."""
        return tuple(c for c in Colour if any(t.colour is c for tiles in (self.must, self.may) for t in tiles))

    def most(self, number: int, colour: Colour) -> int:
        """How many tiles of this face there are; none beyond 13."""
        if number > HIGHEST:
            return 0
        tile = Tile(number, colour)
        return self.must.get(tile, 0) + self.may.get(tile, 0)


class Cell(NamedTuple):
    """One colour in one column: tiles that must and that can be placed, and what the next two columns hold."""

    number: int
    must: int
    most: int
    next_one: int
    next_two: int
    worth: int

    @classmethod
    def of(cls, number: int, colour: Colour, supply: Supply) -> Cell:
        """The cell of `colour` in the column `number`."""
        tile = Tile(number, colour)
        most, next_one, next_two = (supply.most(number + step, colour) for step in range(3))
        return cls(number, supply.must.get(tile, 0), most, next_one, next_two, supply.worth(tile))


def _extend(runs: Runs, tiles: int) -> Runs:
    """The runs after so many more tiles, at least one for each short run."""
    one, two, more = runs
    rest = tiles - one - two
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
def _group_jokers(tiles: tuple[int, ...], most: int, spare: int | None) -> tuple[int, ...]:
    """Numbers of jokers, at most `most`, with which these tiles make groups; without `spare` only the fewest."""
    fitting = tuple(jokers for jokers in range(most + 1) if group_count(tiles, jokers) is not None)
    return fitting[:1] if spare is None else fitting


def search(supply: Supply) -> list[Column] | None:
    """The columns 1 to 13 of the best placing, or None where the tiles that must be placed cannot be."""
    layer: Layer = {(((0, 0, 0),) * len(supply.colours), 0): Best(0, None)}
    for number in range(1, HIGHEST + 1):
        layer = _next_layer(layer, number, supply)
    least, thrift = (0, -1) if supply.spare is None else (supply.spare, 1)
    ends = [state for state in layer if state[1] >= least and not any(one or two for one, two, _ in state[0])]
    if not ends:
        return None
    path = layer[max(ends, key=lambda state: (layer[state].score, thrift * state[1]))].path
    columns = []
    while path is not None:
        columns.append(path.column)
        path = path.before
    return columns[::-1]


def _next_layer(layer: Layer, number: int, supply: Supply) -> Layer:
    """The best way into every state after the column `number`."""
    after: Layer = {}
    cells = [Cell.of(number, colour, supply) for colour in supply.colours]
    known: dict[tuple[int, Runs, int], Picks] = {}
    for state, best in layer.items():
        left = supply.jokers - state[1]
        choices = []
        for index, runs in enumerate(state[0]):
            key = index, runs, left
            if key not in known:
                known[key] = _picks(cells[index], runs, left, supply.spare)
            choices.append(known[key])
        for column in _columns(choices, left, supply.spare):
            score, used = best.score, state[1] + column.jokers
            for pick in column.picks:
                score += pick.score
                used += pick.jokers
            reached = tuple([pick.runs for pick in column.picks]), used
            rival = after.get(reached)
            if rival is None or score > rival.score:
                after[reached] = Best(score, Path(column, best.path))
    return _undominated(after, len(cells)) if supply.spare is None else after


def _undominated(layer: Layer, colours: int) -> Layer:
    """Without the states that another one beats: no worse in score, in jokers and in the runs of every colour.

    Who of the states kept so far is no worse in one respect is a bit mask, so one state costs a few ANDs.
    """
    kept: Layer = {}
    no_worse: list[dict[Runs, int]] = [{} for _ in range(colours)]
    by_jokers: dict[int, int] = {}
    for state in sorted(layer, key=lambda state: (-layer[state].score, state[1])):
        rivals = sum(mask for jokers, mask in by_jokers.items() if jokers <= state[1])
        for colour, runs in enumerate(state[0]):
            masks = no_worse[colour]
            if runs not in masks:
                masks[runs] = _mask(kept, runs, colour)
            rivals &= masks[runs]
        if not rivals:
            bit = 1 << len(kept)
            kept[state] = layer[state]
            by_jokers[state[1]] = by_jokers.get(state[1], 0) | bit
            for masks, runs in zip(no_worse, state[0], strict=True):
                for other in masks:
                    if _as_good(runs, other):
                        masks[other] |= bit
    return kept


def _mask(kept: Layer, runs: Runs, colour: int) -> int:
    return sum(1 << bit for bit, state in enumerate(kept) if _as_good(state[0][colour], runs))


def _as_good(runs: Runs, other: Runs) -> bool:
    """Whether every open run of `other` has a counterpart that is as long, and only long runs have none."""
    one, two, more = runs
    return one <= other[0] and one + two <= other[0] + other[1] and one + two + more >= sum(other)


def _columns(choices: list[Picks], left: int, spare: int | None) -> Iterator[Column]:
    """Every way to combine the colours' picks that leaves no broken group and needs at most `left` jokers."""
    for to_groups in product(*choices):
        fitting = _group_jokers(to_groups, left, spare)
        if not fitting:
            continue
        ways: list[tuple[tuple[Pick, ...], int]] = [((), left - fitting[0])]
        for picks, tiles in zip(choices, to_groups, strict=True):
            ways = [
                ((*way, pick), rest - pick.jokers)
                for way, rest in ways
                for pick in picks[tiles]
                if pick.jokers <= rest
            ]
        for way, rest in ways:
            yield from (Column(to_groups, way, jokers) for jokers in fitting if jokers - fitting[0] <= rest)


def _picks(cell: Cell, runs: Runs, left: int, spare: int | None) -> Picks:
    """Everything one colour can do in one column, by the number of tiles that go to groups."""
    picks: Picks = {}
    for used in range(cell.must, cell.most + 1):
        for to_groups in range(used + 1):
            tiles = used - to_groups
            for jokers in _run_jokers(cell, runs, tiles, left, spare):
                one, two, more = _extend(runs, tiles + jokers)
                missing = max(0, one + two - cell.next_one) + max(0, one - cell.next_two)
                if missing <= left - jokers and cell.number + (2 if one else bool(two)) <= HIGHEST:
                    more = min(more, cell.next_one + left - jokers)
                    score = (used - cell.must) * cell.worth
                    picks.setdefault(to_groups, []).append(Pick(tiles, jokers, score, (one, two, more)))
    return picks


def _run_jokers(cell: Cell, runs: Runs, tiles: int, left: int, spare: int | None) -> range:
    """How many jokers may go to the runs beside `tiles` tiles.

    Without `spare` that is what short runs lack, and one more for each long run that the next column can carry on: a
    joker elsewhere in a run can as well lie at its end, except where the end is 13.
    """
    one, two, more = runs
    lacking = max(0, one + two - tiles)
    if spare is not None:
        return range(lacking, left + 1)
    bridges = max(0, min(more - max(0, tiles - one - two), cell.next_one))
    starts = cell.next_two if cell.number == HIGHEST - 2 else 0
    return range(lacking, min(left, lacking + bridges + starts) + 1)
