"""Crops of single tiles, and their ink."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.reading.crops import (
    HEIGHT,
    MARGIN,
    WIDTH,
    apply_shifts,
    cut,
    medians,
    relative_ink,
    relative_sides,
    shifts_between,
    short_sides,
    views,
)

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

PAPER, TOP, BOTTOM, TABLE = (235, 240, 240), (30, 40, 200), (190, 60, 20), (60, 80, 90)


def quad(x: float, y: float, degrees: float = 0.0, short: float = 60.0, tall: float = 90.0) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-short, -tall], [short, -tall], [short, tall], [-short, tall]]) / 2
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


def painted(corners: Floats, size: tuple[int, int] = (300, 400)) -> Bytes:
    """A tile with a red bar in its upper and a blue one in its lower half, on a dark table."""
    picture = np.full((*size, 3), TABLE, np.uint8)
    face = np.full((90, 60, 3), PAPER, np.uint8)
    face[15:35, 10:50], face[55:75, 10:50] = TOP, BOTTOM
    source = np.asarray([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, corners)
    cv2.warpPerspective(
        face, matrix, (size[1], size[0]), dst=picture, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return picture


def at(crop: Bytes, x: float, y: float) -> list[int]:
    """The colour of a crop at a place of the tile, in tile widths and heights from its middle."""
    row, column = round(HEIGHT * (0.5 + y / MARGIN) - 0.5), round(WIDTH * (0.5 + x / MARGIN) - 0.5)
    return [int(v) for v in crop[row, column]]


def is_near(colour: list[int], wanted: tuple[int, int, int]) -> bool:
    return bool(np.abs(np.asarray(colour) - wanted).max() <= 12)


@pytest.mark.parametrize("degrees", [0, 30, 90, 137, 180, 270, -45])
@pytest.mark.parametrize("short", [24.0, 60.0, 130.0])
def test_a_crop_stands_upright_with_the_first_corner_at_its_top_left(degrees: float, short: float) -> None:
    corners = quad(200, 150, degrees, short, short * 1.5)
    crop = cut(painted(corners), corners[None])[0]
    assert is_near(at(crop, 0, -0.22), TOP)
    assert is_near(at(crop, 0, 0.22), BOTTOM)
    assert is_near(at(crop, -0.44, 0), PAPER)


def test_a_quad_taken_upside_down_gives_the_crop_turned() -> None:
    corners = quad(200, 150, 20)
    upright, turned = cut(painted(corners), np.stack([corners, np.roll(corners, 2, axis=0)]))
    assert np.abs(upright.astype(int) - turned[::-1, ::-1]).mean() < 2


def test_the_surroundings_show_around_the_tile() -> None:
    corners = quad(200, 150, 10)
    crop = cut(painted(corners), corners[None])[0]
    for y, x in ((0, WIDTH // 2), (HEIGHT - 1, WIDTH // 2), (HEIGHT // 2, 0), (HEIGHT // 2, WIDTH - 1)):
        assert is_near([int(v) for v in crop[y, x]], TABLE)


def test_without_a_margin_the_tile_fills_its_crop() -> None:
    corners = quad(200, 150)
    crop = cut(painted(corners), corners[None], margin=1.0)[0]
    assert is_near([int(v) for v in crop[2, 2]], PAPER)
    assert is_near([int(v) for v in crop[-3, -3]], PAPER)


def test_thin_strokes_of_a_large_tile_are_averaged_and_not_skipped() -> None:
    picture = np.zeros((900, 900, 3), np.uint8)
    picture[:, ::2] = 200
    crop = cut(picture, quad(450, 450, 0, 400, 600)[None])[0]
    assert np.abs(crop[4:-4, 4:-4].astype(int) - 100).max() <= 30


@pytest.mark.parametrize("short", [50.0, 100.0, 200.0, 400.0])
def test_the_middle_of_a_tile_stays_the_middle_of_its_crop_at_every_size(short: float) -> None:
    picture = np.zeros((900, 900, 3), np.uint8)
    picture[:, 450:] = 200
    picture[450:] += 50
    crop = cut(picture, quad(449.5, 449.5, 0, short, 1.5 * short)[None])[0, ..., 0].astype(int)
    assert np.abs(crop + crop[::-1, ::-1] - 250).max() <= 4


def test_a_tile_over_the_edge_is_continued_with_the_edge() -> None:
    crop = cut(np.full((100, 100, 3), 77, np.uint8), quad(0, 50)[None])[0]
    assert (crop == 77).all()


def test_no_tiles_give_no_crops() -> None:
    assert cut(np.zeros((50, 50, 3), np.uint8), np.zeros((0, 4, 2), np.float32)).shape == (0, HEIGHT, WIDTH, 3)


def test_cutting_changes_neither_picture_nor_corners() -> None:
    corners = quad(200, 150, 33, 140, 200)[None]
    picture = painted(corners[0])
    kept = picture.copy(), corners.copy()
    cut(picture, corners)
    assert np.array_equal(picture, kept[0])
    assert np.array_equal(corners, kept[1])


def test_the_short_side_is_the_mean_of_top_and_bottom() -> None:
    corners = np.asarray([[[0, 0], [10, 0], [12, 30], [0, 30]]], np.float32)
    assert short_sides(corners).tolist() == [11.0]


def test_the_shorter_side_counts_when_tiles_are_compared() -> None:
    """Whichever corner comes first, and however they are turned."""
    usual = [quad(50.0 * i, 80, degrees=20.0 * i) for i in range(5)]
    odd = [quad(300, 80, short=45.0), quad(300, 200, degrees=70, tall=63.0), quad(300, 300, short=66.0, tall=90.0)]
    sides = relative_sides(np.stack([*usual, *odd]))
    assert sides[:5] == pytest.approx(1.0, abs=1e-3)
    assert sides[5:] == pytest.approx([0.75, 0.7, 1.0], abs=1e-3)


def moved_quads() -> st.SearchStrategy[tuple[Floats, Floats]]:
    error = st.lists(st.floats(-4, 4), min_size=8, max_size=8).map(lambda v: np.asarray(v, np.float32).reshape(4, 2))
    start = st.builds(quad, st.floats(50, 900), st.floats(50, 900), st.floats(-180, 180))
    return st.tuples(start, error).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(moved_quads())
def test_shifts_lead_from_the_given_corners_to_the_exact_ones(pair: tuple[Floats, Floats]) -> None:
    corners, exact = (part[None] for part in pair)
    assert apply_shifts(corners, shifts_between(corners, exact)) == pytest.approx(exact, abs=0.05)


def test_corners_that_are_exact_need_no_shift() -> None:
    corners = np.stack([quad(100, 100, 20), quad(300, 200, 200)])
    assert np.abs(shifts_between(corners, corners)).max() < 1e-4


def test_a_shift_is_told_in_crop_widths_along_the_crops_own_axes() -> None:
    corners = quad(200, 150, 90, 60, 90)[None]
    right_in_the_crop = np.asarray([0.0, 6.0], np.float32)  # down the picture: a tenth of the tile's width
    shifts = shifts_between(corners, corners + right_in_the_crop).reshape(4, 2)
    assert shifts[:, 0] == pytest.approx(np.full(4, 0.1 / MARGIN), abs=1e-4)
    assert shifts[:, 1] == pytest.approx(np.zeros(4), abs=1e-4)


def test_no_corners_have_no_shifts() -> None:
    nothing = np.zeros((0, 4, 2), np.float32)
    assert shifts_between(nothing, nothing).shape == (0, 8)
    assert apply_shifts(nothing, np.zeros((0, 8), np.float32)).shape == (0, 4, 2)


@pytest.mark.parametrize(
    "gain",
    [
        pytest.param((1.0, 1.0, 1.0), id="as it is"),
        pytest.param((0.5, 0.5, 0.5), id="half the light"),
        pytest.param((0.55, 0.8, 1.0), id="lamp"),
        pytest.param((1.0, 0.85, 0.7), id="window"),
    ],
)
def test_ink_does_not_depend_on_the_lights_colour_and_strength(gain: tuple[float, float, float]) -> None:
    crop = cut(painted(quad(200, 150)), quad(200, 150)[None])
    lit = np.round(crop * np.asarray(gain)).astype(np.uint8)
    assert relative_ink(lit) == pytest.approx(relative_ink(crop), abs=0.02)


def test_bare_body_is_near_zero_and_black_near_minus_one() -> None:
    crop = np.full((1, HEIGHT, WIDTH, 3), (180, 210, 230), np.uint8)
    crop[0, 20:24, 20:24] = 0
    ink = relative_ink(crop)
    assert ink.shape == (1, 3, HEIGHT, WIDTH)
    assert (ink[0, :, 20:24, 20:24] == -1.0).all()
    assert np.abs(ink[0, :, :10, :10]).max() < 1e-6


def test_glare_is_cut_off_where_it_outshines_the_body() -> None:
    crop = np.full((1, HEIGHT, WIDTH, 3), 60, np.uint8)
    crop[0, :8] = 255
    assert relative_ink(crop).max() == pytest.approx(0.6)


def test_ink_on_a_black_picture_is_finite() -> None:
    assert np.isfinite(relative_ink(np.zeros((1, HEIGHT, WIDTH, 3), np.uint8))).all()


def test_no_crops_have_no_ink() -> None:
    assert relative_ink(np.zeros((0, HEIGHT, WIDTH, 3), np.uint8)).shape == (0, 3, HEIGHT, WIDTH)


@pytest.mark.parametrize("short", [30.0, 60.0, 130.0])
def test_a_crop_with_a_step_holds_the_same_pixels_as_the_whole_one(short: float) -> None:
    corners = quad(200, 150, 33, short, 1.5 * short)[None]
    picture = painted(corners[0])
    assert np.array_equal(cut(picture, corners, 0.9, step=4), cut(picture, corners, 0.9)[:, 2::4, 2::4])


@given(moved_quads())
def test_a_view_shows_the_unit_square_as_the_quad(pair: tuple[Floats, Floats]) -> None:
    unit = np.asarray([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    expected = cv2.getPerspectiveTransform(unit, pair[1])
    assert views(pair[1][None])[0] == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_a_quad_without_an_area_has_a_finite_view() -> None:
    assert np.isfinite(views(np.full((2, 4, 2), 7.0, np.float32))).all()


@pytest.mark.parametrize("shape", [(3, 24, 18, 3), (2, 5, 3, 3)])
def test_medians_are_those_of_numpy(shape: tuple[int, ...]) -> None:
    crops = np.random.default_rng(3).integers(0, 256, shape, np.uint8)
    assert np.array_equal(medians(crops), np.median(crops, axis=(1, 2)).astype(np.float32))


def test_no_crops_have_no_medians() -> None:
    assert medians(np.zeros((0, 4, 4, 3), np.uint8)).shape == (0, 3)
