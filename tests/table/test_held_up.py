"""A loop that was held up for a while: presses are as long as their edges say, and time up waits for one under way."""

import threading

import pytest
from virtual_evening import OPENING, Evening

from referee.game.match.events import Resumed
from referee.game.match.phases import Phase
from referee.table.event_loop import in_order
from referee.table.input.touches import Edge


def held_up(evening, seconds):
    """Time passes in which the loop does not get its turn."""
    evening.time.t += seconds


def test_a_glitch_is_no_press_however_busy_the_loop_was():
    async def script(evening):
        await evening.start()
        before = evening.state
        evening.panel.edge("button-1", True)
        held_up(evening, 0.002)
        evening.panel.edge("button-1", False)
        held_up(evening, 0.010)
        await evening.wait(0.5)
        assert evening.state == before

    Evening().play(script)


def test_a_short_press_is_not_held_however_busy_the_loop_was():
    async def script(evening):
        await evening.start()
        await evening.press("pause")
        assert evening.state.phase is Phase.PAUSED
        await evening.wait(1)
        evening.panel.edge("button-pause", True)
        held_up(evening, 0.1)
        evening.panel.edge("button-pause", False)
        held_up(evening, 0.8)
        await evening.wait(0.5)
        assert evening.state.phase is Phase.TURN

    Evening().play(script)


def test_edges_that_another_thread_hands_over_while_the_loop_is_busy_count_as_well():
    async def script(evening):
        await evening.start()
        before = evening.state
        evening.panel.edge("button-1", True)
        await evening.wait(0.001)

        def opens():
            evening.panel.edge("button-1", False)

        busy = threading.Thread(target=opens)
        evening.loop.happen(Resumed(0.0))  # wakes the loop, which refuses it
        busy.start()
        busy.join()
        held_up(evening, 0.010)
        await evening.wait(0.5)
        assert evening.state == before

    Evening().play(script)


def test_edges_count_in_the_order_of_their_time():
    late, event, early = Edge("button-2", True, 2.0), Resumed(5.0), Edge("button-1", True, 1.0)
    assert in_order([late, event, early]) == [early, event, late]


class TestTheLastMoment:
    @pytest.mark.parametrize("before", [0.002, 0.0001])
    def test_a_press_just_before_the_end_counts_though_it_is_felt_after_it(self, before):
        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            await evening.until_the_end(before)
            evening.panel.edge("button-1", True)
            await evening.wait(0.1)
            evening.panel.edge("button-1", False)
            await evening.wait(1)
            assert evening.state.current == 1

        assert not any("Time is up" in text for text in Evening().play(script).said)

    def test_a_glitch_just_before_the_end_gives_no_time(self):
        async def script(evening):
            await evening.start()
            await evening.until_the_end(0.001)
            evening.panel.edge("button-1", True)
            await evening.wait(0.002)
            evening.panel.edge("button-1", False)
            await evening.wait(0.05)
            assert "Time is up, Anna." in evening.said

        Evening().play(script)

    def test_a_wire_that_chatters_over_the_end_gives_a_tenth_of_a_second_at_most(self):
        async def script(evening):
            await evening.start()
            await evening.until_the_end(0.001)
            for number in range(60):
                evening.panel.edge("button-2", number % 2 == 0)
                await evening.wait(0.003)
            assert "Time is up, Anna." in evening.said

        Evening().play(script)
