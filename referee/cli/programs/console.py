"""A panel in a terminal: keys as buttons, sentences as lines, and below them a status line with the lamps.

If standard output is not a terminal, each change of the lamps is a line of its own, without blinking and the clock.
The keys can also be sent by another program.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Callable

from referee.cli.terminal.output import tell
from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.panel.panel import Now, OnEdge, Panel, RecordingPanel
from referee.devices.wiring.pins import EVERYONE, PAUSE, PinMap
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording
from referee.table.event_loop import Loop
from referee.table.input.answers import LETTERS, Answer
from referee.table.output.signals import TUNES
from referee.table.preparation.enrolment import ENROL

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
SHORT_S, LONG_S = 0.1, 1.2
END = "q"
PLACE = "2:430,210=R7"
"""An example of a line that names a tile in a picture of an enrolment."""
_LEVELS = {"+": True, "-": False}


class Screen:
    """Standard output with a status line at its end; may be used in any thread."""

    def __init__(self) -> None:
        self._live = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._status = ""
        self._lock = threading.Lock()

    def tell(self, text: str) -> None:
        """Print one line above the status line."""
        with self._lock:
            self._write(_CLEAR if self._status else "")
            tell(text)
            self._write(self._status)

    def status(self, text: str, change: str) -> None:
        """Set the status line; if it cannot be overwritten, print `change` as a line instead, unless it is empty."""
        with self._lock:
            if self._live:
                # A line that wraps could not be overwritten.
                self._status = text[: shutil.get_terminal_size().columns - 1]
                self._write(_CLEAR + self._status)
            elif change:
                tell(change)

    def close(self) -> None:
        """Remove the status line."""
        with self._lock:
            self._write(_CLEAR if self._status else "")
            self._status = ""

    def _write(self, text: str) -> None:
        if self._live and text:
            with contextlib.suppress(OSError):  # the next line that is printed reports it
                sys.stdout.write(text)
                sys.stdout.flush()


class ConsolePanel(RecordingPanel):
    """A panel without hardware, which describes its lamps in words."""

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
        """Play a tune, and stop any other."""
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
        # The clock alone would print a line every second, and the end of a sound is no news.
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


class Keys:
    """Buttons and answers from lines on standard input.

    `1` presses button 1, `1!` holds it, `1+` and `1-` push it down and release it, `s` starts or pauses, `q` quits.

    A question about a tile is answered with the letter of a choice, `a` or `b`, or with the tile: `=R7`. The button of
    the player who answers may come first: `1=R7`, `1=a`. Before a match, `enrol` begins to enrol the box;
    `2:430,210=R7` then names a tile at a place, in pixels, of a picture.
    """

    def __init__(self, loop: Loop, panel: Panel, pins: PinMap, tell: Callable[[Notice], None]) -> None:
        if not isinstance(panel, RecordingPanel):
            raise BadInput('--keys: expected a panel of kind "console" or "none", found real buttons')
        self._loop, self._panel, self._tell = loop, panel, tell
        self._contacts = {str(seat): name for seat, name in enumerate(pins.contacts, 1) if name != PAUSE}
        if PAUSE in pins.contacts:
            self._contacts["s"] = PAUSE

    def listen(self) -> None:
        """Begin to read lines from standard input."""
        if sys.stdin is None:
            raise BadInput("--keys: expected a terminal or a pipe on standard input, found it closed")
        try:
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._lines)
        except PermissionError as error:  # one cannot wait for a plain file or /dev/null
            raise BadInput(
                "--keys: expected a terminal or a pipe on standard input, found a file or /dev/null"
            ) from error
        except (OSError, ValueError) as error:  # for instance, there is none at all
            raise BadInput(f"--keys: expected a terminal or a pipe on standard input, found: {error}") from error
        key = "console.keys_with_start" if PAUSE in self._contacts.values() else "console.keys"
        buttons = tuple(key for key, contact in self._contacts.items() if contact != PAUSE)
        self._tell(Notice(key, buttons=buttons, end=END))

    def _lines(self) -> None:
        data = os.read(sys.stdin.fileno(), 4096)
        if not data:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        for word in data.decode("utf-8", "replace").split():
            self._word(word)

    def _word(self, word: str) -> None:
        contact = self._contacts.get(word.rstrip("!+-"))
        who, told, what = word.rpartition("=")
        if word == END:
            self._loop.stop()
        elif word == ENROL:
            self._loop.answer(Answer(ENROL))
        elif ":" in word:
            self._loop.answer(Answer(word))
        elif (told or word in LETTERS) and (not who or self._contacts.get(who, PAUSE) != PAUSE):
            own = who and self._contacts[who] != EVERYONE
            self._loop.answer(Answer(what, int(who) - 1 if own else None))
        elif contact is None:
            self._tell(Notice("console.known_keys", keys=" ".join(self._contacts), end=END, enrol=ENROL, place=PLACE))
        elif word[-1] in _LEVELS:
            self._panel.edge(contact, _LEVELS[word[-1]])
        else:
            self._panel.edge(contact, True)
            hold = LONG_S if word.endswith("!") else SHORT_S
            asyncio.get_running_loop().call_later(hold, self._panel.edge, contact, False)
