"""Ink on sheets, and the jokers drawn with it."""

from dataclasses import replace

import numpy as np
import pytest

from referee.train.pictures.faces import choose_style
from referee.train.pictures.portraits import draw_portrait
from referee.train.pictures.printing import (
    JOKERS,
    arc,
    draw_joker,
    hole,
    polygon,
    ring,
    stamp,
    star,
    text_mask,
)
from referee.train.pictures.typefaces import Faces

HEIGHT, WIDTH = 90, 60
MIDDLE = (WIDTH / 2, HEIGHT / 2)


def sheet() -> np.ndarray:
    return np.zeros((HEIGHT, WIDTH), np.float32)


def is_ink(made: np.ndarray) -> bool:
    return bool(np.isfinite(made).all() and made.min() >= 0 and made.max() <= 1.001)


def test_a_stamp_lies_with_its_middle_where_it_was_laid() -> None:
    made = sheet()
    stamp(made, np.ones((11, 7), np.float32), 20, 40)
    rows, columns = np.nonzero(made)
    assert (rows.mean(), columns.mean()) == (pytest.approx(40, abs=1.1), pytest.approx(20, abs=1.1))
    assert made.sum() == 77


@pytest.mark.parametrize(("x", "y", "left"), [(0, 0, 5 * 5), (WIDTH, HEIGHT, 5 * 5), (-50, 10, 0), (10, 500, 0)])
def test_what_hangs_over_the_edge_is_cut_off(x: float, y: float, left: int) -> None:
    made = sheet()
    stamp(made, np.ones((10, 10), np.float32), x, y)
    assert made.sum() == left


def test_ink_over_ink_is_no_more_than_ink() -> None:
    made = sheet()
    for _ in range(2):
        stamp(made, np.full((10, 10), 0.7, np.float32), *MIDDLE)
    assert made.max() == pytest.approx(0.7)


def test_a_ring_is_blank_inside_and_a_disc_is_not() -> None:
    made, disc = sheet(), sheet()
    ring(made, *MIDDLE, 20, 3)
    ring(disc, *MIDDLE, 20, -1)
    assert made[HEIGHT // 2, WIDTH // 2] == 0
    assert made[HEIGHT // 2, WIDTH // 2 + 20] > 0.9
    assert disc.sum() == pytest.approx(np.pi * 20**2, rel=0.08)


def test_a_hole_takes_ink_away() -> None:
    made = np.ones((HEIGHT, WIDTH), np.float32)
    hole(made, *MIDDLE, 10)
    assert made[HEIGHT // 2, WIDTH // 2] == 0
    assert made[2, 2] == 1


def test_a_smile_lies_below_its_middle_and_may_be_blank() -> None:
    made, blank = sheet(), np.ones((HEIGHT, WIDTH), np.float32)
    arc(made, *MIDDLE, (18, 12), 3)
    arc(blank, *MIDDLE, (18, 12), 3, blank=True)
    assert np.nonzero(made)[0].min() > HEIGHT / 2
    assert np.allclose(made + blank, 1.0)


def test_a_polygon_and_a_star_are_filled() -> None:
    made, pointed = sheet(), sheet()
    polygon(made, np.asarray([[10, 10], [50, 10], [50, 70], [10, 70]], np.float32))
    star(pointed, *MIDDLE, 25, 5, 0.4)
    assert made.sum() == pytest.approx(40 * 60, rel=0.06)
    assert pointed[HEIGHT // 2, WIDTH // 2] == 1
    assert 0.15 < pointed.sum() / (np.pi * 25**2) < 0.7


@pytest.mark.parametrize("height", [12.0, 30.0, 61.5])
def test_text_is_as_high_as_asked_and_tight(faces: Faces, height: float) -> None:
    mask = text_mask("8", faces.symbols, height)
    rows = np.flatnonzero(mask.max(axis=1) > 0.3)
    assert rows[-1] - rows[0] + 1 == pytest.approx(height, abs=2.5)
    assert is_ink(mask)


def test_other_texts_are_other_masks(faces: Faces) -> None:
    narrow, wide = (text_mask("1", faces.symbols, 30, squeeze=s) for s in (0.7, 1.2))
    assert wide.shape[1] > narrow.shape[1]
    assert text_mask("8", faces.symbols, 30, embolden=2).sum() > text_mask("8", faces.symbols, 30).sum()


@pytest.mark.parametrize("kind", [*JOKERS, "portrait"])
@pytest.mark.parametrize("size", [(40, 28), (150, 100)], ids=str)
def test_every_joker_is_ink_and_leaves_most_of_its_tile_blank(kind: str, size: tuple[int, int], faces: Faces) -> None:
    for seed in range(4):
        made = np.zeros(size, np.float32)
        rng = np.random.default_rng(seed)
        draw_joker(rng, kind, made, faces.training[0], faces.symbols, size[0] * 0.4, size[1] * 0.3)
        assert is_ink(made)
        assert 0.005 < made.mean() < 0.5


def test_jokers_differ(faces: Faces) -> None:
    drawn = []
    for kind in JOKERS:
        made = np.zeros((150, 100), np.float32)
        draw_joker(np.random.default_rng(1), kind, made, faces.training[0], faces.symbols, 60, 30)
        drawn.append(made)
    for i, one in enumerate(drawn):
        assert all(np.abs(one - other).mean() > 0.005 for other in drawn[:i])


def test_no_portrait_is_like_another() -> None:
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(30):
        made = np.zeros((150, 100), np.float32)
        draw_portrait(rng, made, 50, 60, 30)
        drawn.append(made)
    for i, one in enumerate(drawn):
        assert all(np.abs(one - other).mean() > 0.005 for other in drawn[:i])


def test_a_portrait_is_drawn_around_its_middle() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        made = np.zeros((150, 100), np.float32)
        draw_portrait(rng, made, 50, 60, 20)
        rows, columns = np.nonzero(made)
        assert abs((columns.min() + columns.max()) / 2 - 50) < 3
        assert rows.min() >= 60 - 1.7 * 1.1 * 20
        assert rows.max() <= 60 + 1.4 * 1.1 * 20


def test_boxes_print_the_jokers_that_are_asked_for(faces: Faces) -> None:
    rng = np.random.default_rng(3)
    portraits = replace(faces, jokers=("portrait",))
    assert {choose_style(rng, portraits, 40.0).joker for _ in range(5)} == {"portrait"}
