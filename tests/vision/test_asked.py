"""The question names the tile, its place, what it may be and why."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.tiles import Tile
from referee.vision.asked import asked_about, why
from referee.vision.sighting import Read, Sighting

CORNERS = np.float32([[100, 100], [140, 100], [140, 156], [100, 156]])


def read(name="red-7", *others, confidence=0.6):
    tile = None if name == "face-down" else Tile.from_name(name)
    alternatives = tuple((other, 0.3) for other in others)
    return Read(tile, confidence, True, alternatives, CORNERS, 0.0, 200.0, 300.0)


def sighting(*reads, tileset="rummikub"):
    outline = np.float32([[0, 0], [300, 0], [300, 200], [0, 200]])
    return Sighting(tileset, "markers", tuple(reads), (), sure_from=0.98, outline_px=outline)


def picture(level=180, ink=30, shape=(240, 320)):
    """A tile with sharp bars on a grey table."""
    image = np.full((*shape, 3), 90, np.uint8)
    image[100:157, 100:141] = level
    image[108:150:6, 108:134] = ink
    return image


def test_the_question_in_words():
    (doubt,) = asked_about(sighting(read("red-7", "red-1")))
    assert doubt["text"] == "R7? (or R1) in the middle: its number is not clear"
    assert doubt["place"] == "in the middle"
    assert doubt["reason"] == "its number is not clear"
    assert (doubt["tile"], doubt["x_mm"]) == ("red-7", 200.0)


def test_a_hand_over_it_is_the_reason():
    at = (120 / 300, 128 / 200)
    (doubt,) = asked_about(sighting(read("red-7", "red-1")), over=[(0.9, 0.9), at])
    assert doubt["reason"] == "a hand or something else lies over it"
    (doubt,) = asked_about(sighting(read("red-7", "red-1")), over=[(0.9, 0.9)])
    assert doubt["reason"] == "its number is not clear"


def test_without_markers_it_has_no_place():
    (doubt,) = asked_about(replace(sighting(read("red-7", "red-1")), outline_px=None))
    assert doubt["text"] == "R7? (or R1): its number is not clear"


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (read("red-6", "red-9"), "6 or 9, the line below is not clear"),
        (read("blue-6", "red-9"), "its number is not clear"),
        (read("blue-7", "black-7"), "two inks alike"),
        (read("joker", "black-7"), "its sign is not clear"),
        (read("face-down", "black-7"), "it may lie face down"),
        (read("black-7"), "its print is not clear"),
        (replace(read("red-6", "red-9"), reason="glare"), "glare"),
    ],
)
def test_why_from_what_it_was_read_as(seen, reason):
    assert why(seen, sighting(seen), None) == reason


def test_a_third_copy_is_told():
    seen = read("red-7", "red-1", confidence=0.99)
    assert why(seen, sighting(seen, seen, seen), None) == "I see 3 of them, and the box holds 2"
    assert why(seen, sighting(seen, seen, seen, tileset="unknown"), None) == "its number is not clear"


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        (picture(), "two inks alike"),
        (picture(level=254, ink=240), "too bright, or a lamp is mirrored in it"),
        (picture(level=30, ink=5), "too dark"),
        (cv2.GaussianBlur(picture(), (0, 0), 9), "blurred"),
        (picture(shape=(240, 141)), "cut off by the edge of the picture"),
    ],
)
def test_why_from_the_picture(shown, reason):
    seen = read("blue-7", "black-7")
    assert why(seen, sighting(seen), shown) == reason
