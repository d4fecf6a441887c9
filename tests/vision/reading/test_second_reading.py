"""Which tiles are read a second time, upside down, and what becomes of them."""

import numpy as np
import pytest

from referee.game.tiles import TILE_SETS, Tile
from referee.vision.reading.glyphs import STYLES
from referee.vision.reading.second_reading import (
    look_alikes,
    needs_second_reading,
    unless_contradicted,
    unless_overturned,
)
from referee.vision.sighting import Read

NUMBERS, ENGLISH, GERMAN = (
    0,
    *(next(i for i, style in enumerate(STYLES) if style.name == name) for name in ("AJQK", "ABDK")),
)


def styles(**shares):
    found = np.zeros(len(STYLES), np.float32)
    found[[globals()[name] for name in shares]] = list(shares.values())
    return found


def read_of(name, confidence, doubtful=False, *, absorbed=(0.4, 0.15, 0.05)):
    corners = np.asarray([[0, 0], [30, 0], [30, 45], [0, 45]], np.float32)
    return Read(Tile.from_name(name), confidence, doubtful, (), corners, 0.0, absorbed=absorbed)


@pytest.mark.parametrize(
    ("box", "shares", "expected"),
    [
        ("rummikub", {"NUMBERS": 1.0}, set()),
        ("gin", {"ENGLISH": 1.0}, {1, 4}),
        ("gin", {"GERMAN": 1.0}, {1, 4, 8, 11}),
        ("gin", {"ENGLISH": 0.9, "GERMAN": 0.1}, {1, 4, 8, 11}),
        ("gin", {"ENGLISH": 0.99, "GERMAN": 0.01}, {1, 4}),
    ],
)
def test_an_eight_looks_like_a_jack_where_the_jack_is_a_b(box, shares, expected):
    assert look_alikes(TILE_SETS[box], styles(**shares)) == expected


def test_a_pale_eight_that_was_read_as_a_jack_needs_more_pictures():
    """The confidences are those of a turn that accused an honest player: right way up, and upside down."""
    german, english = (look_alikes(TILE_SETS["gin"], styles(**{name: 1.0})) for name in ("GERMAN", "ENGLISH"))
    jack = read_of("yellow-11", 0.988)
    doubted = unless_contradicted(jack, 0.956, german)
    assert (doubted.doubtful, doubted.look_again) == (True, True)
    assert unless_contradicted(jack, 0.956, english) is jack
    assert unless_contradicted(read_of("yellow-11", 0.9999), 0.85, german).doubtful
    assert not unless_contradicted(read_of("yellow-11", 0.9999), 0.95, german).doubtful


def test_a_print_that_stands_out_needs_none():
    german = look_alikes(TILE_SETS["gin"], styles(GERMAN=1.0))
    jack = read_of("red-11", 0.995, absorbed=(0.7, 0.8, 0.2))
    assert unless_contradicted(jack, 0.5, german) is jack
    assert not needs_second_reading(jack, german)
    assert needs_second_reading(read_of("yellow-11", 0.9999), german)
    assert not needs_second_reading(read_of("yellow-11", 0.9999), ())


def test_an_open_four_that_may_be_an_a_is_doubted_whatever_other_pictures_show():
    english = look_alikes(TILE_SETS["gin"], styles(ENGLISH=1.0))
    doubted = unless_contradicted(read_of("red-4", 0.99), 0.75, english)
    assert (doubted.doubtful, doubted.look_again) == (True, False)


def test_any_number_that_is_hardly_possible_upside_down_is_put_in_doubt():
    seven = read_of("red-7", 0.95)
    assert unless_contradicted(seven, 0.9, ()) is seven
    doubted = unless_contradicted(seven, 0.1, ())
    assert (doubted.doubtful, doubted.confidence) == (True, pytest.approx(0.525))


def test_a_second_reading_settles_a_doubt_but_changes_no_face_without_one():
    first, same, other = read_of("red-7", 0.6, True), read_of("red-7", 0.97), read_of("red-1", 0.97)
    assert unless_overturned(first, same) is same
    assert unless_overturned(first, other).doubtful
