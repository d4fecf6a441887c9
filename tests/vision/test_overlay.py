"""Reads drawn into their picture."""

import itertools
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from referee.game.tiles import JOKER, Colour, Tile
from referee.vision.overlay import Label, draw, labels
from referee.vision.sighting import Image, Quality, Read, Sighting

Floats = npt.NDArray[np.float32]
GREY = 100


def plain(height: int = 700, width: int = 1000) -> Image:
    return np.full((height, width, 3), GREY, np.uint8)


def a_read(tile: Tile | None, x: float, y: float = 300.0, *, doubtful: bool = False) -> Read:
    corners = np.asarray([[-30, -45], [30, -45], [30, 45], [-30, 45]], np.float32) + np.asarray([x, y], np.float32)
    return Read(tile, 0.9, doubtful, (), corners, 0.0)


def sighting(*reads: Read, sets: tuple[tuple[int, ...], ...] = ()) -> Sighting:
    return Sighting("rummikub", "tiles", reads, sets)


def colour_on(picture: Image, x: int, y: int) -> str:
    """Which channel outshines the others most at a spot, or grey."""
    blue, green, red = (int(v) for v in picture[y, x])
    if max(blue, green, red) - min(blue, green, red) < 30:
        return "grey"
    return "green" if green > red and green > blue else "orange" if red > blue else "blue"


THREE = (a_read(Tile(7, Colour.RED), 200), a_read(JOKER, 400, doubtful=True), a_read(None, 600))


def test_the_picture_itself_stays_as_it_is() -> None:
    picture = plain()
    draw(picture, sighting(*THREE, sets=((0, 1),)))
    assert (picture == GREY).all()


def test_the_result_is_a_picture_of_the_same_size() -> None:
    drawn = draw(plain(480, 640), sighting(*THREE))
    assert drawn.shape == (480, 640, 3)
    assert drawn.dtype == np.uint8


def test_nothing_read_is_nothing_drawn() -> None:
    assert np.array_equal(draw(plain(), sighting()), plain())


@pytest.mark.parametrize(
    ("read", "colour"),
    [pytest.param(THREE[0], "green", id="sure"), pytest.param(THREE[1], "orange", id="in doubt"),
     pytest.param(THREE[2], "grey", id="face down")],
)  # fmt: skip
def test_the_outline_tells_how_sure_the_read_is(read: Read, colour: str) -> None:
    x, y = read.corners_px[0].astype(int)
    drawn = draw(plain(), sighting(read))
    assert colour_on(drawn, x, y + 20) == colour
    assert (drawn[y + 20, x] != GREY).any()


def test_the_top_edge_is_the_thick_one() -> None:
    changed = (draw(plain(), sighting(THREE[0])) != GREY).any(axis=2)
    top, left = changed[240:270, 190].sum(), changed[280, 160:180].sum()
    assert top > left


def test_tiles_of_a_set_are_joined_by_a_line() -> None:
    between = (300, 300)
    apart = draw(plain(), sighting(*THREE))
    joined = draw(plain(), sighting(*THREE, sets=((0, 1),)))
    assert colour_on(apart, *between) == "grey"
    assert colour_on(joined, *between) == "blue"


def test_a_label_stands_at_the_bottom_of_its_tile() -> None:
    drawn = draw(plain(), sighting(THREE[0]))
    assert (drawn[325:355, 180:220] == 255).all(axis=2).any()


def test_what_reaches_over_the_edge_is_cut_off() -> None:
    drawn = draw(plain(), sighting(a_read(JOKER, -10, -10), a_read(JOKER, 1005, 695)))
    assert (drawn[600:, 960:] != GREY).any()


RUN = tuple(
    a_read(Tile(number, Colour.ORANGE), 200 + 60 * i, doubtful=True) for i, number in enumerate((10, 11, 12, 13))
)


def test_nothing_is_drawn_over_the_digits() -> None:
    drawn = draw(plain(), sighting(*RUN, sets=((0, 1, 2, 3),)))
    for read in RUN:
        x, y = read.corners_px.mean(axis=0).astype(int)
        assert (drawn[y - 15 : y + 15, x - 15 : x + 15] == GREY).all()
    assert colour_on(drawn, 230, 300) == "blue"


def apart(one: Label, other: Label) -> bool:
    (left, top, right, bottom), (x0, y0, x1, y1) = one.box, other.box
    return right <= x0 or x1 <= left or bottom <= y0 or y1 <= top


@pytest.mark.parametrize("turn", [0, 90, 180, 270, 30])
@pytest.mark.parametrize("scale", [0.7, 2.0])
def test_labels_of_neighbours_do_not_overlap(turn: int, scale: float) -> None:
    angle = np.deg2rad(turn)
    matrix = np.asarray([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    turned = [replace(read, corners_px=(read.corners_px - 300) @ matrix.T + 300) for read in RUN]
    found = labels(turned, scale)
    assert [label.text for label in found] == ["O10?", "O11?", "O12?", "O13?"]
    assert all(apart(one, other) for one, other in itertools.combinations(found, 2))


def test_a_label_gives_way_to_the_digit_of_a_tile_below() -> None:
    (above, _) = labels((THREE[0], a_read(Tile(9, Colour.BLUE), 200, 367)), 0.7)
    assert above.box[3] <= 367 - 15


def test_a_cross_marks_a_tile_that_the_edge_cuts_off() -> None:
    seen = replace(sighting(), quality=Quality(cut_off_px=((500.0, 6.0),)))
    assert colour_on(draw(plain(), seen), 500, 6) == "orange"
