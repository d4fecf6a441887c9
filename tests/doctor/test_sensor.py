"""Sensors that see colours otherwise: without an infrared filter, or with HDR."""

import errno
import struct
from pathlib import Path

import pytest

from referee.doctor.camera import GET_CONTROL, WIDE_DYNAMIC_RANGE, hdr_device, judge_sensor
from referee.doctor.finding import Result
from referee.i18n import ENGLISH


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    for number in range(3):
        (tmp_path / f"v4l-subdev{number}").touch()
    return tmp_path


def answering(name: str, value: int):
    """A kernel in which only the device of that name knows of HDR."""

    def ioctl(handle: int, request: int, control: bytes) -> bytes:
        assert request == GET_CONTROL
        assert struct.unpack("=Ii", control) == (WIDE_DYNAMIC_RANGE, 0)
        if not Path(f"/proc/self/fd/{handle}").readlink().name == name:
            raise OSError(errno.EINVAL, "Invalid argument")
        return struct.pack("=Ii", WIDE_DYNAMIC_RANGE, value)

    return ioctl


def test_hdr_that_is_on_is_found_among_the_parts_of_the_camera(devices: Path) -> None:
    assert hdr_device(devices, answering("v4l-subdev1", 1)) == devices / "v4l-subdev1"


def test_hdr_that_is_off_or_unknown_is_none(devices: Path, tmp_path: Path) -> None:
    assert hdr_device(devices, answering("v4l-subdev1", 0)) is None
    assert hdr_device(devices) is None  # the real call, on files that are no devices
    assert hdr_device(tmp_path / "none") is None


@pytest.mark.parametrize("sensor", ["imx708", "imx708_wide", "ov5647", ""])
def test_a_usual_sensor_needs_no_word(sensor: str) -> None:
    assert list(judge_sensor(sensor, None)) == []


@pytest.mark.parametrize("sensor", ["imx708_noir", "imx708_wide_noir", "imx219_noir"])
def test_a_sensor_without_a_filter_is_told(sensor: str) -> None:
    (found,) = judge_sensor(sensor, None)
    assert (found.check, found.result) == ("camera filter", Result.ATTENTION)
    assert f"({sensor}) has no infrared filter" in ENGLISH(found.found)


def test_hdr_is_told_with_the_command_that_switches_it_off() -> None:
    (found,) = judge_sensor("imx708", Path("/dev/v4l-subdev0"))
    assert found.check == "camera HDR"
    assert found.do is not None
    assert ENGLISH(found.do).endswith("wide_dynamic_range=0 --device /dev/v4l-subdev0")
