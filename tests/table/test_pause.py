"""The pause: felt at once, so that the clock stops when the button goes down."""

import pytest
from virtual_evening import Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.table.output.follower import Follower


@pytest.mark.parametrize("hold", [0.1, 0.5, 2.0])
def test_pressed_just_before_the_end_it_stops_the_clock(hold):
    async def script(evening):
        await evening.start()
        await evening.until_the_end(0.3)
        left = evening.state.clock.seconds_left(evening.loop.t)
        await evening.press("pause", hold=hold)
        await evening.wait(2)
        assert evening.state.phase is Phase.PAUSED
        assert evening.state.clock.seconds_left(evening.loop.t) == pytest.approx(left, abs=1e-6)

    assert not any("Time is up" in text for text in Evening().play(script).said)


def test_one_press_pauses_and_does_not_go_on_when_it_is_let_go():
    async def script(evening):
        await evening.start()
        await evening.wait(2)
        evening.panel.edge("button-pause", True)
        await evening.wait(0.02)
        assert evening.state.phase is Phase.PAUSED
        await evening.wait(5)
        evening.panel.edge("button-pause", False)
        await evening.wait(1)
        assert evening.state.phase is Phase.PAUSED
        await evening.press("pause")
        assert evening.state.phase is Phase.TURN

    Evening().play(script)


def test_lamps_of_a_turn_that_was_taken_back_go_out():
    async def script(evening):
        await evening.start()
        await evening.press(1)
        await evening.wait(0.5)
        assert {"draw", "player-2", "green"} <= evening.lit
        await evening.press(1, hold=1.0)
        assert evening.state.current == 0
        for _ in range(8):
            await evening.wait(0.13)
            assert evening.lit == {"player-1"}

    Evening().play(script)


def test_a_taken_back_turn_is_refused_and_accepted_like_any_other():
    async def script(evening):
        await evening.start()
        await evening.press(1)
        await evening.wait(0.5)
        await evening.press(1, hold=1.0)
        await evening.lay(parse_table("R1 R2"))
        await evening.press(1)
        assert evening.lit == {"player-1", "red"}
        await evening.lay(parse_table("R10 B10 K10"))
        await evening.press(1)
        assert evening.lit == {"player-2", "green"}

    Evening().play(script)


def test_a_screen_shows_nothing_more_of_a_turn_that_was_taken_back():
    async def script(evening, page):
        await evening.start()
        await evening.press(1)
        await evening.wait(0.5)
        assert page.facts.draws == (0, 1)
        await evening.press(1, hold=1.0)
        assert evening.state.current == 0
        assert (page.facts.draws, page.facts.judged) == (None, None)

    evening = Evening()
    page = Follower(lambda: None)
    evening.replace_parts(audience=page)
    evening.play(lambda evening: script(evening, page))
