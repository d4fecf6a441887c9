"""Displays for the clock: four digits (TM1637) or a small OLED.

The TM1637 has two lines and is driven through gpiozero itself: its protocol is short, and the libraries for it would
access the pins in a second way.

The OLED is on the I2C bus and is driven through luma.oled (MIT), which is imported only if one is configured. A frame
has 1 kilobyte. That takes a tenth of a second at the bus's usual 100 kHz, which is too long for the event loop to
wait. So it is drawn in a thread of its own, and of several texts only the newest is drawn. A display that comes loose
must never end a game: it is reported once, and set up again as soon as it answers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

from gpiozero import OutputDevice

from referee.devices.wiring.pins import Duty, PinMap
from referee.errors import BadInput
from referee.game.notice import Notice

RETRY_S = 10.0
CLOSE_S = 2.0
"""Seconds that closing waits for the display to go dark. A bus that hangs must not keep the program from ending."""
LARGEST = 0.75
"""The size of a text as a fraction of the display's height. A longer text is made smaller until it fits."""
SMALLEST_PX = 10.0
"""The smallest size of a text that can be read, in pixels."""
BUS = 1
NOTHING = 0xE3
"""The command of the SSD1306 that does nothing, which is sent to see whether the display answers."""

DOT_PX, QUIET_PX, HEIGHT_PX = 2, 3, 64
"""Pixels of a module of a QR code, of the narrowest margin around the code, and of the height available."""

Code = tuple[tuple[bool, ...], ...]
"""A QR code: rows of modules, True for dark ones."""
Tell = Callable[[Notice], None]
THE_DISPLAY = Notice("panel.display")


class Screen(Protocol):
    """A display on which a text can be drawn. All methods raise the errors of its driver."""

    def open(self) -> None:
        """Set the display up, at first and after it was lost."""

    def draw(self, text: str) -> None:
        """Show a text in place of the present one; an empty text clears the display."""

    def close(self) -> None:
        """Make the display dark."""


