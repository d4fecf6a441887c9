"""Where tiles lie is written into the file of a picture, which stays the same picture."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from referee.game.tiles import FACES
from referee.journal.tile_places import LONGEST, MARK, Area, TilePlace, places_in, tiles_area, with_places

TILES = sorted(FACES, key=str)


def picture() -> bytes:
    image = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def place(number: int, x: float = 0.25, y: float = 0.5) -> TilePlace:
    right, bottom = round(x + 0.05, 4), round(y + 0.1, 4)
    return TilePlace(TILES[number % len(TILES)], ((x, y), (right, y), (right, bottom), (x, bottom)))


SETS = ((place(0), place(1, 0.3)), (place(2, 0.6, 0.7),))


def test_places_come_back_and_the_picture_is_the_same():
    data = with_places(picture(), SETS)
    assert places_in(data) == SETS
    decoded = (cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR) for one in (data, picture()))
    assert np.array_equal(*decoded)


def test_the_first_segment_stays_the_first():
    assert with_places(picture(), SETS)[:4] == picture()[:4]


def test_a_whole_box_has_room():
    sets = tuple(tuple(place(number) for number in range(13)) for _ in range(9))
    assert places_in(with_places(picture(), sets)) == sets


def test_without_places_or_room_for_them_the_file_stays_as_it_is():
    assert with_places(picture(), ()) == picture()
    assert with_places(picture(), (tuple(place(0) for _ in range(LONGEST // 20)),)) == picture()
    assert with_places(b"no picture", SETS) == b"no picture"


@pytest.mark.parametrize(
    "body",
    [
        b"somebody else's comment", MARK + b"no JSON", MARK + b"7", MARK + b"[7]", MARK + b"[[[]]]",
        MARK + b'[[["red-7",1,2]]]', MARK + b'[[["green-99",1,2,3,4,5,6,7,8]]]',
        MARK + b'[[["red-7",1,2,3,4,5,6,7,1e9]]]',
        MARK + b'[[["red-7",1,2,3,4,5,6,7,9999999]]]', MARK + b'{"a":1}', MARK + b"[" * 20000,
    ],
)  # fmt: skip
def test_another_comment_is_passed_over(body):
    data = picture()
    comment = b"\xff\xfe" + (len(body) + 2).to_bytes(2, "big") + body
    assert places_in(data[:2] + comment + data[2:]) == ()


@given(some.binary(max_size=200))
def test_no_file_stops_a_reader(data):
    assert places_in(data) == ()
    assert places_in(b"\xff\xd8" + data) == ()


@given(some.integers(0, 400))
def test_a_file_that_was_cut_off_has_none_or_all(length):
    assert places_in(with_places(picture(), SETS)[:length]) in ((), SETS)


def test_the_part_with_the_tiles_holds_all_of_them_and_has_the_shape_of_the_picture():
    area = tiles_area(SETS)
    assert area == Area(0.125, 0.25, 0.625)
    inside = [corner for tiles in area.of(SETS) for one in tiles for corner in one.corners]
    assert all(0 < part < 1 for corner in inside for part in corner)


def test_without_tiles_it_is_the_whole_picture():
    assert tiles_area(()) == Area()
    assert Area().of(SETS) == SETS


@given(some.lists(some.tuples(some.floats(-0.5, 1.5), some.floats(-0.5, 1.5)), min_size=1, max_size=6))
def test_it_is_always_a_part_of_the_picture(corners):
    area = tiles_area((tuple(place(0, x, y) for x, y in corners),))
    assert 0 <= area.left <= 1 - area.size
    assert 0 <= area.top <= 1 - area.size
    assert 0 < area.size <= 1
