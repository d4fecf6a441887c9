"""Held buttons at the panel: "Rummy!" against the count, and a hand that is a tile short."""

import pytest
from cutting import resumed
from virtual_evening import ONE_FOR_ALL, Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table

OPENING = parse_table("R11 R12 R13 | B2 B3 B4")
SHOWN = (*OPENING, *parse_table("K1 | K2"))
UNDERSTOOD = [880.0, 1760.0]
PANELS = pytest.mark.parametrize("pins", [None, ONE_FOR_ALL], ids=["one each", "one for all"])


async def last_tiles(evening, by_the_count, hold):
    """Anna lays six tiles and presses."""
    await evening.start()
    evening.count(by_the_count, 3)
    await evening.wait(16)
    await evening.lay(OPENING)
    await evening.press(1, hold=hold)


@PANELS
def test_against_the_count_it_is_asked_about_and_held_again_believed(pins):
    async def script(evening):
        await last_tiles(evening, 8, hold=1.2)
        assert (evening.state.phase, evening.state.current) == (Phase.ASKING, 0)
        assert evening.tones()[-2:] == UNDERSTOOD
        await evening.press(1, hold=1.2)
        assert (evening.state.phase, evening.state.winner, evening.state.current) == (Phase.SHOWING, 0, 1)

    said = Evening("ravensburger", pins=pins).play(script).said
    question = "Anna calls Rummy, but by my count still has 2 tiles left: "
    assert [text.startswith(question) for text in said].count(True) == 1


@PANELS
def test_pressed_shortly_the_match_goes_on(pins):
    async def script(evening):
        await last_tiles(evening, 8, hold=1.2)
        await evening.wait(20)
        assert evening.state.phase is Phase.ASKING
        await evening.press(1)
        assert (evening.state.phase, evening.state.current, evening.state.seats[0].hand) == (Phase.TURN, 1, 2)

    Evening("ravensburger", pins=pins).play(script)


@PANELS
@pytest.mark.parametrize(("by_the_count", "winner"), [(6, 0), (14, None)], ids=["last tile", "eight left"])
def test_otherwise_a_held_button_is_a_press_like_any_other(pins, by_the_count, winner):
    async def script(evening):
        await last_tiles(evening, by_the_count, hold=1.2)
        assert (evening.state.current, evening.state.winner) == (1, winner)

    said = Evening("ravensburger", pins=pins).play(script).said
    assert not any("Rummy" in text for text in said)


def test_nobody_else_can_answer_the_question():
    async def script(evening):
        await last_tiles(evening, 8, hold=1.2)
        await evening.press(2, hold=1.2)
        assert evening.state.phase is Phase.ASKING
        await evening.press(2)
        assert evening.state.phase is Phase.ASKING

    assert Evening("ravensburger").play(script).said[-2:] == ["It is Anna's turn."] * 2


@PANELS
def test_a_hand_that_is_a_tile_short_is_told_and_held_it_counts_as_it_lies(pins):
    async def script(evening):
        await last_tiles(evening, 6, hold=0.1)
        ben = 2 if pins is None else 1
        await evening.lay(SHOWN)
        await evening.press(ben, hold=1.2)
        assert evening.state.phase is Phase.SHOWING
        assert "red" in evening.lit
        await evening.press(ben, hold=1.2)
        assert evening.state.phase is Phase.OVER
        assert evening.state.sheet.totals == (3, -3)

    said = Evening("ravensburger", pins=pins).play(script).said
    assert "It counts as it stands: Ben should have 3 tiles left, but 2 were shown." in said


def test_whoever_went_out_can_hold_the_button_to_play_on():
    async def script(evening):
        await last_tiles(evening, 6, hold=0.1)
        assert (evening.state.phase, evening.state.winner) == (Phase.SHOWING, 0)
        await evening.wait(30)
        await evening.press(1, hold=1.2)
        assert (evening.state.phase, evening.state.current, evening.state.winner) == (Phase.TURN, 0, None)

    assert Evening("ravensburger").play(script).said[-1] == "Anna plays on."


def test_whoever_always_presses_long_can_take_it_back():
    async def script(evening):
        await last_tiles(evening, 8, hold=1.2)
        await evening.press(1, hold=1.2)
        await evening.wait(30)
        await evening.press(1, hold=1.2)
        assert (evening.state.phase, evening.state.current, evening.state.seats[0].hand) == (Phase.TURN, 0, 8)

    assert Evening("ravensburger").play(script).said[-1] == "Anna plays on."


@pytest.mark.parametrize("answer", [0.1, 1.2])
def test_after_a_cut_the_first_press_hears_the_question_once_more(tmp_path, answer):
    async def asked(evening):
        await evening.start()
        await evening.lay((*OPENING, *parse_table("K5 K6 K7 | R1 B1 K1")))
        await evening.press(1, hold=1.2)

    async def after(evening):
        assert evening.state.phase is Phase.ASKING
        await evening.press(1, hold=answer)
        assert evening.state.phase is Phase.ASKING
        assert evening.said[-1].startswith("Anna calls Rummy, but by my count still has")
        await evening.press(1, hold=1.2)
        assert evening.state.winner == 0

    resumed(tmp_path, asked, Phase.ASKING, after, rules="ravensburger")
