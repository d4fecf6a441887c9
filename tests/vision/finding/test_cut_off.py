"""Tiles at the edge of a picture: which are cut off, told from where they lie."""

from typing import Any

import numpy as np
import pytest

from referee.vision.finding.cut_off import CutOff, are_cut_off, are_stunted, look_at_edges
from referee.vision.sighting import Floats

SIZE = (400, 300)
PICTURE = np.full((300, 400, 3), 90, np.uint8)


def tile(left: float, top: float, width: float = 40.0, height: float = 60.0) -> Floats:
    return np.float32([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def unused(_: Any) -> tuple[Any, ...]:
    pytest.fail("the finder was asked")


@pytest.mark.parametrize(
    ("place", "cut"),
    [
        pytest.param((100, 100), False, id="in the middle"),
        pytest.param((0, 0), False, id="in the corner"),
        pytest.param((-3, 100), False, id="only its rim is cut off"),
        pytest.param((-10, 100), True, id="left"),
        pytest.param((100, -12), True, id="top"),
        pytest.param((375, 100), True, id="right"),
        pytest.param((100, 255), True, id="bottom"),
    ],
)
def test_a_tile_is_cut_off_where_print_may_be_missing(place: tuple[float, float], cut: bool) -> None:
    assert are_cut_off(tile(*place)[None], SIZE).tolist() == [cut]


def test_a_small_tile_at_the_edge_beside_larger_ones_is_the_rest_of_one() -> None:
    others = [tile(x, 100) for x in (100, 150, 200)]
    assert are_stunted(np.stack([*others, tile(0, 100, 25)]), SIZE).tolist() == [False, False, False, True]
    assert not are_stunted(np.stack([*others, tile(50, 100, 25)]), SIZE).any()  # too far from the edge
    assert not are_stunted(np.stack([*others, tile(0, 100, 38)]), SIZE).any()  # too large
    assert not are_stunted(tile(0, 100)[None], SIZE).any()  # nothing to compare with


def test_no_tile_of_a_table_that_is_all_in_the_picture_can_be_overlooked_at_its_edge() -> None:
    tiles, outline = np.stack([tile(100, 100), tile(-10, 100)]), np.float32([(5, 5), (395, 5), (395, 295), (5, 295)])
    assert look_at_edges(unused, PICTURE, tiles, outline) == CutOff(frozenset([1]), ((10.0, 130.0),))


def test_nothing_found_is_nothing_cut_off() -> None:
    nothing = np.full((1, 7, 200, 200), -20.0, np.float32)
    asked = []

    def finder(planes: Any) -> tuple[Any, ...]:
        asked.append(planes.shape)
        return (nothing[..., : planes.shape[2] // 4, : planes.shape[3] // 4],)

    for tiles in (np.zeros((0, 4, 2), np.float32), tile(100, 100)[None]):
        assert look_at_edges(finder, PICTURE, tiles, None) == CutOff(frozenset(), ())
    assert asked
