"""What is asked, counted from a journal; and what the page says of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import asks
from benchmarks.asks import Asked, Follower, played_rows, shown_rows
from benchmarks.fire_process import Step
from benchmarks.report import Figures
from referee.errors import CannotJudge
from referee.game.doubt import Doubt
from referee.game.match.events import Event, Pressed, Seen, Settled, Word
from referee.game.match.machine import apply, new_match
from referee.game.match.state import State
from referee.game.rulebooks import RULESETS, ruleset
from referee.settings.settings import load
from referee.sim.match import BareTable, Habits, people_for
from referee.vision.sighting import Read, Sighting


def steps(turns: int, doubted: set[int]) -> list[Step]:
    """Some turns in which nothing is laid; those with these numbers, from 0, are asked about once."""
    rules = ruleset("rummikub")
    people = people_for(rules, np.random.default_rng(1), BareTable(), players=("Ann", "Ben"),
                        habits=Habits(slips=0, draws_anyway=1.0, time_outs=0))  # fmt: skip
    made: list[Step] = []
    state = new_match(rules)

    def take(event: Event) -> State:
        after, effects = apply(state, event)
        made.append(Step(event, state, after, effects))
        return after

    state = take(people.start(0.0))
    for number in range(turns):
        state = take(Pressed(state.current, 10.0 * number + 1))
        if number in doubted:
            state = take(Seen((), 10.0 * number + 2, (Doubt("R7? (or R1)"),)))
            state = take(Pressed(state.current, 10.0 * number + 3))
        state = take(Seen((), 10.0 * number + 4))
    return made


def test_turns_and_asks_are_counted() -> None:
    follower = Follower()
    assert follower.follow(steps(5, {1, 3}))
    assert (follower.turns, follower.asks) == (6, 2)  # a sixth has begun
    assert follower.last == ["R7? (or R1)"] * 2
    assert follower.in_this_turn == 0
    assert not follower.follow([])


def test_asks_of_one_turn_are_counted_until_it_ends() -> None:
    follower, made = Follower(), steps(3, {1})
    at = next(number for number, step in enumerate(made) if step.after.asked)
    follower.follow(made[: at + 1])
    assert follower.in_this_turn == 1
    follower.follow([made[at]] * 3)
    assert follower.in_this_turn == 4


def test_what_is_left_of_a_question_is_no_further_one_and_strangers_are_told_apart() -> None:
    follower, made = Follower(), steps(3, {1})
    at = next(number for number, step in enumerate(made) if step.after.asked)
    word = Word(None, 1.0, 2.0, 0.0)
    told = replace(made[at], event=Settled(0, 1.0, word))
    stranger = replace(made[at], event=Seen((), 1.0, (Doubt("R7?: I see 3 of them, but the box has only 2"),)))
    follower.follow([*made[: at + 1], told, made[at], stranger])
    assert (follower.asks, follower.of_strangers) == (2, 1)


class Process:
    """A `play` that tells nothing."""

    def __init__(self, *_: Any) -> None:
        self.alive = True

    def line(self, _: float) -> None: ...

    def end(self, _: int) -> tuple[int, str]:
        return 0, ""


class View:
    """A journal that grows by a few events at a time."""

    made: list[Step]

    def __init__(self, _: Path) -> None:
        self._left = list(self.made)

    def news(self) -> list[Step]:
        now, self._left = self._left[:4], self._left[4:]
        return now


def played(monkeypatch: pytest.MonkeyPatch, folder: Path, made: list[Step]) -> Asked:
    monkeypatch.setattr(asks, "Referee", Process)
    monkeypatch.setattr(asks, "JournalView", type("View", (View,), {"made": made}))
    asked = Asked()
    asks.play("rummikub", 1, folder, asked)
    return asked


def test_a_match_long_enough_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "MOST_TURNS", 4)
    asked = played(monkeypatch, tmp_path, steps(9, {0}))
    assert asked.failures == []
    assert (asked.matches, asked.asks, asked.stood_still) == (1, 1, 0)
    assert asked.turns >= 4


def test_a_match_that_stands_still_is_told_with_what_it_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "MOST_ASKS", 3)
    made = steps(3, {1})
    at = next(number for number, step in enumerate(made) if step.after.asked)
    asked = played(monkeypatch, tmp_path, [*made[: at + 1], *[made[at]] * 9])
    assert asked.stood_still == 1
    (line,) = asked.failures
    assert line.startswith("play rummikub seed 1, turn 2: stands still: asked 3 times in one turn; asked last: R7?")


def test_a_match_in_which_nothing_happens_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "STILL_S", -1.0)
    asked = played(monkeypatch, tmp_path, [])
    assert "stands still in lobby: nothing happens" in asked.failures[0]


def test_a_process_that_ends_early_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "end", lambda *_: (2, "no such book\n"))
    monkeypatch.setattr(Process, "alive", property(lambda _: False, lambda *_: None), raising=False)
    asked = played(monkeypatch, tmp_path, [])
    assert "ended with 2 in lobby: no such book" in asked.failures[0]


@pytest.mark.parametrize("book", RULESETS)
def test_play_is_started_with_settings_of_its_own(book: str, tmp_path: Path) -> None:
    words = asks.options(book, 7, tmp_path)
    flags = dict(word.split("=", 1) for word in words if "=" in word)
    settings = load(tmp_path / "referee.toml", {}, flags)
    assert settings.game.rules == book
    assert settings.camera.kind == "virtual"
    assert words[-4:] == ["--speed", str(asks.SPEED), "--seed", "7"]
    seconds = ruleset(book).turn_seconds
    assert all(seconds is None or seconds + more == asks.TURN_S for more in settings.game.handicaps)


def test_a_demo_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(asks.Evening):
        def play(self) -> State:
            self.tally.looks, self.tally.doubtful = 9, 8
            raise CannotJudge("expected the match to go on")

    monkeypatch.setattr(asks, "Evening", Endless)
    asked = Asked()
    asks.demo("classic", 2, None, asked)  # type: ignore[arg-type]
    assert (asked.looks, asked.looks_asked, asked.stood_still) == (9, 8, 1)
    assert asked.failures == ["demo classic seed 2: expected the match to go on"]


GOOD = Asked(matches=3, turns=100, asks=10, looks=100, looks_asked=3)


def test_figures_that_are_just_good_enough() -> None:
    rows = [*played_rows("gin", GOOD), *shown_rows("gin", GOOD)]
    assert [row.reached for row in rows] == [True, None, True, True, None, True]
    assert rows[0].figure == "0.100"
    page = asks.page(Figures(rows, {"gin": ["play gin seed 1: stands still"]}), "python -m benchmarks.asks")
    assert "### gin\n\n- play gin seed 1: stands still" in page


@pytest.mark.parametrize(("name", "value"), [("asks", 11), ("stood_still", 1), ("looks_asked", 4), ("wrong", 1)])
def test_figures_that_fall_short(name: str, value: int) -> None:
    bad = replace(GOOD, **{name: value})
    assert sum(row.reached is False for row in (*played_rows("gin", bad), *shown_rows("gin", bad))) == 1


def test_what_was_not_played_has_no_row() -> None:
    assert not [*played_rows("gin", Asked()), *shown_rows("gin", Asked())]


def test_looks_that_only_strangers_make_doubtful_are_counted() -> None:
    square = np.float32([[0, 0], [26, 0], [26, 37], [0, 37]])

    def seen(*confidences: float) -> Sighting:
        reads = tuple(Read(None, c, doubtful=True, alternatives=(), corners_px=square, angle_deg=0.0)
                      for c in confidences)  # fmt: skip
        return Sighting("gin", "markers", reads, (), sure_from=0.9)

    class Shows:
        def __init__(self) -> None:
            self.left = [seen(), seen(0.99, 0.98), seen(0.99, 0.5)]

        def read(self, *_: Any, **__: Any) -> Sighting:
            return self.left.pop(0)

    counting = asks.Counting(Shows())  # type: ignore[arg-type]
    for _ in range(3):
        counting.read()
    assert counting.of_strangers == 1
