"""What is missing in the camera's picture: hidden markers and mirrored lamps, with their places."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.cli.programs.opening import WIDEST, inspector
from referee.game.notation import parse_table
from referee.game.tiles import TILE_SETS
from referee.i18n import ENGLISH
from referee.sim.scene.light import LIGHTS
from referee.sim.table import Setting, VirtualTable
from referee.vision.geometry.markers import find_markers

TABLE_MM = (900.0, 600.0)


def picture(light: str = "even") -> np.ndarray:
    """Tiles where the lamps of that light are mirrored."""
    setting = replace(Setting.usual(TILE_SETS["rummikub"]), light=LIGHTS[light])
    table = VirtualTable(setting, np.random.default_rng(1))
    table.lay(parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7 | K4 K5 K6 K7 K8 | O8 O9 O10"))
    return table.picture()


def test_a_good_picture_has_all_markers_and_nothing_that_must_be_mended() -> None:
    seen = inspector(TABLE_MM, None)(picture())
    assert sorted(seen.markers) == [0, 1, 2, 3]
    assert seen.picture is not None
    assert seen.picture.shape[1] == WIDEST
    assert all(0 <= float(one.min()) <= float(one.max()) <= 1 for one in seen.markers.values())
    assert seen.lamps == ()
    assert "wrong" not in {one.level for one in seen.remarks}


@pytest.mark.parametrize("gone", [0, 3])
def test_a_marker_that_is_hidden_is_named_first(gone: int) -> None:
    hidden = picture()
    corners = find_markers(hidden)[gone]
    cv2.fillPoly(hidden, [(corners + (corners - corners.mean(0)) * 0.9).astype(int)], (60, 90, 120))
    seen = inspector(TABLE_MM, None)(hidden)
    assert gone not in seen.markers
    assert f"marker {gone}" in ENGLISH(seen.remarks[0].found)


def test_without_light_it_is_the_light_that_is_told_first() -> None:
    seen = inspector(TABLE_MM, None)(np.full((720, 1280, 3), 6, np.uint8))
    assert seen.markers == {}
    assert "dark" in ENGLISH(seen.remarks[0].found)


def test_a_mirrored_lamp_is_told_with_its_place() -> None:
    mirrored = picture()
    middle = np.mean([corners.mean(0) for corners in find_markers(mirrored).values()], axis=0)
    cv2.circle(mirrored, tuple(middle.astype(int)), 45, (255, 255, 255), -1)
    seen = inspector(TABLE_MM, None)(mirrored)
    (lamp,) = seen.lamps
    size = np.asarray(mirrored.shape[1::-1])
    assert np.linalg.norm(lamp.mean(0) * size - middle) < 10
    assert np.linalg.norm(lamp * size - middle, axis=1).min() > 45  # a ring around it
