"""Jokers in a set of their own: said aloud, and told to the referee with a second press."""

from dataclasses import replace

from virtual_evening import Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.table.output import notices

SAY_JOKERS = ENGLISH(notices.SAY_JOKERS)
OPENING = parse_table("R10 R11 R12")
JOKERS = parse_table("R10 R11 R12 | ** ** **")
NO_SET = parse_table("R10 R11 R12 | R1 Y9")
BOTH = parse_table("R10 R11 R12 | ** ** ** | R1 Y9")


async def opens(evening):
    """Everybody has a first meld, and one run lies there."""
    await evening.start()
    state = evening.state
    seats = tuple(replace(seat, opened=True) for seat in state.seats)
    evening.loop.session.state = replace(state, seats=seats, table=OPENING)


def test_the_press_after_such_a_refusal_says_it():
    async def script(evening):
        await opens(evening)
        await evening.lay(JOKERS)
        await evening.press(1)
        assert (evening.state.phase, evening.state.current) == (Phase.TURN, 0)
        assert evening.said[-1] == SAY_JOKERS
        assert "red" in evening.lit
        await evening.press("pause")
        await evening.wait(1)
        await evening.press("pause")
        assert evening.said.count(SAY_JOKERS) == 1
        await evening.press(1)
        assert evening.state.current == 1
        assert evening.state.table == JOKERS

    evening = Evening("classic").play(script)
    assert evening.rows[-3:] == ["declared", "pressed", "seen"]
    assert "Anna has said what the jokers stand for." in evening.said


def test_a_turn_that_is_wrong_besides_is_not_taken_for_one_that_only_needs_a_word():
    async def script(evening):
        await opens(evening)
        await evening.lay(BOTH)
        await evening.press(1)
        await evening.press(1)
        assert evening.state.current == 0

    evening = Evening("classic").play(script)
    assert SAY_JOKERS not in evening.said
    assert "declared" not in evening.rows


def test_it_holds_for_that_players_turn_only():
    async def script(evening):
        await opens(evening)
        await evening.lay(JOKERS)
        await evening.press(1)
        await evening.press(2)
        assert "declared" not in evening.rows
        await evening.lay(OPENING)
        await evening.wait(1)
        await evening.press(1)
        assert evening.state.current == 1
        await evening.lay(JOKERS)
        await evening.press(2)
        assert evening.state.current == 1
        assert evening.rows.count("declared") == 1

    Evening("classic").play(script)