class OledDisplay:
    """Shows the newest text on a screen, in a thread, so that no call waits for the screen."""

    def __init__(self, screen: Screen, tell: Tell, name: Notice = THE_DISPLAY, retry_s: float = RETRY_S) -> None:
        self._screen, self._tell, self._name, self._retry_s = screen, tell, name, retry_s
        self._news = threading.Condition()
        self._wanted = self._shown = ""
        self._lost = self._closing = False
        # Wait for the first attempt: the caller wants to know what the panel lacks.
        self._try("", anew=True)
        self._thread = threading.Thread(target=self._work, name="display", daemon=True)
        self._thread.start()

    def show(self, text: str) -> None:
        """Show a text soon. It replaces a text that has not been drawn yet."""
        with self._news:
            self._wanted = text
            self._news.notify()

    def close(self) -> None:
        """Make the display dark, unless it does not answer."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join(CLOSE_S)

    def _work(self) -> None:
        while (text := self._wait_for_text()) is not None:
            self._try(text, anew=self._lost)
        if not self._lost:
            self._attempt(self._screen.close)

    def _wait_for_text(self) -> str | None:
        """Wait for a text that is not shown yet, or for the next attempt with a lost screen.

        Returns None once the display is being closed.
        """
        with self._news:
            if self._lost:
                self._news.wait_for(lambda: self._closing, self._retry_s)
            else:
                self._news.wait_for(lambda: self._closing or self._wanted != self._shown)
            return None if self._closing else self._wanted

    def _try(self, text: str, *, anew: bool) -> None:
        """Draw a text; with `anew`, set the screen up first. Reports when the screen is lost, and when it is back."""
        error = (self._attempt(self._screen.open) if anew else None) or self._attempt(lambda: self._screen.draw(text))
        lost, self._lost, self._shown = self._lost, error is not None, text
        if error is not None and not lost:
            self._tell(Notice("panel.no_display", display=self._name, reason=error))
        elif error is None and lost:
            self._tell(Notice("panel.display_back", display=self._name))

    @staticmethod
    def _attempt(do: Callable[[], None]) -> str | None:
        """Call `do`; return the first line of what went wrong, None if nothing did."""
        try:
            do()
        except Exception as error:  # noqa: BLE001 - errors of luma, bus and Pillow share no base; none ends the thread
            return (str(error).splitlines() or [type(error).__name__])[0]
        return None


class LumaScreen:
    """A 128 x 64 SSD1306, driven by luma; raises BadInput if luma is missing.

    While there is no text it shows the code `at_rest`, if that fits.
    """

    def __init__(self, address: int, at_rest: Code = ()) -> None:
        self._at_rest = at_rest if fits(at_rest) else ()
        try:
            from luma.core.interface.serial import i2c
            from luma.core.render import canvas
            from luma.oled.device import ssd1306
        except ImportError as error:
            raise BadInput(
                f"panel: expected the library luma.oled for the display, found: {error}; install the extra `oled` "
                '(sudo make install EXTRAS=oled), or set display = "none" in [panel]'
            ) from error
        self._bus: Callable[[], Any] = lambda: i2c(port=BUS, address=address)
        self._device_on: Callable[[Any], Any] = ssd1306
        self._canvas: Callable[[Any], Any] = canvas
        self._wires: Any = None
        self._device: Any = None

    def open(self) -> None:
        """Set the display up. Once the bus is open, it stays open."""
        # luma keeps every device until the program ends, so one is made only if the display answers.
        if self._wires is None:
            self._wires = self._bus()
        self._wires.command(NOTHING)
        self._device = self._device_on(self._wires)

    def draw(self, text: str) -> None:
        """Show a short text in the middle, as large as fits; without a text, show the QR code, if there is one."""
        width, height = self._device.size
        with self._canvas(self._device) as draw:
            if not text and self._at_rest:
                _draw_code(draw, self._at_rest, width, height)
                return
            size = height * LARGEST
            while size > SMALLEST_PX and draw.textlength(text, font_size=size) > width:
                size -= 1
            draw.text((width / 2, height / 2), text, fill="white", anchor="mm", font_size=size)

    def close(self) -> None:
        """Make the display dark."""
        self._device.cleanup()


def fits(code: Code) -> bool:
    """Return whether a code can be shown large enough for a phone to read it."""
    return 0 < len(code) * DOT_PX + 2 * QUIET_PX <= HEIGHT_PX


def _draw_code(draw: Any, code: Code, width: int, height: int) -> None:
    """Draw dark modules on a lit square in the middle."""
    side = len(code) * DOT_PX
    left, top = (width - side) // 2, (height - side) // 2
    draw.rectangle((left - top, 0, left + side + top - 1, height - 1), fill="white")
    for y, row in enumerate(code):
        for x, dark in enumerate(row):
            if dark:
                at = left + x * DOT_PX, top + y * DOT_PX
                draw.rectangle((*at, at[0] + DOT_PX - 1, at[1] + DOT_PX - 1), fill="black")


OpenLine = Callable[..., Any]
"""Opens a line of the pin map as a gpiozero device of the kind given."""


class Display(Protocol):
    """A display that shows a short text such as `1:05`."""

    def show(self, text: str) -> None:
        """Show a text from now on; an empty text makes the display dark."""

    def close(self) -> None:
        """Make the display dark."""


def open_display(pins: PinMap, open_line: OpenLine, tell: Tell, at_rest: Code = ()) -> Display:
    """Open the display of the pin map; raises BadInput if its library is missing.

    A display that does not answer is reported, and tried again later. While an OLED has no text, it shows the code
    `at_rest`.
    """
    if pins.display == "oled":
        address = pins.display_address
        return OledDisplay(LumaScreen(address, at_rest), tell, Notice("panel.oled", address=f"{address:#x}"))
    clk, dio = (open_line(line, OutputDevice) for line in pins.lines_for(Duty.DISPLAY))
    return DigitDisplay(clk, dio)


_WRITE, _FIRST_DIGIT, _ON, _DARK = 0x40, 0xC0, 0x8A, 0x80
"""Commands of the TM1637: write to rising addresses; begin with the first digit; lit, at medium brightness; not
lit."""
_COLON = 0x80
_SEGMENTS = {
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
    "-": 0x40, " ": 0x00,
}  # fmt: skip
"""Segments a to g as bits 0 to 6."""


def segments(text: str) -> tuple[int, int, int, int]:
    """Return the segments of the four digits of a text such as `1:05`, right-aligned.

    The colon is part of the second digit. The display has no slash, so `3/14` (three of fourteen tiles) is shown with
    the colon.
    """
    before, colon, after = text.replace("/", ":").rpartition(":")
    digits = [_SEGMENTS.get(char, 0) for char in (before + after)[-4:].rjust(4)]
    digits[1] |= _COLON if colon else 0
    return digits[0], digits[1], digits[2], digits[3]


class DigitDisplay:
    """Four digits behind a TM1637, on two output lines.

    The chip takes the bits, lowest first, while the clock rises. Its acknowledgement of a byte is not read: a missing
    display must not stop a game. It allows 500 kHz; switching a pin from here takes far longer than that.
    """

    def __init__(self, clk: Any, dio: Any) -> None:
        self._clk, self._dio = clk, dio
        clk.on()
        dio.on()
        self.show("")

    def show(self, text: str) -> None:
        """Show up to four digits, with a colon between them if the text has one."""
        self._send(_WRITE)
        self._send(_FIRST_DIGIT, *segments(text))
        self._send(_ON if text else _DARK)

    def close(self) -> None:
        """Make the display dark."""
        self.show("")

    def _send(self, *data: int) -> None:
        self._dio.off()  # falling while the clock is high: start
        for byte in data:
            for bit in range(8):
                self._clk.off()
                self._dio.value = byte >> bit & 1
                self._clk.on()
            self._clk.off()
            self._dio.off()  # the chip pulls it low, too, to acknowledge
            self._clk.on()
        self._clk.off()
        self._dio.off()
        self._clk.on()
        self._dio.on()  # rising while the clock is high: stop
