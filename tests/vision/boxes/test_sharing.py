"""A whole box shared out among its tiles: what is likeliest for all of them together."""

from collections import Counter

import drawn_tiles as drawn
import numpy as np
import pytest
import told

from referee.game.tiles import TILE_SETS
from referee.vision.boxes.enrol import chances_of, shares
from referee.vision.reading.joint import Calibration, read_together


def test_what_is_left_over_names_a_tile_in_doubt() -> None:
    (found,) = shares([{"red-3": 0.6, "red-8": 0.4}], Counter({"red-8": 1}))
    assert found == {"red-8": pytest.approx(1.0)}


def test_of_many_tiles_read_as_one_name_the_likest_keep_it() -> None:
    read = [{"black-1": 0.999, "blue-1": 0.001}, {"black-1": 0.97, "blue-1": 0.03}, {"black-1": 0.9999}]
    found = shares(read, Counter({"black-1": 2, "blue-1": 1}))
    assert [max(one, key=one.__getitem__) for one in found] == ["black-1", "blue-1", "black-1"]
    assert found[1]["blue-1"] > 0.8


def test_two_tiles_that_may_be_each_other_stay_so() -> None:
    twice = {"red-3": 0.5, "red-8": 0.5}
    for one in shares([twice, twice], Counter({"red-3": 1, "red-8": 1})):
        assert one == {"red-3": pytest.approx(0.5), "red-8": pytest.approx(0.5)}


def test_where_tiles_are_missing_names_stay_over() -> None:
    (found,) = shares([{"red-3": 0.99, "red-8": 0.01}], Counter({"red-3": 1, "red-8": 1}))
    assert found["red-3"] > 0.9


def test_where_there_are_too_many_some_are_none_of_the_boxs() -> None:
    found = shares([{"red-3": 0.99}, {"red-3": 0.99}], Counter({"red-3": 1}))
    assert [one["red-3"] for one in found] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("left", [Counter(), Counter({"red-3": 0}), Counter({"red-3": -1})])
def test_of_nothing_nothing_is_shared_out(left: Counter[str]) -> None:
    assert shares([{"red-3": 1.0}], left) == [{}]
    assert shares([], Counter({"red-3": 1})) == []


def test_the_chances_of_a_tile_are_those_of_every_tile_of_its_box() -> None:
    box = TILE_SETS["rummikub"]
    table = read_together(told.tiles("red-7 joker"), box, drawn.KNOWN, Calibration())
    seven, joker = (chances_of(f, c, box) for f, c in zip(table.faces, table.colours, strict=True))
    assert set(seven) == {tile.name for tile in box.inventory()}
    assert max(seven, key=seven.__getitem__) == "red-7"
    assert max(joker, key=joker.__getitem__) == "joker"
    assert np.isclose(sum(seven.values()), 1.0, atol=0.05)
