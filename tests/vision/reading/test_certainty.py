"""How far chances are believed: temperatures by quality, and what they do to chances."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.reading.certainty import (
    BLEACHED,
    BLURRED,
    ENROLLED,
    FAINT,
    PARTLY_SEEN,
    USUAL,
    cap,
    soften,
    soften_one,
    trust_tiles,
    weigh_backs,
)
from referee.vision.sighting import Quality

CHANCES = st.lists(st.floats(0, 1), min_size=2, max_size=6).filter(lambda some: sum(some) > 1e-3)


def softened_row(chances: list[float], temperature: float) -> list[float]:
    (row,) = soften(np.asarray([chances]), np.asarray([temperature]))
    return [float(chance) for chance in row]


def test_in_a_good_picture_everything_is_believed_as_usual() -> None:
    assert trust_tiles(Quality(), 3) == [USUAL] * 3


def test_bleached_tiles_are_believed_less_than_the_others() -> None:
    assert trust_tiles(Quality(bleached=frozenset([1])), 3) == [USUAL, USUAL.joined_with(BLEACHED), USUAL]


def test_of_two_faults_the_higher_temperature_counts() -> None:
    (trust,) = trust_tiles(Quality(sharp=False), 1, enrolled=True)
    both = (USUAL, BLURRED, ENROLLED)
    assert trust.number == max(one.number for one in both)
    assert trust.ink == max(one.ink for one in both)
    assert trust.back == min(one.back for one in both)


def test_an_enrolment_says_nothing_about_backs() -> None:
    assert ENROLLED.back == USUAL.back


def test_the_odds_of_a_back_are_multiplied() -> None:
    back, printed = weigh_backs(np.asarray([0.6]), np.asarray([0.4]), np.asarray([6.0]))
    assert back / printed == pytest.approx(9.0)
    assert back + printed == pytest.approx(1.0)


def test_a_temperature_divides_the_log_odds() -> None:
    assert soften_one(0.99, 2.0) == pytest.approx(0.9087, abs=1e-4)  # odds of 99 become the root of 99


@given(CHANCES, st.floats(0.5, 1))
def test_no_chance_is_higher_than_the_most(chances: list[float], most: float) -> None:
    row = np.asarray([chances]) / sum(chances)
    (capped,) = cap(row, np.asarray([most]))
    assert capped.max() <= most + 1e-9
    assert capped.argmax() == row[0].argmax() or capped.max() == pytest.approx(capped[row[0].argmax()])
    assert capped.sum() <= 1 + 1e-9
    if row.max() <= most:
        assert capped == pytest.approx(row[0])


def test_of_a_tile_that_is_cut_off_no_more_than_the_most_is_believed() -> None:
    (trust,) = trust_tiles(Quality(cut=frozenset([0])), 1)
    assert trust.most == PARTLY_SEEN.most


def test_an_outline_that_is_too_small_hides_a_part_like_the_edge_of_the_picture() -> None:
    cut, small = (trust_tiles(quality, 1) for quality in (Quality(cut=frozenset([0])), Quality(small=frozenset([0]))))
    assert cut == small


def test_a_faint_tile_is_rather_a_back() -> None:
    plain, faint = trust_tiles(Quality(faint=frozenset([1])), 2)
    assert (plain, faint) == (USUAL, replace(USUAL, back=FAINT.back))
    assert FAINT.back > USUAL.back
    assert trust_tiles(Quality(faint=frozenset([0])), 1, enrolled=True)[0].back == FAINT.back


@pytest.mark.parametrize(
    "fault",
    [{"dark": True}, {"sharp": False}, {"packed": True}, {"bright": True}, {"bleached": frozenset([0])}],
    ids=str,
)
def test_where_prints_are_hard_to_see_a_faint_tile_is_no_back_for_that(fault) -> None:
    """A 13 that had faded was read as a back in a picture out of focus, and people could still see it."""
    assert trust_tiles(Quality(faint=frozenset([0]), **fault), 1) == trust_tiles(Quality(**fault), 1)


@given(CHANCES, st.floats(1, 50))
def test_order_and_sum_stay_the_same(chances: list[float], temperature: float) -> None:
    softened = softened_row(chances, temperature)
    assert sum(softened) == pytest.approx(sum(chances))
    before, after = (sorted(range(len(some)), key=some.__getitem__) for some in (chances, softened))
    assert softened[before[-1]] == pytest.approx(softened[after[-1]])
    for one, other in itertools.pairwise(before):
        assert softened[one] <= softened[other] + 1e-9


@given(CHANCES, st.floats(1, 50))
def test_nothing_is_believed_more(chances: list[float], temperature: float) -> None:
    assert max(softened_row(chances, temperature)) <= max(chances) + 1e-9
