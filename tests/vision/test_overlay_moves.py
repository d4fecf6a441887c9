"""The moves of a turn, drawn into the picture of the table."""

import numpy as np
import numpy.typing as npt

from referee.game.moves import Move, Step, steps_between
from referee.game.notation import parse_set, parse_table
from referee.game.tiles import Tile
from referee.vision.overlay_moves import draw_moves
from referee.vision.sighting import Image, Read, Sighting

GREY = 120
Floats = npt.NDArray[np.float32]


def a_read(tile: Tile, x: float, y: float) -> Read:
    corners = np.asarray([[-30, -45], [30, -45], [30, 45], [-30, 45]], np.float32) + np.asarray([x, y], np.float32)
    return Read(tile, 0.99, False, (), corners, 0.0)


def table_of(text: str) -> Sighting:
    """Return a table whose sets lie in rows below each other."""
    reads, sets = [], []
    for row, tiles in enumerate(parse_table(text)):
        sets.append(tuple(range(len(reads), len(reads) + len(tiles))))
        reads += [a_read(tile, 100 + 60 * i, 100 + 200 * row) for i, tile in enumerate(tiles)]
    return Sighting("rummikub", "tiles", tuple(reads), tuple(sets))


def drawn(before: str, after: str) -> Image:
    steps = steps_between(parse_table(before), parse_table(after))
    return draw_moves(np.full((700, 1000, 3), GREY, np.uint8), table_of(before), steps)


def changed(picture: Image, x: int, y: int, reach: int = 8) -> bool:
    part = picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    return bool((part != GREY).any())


def test_a_picture_without_moves_stays_as_it_is() -> None:
    assert (drawn("R4 R5 R6", "R4 R5 R6") == GREY).all()


def test_a_set_that_grows_is_outlined_and_labelled_below() -> None:
    picture = drawn("R4 R5 R6 | B1 B2 B3", "R4 R5 R6 R7 | B1 B2 B3")
    assert changed(picture, 100 - 30, 100)
    assert changed(picture, 160, 100 + 45 + 15)
    assert not changed(picture, 160, 100), "no number is drawn over"
    assert not changed(picture, 160, 300), "a set that stays is left alone"


def test_a_tile_that_moves_has_an_arrow_to_its_new_set() -> None:
    picture = drawn("R1 R2 R3 R4 | B4 K4 O4", "R1 R2 R3 | B4 K4 O4 R4")
    assert changed(picture, (280 + 160) // 2, 200, 30)


def test_sets_from_the_hand_alone_are_listed_in_the_corner() -> None:
    picture = drawn("R4 R5 R6", "R4 R5 R6 | B1 B2 B3 | K7 O7 R7")
    assert changed(picture, 20, 10)
    assert changed(picture, 20, 35)
    assert not changed(picture, 160, 100, 45)


def test_labels_stay_in_a_small_picture() -> None:
    step = Step(0, (Move(parse_set("R7")[0], None),), parse_set("R4 R5 R6 R7"))
    small = draw_moves(np.full((40, 30, 3), GREY, np.uint8), table_of("R4 R5 R6"), (step,))
    assert small.shape == (40, 30, 3)
