"""Rare kinds are shown more often, and the reader is told how often each kind is to be expected."""

from __future__ import annotations

import numpy as np
import pytest

from referee.train.balance import JOKERS, offsets, rows
from referee.vision.reading.glyphs import BACK_KIND, GLYPHS, INVERTED, JOKER_KIND, KINDS, NONE_KIND

EIGHT, JACK = GLYPHS.index("8"), GLYPHS.index("B")


def some_kinds() -> np.ndarray:
    """A thousand each of all upright kinds but B, of which there are ten; jokers, backs and bare places."""
    often = np.full(KINDS, 1000)
    often[[JACK, INVERTED + JACK]] = 10
    often[JOKER_KIND] = 3000
    return np.repeat(np.arange(KINDS), often)


def test_what_is_as_frequent_as_expected_is_not_corrected() -> None:
    even = np.repeat(np.arange(KINDS), 100)
    assert offsets(even)[: 2 * INVERTED] == pytest.approx(0.0, abs=1e-5)


def test_a_frequent_glyph_is_corrected_by_as_much_as_it_is_more_frequent() -> None:
    told = offsets(some_kinds())
    assert told[EIGHT] - told[JACK] == pytest.approx(np.log(100), rel=1e-4)


def test_jokers_are_expected_as_rarely_as_boxes_hold_them() -> None:
    kinds = some_kinds()
    assert offsets(kinds)[JOKER_KIND] == pytest.approx(np.log((kinds == JOKER_KIND).mean() / JOKERS), rel=1e-4)


def test_backs_and_bare_places_are_expected_as_they_come() -> None:
    assert offsets(some_kinds())[[BACK_KIND, NONE_KIND]] == pytest.approx(0.0, abs=1e-5)


def test_a_kind_that_never_comes_is_no_infinity() -> None:
    assert np.isfinite(offsets(np.zeros(50, int))).all()


def test_rare_glyphs_are_drawn_more_often_than_they_lie() -> None:
    kinds = some_kinds()
    drawn = kinds[rows(np.random.default_rng(1), kinds)]
    assert len(drawn) == pytest.approx(len(kinds), rel=0.01)
    before, after = (np.bincount(k, minlength=KINDS) for k in (kinds, drawn))
    assert after[JACK] / before[JACK] == pytest.approx(10 * after[EIGHT] / before[EIGHT], rel=0.2)
    assert after[EIGHT] > before[EIGHT] * 0.5
