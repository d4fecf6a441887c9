"""Displays for the clock: four digits (TM1637) or a small OLED.

The TM1637 has two lines and is driven through gpiozero itself: the protocol is short, and the libraries for it bring a
second way to the pins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from gpiozero import OutputDevice

from referee.devices.panel.oled import Code, LumaScreen, OledDisplay, Tell
from referee.devices.wiring.pins import Duty, PinMap
from referee.game.notice import Notice

OpenLine = Callable[..., Any]
"""Opens a line of the pin map as a gpiozero device of the kind given."""


class Display(Protocol):
    """Whatever shows a short text such as `1:05`."""

    def show(self, text: str) -> None:
        """Show that text from now on; an empty one leaves it dark."""

    def close(self) -> None:
        """Leave it dark."""


def open_display(pins: PinMap, open_line: OpenLine, tell: Tell, at_rest: Code = ()) -> Display:
    """Open the display of the pin map; raises BadInput where its library is missing.

    A display that does not answer is reported, and tried again later. An OLED without a text shows the code `at_rest`.
    """
    if pins.display == "oled":
        address = pins.display_address
        return OledDisplay(LumaScreen(address, at_rest), tell, Notice("panel.oled", address=f"{address:#x}"))
    clk, dio = (open_line(line, OutputDevice) for line in pins.lines_for(Duty.DISPLAY))
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
    """Return the four digits of a text such as `1:05`, right-aligned; the colon is part of the second digit."""
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
