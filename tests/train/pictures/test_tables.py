"""Generated tables by which the threshold of doubt is chosen: what is told of them fits together."""

import numpy as np
import pytest

from referee.game.tiles import FACE_DOWN, Tile
from referee.train.calibrate import PLENTY, SIDE, MadeTable, make_table, make_tables
from referee.train.pictures.typefaces import Faces
from referee.vision.reading import crops
from referee.vision.reading.glyphs import BACK_KIND, INVERTED, JOKER_KIND, NUMBERS


@pytest.fixture(scope="module")
def tables(faces: Faces) -> list[MadeTable]:
    return [make_table(seed, faces) for seed in range(3)]


def test_everything_is_told_of_every_tile(tables: list[MadeTable]) -> None:
    for table in tables:
        count = len(table.names)
        assert count > 0
        assert table.picture.shape == (SIDE, SIDE, 3)
        assert table.corners.shape == (count, 4, 2)
        assert len(table.kinds) == len(table.suits) == count


def test_the_kind_of_a_tile_is_that_of_its_name(tables: list[MadeTable]) -> None:
    for table in tables:
        for name, kind in zip(table.names, table.kinds, strict=True):
            if name in (FACE_DOWN, "joker"):
                assert kind == (BACK_KIND if name == FACE_DOWN else JOKER_KIND)
            else:
                assert NUMBERS[kind % INVERTED] == Tile.from_name(name).number


def test_every_tile_is_one_of_its_box_and_the_box_holds_plenty(tables: list[MadeTable]) -> None:
    for table in tables:
        inventory = {tile.name: count for tile, count in table.box.inventory().items()}
        assert all(inventory[name] == PLENTY for name in table.names if name != FACE_DOWN)
        assert len(table.box.colours) == 4


def test_tiles_are_about_as_large_as_a_mounted_camera_sees_them(tables: list[MadeTable]) -> None:
    for table in tables:
        assert 28 < float(np.median(crops.short_sides(table.corners))) < 90


def test_tables_are_of_type_faces_never_trained_on_and_seeded(faces: Faces, tables: list[MadeTable]) -> None:
    again = make_table(1, faces)
    assert np.array_equal(again.picture, tables[1].picture)
    assert again.names == tables[1].names
    other = make_table(1, Faces(faces.validation, faces.validation, faces.symbols, faces.suits))
    assert np.array_equal(other.picture, again.picture)  # training faces play no part


def test_tables_made_in_parallel_come_in_order(faces: Faces, tables: list[MadeTable]) -> None:
    (first, second) = make_tables(range(2), faces, workers=1)
    assert (first.names, second.names) == (tables[0].names, tables[1].names)
