"""Cameras of every kind before the doctor: what they give, how fast, and what is told when they do not."""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from referee.devices.camera.camera import Frame
from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_settings import PiSettings
from referee.doctor.camera import judge_camera, open_bare_camera, take_capture, tiles, what_to_do
from referee.doctor.finding import STOP_SERVICE, Finding, Result
from referee.doctor.reading import judge_reading
from referee.errors import BadInput, CameraLost, CannotJudge, Loss
from referee.game.tiles import Tile
from referee.i18n import ENGLISH
from referee.settings.settings import CameraSettings
from referee.vision.sighting import Read, Sighting
from tests.support.errors import telling

SETTINGS = CameraSettings(width_px=640, height_px=480, preview_px=160)


def _double() -> ModuleType:
    """The strict double of picamera2 that the adapter's own tests use."""
    path = Path(__file__).parents[1] / "support" / "picamera2_double.py"
    spec = importlib.util.spec_from_file_location("picamera2_double_for_doctor", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Clock:
    def __init__(self) -> None:
        self.t = 50.0

    def __call__(self) -> float:
        return self.t

    def sleep(self, seconds: float) -> None:
        self.t += seconds


def pi(clock: Clock, **device: Any) -> PiCamera:
    double = _double().Picamera2(clock, **device)
    return PiCamera(PiSettings(640, 480, 160), build=lambda: double, now=clock)


def judged(camera: Callable[[], Any], clock: Clock, settings: CameraSettings = SETTINGS) -> dict[str, Finding]:
    return {found.check: found for found in judge_camera(take_capture(camera, clock), settings)}


def test_the_pi_camera_says_how_fast_it_is_and_what_is_locked() -> None:
    clock = Clock()
    found = judged(lambda: pi(clock), clock)
    assert {one.result for one in found.values()} == {Result.OK}
    assert "640 x 480" in ENGLISH(found["camera"].found)
    assert found["camera"].figures["picture_s"] == pytest.approx(0.02)
    assert "Focus (0.92 m), exposure (9.0 ms), gain (1.5)" in ENGLISH(found["camera lock"].found)


def test_a_pi_camera_without_focus_motor_says_so() -> None:
    clock = Clock()
    assert "no focus motor" in ENGLISH(judged(lambda: pi(clock, focus=False), clock)["camera lock"].found)


def test_a_pi_camera_that_is_slow_is_told() -> None:
    clock = Clock()
    found = judged(lambda: pi(clock, frame_s=1.4), clock)["camera"]
    assert found.result is Result.WRONG
    assert "takes 1.4 s" in ENGLISH(found.found)


class Plain:
    """A camera that gives what it is told to."""

    def __init__(self, picture: Any, clock: Clock, early_s: float = 0.0) -> None:
        self.picture, self.clock, self.early_s, self.closed = picture, clock, early_s, 0

    def frame(self, after: float) -> Frame:
        self.clock.t = max(self.clock.t, after) + 0.05
        return Frame(self.picture, after - self.early_s)

    def preview(self, _after: float) -> Any:
        return self.picture[::4, ::4, 0]

    def close(self) -> None:
        self.closed += 1


def noise(shape: tuple[int, ...] = (480, 640, 3)) -> Any:
    return np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "early_s", "words"),
    [
        pytest.param(np.zeros((480, 640, 3), np.uint8), 0.0, "cap off the lens", id="cap on the lens"),
        pytest.param(noise(), 0.5, "before the press", id="stale pictures"),
    ],
)
def test_pictures_that_are_no_use(picture: Any, early_s: float, words: str) -> None:
    clock = Clock()
    camera = Plain(picture, clock, early_s)
    found = judged(lambda: camera, clock)["camera"]
    assert found.result is Result.WRONG
    assert words in ENGLISH(found.found)
    assert camera.closed == 1


