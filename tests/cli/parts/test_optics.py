"""Lens profiles: written whole, read back as they were, refused where they were changed or do not fit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.cli.parts import lens_profiles
from referee.cli.parts.lens_profiles import (
    NAME,
    Optics,
    Profile,
    Through,
    check_fit,
    check_plausible,
    default_lens,
    load,
    save,
    stated_focal,
)
from referee.errors import BadInput
from referee.i18n import ENGLISH
from referee.settings.settings import Settings
from referee.table.preparation.lens_steps import WANTED, Guide
from referee.vision.geometry.calibration_sheet import DetectedSheet
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Sighting
from tests.support.errors import telling

LENS = Lens(1771.25, (1150.5, 649.25), -0.0213, (0.004, 0.0003, -0.0002, 0.0), 0.0)
OPTICS = Optics((2304, 1296), "imx708", 1.18)
PROFILE = Profile(LENS, OPTICS, 0.18, 0.09, 0.92, 13, "2026-01-31")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "new" / "lens.toml"
    save(path, PROFILE)
    return path


def test_a_profile_comes_back_as_it_was_written(file):
    assert load(file) == PROFILE


def test_a_profile_of_an_unknown_camera_comes_back_too(file):
    plain = replace(PROFILE, optics=Optics((640, 480)))
    save(file, plain)
    assert load(file) == plain
    assert [path.name for path in file.parent.iterdir()] == ["lens.toml"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda text: text.replace("focal_px = 1771.25", "focal_px = 1790.0"), "changed since"),
        (lambda text: text.replace('sensor = "imx708"', 'sensor = "imx477"'), "changed since"),
        (lambda text: text.replace("version = 1", "version = 2"), "found version 2"),
        (lambda text: text.replace("version = 1\n", ""), "version 'none'"),
        (lambda text: text.replace("k2 =", "q2 ="), "keys missing"),
        (lambda text: text.replace("focal_px = 1771.25", "focal_px = nan"), "keys missing"),
        (lambda text: text[: len(text) // 2], "lens profile"),
        (lambda _: "\x00\x01", "another kind of file"),
        (lambda _: "", "version 'none'"),
    ],
    ids=["number", "sensor", "newer", "no version", "key", "nan", "half", "bytes", "empty"],
)
def test_an_edited_damaged_or_newer_file_is_refused_in_one_line(file, change, found):
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(BadInput, match=found) as caught:
        load(file)
    assert "\n" not in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BadInput, match="expected a lens profile, found: No such file"):
        load(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("used", "found"),
    [
        (Optics((4608, 2592), "imx708", 1.18), "found 4608 x 2592"),
        (Optics((2304, 1296), "imx708_wide", 1.18), "found imx708_wide"),
        (Optics((2304, 1296), "imx708", 2.0), "found it at 0.50 m"),
        (Optics((2304, 1296), "imx708", 0.0), "found it at infinity"),
    ],
)
def test_another_mode_camera_or_lens_position_is_refused(used, found):
    with pytest.raises(BadInput, match=found):
        check_fit(PROFILE, used)


@pytest.mark.parametrize("used", [OPTICS, Optics(), Optics((2304, 1296)), Optics((2304, 1296), "imx708", 1.3)])
def test_what_is_not_known_contradicts_nothing(used):
    check_fit(PROFILE, used)


@pytest.mark.parametrize(("sensor", "across"), [("imx708", 66), ("imx708_wide", 102), ("imx477", 55)])
def test_the_makers_cameras_have_a_lens_without_being_calibrated(sensor, across):
    lens = default_lens(Optics((2304, 1296), sensor))
    assert 2 * np.degrees(np.arctan(1152 / lens.focal_px)) == pytest.approx(across, abs=1)
    assert lens.k1_deviation > 0
    assert stated_focal(sensor) == pytest.approx(lens.focal_px / 2304)


def test_an_unknown_camera_has_no_stated_lens():
    assert default_lens(Optics((2304, 1296), "imx000")) is None
    assert default_lens(Optics((2304, 1296))) is None


def test_a_lens_that_cannot_be_the_sensors_is_refused():
    check_plausible(LENS, OPTICS)
    check_plausible(LENS, Optics((2304, 1296)))
    with telling(BadInput, "The view of imx708_wide should be about 102 degrees wide, but it is 66"):
        check_plausible(LENS, Optics((2304, 1296), "imx708_wide"))


def test_settings_name_the_profile_or_it_lies_beside_the_journal(tmp_path, file):
    settings = Settings()
    assert lens_profiles.profile_in_use(settings, tmp_path) is None
    assert lens_profiles.lens_for(settings, tmp_path, OPTICS)[0].k1_deviation > 0
    save(tmp_path / NAME, PROFILE)
    assert lens_profiles.lens_for(settings, tmp_path, OPTICS) == (LENS, (PROFILE, tmp_path / NAME))
    named = replace(settings, camera=replace(settings.camera, lens=str(file)))
    assert lens_profiles.profile_in_use(named, tmp_path) == (PROFILE, file)
    missing = replace(settings, camera=replace(settings.camera, lens=str(tmp_path / "other.toml")))
    with pytest.raises(BadInput, match=r"other\.toml"):
        lens_profiles.profile_in_use(missing, tmp_path)


def test_a_lens_that_was_calibrated_keeps_its_focus_unless_another_is_named():
    settings, found = Settings(), (PROFILE, Path(NAME))
    assert lens_profiles.with_calibrated_focus(settings, None) == settings.camera
    focused = lens_profiles.with_calibrated_focus(settings, found)
    assert (1 / focused.focus_m, focused.autofocus) == (pytest.approx(1.18), False)
    named = replace(settings, places={"camera.focus_m": "--set camera.focus_m"})
    assert lens_profiles.with_calibrated_focus(named, found) == settings.camera
    bare = replace(PROFILE, optics=Optics((2304, 1296), "imx708"))
    assert lens_profiles.with_calibrated_focus(settings, (bare, Path(NAME))) == settings.camera


def test_pictures_of_another_size_are_not_read_through_the_lens():
    class Reader:
        def read(self, *_, **__):
            return Sighting("rummikub", "markers", (), ())

    through = Through(Reader(), PROFILE, "lens.toml")
    assert through.read(np.zeros((1296, 2304, 3), np.uint8), None, (900.0, 600.0)).reads == ()
    with pytest.raises(BadInput, match=r"lens\.toml: expected pictures of 2304 x 1296 as calibrated, found 64 x 48"):
        through.read(np.zeros((48, 64, 3), np.uint8), None, (900.0, 600.0))


def view(x, y, lean=0.0):
    """A sheet whose middle lies at parts of the picture; `lean` foreshortens it."""
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(9.0)), -1).reshape(-1, 2) * 25
    depth = 1 + lean * (grid[:, :1] - 62.5) / 400
    pixels = np.asarray([x * 2304, y * 1296]) + (grid - grid.mean(axis=0)) * [1.9 * (1 - abs(lean) / 4), 1.9] / depth
    return DetectedSheet("charuco", grid, pixels)


def test_the_guide_asks_for_one_view_after_the_other_until_it_has_them():
    guide = Guide((2304, 1296))
    assert ENGLISH(guide.asks) == "View 1 of 13: show the sheet in the middle of the picture, flat."
    assert ENGLISH(guide.offer(None)) == "I cannot see the sheet, or not enough of it."
    assert ENGLISH(guide.offer(view(0.9, 0.5))) == "Move it left in the picture."
    assert ENGLISH(guide.offer(view(0.2, 0.9))) == "Move it right and up in the picture."
    assert ENGLISH(guide.offer(view(0.5, 0.5))) == "Hold it still."
    assert ENGLISH(guide.offer(view(0.51, 0.5))) == "Hold it still."
    assert guide.offer(view(0.51, 0.5)) is None
    assert "View 2 of 13: show the sheet in the top left corner" in ENGLISH(guide.asks)
    for wanted in WANTED[1:9]:
        guide.offer(view(wanted.x, wanted.y))
        assert guide.offer(view(wanted.x, wanted.y)) is None
    assert ENGLISH(guide.offer(view(0.5, 0.5))) == "Lift that edge higher."
    for _ in range(4):
        guide.offer(view(0.5, 0.5, 1.2))
        assert guide.offer(view(0.5, 0.5, 1.2)) is None
    assert guide.is_done
    assert len(guide.views) == 13


def test_profiles_of_the_makers_cameras_are_in_the_repository():
    folder = Path(__file__).parents[3] / "calibration"
    assert {path.name for path in folder.glob("*.toml")} == {
        "camera_module_3.toml", "camera_module_3_wide.toml", "hq_camera.toml",
    }  # fmt: skip
