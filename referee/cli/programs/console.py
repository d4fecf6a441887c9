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

from referee.cli.terminal.output import tell
from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.panel.panel import Now, OnEdge, RecordingPanel
from referee.devices.wiring.pins import PinMap
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording
from referee.table.output.signals import TUNES

_GLOWS = {
    Glow.ON: "console.glows",
    Glow.BLINK: "console.blinks",
    Glow.OPPOSITE: "console.blinks",
    Glow.SLOW: "console.blinks_slowly",
    Glow.TICK: "console.flashes",
}
_SOUNDS = {tune: Notice(f"console.sound_{cue.name.lower()}") for cue, tune in TUNES.items()}
_A_TUNE = Notice("console.sound")
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

    def __init__(
        self, pins: PinMap, now: Now, on_edge: OnEdge, status: Callable[[str, str], None], words: Wording = ENGLISH
    ) -> None:
        super().__init__(pins, now, on_edge)
        self._status, self._words = status, words
        self._told = ("", "", "")
        self._sound = ""

    def show(self, lights: Lights) -> None:
        """Show these lamps from now on."""
        super().show(lights)
        self._tell()

    def play(self, tune: Tune) -> None:
        """Play a tune instead of whatever sounds."""
        self._sound = self._words(_SOUNDS.get(tune, _A_TUNE)) if tune else ""
        super().play(tune)
        self._tell()

    def tick(self) -> None:
        """Do what is due."""
        super().tick()
        if self._sound and self._playing.next_change(self._now()) is None:
            self._sound = ""
            self._tell()

    def _tell(self) -> None:
        glowing = [_lamp(name, glow, live=False) for name, glow in self._lights.by_name() if glow is not Glow.OFF]
        lamps = ", ".join(map(self._words, glowing)) or self._words(Notice("console.dark"))
        told = (self._lights.text, lamps, self._sound)
        if told == self._told:
            return
        _, old_lamps, old_sound = self._told
        self._told = told
        # The clock alone would be a line every second, and the end of a sound says nothing.
        news = lamps != old_lamps or self._sound not in ("", old_sound)
        clock = f"{self._lights.text}  " if self._lights.text else ""
        live = [_lamp(name, glow, live=True) for name, glow in self._lights.by_name() if glow is not Glow.OFF]
        status = ", ".join(map(self._words, live)) or lamps
        if self._sound:
            status = self._words(Notice("console.with_sound", lamps=status, sound=self._sound))
        self._status(f"{clock}{status}", f"[{lamps}] {self._sound}".rstrip() if news else "")


def _lamp(name: str, glow: Glow, *, live: bool) -> Notice:
    kind, _, number = name.partition("-")
    player = "console.live_player" if live else "console.lamp_player"
    lamp = Notice(player, number=int(number)) if number else Notice(f"console.lamp_{kind}")
    return Notice(_GLOWS[glow], lamp=lamp)