def test_a_usb_camera_with_smaller_pictures_than_asked_for() -> None:
    clock = Clock()
    settings = replace(SETTINGS, kind="usb", width_px=1920)
    assert judged(lambda: Plain(noise(), clock), clock, settings)["camera size"].result is Result.ATTENTION


def test_a_camera_that_is_lost_meanwhile_is_let_go() -> None:
    class Lost(Plain):
        def preview(self, _after: float) -> Any:
            raise CameraLost("expected a picture, found none")

    clock = Clock()
    camera = Lost(noise(), clock)
    with pytest.raises(CameraLost):
        take_capture(lambda: camera, clock)
    assert camera.closed == 1


def test_the_same_picture_twice_says_nothing_about_flicker() -> None:
    clock = Clock()
    assert take_capture(lambda: Plain(noise(), clock), clock).flicker is None


def test_without_picamera2_the_sentence_says_what_to_install() -> None:
    with telling(CameraLost, match="python3-picamera2"):
        open_bare_camera(CameraSettings(), Clock())


def test_a_folder_is_a_camera_as_well(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), noise())
    settings = replace(SETTINGS, kind="folder", source=str(tmp_path))
    found = {
        one.check: one
        for one in judge_camera(take_capture(lambda: open_bare_camera(settings, monotonic), monotonic), settings)
    }
    assert found["camera"].result is Result.OK


def test_a_camera_that_somebody_else_has_is_told_from_one_that_is_missing() -> None:
    assert what_to_do(CameraLost("expected a camera that is free", Loss.BUSY)) == STOP_SERVICE
    others = [CameraLost("free, busy, in use, acquire", kind) for kind in Loss if kind is not Loss.BUSY]
    assert all(ENGLISH(STOP_SERVICE) not in ENGLISH(what_to_do(error)) for error in (*others, BadInput("busy")))
    assert len({what_to_do(error) for error in others}) == len(others)


def sighting(*names: str, doubtful: Sequence[str] = ()) -> Sighting:
    def read(name: str) -> Read:
        return Read(Tile.from_name(name), 1.0, name in doubtful, (), np.zeros((4, 2), np.float32), 0.0)

    return Sighting("rummikub", "markers", tuple(map(read, names)), ())


class Sees:
    def __init__(self, found: Sighting | Exception) -> None:
        self.found = found

    def read(self, *_: object) -> Sighting:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.mark.parametrize(
    ("found", "result", "words"),
    [
        (sighting("red-7", "blue-7"), Result.OK, "2 tiles read"),
        (sighting(), Result.OK, "No tile was found"),
        (sighting("red-7", "red-8", "blue-9", doubtful=["red-7", "red-8"]), Result.ATTENTION, "2 of them in doubt"),
        (CannotJudge("expected markers, found none"), Result.WRONG, "cannot be read"),
    ],
)
def test_tiles_that_lie_there(found: Sighting | Exception, result: Result, words: str) -> None:
    (one,) = tiles(Sees(found), noise(), None, (900.0, 600.0), Clock())
    assert (one.result, words in ENGLISH(one.found)) == (result, True), ENGLISH(one.found)


@pytest.mark.parametrize(
    ("read", "seconds", "result", "words"),
    [
        (sighting("red-7", "red-8"), 0.2, Result.OK, "2 tiles was read correctly in 0.20 s."),
        (sighting("red-7", "red-8", doubtful=["red-8"]), 0.2, Result.OK, "1 of them in doubt"),
        (sighting("red-7", "red-8"), 1.4, Result.ATTENTION, "slow"),
        (sighting("red-7", "red-9"), 0.2, Result.WRONG, "are not there: red-9."),
        (sighting("red-7"), 0.2, Result.WRONG, "A known table has 2 tiles; the referee found 1."),
    ],
)
def test_a_known_table_is_held_against_what_was_read(
    read: Sighting, seconds: float, result: Result, words: str
) -> None:
    found = judge_reading(("red-7", "red-8"), read, seconds)
    assert (found.result, words in ENGLISH(found.found)) == (result, True), ENGLISH(found.found)
