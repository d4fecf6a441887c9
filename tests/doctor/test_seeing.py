"""Rendered tables, good ones and bad ones: what the doctor says about camera, markers, focus, light and glare."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.doctor.finding import Finding, Result
from referee.doctor.measure import Flicker, Spot
from referee.doctor.measure import flicker as flickering
from referee.doctor.place import judge_view
from referee.doctor.seeing import SPOT_MM2, flicker, glare, judge_seeing
from referee.doctor.view import measure_view
from referee.game.notation import parse_table
from referee.game.tiles import tile_set
from referee.i18n import ENGLISH
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS, Lighting
from referee.sim.scene.render import render
from referee.sim.scene.scene import Scene
from referee.sim.table import Setting, VirtualTable
from referee.vision.sighting import Image

TABLE_MM = (900.0, 600.0)
TILES = "R7 B7 K7 | O3 O4 O5 O6 | B9 B10 B11 B12 B13 | ** R5 R6"
CAMERA = Camera(height_mm=1030, tilt_deg=0.5, pan_deg=-0.4, roll_deg=0.7)
EVEN = LIGHTS["even"]
SAW_NOTHING = {"camera place", "light"}


def table(
    camera: Camera = CAMERA,
    light: Lighting = EVEN,
    blur_px: float = 0.65,
    markers: tuple[int, ...] = (0, 1, 2, 3),
    turns: tuple[float, float, float, float] = (1.2, -0.7, 0.4, -1.5),
    size_mm: tuple[float, float] = TABLE_MM,
) -> Image:
    rng = np.random.default_rng(5)
    virtual = VirtualTable(Setting(), rng)
    virtual.lay(parse_table(TILES))
    scene = replace(virtual.scene(), markers=markers, marker_turns=turns, table_mm=size_mm)
    return render(scene, camera, light, rng, blur_px=blur_px, jpeg_quality=90)


def findings(picture: Image, table_mm: tuple[float, float] = TABLE_MM) -> dict[str, Finding]:
    view = measure_view(picture, table_mm)
    return {finding.check: finding for finding in (*judge_view(view), *judge_seeing(view))}


def tilted(degrees: float) -> Camera:
    """Hung beside the table, so that it still looks at its middle."""
    height = 1150.0
    return replace(CAMERA, height_mm=height, tilt_deg=degrees, y_mm=300 - height * np.tan(np.radians(degrees)))


def with_lamp(picture: Image, radius_px: float) -> Image:
    """The picture with a lamp mirrored at the table's middle: what a mirror adds is added after all else."""
    (u, v), *_ = CAMERA.project_flat(np.asarray([[450, 300]], np.float32), 9.5)
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    blob = 600 * np.exp(-((columns - u) ** 2 + (rows - v) ** 2) / radius_px**2)
    return np.clip(picture + blob[..., None], 0, 255).astype(np.uint8)


def test_a_good_table_has_nothing_wrong_and_nothing_to_look_at() -> None:
    found = findings(table())
    assert {check: ENGLISH(one.found) for check, one in found.items() if one.result is not Result.OK} == {}
    assert set(found) == {
        "markers", "table size", "camera place", "play area", "resolution", "focus", "light", "colour", "glare",
    }  # fmt: skip
    assert found["camera place"].figures["height_mm"] == pytest.approx(1030, rel=0.02)
    assert found["resolution"].figures["px_per_mm_middle"] == pytest.approx(1774 / 1020, rel=0.02)


@pytest.mark.parametrize("seed", [211, 216, 219])
def test_any_table_that_can_be_read_well_has_nothing_wrong(seed: int) -> None:
    """Seeds on which no threshold was chosen."""
    rng = np.random.default_rng(seed)
    virtual = VirtualTable(Setting.any(tile_set("rummikub"), rng), rng)
    virtual.lay(parse_table(TILES))
    found = findings(virtual.picture())
    assert {check: ENGLISH(one.found) for check, one in found.items() if one.result is not Result.OK} == {}


