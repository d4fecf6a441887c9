import copy

import pytest

from referee.errors import BadInput
from referee.game.tiles import JOKER, TILE_SETS, Colour, Tile, tile_set


def test_black_is_k_in_notation():
    assert [colour.letter for colour in Colour] == ["K", "B", "R", "Y", "O", "G"]


@pytest.mark.parametrize("tile", [JOKER, Tile(1, Colour.RED), Tile(13, Colour.BLACK)])
def test_a_long_name_is_read_back(tile):
    assert Tile.from_name(tile.name) == tile


@pytest.mark.parametrize("name", ["red-14", "pink-3", "red", "7-red", "", "red-0"])
def test_other_names_are_refused(name):
    with pytest.raises(BadInput, match="expected"):
        Tile.from_name(name)


@pytest.mark.parametrize(("number", "colour"), [(0, Colour.RED), (5, None), (14, Colour.RED)])
def test_a_tile_is_a_number_with_a_colour_or_a_joker(number, colour):
    with pytest.raises(BadInput, match="expected"):
        Tile(number, colour)


def test_a_joker_is_a_joker():
    assert JOKER.is_joker
    assert not Tile(1, Colour.RED).is_joker
    assert str(JOKER) == "**"


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("rummikub", 106),
        ("ravensburger", 108),
        ("brettspielnetz", 106),
        ("piatnik", 106),
        ("classic", 110),
        ("gin", 52),
    ],
)
def test_boxes_hold_what_is_printed_on_them(name, total):
    box = tile_set(name)
    assert box.total == sum(box.inventory().values()) == total
    assert box is TILE_SETS[name]


def test_an_unknown_box_is_refused_with_those_known():
    with pytest.raises(BadInput, match="rummikub, ravensburger"):
        tile_set("mahjong")


def test_there_is_one_object_for_each_face():
    assert Tile(7, Colour.RED) is Tile(7, Colour.RED) is copy.deepcopy(Tile(7, Colour.RED))
    assert Tile(0) is JOKER is copy.copy(JOKER)
