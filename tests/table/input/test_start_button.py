"""The start button: what it does in every phase, and that every match can be ended with it."""

import pytest
from cutting import resumed
from virtual_evening import OPENING, Evening, Slow

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.table.input.buttons import ONCE_MORE, ONCE_MORE_S, Meaning, StartButton, not_now

AT_ONCE = {
    Phase.LOBBY: (Meaning.DEAL, Meaning.DEAL),
    Phase.TURN: (Meaning.PAUSE, Meaning.PAUSE),
    Phase.PAUSED: (Meaning.GO_ON, Meaning.END),
    Phase.OVER: (Meaning.NEXT, Meaning.NEXT),
}
"""What a short press and a long one do, where both do something at once."""


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_an_answer_and_every_match_an_end(phase):
    short = StartButton().means(phase, 5.0, long=False, cut=False)
    held = StartButton()
    first = held.means(phase, 5.0, long=True, cut=False)
    if phase in AT_ONCE:
        assert (short, first) == AT_ONCE[phase]
        return
    assert short is (Meaning.DEAL if phase is Phase.BETWEEN else Meaning.NOT_NOW)
    assert first is Meaning.ONCE_MORE
    assert held.means(phase, 5.0 + ONCE_MORE_S, long=True, cut=False) is Meaning.END
    assert held.means(phase, 6.0 + ONCE_MORE_S, long=True, cut=False) is Meaning.ONCE_MORE


def test_held_twice_with_a_long_time_between_it_ends_nothing():
    button = StartButton()
    assert button.means(Phase.SHOWING, 5.0, long=True, cut=False) is Meaning.ONCE_MORE
    assert button.means(Phase.SHOWING, 5.1 + ONCE_MORE_S, long=True, cut=False) is Meaning.ONCE_MORE


@pytest.mark.parametrize("phase", sorted({*Phase} - {*AT_ONCE, Phase.BETWEEN}))
def test_after_a_cut_a_short_press_goes_on_and_elsewhere_it_is_told_what_is_waited_for(phase):
    assert StartButton().means(phase, 5.0, long=False, cut=True) is Meaning.GO_ON
    told = ENGLISH(not_now(phase))
    assert "something else" not in told
    assert told.count(".") == 1


def test_in_the_pause_after_a_cut_it_must_be_held_twice_to_end_the_match():
    button = StartButton()
    assert button.means(Phase.PAUSED, 5.0, long=False, cut=True) is Meaning.GO_ON
    assert button.means(Phase.PAUSED, 5.0, long=True, cut=True) is Meaning.ONCE_MORE
    assert button.means(Phase.PAUSED, 7.0, long=True, cut=True) is Meaning.END


def test_a_long_press_after_a_power_cut_ends_no_match(tmp_path):
    async def before(evening):
        await evening.start()
        await evening.wait(5)

    async def after(evening):
        assert evening.state.phase is Phase.PAUSED
        await evening.press("pause", hold=0.9)
        assert evening.state.phase is Phase.PAUSED
        assert evening.said[-1] == ENGLISH(ONCE_MORE)
        await evening.press("pause")
        assert evening.state.phase is Phase.TURN

    resumed(tmp_path, before, Phase.TURN, after)


async def a_hand_is_shown(evening):
    await evening.start()
    evening.count(3, 3)
    await evening.lay(OPENING)
    await evening.press(1)
    assert evening.state.phase is Phase.SHOWING


async def the_table_is_put_right(evening):
    await evening.start()
    await evening.lay(parse_table("R1 R2"))
    await evening.wait(61)
    assert evening.state.phase is Phase.PUTTING_RIGHT


async def the_referee_asks(evening):
    await evening.start()
    evening.sight.doubtful = 99
    await evening.lay(OPENING)
    await evening.press(1)
    assert evening.state.phase is Phase.ASKING


async def the_camera_is_away(evening):
    await evening.start()
    evening.sight.lost = True
    await evening.press(1)
    assert evening.state.phase is Phase.LOOKING


async def the_time_is_up_without_a_camera(evening):
    await evening.start()
    evening.sight.lost = True
    await evening.wait(61)
    assert evening.state.phase is Phase.TIME_UP


WAITING = [a_hand_is_shown, the_table_is_put_right, the_referee_asks, the_camera_is_away]


