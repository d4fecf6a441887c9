"""Where a view has changed, and which parts of it are searched again."""

import numpy as np
import pytest

from referee.vision.change.unchanged_tiles import AROUND_PX, CELL_PX, CONTEXT_PX, area_to_search, changed_mask, windows
from referee.vision.sighting import Image

HEIGHT, WIDTH = 240, 400


def view(seed: int = 1, noise: float = 1.5) -> Image:
    """A table with paper on it."""
    rng = np.random.default_rng(seed)
    levels = np.full((HEIGHT, WIDTH, 3), (60, 80, 100), np.float64)
    levels[20:120, 30:130] = 210
    return np.clip(levels + rng.normal(0, noise, levels.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [0.0, 1.5, 2.5])
def test_noise_is_no_change(noise: float) -> None:
    found = changed_mask(view(1, noise), view(2, noise))
    assert found is not None
    assert found.mean() < 2e-4


@pytest.mark.parametrize("levels", [15, -15])
def test_a_small_thing_that_hardly_differs_is_seen(levels: int) -> None:
    now = view(2)
    now[180:184, 300:304] = np.clip(now[180:184, 300:304].astype(int) + levels, 0, 255)
    found = changed_mask(view(1), now)
    assert found is not None
    assert found[181:183, 301:303].all()
    assert not found[:170].any()


def test_half_of_the_paper_may_be_covered_without_being_taken_for_light() -> None:
    now = view(2)
    now[20:60, 30:130] = (60, 80, 100)
    found = changed_mask(view(1), now)
    assert found is not None
    assert found[22:58, 32:128].all()
    assert not found[64:].any()


@pytest.mark.parametrize("factors", [(0.93, 0.93, 0.93), (1.08, 1.08, 1.08), (1.0, 1.0, 0.92), (1.07, 1.0, 1.0)])
def test_another_light_or_cast_is_told_apart_from_a_change(factors: tuple[float, float, float]) -> None:
    assert changed_mask(view(1), np.clip(view(2) * np.asarray(factors), 0, 255).astype(np.uint8)) is None


def test_light_that_drifts_a_little_changes_nothing() -> None:
    found = changed_mask(view(1), np.clip(view(2) * 1.03, 0, 255).astype(np.uint8))
    assert found is not None
    assert found.mean() < 1e-3


def mask(*places: tuple[int, int]) -> np.ndarray:
    result = np.zeros((HEIGHT, WIDTH), bool)
    for row, column in places:
        result[row, column] = True
    return result


def test_what_lies_within_half_a_tile_of_a_change_is_found_anew() -> None:
    found = area_to_search(mask((100, 200)))
    assert found[100, 200 + AROUND_PX]
    assert found[100 - AROUND_PX, 200]
    assert not found[100, 200 + AROUND_PX + 2]


def test_parts_hold_all_that_is_to_be_searched_with_its_surroundings_and_begin_at_a_cell() -> None:
    wanted = mask((100, 200), (5, 390))
    found = windows(wanted)
    assert len(found) == 2
    for row, column in np.argwhere(wanted):
        (own,) = [w for w in found if w.top <= row < w.bottom and w.left <= column < w.right]
        assert own.top % CELL_PX == own.left % CELL_PX == 0
        assert own.top <= max(0, row - CONTEXT_PX)
        assert own.bottom >= min(HEIGHT, row + CONTEXT_PX)
        assert own.left <= max(0, column - CONTEXT_PX)
        assert own.right >= min(WIDTH, column + CONTEXT_PX)


def test_parts_never_overlap() -> None:
    rng = np.random.default_rng(4)
    for count in (2, 4, 7):
        places = zip(rng.integers(0, HEIGHT, count).tolist(), rng.integers(0, WIDTH, count).tolist(), strict=True)
        shown = np.zeros((HEIGHT, WIDTH), int)
        for window in windows(mask(*places)):
            shown[window.top : window.bottom, window.left : window.right] += 1
        assert shown.max() == 1


def test_parts_that_come_to_most_of_a_view_are_all_of_it() -> None:
    wanted = mask()
    wanted[20:220, 20:380] = True
    (whole,) = windows(wanted)
    assert whole.size == HEIGHT * WIDTH
    assert whole.cut(view()).shape == (HEIGHT, WIDTH, 3)


def test_where_nothing_has_changed_nothing_is_searched() -> None:
    assert windows(mask()) == []
