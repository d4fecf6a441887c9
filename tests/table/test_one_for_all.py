"""One button for everybody: whose turn a press ends, and which press takes the last one back."""

from dataclasses import replace

import pytest
from virtual_evening import ONE_FOR_ALL, OPENING, Evening

from referee.game.clock import TurnClock
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.table.input.buttons import TOO_EARLY


def evening():
    return Evening(pins=ONE_FOR_ALL)


def hands(evening):
    return [seat.hand for seat in evening.state.seats]


def test_held_while_the_last_turn_may_be_taken_back_it_takes_that_back():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        await evening.press(1)
        assert (evening.state.current, hands(evening)) == (1, [15, 14])
        await evening.wait(3)
        await evening.press(1, hold=1.0)
        assert (evening.state.phase, evening.state.current) == (Phase.TURN, 0)
        assert hands(evening) == [14, 14]

    said = evening().play(script).said
    assert said[-1] == "Anna plays on. Return the tile you drew to the stock."
    assert "Ben draws 1 tile." not in said


def test_a_short_press_then_ends_the_turn_and_the_clock_stops_at_its_first_edge():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        await evening.press(1)
        await evening.wait(3)
        await evening.lay(OPENING)
        pressed, begun = evening.loop.t, evening.state.clock.since
        evening.sight.doubtful = 9
        evening.sight.table = (OPENING[0][::-1],)
        await evening.press(1, hold=0.5)
        assert evening.state.phase is Phase.ASKING
        assert evening.state.clock.used == pytest.approx(pressed - begun, abs=1e-6)

    evening().play(script)


def test_later_it_is_felt_at_once_and_held_it_takes_nothing_back():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        await evening.press(1)
        await evening.wait(16)
        evening.panel.edge("button-all", True)
        await evening.wait(0.05)
        assert evening.state.current == 0
        await evening.wait(2)
        evening.panel.edge("button-all", False)
        await evening.wait(1)
        assert hands(evening) == [15, 15]

    evening().play(script)


def test_of_two_taps_in_a_row_only_the_first_ends_a_turn():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        await evening.press(1, hold=0.08)
        heard = evening.time.time()
        await evening.press(1, hold=0.08)
        await evening.wait(2)
        assert (evening.state.current, hands(evening)) == (1, [15, 14])
        assert 440.0 in evening.tones(heard)

    assert ENGLISH(TOO_EARLY) in evening().play(script).said


def test_a_press_that_comes_just_after_the_time_was_up_does_not_end_the_next_turn():
    async def script(evening):
        await evening.start()
        await evening.until_the_end(-0.3)
        assert evening.state.current == 1
        await evening.press(1)
        await evening.wait(1)
        assert evening.state.current == 1

    assert ENGLISH(TOO_EARLY) in evening().play(script).said


def test_held_at_the_very_beginning_of_a_turn_it_takes_the_last_one_back_all_the_same():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        await evening.press(1)
        await evening.wait(0.2)
        await evening.press(1, hold=1.0)
        assert (evening.state.current, hands(evening)) == (0, [14, 14])

    evening().play(script)


def test_the_time_is_not_up_while_a_press_from_before_the_end_is_still_held():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        await evening.press(1)
        state = evening.state
        evening.loop.session.state = replace(state, clock=TurnClock(5.0).start(state.clock.since))
        await evening.until_the_end(0.3)
        await evening.press(1, hold=0.5)
        await evening.wait(1)
        assert (evening.state.current, hands(evening)) == (0, [15, 15])

    assert not any("Time is up" in text for text in evening().play(script).said)


async def accepted_by_itself(evening):
    """Anna is asked about a tile, straightens it, and the look that follows is taken without a press."""
    await evening.start()
    await evening.wait(20)
    evening.sight.doubtful = 1
    evening.look_anew()
    evening.sight.table = OPENING
    await evening.press(1)
    assert evening.state.phase is Phase.ASKING
    await evening.lay((OPENING[0][::-1],))
    while evening.state.phase is Phase.ASKING:
        await evening.wait(0.05)
    assert evening.state.current == 1


@pytest.mark.parametrize("later", [0.3, 1.2, 2.5])
def test_a_press_that_would_have_confirmed_what_was_accepted_by_itself_ends_no_turn(later):
    async def script(evening):
        await accepted_by_itself(evening)
        await evening.wait(evening.state.clock.since + later - evening.loop.t)
        await evening.press(1)
        await evening.wait(1)
        assert (evening.state.current, hands(evening)) == (1, [11, 14])

    assert ENGLISH(TOO_EARLY) in evening().play(script).said


def test_a_while_after_a_turn_was_accepted_by_itself_a_press_counts():
    async def script(evening):
        await accepted_by_itself(evening)
        await evening.wait(evening.state.clock.since + 3.1 - evening.loop.t)
        await evening.press(1)
        assert evening.state.current == 0

    evening().play(script)


def test_after_a_press_that_answered_a_question_the_next_turn_is_young_for_a_second_only():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        evening.sight.doubtful = 1
        evening.look_anew()
        evening.sight.table = OPENING
        await evening.press(1)
        await evening.press(1)
        assert evening.state.current == 1
        await evening.wait(1.2)
        await evening.press(1)
        assert evening.state.current == 0

    evening().play(script)


def test_in_gin_a_press_held_at_the_very_beginning_of_a_turn_takes_nothing_back():
    async def script(evening):
        await evening.start()
        await evening.wait(3)
        await evening.lay(parse_table("R5"))
        await evening.press(1)
        await evening.wait(3)
        await evening.press(1)
        await evening.wait(0.2)
        before = evening.state
        assert (before.phase, before.current) == (Phase.TURN, 1)
        await evening.press(1, hold=1.2)
        await evening.wait(0.5)
        assert evening.state == before

    assert ENGLISH(TOO_EARLY) in Evening("gin", pins=ONE_FOR_ALL).play(script).said
