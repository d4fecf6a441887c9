"""Buttons pressed on screens, in virtual time: the finger's moment, the order of what came, no press made long."""

import pytest
from virtual_evening import NO_START_BUTTON, ONE_FOR_ALL, OPENING, Evening

from referee.game.match.phases import Phase
from referee.table.input.requests import PendingTouch
from referee.table.input.touches import LOST, NO_BUTTON, TOO_OLD, Stroke, Touch

WHO_PRESSES = {"starts": "drawn"}


def test_a_whole_turn_is_played_on_a_screen():
    async def script(evening):
        await evening.hold("pause", 0.1)
        await evening.wait(0.1)
        assert evening.state.phase is Phase.TURN
        await evening.lay(OPENING)
        assert await evening.touch(1, "down") is None
        await evening.wait(0.05)
        assert evening.state.current == 1
        assert await evening.touch(1, "up") is None

    Evening(touched=True).play(script)


def test_a_tap_counts_however_short_it_was_told_to_be():
    async def script(evening):
        assert await evening.touch("pause", "down") is None
        assert await evening.touch("pause", "up") is None
        await evening.wait(0.5)
        assert evening.state.phase is Phase.TURN

    Evening(touched=True).play(script)


def test_the_clock_stops_at_the_moment_of_the_finger():
    async def script(evening):
        await evening.start()
        begun = evening.state.clock.since
        await evening.wait(20)
        evening.sight.doubtful, evening.sight.table = 1, OPENING
        touched = evening.time.time() - 0.4
        await evening.touch(1, "down", ago=0.4)
        await evening.wait(0.1)
        assert evening.state.clock.used == pytest.approx(touched - 1000.0 - begun, abs=1e-6)

    Evening(touched=True).play(script)


def test_a_moment_in_the_future_is_now():
    async def script(evening):
        await evening.start()
        begun = evening.state.clock.since
        await evening.wait(20)
        evening.sight.doubtful, evening.sight.table = 1, OPENING
        touched = evening.time.time()
        await evening.touch(1, "down", ago=-5.0)
        await evening.wait(0.1)
        assert evening.state.clock.used == pytest.approx(touched - 1000.0 - begun, abs=1e-6)

    Evening(touched=True).play(script)


def test_a_press_that_comes_seconds_late_does_not_count():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        assert await evening.touch(1, "down", ago=2.5) == TOO_OLD
        assert await evening.touch(1, "down", "another finger", ago=2.5, doubt=0.4) == TOO_OLD
        await evening.wait(1)
        assert evening.state.current == 0

    Evening(touched=True).play(script)


def test_a_screen_may_press_only_where_that_is_wanted():
    async def script(evening):
        assert await evening.touch("pause", "down") == NO_BUTTON
        await evening.wait(1)
        assert evening.state.phase is Phase.LOBBY

    Evening().play(script)


def test_a_real_press_that_came_first_wins_whatever_the_screen_says():
    async def script(evening):
        await evening.start()
        evening.panel.edge("button-2", True)
        await evening.wait(0.002)  # no press yet: the contact may still bounce
        await evening.touch(1, "down", ago=0.3)
        await evening.wait(0.2)
        evening.panel.edge("button-2", False)
        await evening.touch(1, "up")
        await evening.wait(0.2)
        assert evening.state.seats[evening.state.current].name == "Ben"

    Evening(options=WHO_PRESSES, touched=True).play(script)


def test_a_real_press_that_is_handed_over_later_than_a_finger_that_came_after_it_wins():
    async def script(evening):
        await evening.start()
        now = evening.time.time()
        finger = Touch("button-1", Stroke.DOWN, "a finger", now - 0.3, now)
        evening.loop.request(PendingTouch(finger, lambda _: None))
        evening.panel.edge("button-2", True, ago_s=0.002)
        await evening.wait(0.2)
        evening.panel.edge("button-2", False)
        await evening.touch(1, "up")
        await evening.wait(0.2)
        assert evening.state.seats[evening.state.current].name == "Ben"

    Evening(options=WHO_PRESSES, touched=True).play(script)


