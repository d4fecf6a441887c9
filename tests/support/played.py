"""Matches for the journal's tests: whatever players, buttons and cameras may do, quickly and by chance."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from referee.errors import BadInput
from referee.game.doubt import Doubt, ReadRecord
from referee.game.match.events import (
    Corrected,
    Event,
    HandShown,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    Seen,
    Started,
    TimeUp,
)
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import parse_table
from referee.game.table import tiles_on
from referee.game.tiles import Tile
from referee.journal.journal import Journal
from referee.journal.opening import Opened
from referee.journal.replay import Kept
from referee.journal.rows import Setup

SETUPS = (
    Setup.now("rummikub", {"entry": "timed"}),
    Setup.now("ravensburger", {"jokers": "2"}, "Winter"),
    replace(Setup.now("brettspielnetz", {}), draw="spring-cup-r3-t2"),
)
NAMES = ("Ann", "Ben", "Cléo", "Dan")
REST = "R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 R1 B1"
WAITS = {Phase.LOOKING, Phase.ASKING, Phase.TIME_UP, Phase.CHECKING, Phase.COUNTING}


Open = Callable[[], Opened]


class Wall:
    """A time of day that stands still unless it is set, and beside it a clock that is never set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 18, 30, tzinfo=UTC)
        self.t = 1000.0

    def __call__(self) -> datetime:
        return self.now

    def set_back(self, days: float) -> None:
        self.now -= timedelta(days=days)

    def monotonic(self) -> float:
        return self.t

    def go_on(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.t += seconds


@dataclass(frozen=True)
class Step:
    """An event that the match took, and the state after it."""

    event: Event
    state: State


def match(setup: Setup, seed: int, events: int, rounds: int = 2) -> list[Step]:
    """The first `events` events of a match, fewer where it ends before."""
    rng = random.Random(seed)  # noqa: S311 - chance for tests
    started = Started(NAMES[: rng.randint(*setup.ruleset().players)], rng.uniform(0, 100), rounds)
    return _played_on([Step(started, apply(setup.state(), started)[0])], rng, events)


def otherwise(last: Step, seed: int, events: int) -> list[Step]:
    """The next `events` events after that one, in another way than the match that it is of may have gone on."""
    return _played_on([last], random.Random(seed), events + 1)[1:]  # noqa: S311 - chance for tests


def _played_on(steps: list[Step], rng: random.Random, events: int) -> list[Step]:
    while len(steps) < events and steps[-1].state.phase is not Phase.OVER:
        event = _event(steps[-1].state, steps[-1].event.t + rng.uniform(0, 20), rng)
        try:
            steps.append(Step(event, apply(steps[-1].state, event)[0]))
        except BadInput:
            continue
    return steps


def short(setup: Setup = SETUPS[0], rounds: int = 1, names: tuple[str, ...] = ("Ann", "Ben")) -> list[Step]:
    """A whole match of two players, the shortest there is: in every round the first to play goes out at once."""
    steps: list[Step] = []

    def do(event: Event) -> State:
        before = steps[-1].state if steps else setup.state()
        steps.append(Step(event, apply(before, event)[0]))
        return steps[-1].state

    state, t = do(Started(names, 0.0, rounds)), 0.0
    while state.phase is not Phase.OVER:
        t += 10.0
        if state.phase is Phase.TURN:
            do(Pressed(state.current, t))
            state = do(Seen(parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"), t + 0.25))
        elif state.phase is Phase.SHOWING:
            state = do(
                HandShown(state.current, parse_table("R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 R1 B1")[0], t)
            )
        else:
            state = do(RoundStarted(t))
    return steps


def _event(state: State, t: float, rng: random.Random) -> Event:
    if rng.random() < 0.1:
        number = rng.randint(1, max(1, len(state.sheet.rounds)))
        hands = tuple(rng.randint(0, 50) * (seat > 0) for seat in range(len(state.seats)))
        return rng.choice(
            [Paused(t), Resumed(t), Corrected(number, hands, t, winner=0), Pressed(rng.randint(0, 3), t)]
        )
    if state.phase in WAITS and rng.random() < 0.8:
        doubts = (Doubt("R7? (or R1)", ReadRecord(0, "red-7", x_mm=1.5)),) if rng.random() < 0.2 else ()
        return Seen(_table(state, rng), t, doubts)
    if state.phase is Phase.SHOWING and rng.random() < 0.5:
        return HandShown(state.current, _hand(state, rng), t)
    if state.phase is Phase.BETWEEN:
        return RoundStarted(t)
    return rng.choice([Pressed(state.current, t), Pressed(state.current, t), Resumed(t), TimeUp(t + 200)])


def _table(state: State, rng: random.Random) -> tuple[tuple[Tile, ...], ...]:
    if state.phase is Phase.CHECKING and state.due is not None and rng.random() < 0.8:
        return state.due.target
    if state.phase is Phase.COUNTING:
        return (*state.table, _hand(state, rng))
    if rng.random() < 0.4:
        return state.table
    colour = rng.choice(state.rules.box.colours)
    first = rng.randint(1, 7)
    length = rng.choice([2, 3, 4, 7, 7])
    other = rng.choice(state.rules.box.colours)
    runs = [tuple(Tile(number, colour) for number in range(first, first + length))]
    if rng.random() < 0.5:
        runs.append(tuple(Tile(number, other) for number in range(first, first + length)))
    return (*state.table, *runs)


def _hand(state: State, rng: random.Random) -> tuple[Tile, ...]:
    gone = tiles_on((*state.table, *(seat.shown or () for seat in state.seats)))
    left = sorted((Counter(state.rules.box.inventory()) - gone).elements(), key=lambda tile: tile.name)
    return tuple(rng.sample(left, min(len(left), state.seat.hand)))


def taken_up(opened: Opened) -> Kept:
    """What was taken up again by a start that must have found something."""
    assert opened.kept is not None
    return opened.kept


def write(journal: Journal, setup: Setup, steps: list[Step]) -> None:
    """Append a match to a journal."""
    for step in steps:
        if isinstance(step.event, Started):
            journal.begin(setup, step.event, step.state)
        else:
            journal.append(step.event, step.state)
