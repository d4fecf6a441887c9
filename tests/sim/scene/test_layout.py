from itertools import combinations

import numpy as np
import pytest

from referee.game.notation import parse_set, parse_table
from referee.game.table import Table
from referee.game.tiles import TILE_SETS
from referee.sim.scene.layout import GAP_MM, Layout, Room, TableFull, are_apart, lay_out
from referee.sim.scene.scene import SHEET_MM

TABLE = parse_table("R7 B7 K7 | O3 O4 ** O6 | B1 B2 B3 B4 B5 | K9 R9 O9 B9")
SIZE = (26.0, 37.5)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def whole_box(seed: int, shortest: int = 3, longest: int = 5) -> Table:
    tiles = [tile for tile, n in TILE_SETS["rummikub"].inventory().items() for _ in range(n)]
    generator = rng(seed)
    order = generator.permutation(len(tiles))
    table = []
    while order.size:
        length = int(generator.integers(shortest, longest + 1))
        table.append(tuple(tiles[i] for i in order[:length]))
        order = order[length:]
    return tuple(table)


def assert_sound(layout: Layout) -> None:
    tiles = [tile.corners(SIZE) for tile in layout.tiles]
    assert all(are_apart(a, b) for a, b in combinations(tiles, 2)), "tiles overlap"
    rows = [row.outline(SIZE) for row in layout.rows]
    assert all(are_apart(a, b, GAP_MM - 0.01) for a, b in combinations(rows, 2)), "sets lie too close"
    half = SHEET_MM / 2
    for x, y in ((0, 0), (900, 0), (900, 600), (0, 600)):
        sheet = np.float32([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
        assert all(are_apart(sheet, tile) for tile in tiles), "a tile lies under a marker"
    corners = np.concatenate(tiles)
    assert (corners > 0).all()
    assert (corners < [900, 600]).all()


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_box_fits_and_nothing_overlaps(seed: int) -> None:
    table = whole_box(seed)

    layout = lay_out(table, rng(seed))

    assert layout.table == table
    assert len({(tile.tile, tile.copy) for tile in layout.tiles}) == 106
    assert_sound(layout)


def test_single_tiles_of_a_whole_box_fit() -> None:
    layout = lay_out(whole_box(1, 1, 1), rng())

    assert_sound(layout)
    assert len(layout.rows) == 106


def test_unchanged_sets_stay_where_they_lie() -> None:
    before = lay_out(TABLE, rng())
    after = lay_out((TABLE[3], parse_set("R7 B7 K7 O7"), TABLE[1], parse_set("B1 B2 B3")), rng(2), before=before)

    assert after.rows[0] == before.rows[3]
    assert after.rows[2] == before.rows[1]
    assert_sound(after)


def test_a_set_that_lies_in_another_order_stays_too() -> None:
    before = lay_out(TABLE, rng())

    after = lay_out((parse_set("K7 R7 B7"),), rng(2), before=before)

    assert after.rows == before.rows[:1]


@pytest.mark.parametrize("grown", ["R7 B7 K7 O7", "O7 R7 B7 K7"])
def test_a_set_grows_at_its_ends(grown: str) -> None:
    before = lay_out(TABLE[:1], rng())

    after = lay_out((parse_set(grown),), rng(2), before=before)

    assert set(before.tiles) < set(after.tiles)
    assert_sound(after)


def test_two_equal_sets_are_two_rows() -> None:
    layout = lay_out((TABLE[0], TABLE[0]), rng())

    again = lay_out((TABLE[0], TABLE[0]), rng(2), before=layout)

    assert {tile.copy for tile in layout.tiles} == {0, 1}
    assert again == layout


def test_reading_order_runs_along_the_row() -> None:
    for row in lay_out(whole_box(7), rng()).rows:
        angle = np.radians(row.placed[0].angle_deg)
        along = [tile.x_mm * np.cos(angle) + tile.y_mm * np.sin(angle) for tile in row.placed]
        assert (np.diff(along) > 25.5).all()
        assert (np.diff(along) < 28.0).all()


def test_taken_places_stay_free() -> None:
    block = np.float32([[100, 0], [900, 0], [900, 600], [100, 600]])

    layout = lay_out(TABLE[:1], rng(), Room(taken=(block,)))

    assert all(are_apart(tile.corners(SIZE), block) for tile in layout.tiles)


def test_a_small_table_is_too_small() -> None:
    with pytest.raises(TableFull, match=r"200 x 150 mm, got 4 sets of 16 tiles"):
        lay_out(TABLE, rng(), Room(table_mm=(200.0, 150.0)))


def test_the_generator_decides() -> None:
    assert lay_out(TABLE, rng(3)) == lay_out(TABLE, rng(3))
    assert lay_out(TABLE, rng(3)) != lay_out(TABLE, rng(4))


def test_an_empty_table_is_empty() -> None:
    assert lay_out((), rng()) == Layout()
