"""The rendered tables that are measured: legal, seeded, and true to their truth."""

from collections import Counter

import numpy as np
import pytest

from benchmarks.virtual import BOXES, TABLES, full_table, random_sets, scene, tables
from referee.game.sets import is_set
from referee.game.tiles import TILE_SETS


@pytest.mark.parametrize("box", BOXES)
def test_measured_tables_hold_sets_only(box: str) -> None:
    assert all(is_set(s) for s in random_sets(TILE_SETS[box], np.random.default_rng(1), 70))


@pytest.mark.parametrize("box", BOXES)
def test_no_table_holds_more_of_a_tile_than_its_box(box: str) -> None:
    for seed in range(5):
        laid = Counter(t for s in random_sets(TILE_SETS[box], np.random.default_rng(seed), 70) for t in s)
        assert laid.total() >= 70
        assert laid <= Counter(TILE_SETS[box].inventory())


def test_the_same_seed_gives_the_same_table() -> None:
    one, other = (scene(5, TILE_SETS["rummikub"], 30) for _ in range(2))
    assert one == other


def test_other_seeds_give_other_tables() -> None:
    assert scene(5, TILE_SETS["rummikub"], 30)[0] != scene(6, TILE_SETS["rummikub"], 30)[0]


def test_the_rows_of_a_scene_are_its_tiles() -> None:
    made, rows, _ = scene(7, TILE_SETS["piatnik"], 40)
    assert [tile for row in rows for tile in row] == list(made.tiles)


def test_the_first_measured_table_tells_its_truth() -> None:
    name, picture, truth = next(tables())
    assert name == "virtual-0"
    assert picture.shape == (1296, 2304, 3)
    assert truth["tileset"] == BOXES[0]
    assert len(truth["tiles"]) >= 30
    assert all(0 < t["x_mm"] < 900 and 0 < t["y_mm"] < 600 for t in truth["tiles"])


def test_every_box_is_measured() -> None:
    assert {BOXES[seed % len(BOXES)] for seed in range(TABLES)} == set(BOXES)


def test_the_full_table_is_nearly_full() -> None:
    picture, tiles = full_table()
    assert picture.shape == (1296, 2304, 3)
    assert 90 <= tiles <= TILE_SETS["rummikub"].total
