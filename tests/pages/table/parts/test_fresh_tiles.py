"""Tiles that were laid in the turn are told apart from those that lay on the table before."""

import pytest
from page import served

from referee.i18n import ENGLISH
from referee.pages.table.parts.table import picture

OPENING = "R10 R11 R12 | B10 B11 B12"


@pytest.fixture
def table():
    with served() as made:
        yield made


def fresh(table):
    """The names of the tiles that the picture shows as laid in this turn, in order."""
    shown = picture(table.follower.facts, ENGLISH)
    return sorted(tile["tile"] for tile in shown["tiles"] if tile["fresh"])


def test_a_first_meld_is_all_new(table):
    table.press()
    table.see(OPENING)
    assert fresh(table) == ["blue-10", "blue-11", "blue-12", "red-10", "red-11", "red-12"]


def test_what_lay_there_before_is_not_new(table):
    table.press()
    table.see(OPENING)
    table.press()
    table.see(f"{OPENING} | K10 K11 K12")
    assert fresh(table) == ["black-10", "black-11", "black-12"]


def test_of_two_equal_tiles_the_one_in_a_new_place_is_new(table):
    table.game.opened()
    table.press()
    table.see(OPENING)
    table.press()
    table.see(f"{OPENING} | R10 K10 O10")
    shown = picture(table.follower.facts, ENGLISH)
    tens = [tile for tile in shown["tiles"] if tile["tile"] == "red-10"]
    beside = [[other["tile"] for other in shown["tiles"] if other["set"] == tile["set"]] for tile in tens]
    assert [tile["fresh"] for tile in tens] == ["orange-10" in names for names in beside]
    assert sum(tile["fresh"] for tile in shown["tiles"]) == 3


def test_a_refused_turn_shows_what_it_laid(table):
    table.press()
    table.see("R10 R11 K12 | B10 B11 B12")
    assert len(fresh(table)) == 6


def test_nothing_is_new_before_a_verdict(table):
    table.press()
    table.see(OPENING)
    table.press()
    assert fresh(table) == []
