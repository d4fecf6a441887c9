"""Which markers lie around one table, told from their places and sizes alone."""

import numpy as np
import pytest

from referee.vision.geometry.one_table import Corners, choose_markers

PLACES = {0: (0.0, 0.0), 1: (900.0, 0.0), 2: (900.0, 600.0), 3: (0.0, 600.0)}


def square(x: float, y: float, side: float = 40.0) -> Corners:
    unit = np.float32([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return np.asarray(unit * side + (x, y), np.float32)


def spots_of(**more: list[Corners]) -> dict[int, list[Corners]]:
    spots = {i: [square(*place)] for i, place in PLACES.items()}
    for name, places in more.items():
        spots[int(name[1:])] += places
    return spots


def chosen(spots: dict[int, list[Corners]]) -> dict[int, tuple[float, float]] | None:
    found = choose_markers(spots, PLACES, 40.0, 3)
    return None if found is None else {i: tuple(c.mean(axis=0).tolist()) for i, c in found.items()}


def test_the_markers_of_one_table_are_all_taken() -> None:
    assert chosen(spots_of()) == PLACES


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_tables_side_by_side_the_whole_one_is_taken(order: int) -> None:
    spots = spots_of(_0=[square(1050, 10)], _3=[square(1050, 590)])
    assert chosen({i: places[::order] for i, places in spots.items()}) == PLACES


def test_a_marker_of_another_table_is_left_out_if_the_own_one_is_covered() -> None:
    spots = {**spots_of(), 3: [square(1100, 600)]}
    assert chosen(spots) == {i: PLACES[i] for i in (0, 1, 2)}


def test_two_sheets_that_fit_equally_well_cannot_be_told_apart() -> None:
    assert chosen(spots_of(_2=[square(915, 600)])) is None


def test_markers_in_the_wrong_order_fit_nowhere() -> None:
    mirrored = {i: [square(900 - x, y)] for i, (x, y) in PLACES.items()}
    assert chosen(mirrored) is None


def test_a_table_of_another_size_than_was_said_is_accepted() -> None:
    larger = {i: [square(1.3 * x, 1.2 * y)] for i, (x, y) in PLACES.items()}
    assert chosen(larger) is not None


def test_a_marker_turned_by_a_quarter_fits() -> None:
    turned = spots_of()
    turned[1] = [np.roll(turned[1][0], 1, axis=0)]
    assert chosen(turned) == PLACES
