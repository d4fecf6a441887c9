"""Gin held against the collected cases, where their folder lies beside the project."""

import json
from pathlib import Path

import pytest
from knocks import knock_discards
from naive_gin import sets_in, worth

from referee.game.gin.hands import arrange, least_rest
from referee.game.gin.showdown import best_discard, lay_off, may_knock, settle
from referee.game.sets import is_set
from referee.game.tiles import Colour, Tile

CASES = Path(__file__).parents[4] / "shared" / "cases" / "gin.jsonl"
LETTERS = {"r": Colour.RED, "y": Colour.YELLOW, "b": Colour.BLUE, "k": Colour.BLACK}

pytestmark = pytest.mark.skipif(not CASES.is_file(), reason="no folder shared/cases beside the project")


def rows(kind):
    cases = map(json.loads, CASES.read_text(encoding="utf-8").splitlines() if CASES.is_file() else ())
    return [case for case in cases if case["type"] == kind]


def tiles(texts):
    return tuple(Tile(int(text[1:]), LETTERS[text[0]]) for text in texts)


def table(sets):
    return tuple(map(tiles, sets))


def test_no_kind_of_case_is_left_out():
    kinds = {"meld", "meld_count", "deadwood10", "deadwood11", "knock_discards", "layoff_allowed", "layoff_deadwood",
             "showdown"}  # fmt: skip
    known = sum(len(rows(kind)) for kind in kinds)
    assert known == len(CASES.read_text(encoding="utf-8").splitlines())


def test_sets():
    for case in rows("meld"):
        assert is_set(tiles(case["tiles"])) == case["valid"], case
    for case in rows("meld_count"):
        assert len(sets_in(tiles(case["hand"]))) == case["melds"], case
    for case in rows("layoff_allowed"):
        assert is_set((*tiles(case["meld"]), *tiles([case["tile"]]))) == case["valid"], case


def test_hands_of_ten():
    for case in rows("deadwood10"):
        hand = tiles(case["hand"])
        assert arrange(hand).points == least_rest(hand) == case["deadwood"], case
        assert may_knock(hand) == case.get("may_knock_seed003_lt10", case["deadwood"] < 10), case
        assert (not arrange(hand).rest) == case.get("gin", case["deadwood"] == 0), case


def test_hands_of_eleven_after_the_best_discard():
    for case in rows("deadwood11"):
        hand = tiles(case["hand"])
        assert least_rest(set(hand) - {best_discard(hand)}) == case["deadwood"], case


def test_discards_before_a_knock():
    # The source allows a knock with 10; in these hands it makes no difference.
    for case in rows("knock_discards"):
        assert set(knock_discards(tiles(case["hand"]))) == set(tiles(case["legal_knock_discards"])), case


def test_what_is_left_after_adding():
    for case in rows("layoff_deadwood"):
        found = lay_off(tiles(case["hand"]), table(case["knocker_melds"]))
        assert found.own.points == case["deadwood_after_best_layoff"], case


def test_showdowns():
    for case in rows("showdown"):
        hand, laid, expected = tiles(case["knocker_hand"]), table(case["knocker_melds"]), case["rulebook"]
        rest = worth(set(hand).difference(*laid))
        assert all(map(is_set, laid)), case
        assert rest == case["knocker_deadwood"] >= least_rest(hand), case
        assert may_knock(hand) == expected["knock_legal"], case
        left = lay_off(tiles(case["defender_hand"]), () if case["gin"] else laid).own.points
        assert left == case["defender_min_deadwood_after_layoff"], case
        if expected["knock_legal"]:
            score = settle(0, (rest, left), gin=case["gin"])
            assert score.winner == ("knocker", "defender").index(expected["winner"]), case
            assert max(score.scores) == expected["points"], case
