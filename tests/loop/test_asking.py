"""What is asked about before it is judged, and what is no longer after somebody has insisted."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.events import Started
from referee.game.match import apply
from referee.game.notation import parse_table
from referee.game.rulesets import ruleset
from referee.game.state import Phase
from referee.journal.rows import Setup
from referee.loop.asking import doubts_of
from referee.loop.looking import Look
from referee.vision.covering import Cover
from referee.vision.sighting import Quality, Read, Sighting

LAID = parse_table("R10 B10 K10 | B3 B4 B5")
HIDING = Cover(0.2, 0.9, 9000.0, (0,))
BESIDE = Cover(0.5, 0.5, 2000.0, ())


def state_of(rules="rummikub", phase=Phase.LOOKING):
    made, _ = apply(Setup(rules).state(), Started(("Anna", "Ben"), 0.0))
    return replace(made, table=LAID, phase=phase)


def look_of(text, *, doubtful=0, **more):
    table = parse_table(text)
    tiles = [tile for tiles in table for tile in tiles]
    reads = tuple(
        Read(tile, 1.0, i < doubtful, (("red-1", 0.4),), np.zeros((4, 2), np.float32), 0.0)
        for i, tile in enumerate(tiles)
    )
    sets, at = [], 0
    for part in table:
        sets.append(tuple(range(at, at + len(part))))
        at += len(part)
    quality = more.pop("quality", Quality())
    return Look(Sighting("rummikub", "markers", reads, tuple(sets), quality), None, **more)


def texts(look, state, *, insisted=False):
    return [doubt["text"] for doubt in doubts_of(look, state, insisted=insisted)]


ALL = "R10 B10 K10 | B3 B4 B5"
LESS = "R10 B10 K10 | B3 B4"


def test_a_clear_look_is_judged_at_once():
    assert texts(look_of(ALL), state_of()) == []
    assert texts(look_of(ALL + " | K1 K2 K3"), state_of()) == []


def test_a_read_in_doubt_stays_in_doubt():
    look = look_of(ALL, doubtful=1)
    for insisted in (False, True):
        (doubt,) = doubts_of(look, state_of(), insisted=insisted)
        assert doubt["tile"] == "red-10"
        assert doubt["text"] == "R10? (or R1)"


@pytest.mark.parametrize("phase", [Phase.LOOKING, Phase.ASKING, Phase.TIME_UP])
def test_a_tile_that_is_gone_is_asked_about_before_anybody_is_told_off(phase):
    look = look_of(LESS)
    assert texts(look, state_of(phase=phase)) == ["the blue 5, which lay there before"]
    assert texts(look, state_of(phase=phase), insisted=True) == []


def test_where_tiles_may_go_nobody_is_asked_for_them():
    assert texts(look_of(LESS), state_of(phase=Phase.COUNTING)) == []
    assert texts(look_of(LESS), state_of(phase=Phase.CHECKING)) == []
    assert ruleset("gin").knocking is not None
    assert texts(look_of(LESS), replace(state_of(), rules=ruleset("gin"))) == []


def test_a_cover_is_asked_about_once():
    look = look_of(ALL, covers=(BESIDE,))
    assert texts(look, state_of()) == ["what is covered in the middle"]
    assert texts(look, state_of(), insisted=True) == []


def test_a_cover_over_the_place_of_a_tile_that_is_gone_is_asked_about_until_it_goes():
    look = look_of(LESS, covers=(BESIDE, HIDING))
    told = texts(look, state_of())
    assert told == ["what is covered in the middle", "the blue 5, which lay there before"]
    assert texts(look, state_of(), insisted=True) == [
        "what is covered at the bottom on the left",
        "the blue 5, which lay there before",
    ]


def test_a_cover_over_the_old_place_of_a_tile_that_was_moved_may_stay():
    assert texts(look_of(ALL, covers=(HIDING,)), state_of(), insisted=True) == []


def test_a_covered_marker_is_asked_about_once():
    look = look_of(ALL, quality=Quality(hand=True))
    assert texts(look, state_of()) == ["one of the markers at the corners"]
    assert texts(look, state_of(), insisted=True) == []
    assert len(texts(replace(look, covers=(BESIDE,)), state_of())) == 1


def test_a_look_that_shows_nothing_says_why():
    assert texts(Look(None, None, trouble="Something moves."), state_of(), insisted=True) == ["Something moves."]


def test_the_tiles_are_counted():
    twice = replace(state_of(), table=parse_table("R3 R4 R5 | R3 B3 K3"))
    assert texts(look_of("R3 R4 R5"), twice) == ["the black 3, the blue 3 and the red 3, which lay there before"]
