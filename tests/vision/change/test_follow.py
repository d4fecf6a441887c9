"""One tile of a look is one tile of an earlier look, or none."""

from dataclasses import replace

import numpy as np

from referee.game.tiles import Tile
from referee.vision.change.tracking import NEAR_MM, PUSH_MM, TURN_DEG, follow
from referee.vision.sighting import Read


def lies(x, name="red-7", *, y=200.0, doubtful=False, turn=0.0):
    tile = None if name is None else Tile.from_name(name)
    return Read(tile, 0.5 if doubtful else 1.0, doubtful, (), np.zeros((4, 2), np.float32), turn, x, y)


R7, B8, K9 = lies(100.0), lies(127.0, "blue-8"), lies(154.0, "black-9")


def in_doubt(read, by=0.0, name="red-1"):
    return replace(read, tile=Tile.from_name(name), doubtful=True, x_mm=read.x_mm + by)


def test_what_was_not_moved_is_the_same_tile_whatever_it_is_read_as():
    assert follow((in_doubt(K9), R7, B8), (R7, B8, K9)) == {0: (2, False), 1: (0, False), 2: (1, False)}


def test_a_tile_that_was_pushed_a_little_is_the_same():
    assert follow((in_doubt(R7, 12.0), B8), (R7, B8)) == {1: (1, False), 0: (0, True)}
    assert follow((in_doubt(R7, PUSH_MM + 1.0),), (R7,)) == {}
    assert follow((replace(in_doubt(R7, 12.0), angle_deg=45.0),), (R7,)) == {}


def test_turned_by_more_it_was_touched_and_may_be_another_one():
    turned = replace(in_doubt(R7), angle_deg=2 * TURN_DEG)
    assert follow((turned,), (R7,)) == {0: (0, True)}
    assert follow((replace(turned, angle_deg=180.0),), (R7,)) == {}


def test_a_row_that_was_pushed_keeps_its_order():
    row = (replace(R7, x_mm=110.0), in_doubt(B8, 10.0), replace(K9, x_mm=164.0))
    assert follow(row, (R7, B8, K9)) == {0: (0, True), 1: (1, True), 2: (2, True)}


def test_two_tiles_in_doubt_beside_each_other_tell_nothing():
    assert follow((in_doubt(R7, 12.0), in_doubt(R7, -12.0)), (R7,)) == {}
    assert follow((in_doubt(R7, 12.0),), (R7, replace(B8, x_mm=120.0))) == {}


def test_a_tile_that_was_laid_elsewhere_is_not_also_the_one_that_came_in_its_place():
    away = replace(R7, x_mm=600.0)
    assert follow((in_doubt(R7, 12.0), away), (R7,)) == {}


def test_a_new_tile_is_none_of_the_earlier_ones():
    assert follow((lies(400.0, "orange-1"), in_doubt(R7, 12.0)), (R7,)) == {1: (0, True)}


def test_two_in_one_place_tell_nothing():
    assert follow((in_doubt(R7),), (R7, replace(R7, x_mm=100.0 + NEAR_MM / 2))) == {}


def test_without_markers_and_without_tiles_nothing_is_known():
    assert follow((replace(R7, x_mm=None, y_mm=None),), (R7,)) == {}
    assert follow((R7,), (replace(R7, x_mm=None, y_mm=None),)) == {}
    assert follow((), (R7,)) == follow((R7,), ()) == {}
