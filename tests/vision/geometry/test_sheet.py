"""The calibration sheets are found in pictures, and nothing else is taken for them."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from sheets import SIZE, photograph, pose, seen, sheet_picture

from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Scene
from referee.vision.geometry.calibration_sheet import CHARUCO, PAGE, cards_mm, find_sheet

CALIBRATION = Path(__file__).parents[3] / "calibration"


def printed(name, px_per_mm=4.0):
    """A committed page as a printer would draw it: grey, with no margin around the paper."""
    page = np.full((round(297 * px_per_mm), round(210 * px_per_mm)), 255, np.uint8)
    pattern = r'class="(ink|cell)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    for kind, *numbers in re.findall(pattern, (CALIBRATION / name).read_text(encoding="utf-8")):
        x, y, w, h = (float(n) * px_per_mm for n in numbers)
        page[round(y) : round(y + h), round(x) : round(x + w)] = 0 if kind == "ink" else 255
    return page, 0.0, px_per_mm


@pytest.mark.parametrize("tilt", [(0, 0), (22, -8)], ids=["flat", "leaning"])
def test_the_charuco_sheet_is_found_where_it_is(tilt):
    view = pose((30, -15), tilt, far=500)
    found = find_sheet(photograph(view))
    assert found is not None
    assert found.sheet == CHARUCO
    expected = view.project(np.column_stack([found.points_mm, np.zeros(len(found.points_mm))]))
    assert len(found.points_mm) > 40
    assert np.linalg.norm(found.pixels - expected, axis=1).mean() < 0.2


def test_half_a_sheet_at_the_pictures_edge_will_do():
    found = find_sheet(photograph(pose((290, 0), far=500)))
    assert found is not None
    assert 12 <= len(found.points_mm) < 54


def test_the_printed_page_is_the_sheet_that_is_looked_for():
    view = pose((0, 0), far=500)
    found = find_sheet(photograph(view, printed("charuco-a4.svg")))
    assert found is not None
    assert len(found.points_mm) == 54
    # The page's own margins: the sheet begins at 17.5 and 14 mm.
    on_page = found.points_mm + np.asarray([[17.5, 14.0]])
    expected = view.project(np.column_stack([on_page, np.zeros(54)]))
    assert np.linalg.norm(found.pixels - expected, axis=1).mean() < 0.3


def test_the_uncut_page_of_markers_is_found_too():
    view = pose((20, 10), (10, 5), far=560)
    found = find_sheet(photograph(view, printed("markers-a4.svg")))
    assert found is not None
    assert found.sheet == PAGE
    expected = view.project(np.column_stack([found.points_mm, np.zeros(len(found.points_mm))]))
    assert len(found.points_mm) == 16
    assert np.linalg.norm(found.pixels - expected, axis=1).mean() < 0.5


def test_markers_at_the_corners_of_a_table_are_no_sheet():
    picture = render(Scene(), Camera(1152, 648), LIGHTS["even"], np.random.default_rng(2))
    assert find_sheet(picture) is None


@pytest.mark.parametrize("level", [0, 200])
def test_an_empty_picture_shows_no_sheet(level):
    assert find_sheet(np.full((SIZE[1], SIZE[0], 3), level, np.uint8)) is None


def with_card(card_mm):
    """A sheet with a table marker beside it, in the same plane; the card's square in the sheet's millimetres."""
    picture, margin, scale = sheet_picture(margin_mm=60.0)
    side = round(card_mm * scale)
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 1, side)
    picture[400 : 400 + side, 30 : 30 + side] = code
    return picture, margin, scale


@pytest.mark.parametrize("scale", [1.0, 0.95], ids=["as drawn", "at 95 %"])
def test_a_table_marker_beside_the_sheet_tells_the_scale_of_the_print(scale):
    picture = photograph(pose((0, 0), (5, 3), far=430), with_card(40.0 / scale))
    found = find_sheet(picture)
    assert found is not None
    sides = cards_mm(picture, found)
    assert len(sides) == 1
    assert 40.0 / sides[0] == pytest.approx(scale, abs=0.008)


def test_points_give_the_way_back_to_the_sheet():
    view = seen(pose(), noise=0.0)
    back = cv2.perspectiveTransform(view.pixels[:, None], view.to_sheet)[:, 0]
    assert back == pytest.approx(view.points_mm, abs=1.5)
