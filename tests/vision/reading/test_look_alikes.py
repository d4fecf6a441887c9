"""Numbers that look alike: which they are, what the network for them sees, and what becomes of a read."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import TILE_SETS, Tile
from referee.vision.reading.certainty import FULL, PARTLY_SEEN, Trust
from referee.vision.reading.glyphs import STYLES
from referee.vision.reading.look_alikes import (
    CLEAR,
    LOOK_ALIKE,
    OTHERS,
    OVERRULED,
    PAIRS,
    SURE,
    look_alikes,
    needs_telling_apart,
    settle,
    unless_open_four,
    with_print,
)
from referee.vision.sighting import Read

PLACES = {"NUMBERS": "numbers", "ENGLISH": "AJQK", "GERMAN": "ABDK"}
OPEN = SURE + 0.1


def styles(**shares):
    found = np.zeros(len(STYLES), np.float32)
    for name, share in shares.items():
        found[next(i for i, style in enumerate(STYLES) if style.name == PLACES[name])] = share
    return found


def read_of(name="yellow-8", confidence=0.85, *, doubtful=True, others=(("yellow-11", 0.1), ("yellow-3", 0.04))):
    corners = np.asarray([[0, 0], [30, 0], [30, 45], [0, 45]], np.float32)
    return Read(Tile.from_name(name), confidence, doubtful, others, corners, 0.0)


def settled(read, odds, *, trust=FULL, contested=False):
    """The outcome if the network gives the number that was read these log odds."""
    number = read.tile.number
    answer = np.asarray([odds if number == second else -odds for _, second in PAIRS], np.float32)
    return settle(read, answer, trust, 0.9, contested=contested)


@pytest.mark.parametrize(
    ("box", "shares", "expected"),
    [
        ("rummikub", {"NUMBERS": 1.0}, {6, 9}),
        ("gin", {"ENGLISH": 1.0}, {1, 4, 6, 9}),
        ("gin", {"GERMAN": 1.0}, {1, 4, 6, 8, 9, 11}),
        ("gin", {"ENGLISH": 0.9, "GERMAN": 0.1}, {1, 4, 6, 8, 9, 11}),
        ("gin", {"ENGLISH": 0.99, "GERMAN": 0.01}, {1, 4, 6, 9}),
    ],
)
def test_an_eight_looks_like_a_jack_where_the_jack_is_a_b(box, shares, expected):
    assert look_alikes(TILE_SETS[box], styles(**shares)) == expected


@pytest.mark.parametrize("name", ["yellow-8", "yellow-11", "red-4", "red-1", "red-6", "red-9"])
def test_the_network_settles_a_doubt_for_the_number_that_was_read(name):
    colour, number = name.split("-")
    other = f"{colour}-{LOOK_ALIKE[int(number)]}"
    found = settled(read_of(name, others=((other, 0.14),)), OPEN)
    assert (found.doubtful, found.look_again, found.confidence, found.name) == (False, False, 0.9, name)
    assert settled(read_of(name, 0.97, others=()), OPEN).confidence == 0.97


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({"read": read_of(others=(("red-8", OTHERS + 0.01),))}, id="its ink is in doubt"),
        pytest.param({"read": read_of(others=(("face-down", OTHERS + 0.01),))}, id="it may be a back"),
        pytest.param({"read": read_of(others=(("yellow-11", 0.09),))}, id="what else it may be is not told"),
        pytest.param({"read": read_of("yellow-7", others=())}, id="a number that looks like no other"),
        pytest.param({"read": read_of(), "contested": True}, id="more of it were read than the box holds"),
        pytest.param({"read": read_of(others=()), "trust": PARTLY_SEEN}, id="the edge of the picture cuts it off"),
    ],
)
def test_any_other_doubt_stays(how):
    stays = settled(how["read"], OPEN, trust=how.get("trust", FULL), contested=how.get("contested", False))
    assert stays is how["read"]


@pytest.mark.parametrize(
    ("name", "doubtful", "asked"),
    [
        ("yellow-8", False, True),
        ("yellow-8", True, True),
        ("red-6", True, True),
        ("red-9", True, True),
        ("red-6", False, False),
        ("red-4", True, False),
        ("joker", True, False),
    ],
)
def test_the_network_is_asked_about_a_six_or_a_nine_only_in_doubt(name, doubtful, asked):
    assert needs_telling_apart(read_of(name, doubtful=doubtful), {6, 8, 9, 11}) is asked


def test_a_number_that_the_network_does_not_confirm_needs_more_pictures():
    """An honest player was once accused since a yellow 8 was read as a jack with a confidence of 0.988."""
    jack = read_of("yellow-11", 0.988, doubtful=False)
    found = settled(jack, SURE - 0.1)
    assert (found.doubtful, found.look_again, found.name) == (True, True, "yellow-11")
    assert found.confidence == pytest.approx(1 / (1 + np.exp(0.1 - SURE)))
    assert settled(jack, OPEN) is jack


def test_a_clear_number_is_only_doubted_if_the_network_contradicts_it():
    clear = read_of("yellow-11", CLEAR, doubtful=False)
    assert settled(clear, 0.1) is clear
    found = settled(clear, -0.1)
    assert (found.doubtful, found.confidence < 0.5) == (True, True)


def test_in_a_poor_picture_the_network_must_be_surer():
    pale = read_of(others=(("yellow-11", 0.13), ("yellow-3", 0.02)))
    assert settled(pale, OPEN, trust=Trust(number=1.5)).doubtful
    assert not settled(pale, 1.5 * OPEN, trust=Trust(number=1.5)).doubtful


def preferred(read, odds, *, trust=FULL):
    """The outcome before anything is settled, if the network gives the number that was read these log odds."""
    number = read.tile.number
    answer = np.asarray([odds if number == second else -odds for _, second in PAIRS], np.float32)
    return unless_open_four(read, answer, trust)


ACE = read_of("red-1", 0.7, others=(("red-4", 0.28), ("red-12", 0.01)))
AGAINST = -OVERRULED - np.log(0.7 / 0.28)
"""The log odds from which on the network overrules that read."""


def test_reader_and_network_together_take_an_ace_for_the_open_4_on_its_head_that_it_is():
    found = preferred(ACE, AGAINST - 0.1)
    assert (found.name, found.doubtful) == ("red-4", True)
    chance = 1 / (1 + np.exp(-OVERRULED - 0.1))
    assert found.confidence == pytest.approx(0.98 * chance)
    assert [name for name, _ in found.alternatives] == ["red-1", "red-12"]
    assert dict(found.alternatives)["red-1"] == pytest.approx(0.98 * (1 - chance))
    assert np.array_equal(found.corners_px, ACE.corners_px[[2, 3, 0, 1]])
    assert found.angle_deg == 180.0
    assert not settled(found, -AGAINST + 0.1).doubtful


@pytest.mark.parametrize(
    ("read", "odds", "trust"),
    [
        pytest.param(ACE, AGAINST + 0.1, FULL, id="they are not sure enough together"),
        pytest.param(ACE, AGAINST - 0.1, Trust(number=1.5), id="not in a poor picture"),
        pytest.param(ACE, -20.0, PARTLY_SEEN, id="the edge of the picture cuts it off"),
        pytest.param(read_of("red-1", 0.95, others=(("red-4", 0.04),)), -20.0, FULL, id="the reader is sure"),
        pytest.param(read_of("red-1", 0.5, others=(("blue-4", 0.4),)), -20.0, FULL, id="another ink is another tile"),
        pytest.param(read_of("red-6", 0.6, others=(("red-9", 0.39),)), -20.0, FULL, id="a 6 may be in the middle"),
        pytest.param(read_of("red-11", 0.6, others=(("red-8", 0.39),)), -20.0, FULL, id="a B may be pale"),
        pytest.param(read_of("red-8", 0.6, others=(("red-11", 0.39),)), -20.0, FULL, id="an 8 may be pale"),
        pytest.param(read_of("red-4", 0.6, others=(("red-1", 0.39),)), -20.0, FULL, id="no 4 is taken for an ace"),
        pytest.param(read_of("red-7", 0.6, others=(("red-1", 0.39),)), -20.0, FULL, id="like no other number"),
        pytest.param(ACE, 20.0, FULL, id="the network agrees with the reader"),
    ],
)
def test_otherwise_a_read_stays_what_it_was(read, odds, trust):
    assert preferred(read, odds, trust=trust) is read


def test_a_joker_stays_one():
    joker = replace(read_of(), tile=Tile.from_name("joker"))
    assert unless_open_four(joker, np.full(len(PAIRS), -9.0, np.float32), FULL) is joker


def test_what_is_no_number_is_not_settled():
    joker = replace(read_of(), tile=Tile.from_name("joker"))
    assert settle(joker, np.full(len(PAIRS), -9.0, np.float32), FULL, 0.9, contested=False) is joker


def test_a_pale_print_is_shown_as_strong_as_another():
    """An ink of 12 % and one of 60 % give the same fourth channel; the body gives next to nothing."""
    ink = np.zeros((2, 3, 64, 48), np.float32)
    ink[:, :, 20:40, 18:30] = (
        np.asarray([0.12, 0.6])[:, None, None, None] * np.asarray([-1.0, -0.5, -0.1])[:, None, None]
    )
    shown = with_print(ink)
    assert shown.shape == (2, 4, 64, 48)
    assert np.array_equal(shown[:, :3], ink)
    assert shown[0, 3] == pytest.approx(shown[1, 3], abs=1e-4)
    assert (shown[0, 3, 30, 24], shown[0, 3, 5, 5]) == (pytest.approx(1.0), pytest.approx(0.0))


def test_no_crops_have_no_print():
    assert with_print(np.zeros((0, 3, 64, 48), np.float32)).shape == (0, 4, 64, 48)