def test_a_screen_that_was_first_wins_as_well():
    async def script(evening):
        await evening.start()
        await evening.touch(1, "down", ago=0.1)
        await evening.wait(0.002)
        evening.panel.edge("button-2", True)
        await evening.wait(0.1)
        await evening.touch(1, "up")
        evening.panel.edge("button-2", False)
        await evening.wait(0.2)
        assert evening.state.seats[evening.state.current].name == "Anna"

    Evening(options=WHO_PRESSES, touched=True).play(script)


def test_a_press_comes_after_the_verdict_that_was_told_before_it_arrived():
    async def script(evening):
        await evening.start()
        await evening.wait(5)
        await evening.press(1)  # nothing was laid: Ben's turn begins
        began = evening.state.clock.since
        assert evening.state.current == 1
        await evening.touch("pause", "down", ago=1.5)
        await evening.wait(0.2)
        assert evening.state.phase is Phase.PAUSED
        assert evening.state.clock.used >= 0
        assert began is not None

    Evening(touched=True).play(script)


def test_holding_on_a_screen_is_a_long_press():
    async def script(evening):
        await evening.hold(1, 1.0)
        await evening.wait(0.2)
        assert evening.state.phase is Phase.TURN  # without a start button a long press begins

    Evening(pins=NO_START_BUTTON, touched=True).play(script)


@pytest.mark.parametrize("held", [0.2, 0.45, 0.7, 0.79])
def test_a_lost_release_is_never_a_long_press(held):
    async def script(evening):
        await evening.hold(2, 0.1, "somebody else")
        await evening.hold(1, held, lost=True)
        await evening.wait(5)
        assert evening.state.phase is Phase.LOBBY
        assert evening.loop.controller.starting.lobby.joined == {0, 1}  # it was a short one
        assert await evening.touch(1, "still") == LOST
        await evening.hold(1, 1.0, "the next finger")
        await evening.wait(0.2)
        assert evening.state.phase is Phase.TURN

    Evening(pins=NO_START_BUTTON, touched=True).play(script)


def test_what_is_heard_late_of_a_finger_makes_its_press_long_after_all():
    async def script(evening):
        await evening.touch(1, "down")
        await evening.wait(0.45)
        await evening.touch(1, "still")
        await evening.wait(0.45)
        # By now a real button would have been told as long.
        assert evening.state.phase is Phase.LOBBY
        await evening.touch(1, "up", ago=0.05)
        await evening.wait(0.2)
        assert evening.state.phase is Phase.TURN

    Evening(pins=NO_START_BUTTON, touched=True).play(script)


def test_two_screens_on_one_button_are_one_press():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.touch(1, "down", "one phone")
        await evening.touch(1, "down", "another phone")
        await evening.wait(0.1)
        await evening.touch(1, "up", "one phone")
        await evening.wait(0.1)
        assert not any("button-1" in text for text in evening.said)
        assert evening.state.current == 1
        await evening.touch(1, "up", "another phone")
        await evening.wait(0.2)
        assert evening.state.current == 1
        assert evening.rows.count("pressed") == 1

    Evening(touched=True).play(script)


def test_a_screen_and_the_real_button_hold_one_contact():
    async def script(evening):
        evening.panel.edge("button-1", True)
        await evening.wait(0.3)
        await evening.touch(1, "down")
        await evening.wait(0.1)
        evening.panel.edge("button-1", False)
        await evening.wait(0.1)
        await evening.touch(1, "up")
        await evening.wait(0.2)
        assert evening.loop.controller.starting.lobby.joined == {0}  # one press, and a short one

    Evening(touched=True).play(script)


def test_the_same_word_twice_counts_once():
    async def script(evening):
        await evening.touch("pause", "down")
        await evening.touch("pause", "down")
        await evening.wait(0.05)
        await evening.touch("pause", "up")
        await evening.touch("pause", "up")
        await evening.wait(0.5)
        assert evening.state.phase is Phase.TURN

    Evening(touched=True).play(script)


def test_the_one_button_for_all_is_pressed_on_screens_too():
    async def script(evening):
        await evening.hold("pause", 0.1)
        await evening.wait(1.5)
        await evening.lay(OPENING)
        await evening.hold(1, 0.1)
        await evening.wait(0.3)
        assert evening.state.current == 1

    Evening(pins=ONE_FOR_ALL, touched=True).play(script)
