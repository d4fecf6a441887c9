"""Every example that the six rule books work out or picture, told anew: sets, tiles added, tables rebuilt."""

import pytest

from referee.game.judge.jokers.values import counts
from referee.game.judge.judge import Turn, judge
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import RULESETS


@pytest.mark.parametrize(
    ("book", "tiles", "valid"),
    [
        ("ravensburger", "Y5 G5 B5 R5", True),
        ("ravensburger", "R5 R6 R7 R8", True),
        ("brettspielnetz", "R7 Y7 G7", True),
        ("brettspielnetz", "R4 R5 R6", True),
        ("piatnik", "B7 B8 B9 B10", True),
        ("piatnik", "R6 K6 Y6", True),
        ("classic", "R12 R13 R1 R2 R3", True),
        ("classic", "R13 R1 R2", True),
        ("classic", "R7 R7 B7", False),
        ("gin", "R13 R1 R2", False),
        ("gin", "R12 R13 R1", False),
        ("gin", "R1 R2 R3", True),
        ("rummikub", "K7 R7 B7 O7", True),
        ("rummikub", "B3 B4 B5 B6", True),
        ("rummikub", "B12 B13 B1", False),
    ],
)
def test_sets(book, tiles, valid):
    assert counts(parse_set(tiles), RULESETS[book]) == valid


@pytest.mark.parametrize(
    ("book", "before", "after"),
    [
        pytest.param("ravensburger", "B10 B11 B12", "B9 B10 B11 B12 B13", id="a tile at either end of a run"),
        pytest.param("ravensburger", "B10 B11 B12", "** B10 B11 B12", id="a joker as the nine"),
        pytest.param("ravensburger", "G9 R9 Y9", "G9 R9 Y9 B9", id="the fourth colour"),
        pytest.param("ravensburger", "G9 R9 Y9", "G9 R9 Y9 **", id="a joker as the fourth colour"),
        pytest.param("ravensburger", "B8 G8 Y8 R8", "B8 G8 Y8 | R7 R8 R9", id="the red eight for a run"),
        pytest.param("ravensburger", "B1 B2 B3 B4 B5", "B1 B2 B3 | B3 B4 B5", id="a long run cut in two"),
        pytest.param(
            "ravensburger",
            "G4 G5 G6 G7 | Y4 Y5 Y6 Y7 | B4 B5 B6",
            "G4 Y4 B4 R4 | G5 Y5 B5 | G6 Y6 B6 R6 | G7 Y7 R7",
            id="three runs become four groups",
        ),
        pytest.param("piatnik", "R10 B10 Y10 K10", "B10 Y10 K10 | R8 R9 R10", id="a ten out of four for a run"),
        pytest.param(
            "classic",
            "R12 R13 R1 R2 R3 | Y4 B4 K4 R4",
            "R12 R13 R1 | R1 R2 R3 R4 R5 | Y4 B4 K4",
            id="a run over the ace cut at the ace",
        ),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_turns(book, before, after, strict):
    rules = RULESETS[book].choose(rebuild="strict") if strict and book != "classic" else RULESETS[book]
    assert judge(parse_table(before), parse_table(after), Turn(), rules).accepted
