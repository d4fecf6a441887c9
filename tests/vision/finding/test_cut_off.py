"""Tiles at the edge of a picture: which are cut off, told from where they lie."""

from typing import Any

import numpy as np
import pytest

from referee.vision.finding.cut_off import CutOff, are_cut_off, are_stunted, find_lone_cut_off, look_at_edges
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


def test_a_row_at_the_edge_with_nothing_to_compare_it_with_may_be_what_is_left_of_larger_tiles() -> None:
    """Before, each of a row's tiles was compared with the others, which the edge had cut through as well."""
    row = np.stack([tile(x, 260, 56, 40) for x in (100, 160, 220)])
    assert are_stunted(row, SIZE).tolist() == [True, True, True]
    assert not are_stunted(row - np.float32([0, 30]), SIZE).any()  # away from the edge
    assert not are_stunted(tile(100, 240)[None], SIZE).any()  # one whole tile
    assert are_stunted(tile(100, 260, 44, 40)[None], SIZE).all()  # not the shape of a tile


def test_a_row_at_the_edge_is_compared_with_the_tiles_away_from_it() -> None:
    row, others = [tile(x, 265, 40, 35) for x in (100, 150, 200, 250)], [tile(x, 100) for x in (100, 150)]
    assert are_stunted(np.stack([*row, *others]), SIZE).tolist() == [True] * 4 + [False] * 2
    whole = [tile(x, 238) for x in (100, 150, 200, 250)]
    assert not are_stunted(np.stack([*whole, *others]), SIZE).any()


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


@pytest.mark.parametrize("size", [(1296, 2304), (2304, 1296)])
def test_of_a_large_picture_with_small_tiles_only_the_edges_are_searched(size: tuple[int, int]) -> None:
    """All of it at once would take hundreds of megabytes."""
    areas = []

    def finder(planes: Any) -> tuple[Any, ...]:
        areas.append(planes.shape[2] * planes.shape[3])
        return (np.full((1, 7, planes.shape[2] // 4, planes.shape[3] // 4), -20.0, np.float32),)

    picture = np.full((*size, 3), 90, np.uint8)
    for tiles in (np.zeros((0, 4, 2), np.float32), tile(100, 100, 14, 20)[None]):
        assert look_at_edges(finder, picture, tiles, None) == CutOff(frozenset(), ())
    assert max(areas) < 1_000_000


def test_a_tile_at_each_edge_of_a_large_picture_is_found_where_it_is() -> None:
    """The finder here takes every bright spot for a tile."""

    def finder(planes: Any) -> tuple[Any, ...]:
        shown = planes[0, 0, ::4, ::4]
        maps = np.full((1, 7, *shown.shape), -20.0, np.float32)
        maps[0, 0] = np.where(shown > 0.5, 5.0, -20.0)
        maps[0, 1:3] = 0
        maps[0, 3:5] = np.reshape([-3.5, 0], (2, 1, 1))  # twice the angle of (0, 3.5)
        maps[0, 5:7] = np.reshape([2.6, 0], (2, 1, 1))
        return (maps,)

    picture = np.full((1200, 1600, 3), 90, np.uint8)
    for x, y in ((800, 0), (800, 1199), (0, 600), (1599, 600), (800, 600)):
        picture[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4] = 255
    quads = find_lone_cut_off(finder, picture)
    found = sorted((round(x / 50) * 50, round(y / 50) * 50) for x, y in quads.mean(axis=1).tolist())
    assert found == [(0, 600), (800, 0), (800, 1200), (1600, 600)]