@pytest.mark.parametrize(
    ("picture", "check", "result", "words"),
    [
        pytest.param(lambda: table(blur_px=2.2), "focus", Result.ATTENTION, "slightly blurred", id="soft"),
        pytest.param(lambda: table(blur_px=3.2), "focus", Result.WRONG, "blurred", id="blurred"),
        pytest.param(
            lambda: table(light=replace(EVEN, brightness=0.26)), "light", Result.ATTENTION, "rather dark", id="dim"
        ),
        pytest.param(
            lambda: table(light=replace(EVEN, brightness=0.15)), "light", Result.WRONG, "too dark", id="dark"
        ),
        pytest.param(
            lambda: table(light=replace(EVEN, brightness=1.5)), "light", Result.ATTENTION, "too bright", id="bright"
        ),
        pytest.param(
            lambda: table(light=replace(EVEN, gradient=0.6, brightness=0.8)),
            "light",
            Result.ATTENTION,
            "uneven",
            id="one lamp",
        ),
        pytest.param(
            lambda: np.asarray(100 + table() * 0.3, np.uint8), "light", Result.ATTENTION, "differ by", id="mist"
        ),
        pytest.param(
            lambda: table(light=replace(EVEN, warmth=1.6)), "colour", Result.ATTENTION, "looks red", id="red light"
        ),
        pytest.param(lambda: with_lamp(table(), 9), "glare", Result.ATTENTION, "45 cm from the left", id="spot"),
        pytest.param(lambda: with_lamp(table(), 40), "glare", Result.WRONG, "30 cm from the top", id="lamp"),
        pytest.param(lambda: table(tilted(14)), "camera place", Result.ATTENTION, "14 degrees", id="tilted"),
        pytest.param(lambda: table(replace(CAMERA, height_mm=1400)), "resolution", Result.ATTENTION, "1.2", id="far"),
        pytest.param(lambda: table(replace(CAMERA, height_mm=1800)), "resolution", Result.WRONG, "0.9", id="too far"),
        pytest.param(
            lambda: table(markers=(0, 1, 3)), "markers", Result.ATTENTION, "marker 2 (bottom right)", id="one gone"
        ),
        pytest.param(lambda: table(markers=(0, 3)), "markers", Result.WRONG, "top right", id="two gone"),
        pytest.param(lambda: table(markers=(1,)), "markers", Result.WRONG, "Only one of", id="three gone"),
        pytest.param(lambda: table(markers=()), "markers", Result.WRONG, "None of the four", id="all gone"),
        pytest.param(
            lambda: table(turns=(90, 0, 0, -20)), "markers", Result.WRONG, "top left) by 90 degrees", id="turned"
        ),
        pytest.param(
            lambda: table(size_mm=(840.0, 600.0)), "table size", Result.ATTENTION, "x 600 mm apart", id="narrow table"
        ),
        pytest.param(
            lambda: table(size_mm=(800.0, 500.0)), "table size", Result.WRONG, "x 500 mm apart", id="small table"
        ),
        pytest.param(
            lambda: table(replace(CAMERA, height_mm=930, y_mm=316, tilt_deg=0, roll_deg=0)),
            "play area",
            Result.ATTENTION,
            "cut off",
            id="cards cut off",
        ),
    ],
)
def test_what_is_not_in_order_is_told_with_what_to_do(picture, check, result, words) -> None:
    found = findings(picture())[check]
    assert found.result is result, ENGLISH(found.found)
    assert words in ENGLISH(found.found)
    assert ENGLISH(found.do)


def test_markers_that_changed_places_are_named() -> None:
    picture = table(turns=(0, 0, 0, 0))
    one, other = (CAMERA.project_flat(np.asarray([spot], np.float32))[0] for spot in ((0, 0), (900, 0)))
    (x, y), (u, v) = one.astype(int), other.astype(int)
    half = 60
    first = picture[y - half : y + half, x - half : x + half].copy()
    picture[y - half : y + half, x - half : x + half] = picture[v - half : v + half, u - half : u + half]
    picture[v - half : v + half, u - half : u + half] = first
    found = findings(picture)
    assert found["markers"].result is Result.WRONG
    assert "0 and 1 have been swapped" in ENGLISH(found["markers"].found)
    assert found["camera place"].result is Result.SKIPPED


def test_a_marker_whose_place_the_picture_does_not_show_means_the_camera_must_move() -> None:
    camera = Camera(height_mm=930, y_mm=270, roll_deg=4)
    found = findings(table(camera))
    assert ENGLISH(found["markers"].found) == "Three of the four markers can be seen; missing: marker 3 (bottom left)."
    assert "outside the picture" in ENGLISH(found["markers"].do)
    assert ENGLISH(found["play area"].found) == "Part of the play area is outside the picture at the bottom left."


def test_foreign_markers_are_recognised() -> None:
    picture = np.full((1296, 2304, 3), 160, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    for number, (x, y) in enumerate(((200, 100), (2000, 100), (2000, 1100), (200, 1100))):
        marker = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(dictionary, number, 80), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255,)
        )
        picture[y : y + 120, x : x + 120] = marker[..., None]
    assert "DICT_6X6_250" in ENGLISH(findings(picture)["markers"].found)


@pytest.mark.parametrize("shape", [(1, 1, 3), (40, 30, 3), (1296, 2304, 3)])
@pytest.mark.parametrize("level", [0, 255])
def test_a_picture_of_nothing_is_no_reason_to_fail(shape: tuple[int, int, int], level: int) -> None:
    found = findings(np.full(shape, level, np.uint8))
    assert found["markers"].result is Result.WRONG
    assert all(found[check].result is Result.SKIPPED for check in SAW_NOTHING)


def test_white_noise_is_no_reason_to_fail() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (720, 1280, 3)).astype(np.uint8)
    assert findings(picture)["markers"].result is Result.WRONG


def test_steady_light_is_told_from_stripes_and_from_light_that_changes() -> None:
    scene = Scene(surface="oak")
    one, other = (render(scene, CAMERA, EVEN, np.random.default_rng(seed)) for seed in (1, 2))
    stripes = 1 + 0.05 * np.sin(np.arange(one.shape[0]) / 60)[:, None, None]
    assert flicker(flickering(one, other)).result is Result.OK
    assert flicker(flickering(one, np.clip(other * stripes, 0, 255).astype(np.uint8))).figures["stripes"] > 0.03
    dimmer = np.asarray(other * 0.9, np.uint8)
    assert "unsteady" in ENGLISH(flicker(flickering(one, dimmer)).found)
    assert "stripes" in ENGLISH(flicker(Flicker(0.0, 0.05)).found)
    assert flicker(None).result is Result.SKIPPED


def test_a_hand_that_reaches_in_between_two_pictures_is_no_flicker() -> None:
    one = render(Scene(surface="oak"), CAMERA, EVEN, np.random.default_rng(1))
    other = one.copy()
    other[:, 900:1300] = 90
    assert flicker(flickering(one, other)).result is Result.OK


def test_many_mirrored_lamps_are_told_in_one_sentence() -> None:
    found = glare(tuple(Spot(100.0 * n, 50.0, SPOT_MM2) for n in range(1, 7)))
    assert found.result is Result.WRONG
    assert ENGLISH(found.found).endswith("(and in 3 more places).")
    assert len(found.figures["spots"]) == 6
