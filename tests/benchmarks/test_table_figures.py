"""The stopwatch of a press, and how a process is told to have answered."""

from types import SimpleNamespace

import pytest

from benchmarks.press import Stopwatch
from benchmarks.table import is_answered


def stopwatch(tiles: int = 30, ahead: bool = True) -> Stopwatch:
    sighting = SimpleNamespace(reads=[None] * tiles)
    referee = SimpleNamespace(seen=SimpleNamespace(sighting=sighting, ahead=ahead))
    return Stopwatch(loop=SimpleNamespace(controller=SimpleNamespace(match=referee)))  # type: ignore[arg-type]


def test_a_press_is_timed_from_its_first_edge_to_the_verdict() -> None:
    watch = stopwatch()
    for t, closed in ((10.0, True), (10.002, False), (10.004, True)):
        watch.felt(t, closed=closed)
    watch.lit(frozenset({"amber", "player-1"}), 10.01)
    watch.lit(frozenset({"green", "player-2"}), 10.05)
    watch.lit(frozenset({"green"}), 10.06)
    assert [round(ms) for ms, *_ in watch.answered] == [50]
    assert watch.answered[0][1:] == (30, True)


def test_letting_go_of_the_button_begins_no_press() -> None:
    watch = stopwatch()
    watch.felt(10.0, closed=True)
    watch.lit(frozenset({"amber"}), 10.01)
    watch.felt(10.1, closed=False)
    watch.lit(frozenset({"red"}), 10.12)
    assert [round(ms) for ms, *_ in watch.answered] == [120]


def test_the_lamp_of_the_verdict_before_is_no_answer() -> None:
    watch = stopwatch()
    watch.felt(10.0, closed=True)
    watch.lit(frozenset({"green"}), 10.01)
    assert watch.answered == []


def test_a_press_without_a_verdict_is_forgotten_with_the_next() -> None:
    watch = stopwatch()
    watch.felt(10.0, closed=True)
    watch.lit(frozenset({"amber"}), 10.01)
    watch.felt(20.0, closed=True)
    watch.lit(frozenset({"amber"}), 20.01)
    watch.lit(frozenset({"red"}), 20.1)
    assert [round(ms) for ms, *_ in watch.answered] == [100]


@pytest.mark.parametrize(
    ("lines", "answered"),
    [
        (["[red player-1]"], False),
        (["[amber player-1]"], False),
        (["[amber player-1]", "[green player-2]"], True),
        (["[red player-1]", "[amber player-1]", "[player-1 red]"], True),
        (["[amber player-1]", "I cannot see this clearly: R7? (or R1)"], True),
    ],
)
def test_an_answer_comes_after_the_amber_lamp(lines: list[str], answered: bool) -> None:
    referee = SimpleNamespace(lines=[(0.0, line) for line in lines])
    assert is_answered(referee, 0) is answered  # type: ignore[arg-type]
