"""A panel in a terminal: what is said, and below it one line with the lamps, which is written over and over.

Where standard output is no terminal each change of the lamps is a line of its own; blinking and the clock are none.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Callable

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.panel.panel import Now, OnEdge, RecordingPanel
from referee.devices.wiring.pins import PinMap
from referee.runtime.output.signals import TUNES, Cue
from referee.terminal.output import tell

_GLOWS = {
    Glow.ON: "",
    Glow.BLINK: " blinking",
    Glow.OPPOSITE: " blinking",
    Glow.SLOW: " slowly blinking",
    Glow.TICK: " flashing",
}
_NAMES = {
    Cue.ACCEPTED: "short beep",
    Cue.JOINED: "short beep",
    Cue.REFUSED: "low tone",
    Cue.TIME_UP: "alarm",
    Cue.ROUND_OVER: "fanfare",
}
_SOUNDS = {tune: _NAMES.get(cue, cue.value.replace("-", " ")) for cue, tune in TUNES.items()}
_CLEAR = "\r\x1b[K"


class Screen:
    """Standard output with a status line at its end; may be told something in any thread."""

    def __init__(self) -> None:
        self._live = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._status = ""
        self._lock = threading.Lock()

    def tell(self, text: str) -> None:
        """One line for whoever reads along, above the status."""
        with self._lock:
            self._write(_CLEAR if self._status else "")
            tell(text)
            self._write(self._status)

    def status(self, text: str, change: str) -> None:
        """The status from now on; where it cannot be written over, `change` is told as a line, if it is anything."""
        with self._lock:
            if self._live:
                # A line that wraps could not be written over.
                self._status = text[: shutil.get_terminal_size().columns - 1]
                self._write(_CLEAR + self._status)
            elif change:
                tell(change)

    def close(self) -> None:
        """No status any more."""
        with self._lock:
            self._write(_CLEAR if self._status else "")
            self._status = ""

    def _write(self, text: str) -> None:
        if self._live and text:
            with contextlib.suppress(OSError):  # whoever tells the next line says so
                sys.stdout.write(text)
                sys.stdout.flush()


class ConsolePanel(RecordingPanel):
    """A panel without hardware whose lamps are told in words."""

    def __init__(self, pins: PinMap, now: Now, on_edge: OnEdge, status: Callable[[str, str], None]) -> None:
        super().__init__(pins, now, on_edge)
        self._status = status
        self._told = ("", "", "")
        self._sound = ""

    def show(self, lights: Lights) -> None:
        """Show these lamps from now on."""
        super().show(lights)
        self._tell()

    def play(self, tune: Tune) -> None:
        """Play a tune instead of whatever sounds."""
        self._sound = _SOUNDS.get(tune, "a tune") if tune else ""
        super().play(tune)
        self._tell()

    def tick(self) -> None:
        """Do what is due."""
        super().tick()
        if self._sound and self._playing.next_change(self._now()) is None:
            self._sound = ""
            self._tell()

    def _tell(self) -> None:
        lamps = ", ".join(_lamp(name, glow) for name, glow in self._lights.named() if glow is not Glow.OFF) or "dark"
        told = (self._lights.text, lamps, self._sound)
        if told == self._told:
            return
        _, old_lamps, old_sound = self._told
        self._told = told
        # The clock alone would be a line every second, and the end of a sound says nothing.
        news = lamps != old_lamps or self._sound not in ("", old_sound)
        clock = f"{self._lights.text}  " if self._lights.text else ""
        sound = f" (sound: {self._sound})" if self._sound else ""
        self._status(
            f"{clock}{lamps.replace('player-', 'player ')}{sound}", f"[{lamps}] {self._sound}".rstrip() if news else ""
        )


def _lamp(name: str, glow: Glow) -> str:
    return name + _GLOWS[glow]
