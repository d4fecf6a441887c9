"""Digits that are distorted, as if they were of another type face."""

import numpy as np
import pytest

from referee.train.pictures.distortion import THINNEST, Distortion, choose_distortion
from referee.train.pictures.printing import text_mask
from referee.train.pictures.surfaces import Floats
from referee.train.pictures.typefaces import Faces

PLAIN = Distortion(0.0, 0.0, 0.0, 0)


@pytest.fixture
def one(faces: Faces) -> Floats:
    return text_mask("1", faces.symbols, 40)


def share_of_ink(mask: Floats) -> float:
    return float(mask.sum() / mask.size)


def middle_of_ink(rows: Floats) -> float:
    return float((rows.sum(axis=0) * np.arange(rows.shape[1])).sum() / rows.sum())


def test_nothing_is_changed_without_a_distortion(one: Floats) -> None:
    same = PLAIN.apply(one, 1)
    assert abs(same.sum() - one.sum()) < 0.02 * one.sum()


def test_a_slanted_digit_leans_to_the_right(one: Floats) -> None:
    def lean(mask: Floats) -> float:
        half = len(mask) // 2
        return middle_of_ink(mask[:half]) - middle_of_ink(mask[half:])

    assert lean(Distortion(0.2, 0.0, 0.0, 0).apply(one, 1)) > lean(one) + 2


def test_strokes_become_thicker_or_thinner(one: Floats) -> None:
    thick, thin = (Distortion(0.0, weight, 0.0, 0).apply(one, 1) for weight in (0.03, -0.03))
    assert thin.sum() < 0.9 * one.sum()
    assert thick.sum() > 1.1 * one.sum()


def test_no_stroke_vanishes() -> None:
    hairline = np.zeros((40, 20), np.float32)
    hairline[:, 10] = 1
    assert Distortion(0.0, -0.03, 0.0, 0).apply(hairline, 1).sum() >= THINNEST * hairline.sum()


def test_digits_of_a_box_are_bent_each_in_its_own_way_and_always_in_the_same(one: Floats) -> None:
    bent = Distortion(0.0, 0.0, 0.03, 5)
    assert np.array_equal(bent.apply(one, 1), bent.apply(one, 1))
    assert not np.array_equal(bent.apply(one, 1), bent.apply(one, 2))


def test_a_digit_keeps_its_size_whatever_is_chosen(one: Floats) -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        mask = choose_distortion(rng).apply(one, 1)
        assert 0.8 * one.shape[0] < mask.shape[0] < 1.25 * one.shape[0]
        assert 0 <= mask.min() <= mask.max() <= 1
        assert share_of_ink(mask) > 0.1
