"""Finding the markers in rendered pictures, and saying so where they cannot be used."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from marker_truth import marker_truth

from referee.errors import CannotJudge
from referee.game.notice import Notice
from referee.i18n import error_text
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS, Lighting
from referee.sim.scene.render import render
from referee.sim.scene.scene import Hand, Placed, Scene
from referee.vision.geometry.markers import find_markers, grey_of, locate, marker_centre
from referee.vision.sighting import Image

TABLE_MM = (900.0, 600.0)
CAMERA = Camera(x_mm=455, y_mm=299, height_mm=1010, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
ASKEW = Scene(marker_turns=(1.5, -2.0, 0.4, 3.0))
SPOTS = np.float32([[40, 60], [860, 50], [450, 300], [820, 560], [60, 540]])


def camera_of(width: int) -> Camera:
    return replace(CAMERA, width_px=width, height_px=width * 9 // 16)


def taken(scene: Scene = ASKEW, camera: Camera = CAMERA, light: Lighting = LIGHTS["even"]) -> Image:
    return render(scene, camera, light, np.random.default_rng(3))


def strange_markers(dictionary: int, numbers: tuple[int, ...]) -> Image:
    picture = np.full((900, 1600, 3), 110, np.uint8)
    for number, (x, y) in zip(numbers, ((100, 80), (1380, 80), (1380, 700), (100, 700)), strict=False):
        marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(dictionary), number, 80)
        sheet = cv2.copyMakeBorder(marker, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255,))
        picture[y : y + 120, x : x + 120] = sheet[..., None]
    return picture


@pytest.mark.parametrize("width", [1152, 1600, 2304, 3072, 4608])
def test_markers_are_found_at_every_size_of_picture(width: int) -> None:
    camera = camera_of(width)
    found, truth = find_markers(taken(camera=camera)), marker_truth(ASKEW, camera)
    assert sorted(found) == [0, 1, 2, 3]
    for marker, corners in found.items():
        assert corners == pytest.approx(truth[marker], abs=0.7)


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("surface", ["walnut", "white"])
def test_markers_are_found_in_every_light(light: str, surface: str) -> None:
    scene = replace(ASKEW, surface=surface)
    found, truth = find_markers(taken(scene, light=LIGHTS[light])), marker_truth(scene, CAMERA)
    assert sorted(found) == [0, 1, 2, 3]
    for marker, corners in found.items():
        assert corners == pytest.approx(truth[marker], abs=0.8)


@pytest.mark.parametrize("brightness", [0.5, 0.3])
def test_markers_are_found_in_a_dim_picture(brightness: float) -> None:
    light = replace(LIGHTS["evening"], brightness=brightness)
    assert sorted(find_markers(taken(light=light))) == [0, 1, 2, 3]


@pytest.mark.parametrize("roll", [90.0, 180.0, 270.0])
def test_corners_start_at_the_printed_top_left_however_the_camera_hangs(roll: float) -> None:
    camera = replace(camera_of(1600), roll_deg=roll, height_px=1600)
    found, truth = find_markers(taken(camera=camera)), marker_truth(ASKEW, camera)
    assert sorted(found) == [0, 1, 2, 3]
    for marker, corners in found.items():
        assert corners == pytest.approx(truth[marker], abs=0.8)


@pytest.mark.parametrize(
    "camera",
    [
        pytest.param(CAMERA, id="usual"),
        pytest.param(replace(CAMERA, k1=-0.05), id="barrel"),
        pytest.param(replace(CAMERA, k1=0.01), id="cushion"),
        pytest.param(replace(CAMERA, tilt_deg=2.0, pan_deg=-1.5, height_mm=1060), id="tilted"),
        pytest.param(camera_of(4608), id="full resolution"),
        pytest.param(camera_of(1152), id="small"),
    ],
)
@pytest.mark.parametrize("markers", [(0, 1, 2, 3), (1, 2, 3), (0, 1, 2)], ids=str)
def test_three_markers_suffice_to_place_the_tops_of_tiles_within_a_millimetre_and_a_half(
    camera: Camera, markers: tuple[int, ...]
) -> None:
    located = locate(taken(replace(ASKEW, markers=markers), camera), TABLE_MM)
    assert located is not None
    assert sorted(located.corners) == list(markers)
    found = located.pose.to_plane(camera.project_flat(SPOTS, 9.5), 9.5)
    assert np.linalg.norm(found - SPOTS, axis=1).max() < 1.5


def test_a_grey_picture_shows_the_same_pose() -> None:
    picture = taken()
    colour, grey = locate(picture, TABLE_MM), locate(grey_of(picture), TABLE_MM)
    assert colour is not None
    assert grey is not None
    assert np.array_equal(colour.pose.translation, grey.pose.translation)


def test_a_table_of_another_size_is_measured_by_its_own_size() -> None:
    scene = Scene(table_mm=(700.0, 500.0))
    camera = replace(CAMERA, x_mm=350, y_mm=250)
    located = locate(taken(scene, camera), scene.table_mm)
    assert located is not None
    found = located.pose.to_plane(camera.project_flat(np.float32([[600, 400]]), 9.5), 9.5)
    assert found[0] == pytest.approx([600, 400], abs=1.5)


def test_a_hand_on_a_marker_leaves_three() -> None:
    located = locate(taken(replace(ASKEW, hands=(Hand(900.0, 600.0, 330.0),))), TABLE_MM)
    assert located is not None
    assert sorted(located.corners) == [0, 1, 3]


@pytest.mark.parametrize(("markers", "told"), [((0, 2), "2 (0, 2)"), ((3,), "1 (3)")], ids=["two", "one"])
def test_fewer_than_three_markers_are_told_by_their_numbers(markers: tuple[int, ...], told: str) -> None:
    with pytest.raises(CannotJudge) as refused:
        locate(taken(replace(ASKEW, markers=markers)), TABLE_MM)
    assert error_text(refused.value) == f"expected at least 3 of the markers 0-3 in the picture, found {told}"


@pytest.mark.parametrize(
    ("dictionary", "numbers", "told"),
    [
        pytest.param(cv2.aruco.DICT_6X6_250, (0, 1, 2, 3), "markers of DICT_6X6_250", id="6x6"),
        pytest.param(cv2.aruco.DICT_5X5_250, (10, 11, 12, 13), "markers of DICT_5X5_250", id="5x5"),
        pytest.param(cv2.aruco.DICT_APRILTAG_36h11, (0, 1, 2, 3), "markers of DICT_APRILTAG_36h11", id="AprilTag"),
        pytest.param(cv2.aruco.DICT_4X4_50, (7, 8, 9, 10), "ids 7, 8, 9, 10", id="other numbers"),
    ],
)
def test_foreign_markers_are_told_by_name(dictionary: int, numbers: tuple[int, ...], told: str) -> None:
    with pytest.raises(CannotJudge) as refused:
        locate(strange_markers(dictionary, numbers), TABLE_MM)
    assert error_text(refused.value) == f"expected markers 0-3 of DICT_4X4_50 at the corners, found {told}"


def test_a_table_that_the_markers_do_not_fit_is_told_with_its_measures() -> None:
    told = error_text(CannotJudge(Notice("reading.odd_markers", width=900.5, height=600.0)))
    assert told == "expected markers around a table of 900.5x600 mm, found no such view"


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.full((1, 1, 3), 90, np.uint8), id="one pixel"),
        pytest.param(np.full((400, 600, 3), 255, np.uint8), id="all white"),
        pytest.param(taken(Scene(markers=(), tiles=(Placed(None, 300, 300, 20),))), id="a table without markers"),
        pytest.param(strange_markers(cv2.aruco.DICT_6X6_250, (4,)), id="a single foreign marker, perhaps by chance"),
    ],
)
def test_a_picture_without_markers_has_no_place(picture: Image) -> None:
    assert locate(picture, TABLE_MM) is None


def test_a_picture_is_not_changed_by_looking_for_markers() -> None:
    picture = taken(camera=camera_of(1152))
    before = picture.copy()
    locate(picture, TABLE_MM)
    assert np.array_equal(picture, before)


def test_a_markers_centre_is_its_middle_also_in_perspective() -> None:
    square = np.float32([[-20, -20], [20, -20], [20, 20], [-20, 20]])
    tilted = Camera(tilt_deg=25, k1=0.0)
    middle = tilted.project_flat(np.float32([[450, 300]]))[0]
    assert marker_centre(tilted.project_flat(square + np.float32([450, 300]))) == pytest.approx(middle, abs=0.01)


def test_two_tables_in_one_picture_are_refused():
    one = taken(camera=camera_of(1152))
    with pytest.raises(CannotJudge) as refused:
        locate(np.hstack([one, one]), TABLE_MM)
    assert refused.value.args[0] == Notice("reading.two_tables", markers="0, 1, 2, 3")


def test_one_marker_that_is_left_over_beside_the_table_does_no_harm():
    picture = taken()
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 2, 60)
    sheet = cv2.copyMakeBorder(marker, 15, 15, 15, 15, cv2.BORDER_CONSTANT, value=(255,))
    picture[600:690, 1100:1190] = sheet[..., None]
    assert locate(picture, TABLE_MM) is not None


def beside(side: str, one: Image, other: Image, share: float) -> tuple[Image, tuple[int, int]]:
    """Return a picture with a part of another one beside it, and where its own upper left pixel lies in the result."""
    across, down = round(share * other.shape[1]), round(share * other.shape[0])
    return {
        "left": (np.hstack([other[:, -across:], one]), (across, 0)),
        "right": (np.hstack([one, other[:, :across]]), (0, 0)),
        "above": (np.vstack([other[-down:], one]), (0, down)),
        "below": (np.vstack([one, other[:down]]), (0, 0)),
    }[side]


@pytest.mark.parametrize("side", ["left", "right", "above", "below"])
def test_markers_of_the_next_table_are_not_taken_for_those_of_this_one(side: str) -> None:
    """Before, a pose from the markers of both showed a bare table."""
    one, next_one = taken(camera=camera_of(1152)), taken(replace(ASKEW, seed=5), camera=camera_of(1152))
    picture, shift = beside(side, one, next_one, 0.3)
    own, found = locate(one, TABLE_MM), locate(picture, TABLE_MM)
    assert own is not None
    assert found is not None
    assert sorted(found.corners) == [0, 1, 2, 3]
    for marker, corners in found.corners.items():
        assert corners - np.float32(shift) == pytest.approx(own.corners[marker], abs=0.5)


def test_of_a_table_whose_marker_is_covered_the_next_tables_marker_is_left_out() -> None:
    camera = camera_of(1152)
    own, next_one = taken(replace(ASKEW, markers=(0, 1, 2)), camera), taken(camera=camera)
    picture, _ = beside("right", own, next_one, 0.3)
    found = locate(picture, TABLE_MM)
    assert found is not None
    assert sorted(found.corners) == [0, 1, 2]
    assert max(corners[:, 0].max() for corners in found.corners.values()) < 1152


def test_a_sheet_that_lies_close_to_its_twin_is_refused() -> None:
    """Nobody can say which of the two marks the corner."""
    picture = taken()
    left, top = np.floor(find_markers(picture)[2].min(axis=0)).astype(int) - 20
    high, wide = picture[top : top + 130, left : left + 130].shape[:2]
    picture[top - 140 : top - 140 + high, left : left + wide] = picture[top : top + 130, left : left + 130]
    with pytest.raises(CannotJudge) as refused:
        locate(picture, TABLE_MM)
    assert refused.value.args[0] == Notice("reading.two_tables", markers="2")
