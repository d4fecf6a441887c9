"""The printable markers and the camera profile agree with the design."""

import importlib.util
import math
import re
import tomllib
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from referee.vision.geometry import calibration_sheet as sheet

FOLDER = Path(__file__).parent.parent / "calibration"
PIXELS_PER_MM = 4


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return loaded("make_markers")


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(svg: str) -> np.ndarray:
    """The filled squares of the page as a grey picture."""
    page = np.full((297 * PIXELS_PER_MM, 210 * PIXELS_PER_MM), 255, np.uint8)
    pattern = r'class="(ink|cell)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    for kind, *numbers in re.findall(pattern, svg):
        x, y, width, height = (float(n) * PIXELS_PER_MM for n in numbers)
        page[round(y) : round(y + height), round(x) : round(x + width)] = 0 if kind == "ink" else 255
    return page


def test_the_committed_page_is_what_the_generator_draws(generator: ModuleType) -> None:
    assert (FOLDER / "markers-a4.svg").read_text(encoding="utf-8") == generator.page()


def test_the_page_shows_four_markers_of_40_mm_each_the_right_way_up_in_its_own_corner() -> None:
    picture = drawn((FOLDER / "markers-a4.svg").read_text(encoding="utf-8"))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(picture)
    found = {int(i): c.reshape(4, 2) / PIXELS_PER_MM for i, c in zip(ids.ravel(), corners, strict=True)}
    assert sorted(found) == [0, 1, 2, 3]
    centres = {i: c.mean(axis=0) for i, c in found.items()}
    for c in found.values():
        assert np.linalg.norm(c[1] - c[0]) == pytest.approx(40, abs=0.5)
        assert c[0, 1] < c[3, 1]
        assert c[0, 0] < c[1, 0]
    assert centres[0][0] < centres[1][0]
    assert centres[3][0] < centres[2][0]
    assert centres[0][1] < centres[3][1]
    assert centres[1][1] < centres[2][1]


def test_a_marker_has_the_white_margin_the_design_asks_for(generator: ModuleType) -> None:
    assert generator.CARD_MM >= 56


def test_every_corner_is_named_on_the_page() -> None:
    page = (FOLDER / "markers-a4.svg").read_text(encoding="utf-8")
    for number, corner in enumerate(("top left", "top right", "bottom right", "bottom left")):
        assert f"{number}: {corner} corner" in page
    assert page.count("this side up") == 4


def test_the_profile_of_the_default_camera_agrees_with_itself() -> None:
    profile = tomllib.loads((FOLDER / "camera_module_3.toml").read_text(encoding="utf-8"))
    assert (profile["width_px"], profile["height_px"]) == (2304, 1296)
    assert profile["focal_per_width"] == pytest.approx(0.5 / math.tan(math.radians(profile["hfov_deg"]) / 2), abs=5e-4)


def test_the_committed_calibration_sheet_is_what_its_generator_draws() -> None:
    assert (FOLDER / "charuco-a4.svg").read_text(encoding="utf-8") == loaded("make_charuco").page()


def test_the_calibration_sheet_is_drawn_as_it_is_looked_for() -> None:
    made = loaded("make_charuco")
    assert (made.COLUMNS, made.ROWS, made.CELL_MM, made.CODE_MM) == (
        sheet.COLUMNS, sheet.ROWS, sheet.CELL_MM, sheet.CODE_MM,
    )  # fmt: skip


def test_the_page_of_markers_is_drawn_as_it_is_looked_for(generator: ModuleType) -> None:
    margin = (generator.CARD_MM - generator.SQUARE_MM) / 2
    assert tuple((x + margin, y + margin) for x, y in generator.FIRST_MM) == sheet.PAGE_PLACES_MM
