"""Whether anything moves: noise, light and racks beside the table do not count; a tile, a hand, a nudge does."""

import numpy as np
import pytest

from referee.vision.change.motion import AREAS, Stillness, changed_areas, close, differs, play_area

RNG = np.random.default_rng(3)
SIZE = (324, 576)


def noisy(picture):
    return np.clip(picture + RNG.normal(0, 3, SIZE), 0, 255).astype(np.uint8)


def table(*tiles):
    """A grey table with light tiles of 13 x 19 px, as a camera 85 cm above shows them; each is x, y and print."""
    picture = np.full(SIZE, 90.0)
    for x, y, ink in tiles:
        picture[y : y + 19, x : x + 13] = 200
        picture[y + 3 : y + 12, x + 3 : x + 9] = ink
    return picture


BEFORE = table((100, 100, 60), (300, 200, 110))


@pytest.mark.parametrize("shade", [0, -25, 30])
def test_noise_and_light_that_grows_or_fades_are_no_change(shade):
    assert not differs(noisy(BEFORE), noisy(BEFORE + shade))


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(table((100, 100, 60)), id="a tile taken"),
        pytest.param(table((103, 100, 60), (300, 200, 110)), id="a tile shifted by 6 mm"),
        pytest.param(table((100, 100, 60), (300, 200, 60)), id="a tile exchanged on the spot"),
        pytest.param(table((100, 100, 60), (300, 200, 110), (400, 50, 60)), id="a tile laid"),
    ],
)
def test_what_a_player_does_is_a_change(after):
    assert differs(noisy(BEFORE), noisy(after))


def test_what_happens_beside_the_table_is_none():
    corners = np.asarray([[300, 200], [2100, 200], [2100, 1100], [300, 1100]], np.float32)
    area = play_area(corners, (1296, 2304), SIZE, (900.0, 600.0))
    assert area.shape == SIZE
    assert 0.6 < area.mean() < 0.8
    beside = table((100, 100, 60), (300, 200, 110), (10, 290, 60))
    assert differs(noisy(BEFORE), noisy(beside))
    assert not differs(noisy(BEFORE), noisy(beside), area)
    assert differs(noisy(BEFORE), noisy(table((100, 100, 60))), area)


def test_tiles_that_overhang_the_edge_of_the_table_are_watched():
    corners = np.asarray([[300, 200], [2100, 200], [2100, 1100], [300, 1100]], np.float32)
    area = play_area(corners, (1296, 2304), SIZE, (900.0, 600.0))
    px_per_mm = 1800 / 900 / 4
    assert area[round(1100 / 4 + 40 * px_per_mm), 200]
    assert area[100, round(300 / 4 - 40 * px_per_mm)]
    assert not area[100, round(300 / 4 - 90 * px_per_mm)]


def test_two_tiles_of_the_same_brightness_differ_in_colour():
    before, after = (np.full((648, 1152, 3), 200, np.uint8) for _ in range(2))
    before[300:330, 500:516] = (180, 90, 60)
    after[300:330, 500:516] = (60, 90, 180)
    assert differs(before, after)
    assert not differs(before, before)
    assert not differs(before, np.uint8(before - 20))


@pytest.mark.parametrize("light", [1.0, 0.42, 0.35, 0.25])
def test_a_tile_exchanged_on_the_spot_is_seen_in_dim_pictures_too(light):
    before, after = (table((100, 100, ink)) * light for ink in (60, 90))
    assert differs(np.uint8(before), np.uint8(after))
    assert not differs(np.uint8(before), np.uint8(before * 0.95))


def test_a_dim_picture_is_no_restless_one_for_its_noise():
    for _ in range(5):
        assert not differs(noisy(BEFORE * 0.3), noisy(BEFORE * 0.3))


def test_a_picture_to_be_compared_is_made_small_once():
    assert close(np.zeros((1296, 2304, 3), np.uint8)).shape == (648, 1152, 3)


def test_a_picture_of_another_size_is_a_change():
    assert differs(np.zeros((4, 4), np.uint8), np.zeros((4, 5), np.uint8))


def test_stillness_counts_from_the_last_change():
    seen = Stillness()
    assert seen.still_for(5.0) == 0
    seen = seen.after_picture(noisy(BEFORE), 10.0)
    seen = seen.after_picture(noisy(BEFORE), 11.0)
    assert (seen.still_for(12.0), seen.changes) == (2.0, 1)
    seen = seen.after_picture(noisy(table((100, 100, 60))), 12.0)
    assert (seen.still_for(12.5), seen.changes) == (0.5, 2)


def places(before, after):
    """The middles of what changed, in pixels."""
    height, width = SIZE
    return {
        (round(width * (x + w / 2), -1), round(height * (y + h / 2), -1))
        for x, y, w, h in changed_areas(before, after)
    }


def test_a_tile_that_was_moved_has_changed_two_areas_and_noise_none():
    moved = table((100, 100, 60), (450, 50, 110))
    assert places(noisy(BEFORE), noisy(moved)) == {(310, 210), (460, 60)}
    assert changed_areas(noisy(BEFORE), noisy(BEFORE + 20)) == ()


def test_areas_are_parts_of_the_picture_the_largest_first_and_limited():
    many = table(*((20 + 80 * column, 20 + 60 * row, 60) for column in range(7) for row in range(5)))
    hand = many.copy()
    hand[200:300, 300:500] = 10
    areas = changed_areas(noisy(table()), noisy(hand))
    assert len(areas) == AREAS
    assert areas[0][2] * areas[0][3] > 5 * areas[1][2] * areas[1][3]
    assert all(0 <= x <= x + w <= 1 and 0 <= y <= y + h <= 1 for x, y, w, h in areas)


def test_pictures_of_different_sizes_have_no_changed_areas():
    assert changed_areas(noisy(BEFORE), np.zeros((100, 100), np.uint8)) == ()
