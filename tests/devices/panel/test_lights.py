"""Lamps and tunes as values: what is seen and heard at which moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.devices.panel.lights import Glow, Lights, Playing, lit_in_bar


@pytest.mark.parametrize(
    ("glow", "lit"),
    [
        pytest.param(Glow.OFF, [False] * 5, id="off"),
        pytest.param(Glow.ON, [True] * 5, id="on"),
        pytest.param(Glow.BLINK, [True, False, True, True, True], id="blink"),
        pytest.param(Glow.OPPOSITE, [False, True, False, False, False], id="opposite"),
        pytest.param(Glow.SLOW, [True, True, True, False, True], id="slow"),
        pytest.param(Glow.TICK, [True, False, False, False, True], id="tick"),
    ],
)
def test_a_lamp_glows_by_the_time_alone(glow: Glow, lit: list[bool]) -> None:
    assert [glow.is_lit(t) for t in (0.0, 0.25, 0.5, 1.0, 2.0)] == lit


@given(st.sampled_from([Glow.BLINK, Glow.OPPOSITE, Glow.SLOW, Glow.TICK]), st.floats(0, 1e7))
def test_a_blinking_lamp_changes_at_the_moment_it_names_and_not_before(glow: Glow, t: float) -> None:
    change = glow.next_change(t)
    assert change is not None
    assert t < change <= t + 2.0
    assert glow.is_lit(change) is not glow.is_lit(t)


def test_lamps_that_do_not_blink_never_change() -> None:
    assert Lights((Glow.ON,), red=Glow.ON).next_change(3.0) is None
    assert Lights((Glow.SLOW,), red=Glow.BLINK).next_change(3.0) == 3.25


def test_lit_lamps_are_told_by_the_names_of_the_pin_map() -> None:
    lights = Lights((Glow.OFF, Glow.ON), amber=Glow.ON, draw=Glow.ON)
    assert lights.lit_lamps(0) == {"player-2", "amber", "draw"}


@pytest.mark.parametrize(
    ("bar", "lit"), [(0.0, 0), (0.001, 1), (0.2, 1), (0.21, 2), (3 / 5, 3), (0.99, 5), (1.0, 5), (1.7, 5)]
)
def test_the_last_lamp_of_the_bar_glows_until_no_time_is_left(bar: float, lit: int) -> None:
    assert lit_in_bar(bar, 5) == lit


def test_a_tune_plays_note_by_note() -> None:
    playing = Playing(((440.0, 0.25), (None, 0.5), (880.0, 0.25)), 10.0)
    assert [playing.note(t) for t in (10.0, 10.25, 10.75, 11.0)] == [440.0, None, 880.0, None]
    assert [playing.next_change(t) for t in (10.0, 10.25, 10.75, 11.0)] == [10.25, 10.75, 11.0, None]
