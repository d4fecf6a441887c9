"""Displays for the clock: four digits (TM1637) or a small OLED.

The TM1637 takes two lines and is spoken to through gpiozero itself: the protocol is short, and the libraries for it
bring a second way to the pins. The OLED is driven by luma.oled (MIT), imported only where one is configured.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from gpiozero import OutputDevice

from referee.devices.pins import Duty, PinMap
from referee.errors import BadInput

OpenLine = Callable[..., Any]
"""Opens a line of the pin map as a gpiozero device of the kind given."""


class Display(Protocol):
    """Whatever shows a short text such as `1:05`."""

    def show(self, text: str) -> None:
        """Show that text from now on; an empty one leaves it dark."""

    def close(self) -> None:
        """Leave it dark."""


def open_display(pins: PinMap, open_line: OpenLine) -> Display:
    """The display of the pin map; raises BadInput where it does not answer or its library is missing."""
    if pins.display == "oled":
        return _open_oled(pins.display_address)
    clk, dio = (open_line(line, OutputDevice) for line in pins.of(Duty.DISPLAY))
    return DigitDisplay(clk, dio)


_WRITE, _FIRST_DIGIT, _ON, _DARK = 0x40, 0xC0, 0x8A, 0x80
"""TM1637: write with a rising address; from the first digit on; lit at medium brightness; not lit."""
_COLON = 0x80
_SEGMENTS = {
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
    "-": 0x40, " ": 0x00,
}  # fmt: skip
"""Segments a to g as bits 0 to 6."""


def segments(text: str) -> tuple[int, int, int, int]:
    """The four digits of a text such as `1:05`, ranged right; the colon is part of the second digit."""
    before, colon, after = text.rpartition(":")
    digits = [_SEGMENTS.get(char, 0) for char in (before + after)[-4:].rjust(4)]
    digits[1] |= _COLON if colon else 0
    return digits[0], digits[1], digits[2], digits[3]


class DigitDisplay:
    """Four digits behind a TM1637, on two output lines.

    The chip takes bits, lowest first, while the clock rises, and a byte's acknowledgement is left unread: a display
    that is not there must not stop a game. It allows 500 kHz; switching a pin from here takes far longer than that.
    """

    def __init__(self, clk: Any, dio: Any) -> None:
        self._clk, self._dio = clk, dio
        clk.on()
        dio.on()
        self.show("")

    def show(self, text: str) -> None:
        """Show up to four digits, with a colon between them where the text has one."""
        self._send(_WRITE)
        self._send(_FIRST_DIGIT, *segments(text))
        self._send(_ON if text else _DARK)

    def close(self) -> None:
        """Leave it dark."""
        self.show("")

    def _send(self, *data: int) -> None:
        self._dio.off()  # falling while the clock is high: start
        for byte in data:
            for bit in range(8):
                self._clk.off()
                self._dio.value = byte >> bit & 1
                self._clk.on()
            self._clk.off()
            self._dio.off()  # the chip pulls it low now to acknowledge: both agree
            self._clk.on()
        self._clk.off()
        self._dio.off()
        self._clk.on()
        self._dio.on()  # rising while the clock is high: stop


class OledDisplay:
    """A 128 x 64 OLED, given as luma's device and its canvas to draw on; the text is as large as fits."""

    def __init__(self, device: Any, canvas: Callable[[Any], Any]) -> None:
        self._device, self._canvas = device, canvas

    def show(self, text: str) -> None:
        """Show a short text in the middle."""
        width, height = self._device.size
        # A display that came loose must not stop a game.
        with suppress(OSError), self._canvas(self._device) as draw:
            draw.text((width / 2, height / 2), text, fill="white", anchor="mm", font_size=height * 0.75)

    def close(self) -> None:
        """Leave it dark."""
        with suppress(OSError):
            self._device.cleanup()


def _open_oled(address: int) -> OledDisplay:
    try:
        from luma.core.interface.serial import i2c
        from luma.core.render import canvas
        from luma.oled.device import ssd1306
    except ImportError as error:
        raise BadInput(
            f"panel: expected the library luma.oled for the display, found: {error}; "
            'install the extra `oled`, or set display = "none" in [panel]'
        ) from error
    try:
        return OledDisplay(ssd1306(i2c(port=1, address=address)), canvas)
    except Exception as error:  # luma's errors have no common base besides Exception
        raise BadInput(
            f"panel: expected an oled at I2C address {address:#x}, found: {error}; look at its wires, "
            "and whether I2C is switched on (sudo raspi-config, Interface Options)"
        ) from error
