"""A doubt between two numbers that look alike is settled by the evening's prints, and no other doubt is."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import Tile
from referee.vision.reading.answers import EMBEDDING
from referee.vision.reading.evening_prints import CLOSER, FEWEST, LEAST, OTHERS, settle_by_prints
from referee.vision.sighting import Read

ALIKE = frozenset((1, 4, 8, 11))
RNG = np.random.default_rng(3)
EIGHT, JACK = (np.asarray(RNG.normal(0, 1, EMBEDDING), np.float32) for _ in range(2))


def around(print_, count, spread=0.1):
    return np.asarray(print_ + RNG.normal(0, spread, (count, EMBEDDING)), np.float32)


PRINTS = {8: around(EIGHT, 6), 11: around(JACK, 6)}


def eight(print_=EIGHT, confidence=0.85, others=(("yellow-11", 0.1), ("yellow-3", 0.04)), name="yellow-8"):
    corners = np.asarray([[0, 0], [30, 0], [30, 45], [0, 45]], np.float32)
    return Read(Tile.from_name(name), confidence, True, others, corners, 0.0, embedding=print_, look_again=True)


def settled(read, prints=PRINTS, contested=(), alike=ALIKE):
    (found,) = settle_by_prints((read,), contested, alike, prints, 0.9)
    return found


def test_a_pale_eight_that_lies_with_the_eights_of_the_evening_is_beyond_doubt():
    found = settled(eight())
    assert (found.doubtful, found.look_again, found.confidence, found.name) == (False, False, 0.9, "yellow-8")
    assert settled(eight(confidence=0.97)).confidence == 0.97


def test_a_print_between_both_stays_in_doubt():
    """At `share` of the way to the other print, the distances are as share² to (1 - share)²."""
    shares = np.linspace(0, 0.5, 26)
    ratios = ((1 - shares) ** 2 - shares**2) / ((1 - shares) ** 2 + shares**2)
    exact = {8: np.repeat(EIGHT[None], 4, axis=0), 11: np.repeat(JACK[None], 4, axis=0)}
    for share, ratio in zip(shares, ratios, strict=True):
        if abs(ratio - CLOSER) > 0.01:
            there = np.asarray(EIGHT + share * (JACK - EIGHT), np.float32)
            assert settled(eight(there), exact).doubtful is bool(ratio < CLOSER)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({"read": eight(JACK)}, id="it lies with the jacks"),
        pytest.param({"read": eight(confidence=LEAST - 0.01)}, id="the reader is not sure enough"),
        pytest.param({"read": eight(others=(("red-8", OTHERS + 0.01),))}, id="its ink is in doubt"),
        pytest.param({"read": eight(others=(("face-down", OTHERS + 0.01),))}, id="it may be a back"),
        pytest.param({"read": eight(name="yellow-7")}, id="a number that looks like no other"),
        pytest.param({"read": replace(eight(), embedding=None)}, id="nothing is known of its print"),
        pytest.param({"read": eight(), "contested": {0}}, id="more of it were read than the box holds"),
        pytest.param({"read": eight(), "alike": frozenset((1, 4))}, id="the jack of the box is no B"),
        pytest.param({"read": eight(), "prints": {}}, id="the evening has just begun"),
        pytest.param({"read": eight(), "prints": {8: PRINTS[8]}}, id="no jack was seen yet"),
        pytest.param({"read": eight(), "prints": {**PRINTS, 11: PRINTS[11][: FEWEST - 1]}}, id="too few were seen"),
    ],
)
def test_any_other_doubt_stays(how):
    read = how["read"]
    assert settled(**how) is read
