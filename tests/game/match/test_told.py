"""What players said a tile is stays with the table."""

from dataclasses import replace

import pytest

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import (
    About,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    Say,
    Seen,
    Settled,
    Started,
    Withdrawn,
    Word,
)
from referee.game.match.machine import OutOfOrder, apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.game.tiles import JOKER, Tile
from referee.i18n import ENGLISH

JACK = Word(Tile.from_name("blue-11"), 200.0, 300.0, 90.0, (Tile.from_name("blue-11"), Tile.from_name("blue-13")))
DOUBT = Doubt("B11? (or B13)")


def asked(rules="rummikub"):
    state, _ = apply(new_match(ruleset(rules)), Started(("Ann", "Ben"), 0.0))
    state, _ = apply(state, Pressed(state.current, 5.0))
    return apply(state, Seen(parse_table("R10 B10 K10 | B11 B12 B13"), 6.0, (DOUBT,)))[0]


@pytest.mark.parametrize("rules", ["rummikub", "gin"])
def test_a_word_is_kept_with_the_match(rules):
    state, effects = apply(asked(rules), Settled(0, 7.0, JACK))
    assert state == replace(asked(rules), words=(JACK,))
    assert effects == (Say(Notice("match.told_tile", player="Ann", tile=JACK.tile)),)


@pytest.mark.parametrize(("tile", "said"), [(None, "is face down"), (JOKER, "is the joker")])
def test_a_back_and_a_joker_are_told_in_words(tile, said):
    _, effects = apply(asked(), Settled(1, 7.0, replace(JACK, tile=tile)))
    assert ENGLISH(effects[0].notice) == f"Ben says that the tile {said}."


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (replace(JACK, tile=None), "that there is no face-up tile there."),
        (replace(JACK, about=About.UNSEEN), "that the blue 11 is there, although no tile was found."),
        (replace(JACK, about=About.MISREAD), "that the tile is the blue 11."),
    ],
)
def test_what_is_told_at_a_screen_is_said_in_words(word, said):
    _, effects = apply(asked(), Settled(1, 7.0, word, "page"))
    assert ENGLISH(effects[0].notice) == f"Ben says {said}"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (replace(JACK, tile=None), "that there is no face-up tile there."),
        (replace(JACK, about=About.UNSEEN), "that the blue 11 is there, although no tile was found."),
        (replace(JACK, about=About.MISREAD), "that the tile is the blue 11."),
    ],
)
def test_where_no_name_was_told_none_is_said(word, said):
    state, effects = apply(asked(), Settled(None, 7.0, word, "page"))
    assert state.words == (word,)
    assert ENGLISH(effects[0].notice) == f"Somebody said on the page {said}"


def test_a_later_word_about_the_same_place_holds():
    state, _ = apply(asked(), Settled(0, 7.0, JACK))
    beside = replace(JACK, x_mm=230.0)
    king = replace(JACK, tile=Tile.from_name("blue-13"), y_mm=304.0)
    for word in (beside, king):
        state, _ = apply(state, Settled(0, 8.0, word))
    assert state.words == (beside, king)


def test_a_look_tells_which_words_hold_and_where_their_tiles_lie_by_now():
    state, _ = apply(asked(), Settled(0, 7.0, JACK))
    pushed = replace(JACK, x_mm=212.0)
    table = parse_table("R10 B10 K10 | B11 B12 B13")
    doubted, _ = apply(state, Seen(table, 8.0, (DOUBT,), (pushed,)))
    assert doubted.words == (pushed,)
    judged, _ = apply(state, Seen(table, 8.0, (), (pushed,)))
    assert judged.current == 1
    assert judged.words == (pushed,)
    assert judged.before.words == (JACK,)
    gone, _ = apply(state, Seen(table, 8.0))
    assert gone.words == ()


def test_in_gin_too():
    state = apply(asked("gin"), Settled(0, 7.0, JACK))[0]
    assert apply(state, Seen(parse_table("B11"), 8.0, (), (JACK,)))[0].words == (JACK,)


def test_a_turn_taken_back_takes_no_word_back():
    state, _ = apply(asked(), Settled(0, 7.0, JACK))
    back, _ = apply(state, Withdrawn(0, 8.0))
    assert back.phase is Phase.TURN
    assert back.words == (JACK,)
    table = parse_table("R10 B10 K10 | B11 B12 B13")
    over, _ = apply(state, Seen(table, 8.0, (), (JACK,)))
    settled, _ = apply(over, Settled(1, 9.0, replace(JACK, x_mm=500.0)))
    assert settled.before is over.before
    assert apply(settled, Withdrawn(0, 10.0))[0].words == (JACK,)


def test_the_next_round_knows_nothing_of_it():
    state, _ = apply(asked(), Settled(0, 7.0, JACK))
    state = replace(state, phase=Phase.BETWEEN)
    assert apply(state, RoundStarted(20.0))[0].words == ()


def test_a_pause_forgets_nothing():
    state, _ = apply(asked(), Settled(0, 7.0, JACK))
    state, _ = apply(state, Withdrawn(0, 8.0))
    state, _ = apply(state, Paused(9.0))
    assert apply(state, Resumed(10.0))[0].words == (JACK,)


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.BETWEEN, Phase.OVER])
def test_where_nothing_lies_nothing_can_be_said(phase):
    with pytest.raises(OutOfOrder):
        apply(replace(asked(), phase=phase), Settled(0, 7.0, JACK))


def test_nobody_else_can_say_it():
    with pytest.raises(BadInput, match="expected a seat at the table, got 2"):
        apply(asked(), Settled(2, 7.0, JACK))
