"""Which tiles lie side by side, and how they are read."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.vision.finding.grouping import MAX_GAP, MAX_STEP, axes, reading_orders, rows, way_up_votes

Floats = npt.NDArray[np.float32]

WIDE, TALL = 26.0, 37.5


def tile(x: float, y: float, degrees: float = 0.0) -> Floats:
    """Corners (4, 2) of a tile whose middle lies at (x, y), turned clockwise."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-WIDE, -TALL], [WIDE, -TALL], [WIDE, TALL], [-WIDE, TALL]]) / 2
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


def row_of(
    length: int, x: float, y: float, degrees: float = 0.0, gap: float = 0.3, on_their_heads: Iterable[int] = ()
) -> list[Floats]:
    """Tiles beside one another, from left to right for their reader, `gap` mm between them."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    tiles = []
    for i in range(length):
        along = (WIDE + gap) * i
        turn = degrees + (180 if i in set(on_their_heads) else 0)
        tiles.append(tile(x + along * c, y + along * s, turn))
    return tiles


def as_sets(found: list[list[int]]) -> set[frozenset[int]]:
    return {frozenset(row) for row in found}


def one_way_or_the_other(row: list[int], wanted: list[int]) -> bool:
    return row in (wanted, wanted[::-1])


def turned(corners: Floats, degrees: float) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(corners @ np.asarray([[c, s], [-s, c]]), np.float32)


TABLE = np.stack([
    *row_of(5, 100, 100),
    *row_of(3, 100, 160, on_their_heads=[1]),
    *row_of(4, 400, 80, 90),
    *row_of(3, 600, 200, 180),
    *row_of(4, 500, 400, 45, on_their_heads=[0, 3]),
    *row_of(3, 300, 480, 270),
    tile(150, 400, 20),
])  # fmt: skip
SETS = [[0, 1, 2, 3, 4], [5, 6, 7], [8, 9, 10, 11], [12, 13, 14], [15, 16, 17, 18], [19, 20, 21], [22]]


def test_touching_tiles_are_a_row_from_left_to_right() -> None:
    assert rows(np.stack(row_of(6, 50, 50))) == [[0, 1, 2, 3, 4, 5]]


def test_the_order_of_finding_does_not_matter() -> None:
    shuffled = np.random.default_rng(1).permutation(6)
    found = rows(np.stack(row_of(6, 50, 50))[shuffled])
    assert len(found) == 1
    assert one_way_or_the_other([int(shuffled[i]) for i in found[0]], [0, 1, 2, 3, 4, 5])


@given(st.floats(-180, 180))
@example(-7.4)
@example(7.4)
@example(82.6)
def test_turning_the_whole_table_does_not_change_its_rows(degrees: float) -> None:
    found = rows(turned(TABLE, degrees))
    assert as_sets(found) == {frozenset(row) for row in SETS}
    for wanted in SETS:
        row = next(r for r in found if set(r) == set(wanted))
        assert one_way_or_the_other(row, wanted)


@given(st.integers(0, 2**31), st.floats(-180, 180))
def test_tiles_laid_by_an_unsteady_hand_stay_in_their_rows(seed: int, degrees: float) -> None:
    rng = np.random.default_rng(seed)
    shaken = TABLE + rng.normal(0, 1.0, (len(TABLE), 1, 2)) + rng.normal(0, 0.2, TABLE.shape)
    assert as_sets(rows(turned(np.asarray(shaken, np.float32), degrees))) == {frozenset(row) for row in SETS}


@given(st.lists(st.booleans(), min_size=len(TABLE), max_size=len(TABLE)))
def test_which_way_up_tiles_lie_does_not_change_their_rows(flips: list[bool]) -> None:
    flipped = np.stack([np.roll(c, 2, axis=0) if flip else c for c, flip in zip(TABLE, flips, strict=True)])
    assert as_sets(rows(flipped)) == {frozenset(row) for row in SETS}


@given(st.integers(0, 2**31), st.integers(0, 12))
def test_every_tile_is_in_exactly_one_row(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    corners = [tile(*rng.uniform(0, 120, 2), float(rng.uniform(0, 360))) for _ in range(count)]
    found = rows(np.asarray(corners, np.float32).reshape(-1, 4, 2))
    assert sorted(i for row in found for i in row) == list(range(count))


@pytest.mark.parametrize(
    ("other", "together"),
    [
        pytest.param(tile(WIDE * (1 + MAX_GAP) - 1, 0), True, id="a small gap"),
        pytest.param(tile(WIDE * (1 + MAX_GAP) + 1, 0), False, id="a wide gap"),
        pytest.param(tile(WIDE, TALL * MAX_STEP - 1), True, id="a small step"),
        pytest.param(tile(WIDE, TALL * MAX_STEP + 1), False, id="a large step"),
        pytest.param(tile(0, TALL + 0.5), False, id="below"),
        pytest.param(tile(WIDE + 2, 0, 12), True, id="a little askew"),
        pytest.param(tile(WIDE + 6, 0, 40), False, id="much askew"),
        pytest.param(tile((WIDE + TALL) / 2 + 1, 0, 90), False, id="at right angles"),
        pytest.param(tile(WIDE + 0.5, 0, 180), True, id="on its head"),
    ],
)
def test_only_neighbours_side_by_side_are_one_row(other: Floats, together: bool) -> None:
    assert (len(rows(np.stack([tile(0, 0), other]))) == 1) is together


def test_a_tile_has_one_neighbour_at_each_side() -> None:
    crowded = np.stack([tile(0, 0), tile(WIDE + 1, -10), tile(WIDE + 1, 2)])
    assert as_sets(rows(crowded)) == {frozenset({0, 2}), frozenset({1})}


def test_no_tiles_are_no_rows() -> None:
    assert rows(np.zeros((0, 4, 2), np.float32)) == []


def test_a_quad_without_area_is_a_row_of_its_own() -> None:
    assert as_sets(rows(np.stack([np.zeros((4, 2), np.float32), tile(5, 5)]))) == {frozenset({0}), frozenset({1})}


def test_axes_are_the_full_sides_of_a_tile() -> None:
    centres, across, down = axes(tile(100, 50, 90)[None])
    assert centres[0] == pytest.approx([100, 50], abs=1e-3)
    assert across[0] == pytest.approx([0, WIDE], abs=1e-3)
    assert down[0] == pytest.approx([-TALL, 0], abs=1e-3)


@pytest.mark.parametrize("degrees", [0, 45, 90, 180, 270, 359])
def test_a_row_is_read_from_the_left_of_whom_it_faces(degrees: float) -> None:
    corners = np.stack(row_of(4, 300, 300, degrees))
    assert reading_orders([[0, 1, 2, 3]], corners) == [[0, 1, 2, 3]]
    assert reading_orders([[3, 2, 1, 0]], corners) == [[0, 1, 2, 3]]


def test_somebody_on_the_other_side_reads_the_same_tiles_the_other_way_round() -> None:
    here = np.stack(row_of(3, 100, 100))
    there = np.roll(here, 2, axis=1)
    assert reading_orders([[0, 1, 2]], here) == [[0, 1, 2]]
    assert reading_orders([[0, 1, 2]], there) == [[2, 1, 0]]


def test_one_tile_on_its_head_does_not_turn_the_row() -> None:
    corners = np.stack(row_of(4, 100, 100, on_their_heads=[2]))
    assert reading_orders([[3, 2, 1, 0]], corners) == [[0, 1, 2, 3]]


def test_a_single_tile_reads_as_itself() -> None:
    assert reading_orders([[5]], TABLE) == [[5]]


ALONG = np.stack(row_of(4, 100, 100))


@pytest.mark.parametrize(
    ("inverted", "sure", "votes"),
    [
        pytest.param([False] * 4, [False] * 4, [0.5] * 4, id="nobody knows"),
        pytest.param([False] * 4, [True, False, False, False], [0.5, 0.95, 0.95, 0.95], id="one knows"),
        pytest.param([False] * 4, [True, True, True, False], [0.985] * 4, id="three agree"),
        pytest.param([True] * 4, [True, True, False, False], [0.05, 0.05, 0.015, 0.015], id="on their heads"),
        pytest.param([False, True, False, False], [True, True, False, False], [0.05, 0.95, 0.5, 0.5], id="two differ"),
    ],
)
def test_sure_neighbours_tell_which_way_up_a_tile_lies(
    inverted: list[bool], sure: list[bool], votes: list[float]
) -> None:
    found = way_up_votes([[0, 1, 2, 3]], ALONG, np.asarray(inverted), np.asarray(sure))
    assert found.tolist() == pytest.approx(votes)


def test_votes_are_about_the_tiles_own_quad_not_about_the_picture() -> None:
    corners = np.stack(row_of(3, 100, 100, on_their_heads=[2]))
    found = way_up_votes([[0, 1, 2]], corners, np.asarray([False, False, True]), np.asarray([True, True, False]))
    assert found[2] == pytest.approx(0.015)


def test_a_vote_is_never_certain() -> None:
    votes = way_up_votes([[0, 1, 2, 3]], ALONG, np.asarray([False, False, True, True]), np.ones(4, bool))
    assert ((votes > 0) & (votes < 1)).all()
