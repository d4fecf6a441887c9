"""The question names the tile, its place, what it may be and why."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.i18n import ENGLISH
from referee.vision.asked import asked_about, none_too_many, question_about, why
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


def told(doubt):
    return ENGLISH(doubt.notice)


def test_the_question_in_words():
    (doubt,) = asked_about(sighting(read("red-7", "red-1")))
    assert told(doubt) == "the red 7 in the middle: 7 or 1? (its number is not clear)"
    assert (doubt.read.tile, doubt.read.x_mm) == ("red-7", 200.0)


def test_a_hand_over_it_is_the_reason():
    at = (120 / 300, 128 / 200)
    (doubt,) = asked_about(sighting(read("red-7", "red-1")), over=[(0.9, 0.9), at])
    assert "(a hand or something else is covering it)" in told(doubt)
    (doubt,) = asked_about(sighting(read("red-7", "red-1")), over=[(0.9, 0.9)])
    assert "(its number is not clear)" in told(doubt)


def test_without_markers_it_has_no_place():
    (doubt,) = asked_about(replace(sighting(read("red-7", "red-1")), outline_px=None))
    assert told(doubt) == "the red 7 in the picture: 7 or 1? (its number is not clear)"


@pytest.mark.parametrize(
    ("seen", "question"),
    [
        (read("red-7", "red-1", "red-11", "red-12"), "the red 7 on the left: 7, 1 or 11? (blurred)"),
        (read("red-7", "yellow-7", "red-7"), "the 7 on the left: red or yellow? (blurred)"),
        (read("red-7", "yellow-7", "red-1"), "a tile on the left: the red 7, the yellow 7 or the red 1? (blurred)"),
        (read("red-7", "joker"), "a tile on the left: the red 7 or the joker? (blurred)"),
        (read("joker", "red-7"), "a tile on the left: the joker or the red 7? (blurred)"),
        (read("red-7"), "the red 7 on the left (blurred)"),
        (replace(read("red-7", "red-1"), doubtful=False), "the red 7 on the left (blurred)"),
        (read("red-7", "face-down"), "the red 7 on the left, or is it face down? (blurred)"),
        (read("face-down", "red-7"), "the red 7 on the left, or is it face down? (blurred)"),
        (read("face-down"), "a tile on the left that seems to be face down (blurred)"),
    ],
)
def test_what_is_not_clear_is_asked_for(seen, question):
    assert ENGLISH(question_about(seen, Notice("place.left"), Notice("reading.why_blurred"))) == question


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (read("red-6", "red-9"), "6 or 9: the line below it is not clear"),
        (read("blue-6", "red-9"), "its number is not clear"),
        (read("blue-7", "black-7"), "two colours look alike"),
        (read("joker", "black-7"), "its sign is not clear"),
        (read("face-down", "black-7"), "it may be face down"),
        (read("black-7"), "its print is not clear"),
    ],
)
def test_why_from_what_it_was_read_as(seen, reason):
    assert ENGLISH(why(seen, sighting(seen), None)) == reason


def test_a_third_copy_is_told():
    seen = read("red-7", "red-1", confidence=0.99)
    assert ENGLISH(why(seen, sighting(seen, seen, seen), None)) == "I see 3 of them, but the box has only 2"
    assert ENGLISH(why(seen, sighting(seen, seen, seen, tileset="unknown"), None)) == "its number is not clear"


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        (picture(), "two colours look alike"),
        (picture(level=254, ink=240), "too bright, or a lamp is reflected in it"),
        (picture(level=30, ink=5), "too dark"),
        (cv2.GaussianBlur(picture(), (0, 0), 9), "blurred"),
        (picture(shape=(240, 141)), "cut off by the edge of the picture"),
    ],
)
def test_why_from_the_picture(shown, reason):
    seen = read("blue-7", "black-7")
    assert ENGLISH(why(seen, sighting(seen), shown)) == reason


def jokers(*confidences):
    return tuple(replace(read("joker", "red-7", confidence=confidence), x_mm=100.0 * i + 100) for i, confidence in
                 enumerate(confidences))  # fmt: skip


def test_a_joker_too_many_is_asked_about_once():
    doubts = asked_about(sighting(*jokers(0.999, 0.99, 0.995), read("red-7", "red-1")))
    assert [(doubt.read.id, doubt.copies) for doubt in doubts] == [(1, (0, 1, 2)), (3, ())]
    assert "I see 3 of them, but the box has only 2" in told(doubts[0])


def test_of_too_many_those_that_are_not_clear_are_asked_about_and_no_other():
    doubts = asked_about(sighting(*jokers(0.999, 0.6, 0.995)))
    assert [(doubt.read.id, doubt.copies) for doubt in doubts] == [(1, (0, 1, 2))]
    doubts = asked_about(sighting(*jokers(0.6, 0.999, 0.7)))
    assert [doubt.read.id for doubt in doubts] == [0, 2]


def test_tiles_in_doubt_of_which_there_are_not_too_many_are_asked_about_one_by_one():
    doubts = asked_about(sighting(*jokers(0.7, 0.6)))
    assert [(doubt.read.id, doubt.copies) for doubt in doubts] == [(0, ()), (1, ())]


def test_each_tile_of_which_there_are_too_many_is_a_question_of_its_own():
    sevens = tuple(replace(read("red-7", confidence=0.999), x_mm=x) for x in (10.0, 20.0, 30.0))
    assert [doubt.read.tile for doubt in asked_about(sighting(*jokers(0.99, 0.999, 0.999), *sevens))] == [
        "joker",
        "red-7",
    ]


def test_once_one_of_too_many_is_another_tile_the_others_are_sure():
    seen = sighting(*jokers(0.999, 0.99, 0.6))
    one, other, third = seen.reads
    named = replace(third, tile=Tile.from_name("red-7"), doubtful=False)
    assert [one.doubtful for one in none_too_many(seen, (one, other, named))] == [False, False, False]
    said = replace(third, doubtful=False)
    assert [one.doubtful for one in none_too_many(seen, (one, other, said))] == [True, True, False]
    named = replace(one, tile=Tile.from_name("red-7"), doubtful=False)
    assert [one.doubtful for one in none_too_many(seen, (named, other, third))] == [False, False, True]
