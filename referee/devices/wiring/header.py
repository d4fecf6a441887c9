"""The 40-pin header of a Raspberry Pi: which GPIO number is on which pin, and what else a pin is for.

The positions come from gpiozero's own table of boards, which can be used on any machine. Only a Raspberry Pi has this
header; `has_header` returns whether this machine is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gpiozero.pins.pi import PiBoardInfo

_BOARD_CODES = {
    "2b": 0xA01041,
    "3a+": 0x9020E0,
    "3b": 0xA02082,
    "3b+": 0xA020D3,
    "4b": 0xC03111,
    "400": 0xC03130,
    "cm4": 0xC03140,
    "5b": 0xC04170,
    "500": 0xD04190,
    "cm5": 0xC04180,
    "cm5lite": 0xC041A0,
    "zero": 0x900093,
    "zerow": 0x9000C1,
    "zero2w": 0x902120,
    "a+": 0x900021,
    "b+": 0x900032,
}
"""A revision code of each board with the 40-pin header (compute modules: on the maker's own carrier board), as the
maker lists them; the names are gpiozero's, in small letters."""

BOARDS = ("auto", *_BOARD_CODES)
"""The boards that the settings may name; `auto` accepts any board."""

RESERVED = {0: "the ID EEPROM of expansion boards", 1: "the ID EEPROM of expansion boards"}
I2C = (2, 3)
"""SDA and SCL; each has 1.8 kilohm to 3.3 V on the board."""
UART = (14, 15)
SWITCHED_OFF: Mapping[str, tuple[int, ...]] = {"SPI": (7, 8, 9, 10, 11), "1-Wire": (4,)}
"""Interfaces that are off unless somebody has switched them on (raspi-config). Then these pins belong to them."""
HARDWARE_PWM = (12, 13, 18, 19)
PULLED_UP_AT_START = tuple(range(9))
"""These pins are pulled towards 3.3 V until a program opens them; all others are pulled to ground."""
MODEL = Path("/proc/device-tree/model")


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """A pin by its physical number, as printed on most boards, and its GPIO number if it has one."""

    number: int
    name: str
    bcm: int | None

    @property
    def ground(self) -> bool:
        """Whether it is a ground pin."""
        return self.name == "GND"


def _header() -> tuple[HeaderPin, ...]:
    pins = PiBoardInfo.from_revision(_BOARD_CODES["4b"]).headers["J8"].pins
    return tuple(
        HeaderPin(number, str(pin.name), int(pin.name[4:]) if pin.name.startswith("GPIO") else None)
        for number, pin in sorted(pins.items())
    )


HEADER = _header()
"""The forty pins in the order of their physical numbers; odd ones lie on the inner side of the board."""

PHYSICAL: Mapping[int, int] = {pin.bcm: pin.number for pin in HEADER if pin.bcm is not None}
"""The physical number of every GPIO on the header."""


def nearest_ground(bcm: int) -> int:
    """Return the physical number of the ground pin closest to a GPIO; the lower one if two are equally close."""
    number = PHYSICAL[bcm]

    def distance(pin: HeaderPin) -> tuple[int, int]:
        rows = abs((pin.number - 1) // 2 - (number - 1) // 2)
        return rows * 2 + (pin.number - number) % 2, pin.number

    return min((pin for pin in HEADER if pin.ground), key=distance).number


def has_header(model: Path = MODEL) -> bool:
    """Return whether this is a Raspberry Pi."""
    try:
        return b"raspberry pi" in model.read_bytes().lower()
    except OSError:
        return False