@pytest.mark.parametrize("waits", [*WAITING, the_time_is_up_without_a_camera])
def test_held_twice_it_ends_a_match_that_waits_for_people_or_for_a_camera(waits):
    async def script(evening):
        await waits(evening)
        phase = evening.state.phase
        await evening.press("pause", hold=1.0)
        assert evening.state.phase is phase
        assert evening.said[-1] == ENGLISH(ONCE_MORE)
        heard = evening.time.time()
        await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.LOBBY
        await evening.wait(2)
        assert evening.tones(heard)[-3:] == [1046.5, 1318.5, 1568.0]
        evening.sight.lost, evening.sight.doubtful, evening.sight.table = False, 0, ()
        await evening.wait(3)
        await evening.start()
        assert evening.state.phase is Phase.TURN
        await evening.press(1)
        await evening.wait(1)
        assert (evening.state.phase, evening.state.current) == (Phase.TURN, 1)

    said = Evening().play(script).said
    assert said.count("The match ends here.") == 1


@pytest.mark.parametrize("waits", WAITING)
def test_held_once_it_ends_nothing_and_a_short_press_says_what_is_waited_for(waits):
    async def script(evening):
        await waits(evening)
        before = evening.state
        await evening.press("pause", hold=1.0)
        await evening.wait(ONCE_MORE_S + 1)
        await evening.press("pause", hold=1.0)
        await evening.press("pause")
        assert evening.state.phase is before.phase
        assert ENGLISH(not_now(before.phase)) in evening.said

    Evening().play(script)


def test_between_two_rounds_it_deals_and_held_twice_it_ends_the_match():
    async def script(evening):
        await a_hand_is_shown(evening)
        await evening.lay((*OPENING, *parse_table("K1 K2 K3")))
        await evening.press(2)
        assert evening.state.phase is Phase.BETWEEN
        await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.BETWEEN
        await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.LOBBY

    Evening(rounds=2).play(script)


def test_an_answer_that_comes_after_the_match_was_ended_is_dropped():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.press(1)
        assert evening.state.phase is Phase.LOOKING
        await evening.press("pause", hold=0.9)
        await evening.press("pause", hold=0.9)
        assert evening.state.phase is Phase.LOBBY
        await evening.wait(5)
        assert evening.state.phase is Phase.LOBBY

    Evening(thread=Slow(3.0)).play(script)


async def blinks(evening, lamp):
    """Whether the lamp is on now and off then during the next second."""
    seen = set()
    for _ in range(8):
        seen.add(lamp in evening.lit)
        await evening.wait(0.13)
    return seen == {True, False}


class TestBeforeTheMatch:
    def test_who_has_joined_is_seen_and_leaving_sounds_otherwise(self):
        async def script(evening):
            await evening.wait(1.5)
            heard = evening.time.time()
            await evening.press(3)
            joining = evening.tones(heard)
            assert "player-3" in evening.lit
            await evening.press(1)
            assert {"player-1", "player-3"} <= evening.lit
            heard = evening.time.time()
            await evening.press(3)
            assert "player-3" not in evening.lit
            assert "player-1" in evening.lit
            assert evening.tones(heard) != joining
            await evening.press(4, hold=1.0)
            assert {"player-1", "player-4"} <= evening.lit

        Evening(names=("Anna", "Ben", "Clara", "David")).play(script)

    def test_nobody_is_seen_to_have_joined_the_next_match(self):
        async def script(evening):
            await evening.press(1)
            await evening.press(2)
            await evening.start()
            await evening.press("pause")
            await evening.press("pause", hold=1.0)
            await evening.wait(0.5)
            assert evening.lit <= {"green"}

        Evening().play(script)

    def test_the_look_for_the_tile_aside_burns_amber_and_blinks_where_it_fails(self):
        async def script(evening):
            await evening.wait(1.5)
            await evening.press("pause", bounces=0, hold=0.05)
            assert "amber" in evening.lit
            await evening.wait(3)
            assert await blinks(evening, "amber")
            await evening.lay(parse_table("Y7"))
            await evening.start()
            await evening.wait(3)
            assert str(evening.state.aside) == "Y7"
            assert evening.lit == {"player-1"}

        Evening("piatnik", {"last-tile": "on"}, thread=Slow(1.0)).play(script)

    def test_a_doubt_about_the_tile_aside_blinks_too(self):
        async def script(evening):
            evening.sight.doubtful = 99
            await evening.lay(parse_table("Y7"))
            await evening.start()
            assert evening.state.phase is Phase.LOBBY
            assert await blinks(evening, "amber")

        Evening("piatnik", {"last-tile": "on"}).play(script)
