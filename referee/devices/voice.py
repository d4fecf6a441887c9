"""Sentences spoken by the box itself: `espeak-ng` makes a sound file of each, `aplay` plays it.

Both are programs of their own, so that neither a voice nor a sound card that hangs keeps anything else waiting. Only
the newest sentence waits: older ones are dropped, and the one being spoken is cut off.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from referee.errors import BadInput
from referee.game.notice import Notice

PROGRAMS = ("espeak-ng", "aplay")
MAKING_S = 10.0
"""Seconds after which a sentence that has not become a sound is left out."""
LONGEST = 600
"""The longest utterance in letters."""
CHECK_S = 0.05
ENDING_S = 2.0
"""A player that has not ended after this many seconds hangs in the kernel: it cannot be ended, and nothing is spoken
until it is gone."""
_NO = subprocess.DEVNULL

Find = Callable[[str], str | None]


class Voice:
    """Speaks in one language."""

    def __init__(self, language: str, words_a_minute: int = 160, device: str = "", find: Find = shutil.which) -> None:
        """`device` is a name of ALSA, empty for the default; raises BadInput where a program is missing."""
        missing = [name for name in PROGRAMS if find(name) is None]
        if missing:
            raise BadInput(Notice("play.no_voice", program=missing[0]))
        self._make = (find(PROGRAMS[0]) or "", "-v", language, "-s", str(words_a_minute), "--stdin")
        self._play = (find(PROGRAMS[1]) or "", "-q", *(("-D", device) if device else ()))
        self._news = threading.Condition()
        self._next: str | None = None
        self._over = False
        self._hangs: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Speak this next, instead of whatever waits or is being spoken; returns at once."""
        with self._news:
            self._next = text[:LONGEST]
            self._news.notify()

    def close(self) -> None:
        """Stop speaking; waits up to `ENDING_S` seconds for the player to end."""
        with self._news:
            self._over, self._next = True, None
            self._news.notify()
        self._thread.join(ENDING_S)

    def _work(self) -> None:
        with tempfile.TemporaryDirectory(prefix="voice-") as folder:
            while (text := self._take_newest()) is not None:
                self._speak(text, Path(folder) / "sentence.wav")

    def _take_newest(self) -> str | None:
        """Wait for the newest sentence and return it; None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._over or self._next is not None)
            text, self._next = self._next, None
            return None if self._over else text

    def _speak(self, text: str, sound: Path) -> None:
        if self._hangs is not None and self._hangs.poll() is None:
            return
        self._hangs = None
        try:
            make = [*self._make, "-w", str(sound)]
            said = text.encode(errors="replace")
            subprocess.run(make, input=said, capture_output=True, timeout=MAKING_S, check=True)  # noqa: S603
            self._wait_for_player(subprocess.Popen([*self._play, str(sound)], stdin=_NO, stdout=_NO, stderr=_NO))  # noqa: S603
        except (OSError, subprocess.SubprocessError):
            return  # the lamps and the page say the same: a voice that fails is silent

    def _wait_for_player(self, playing: subprocess.Popen[bytes]) -> None:
        """Wait for the player, or end it if there is something newer."""
        while playing.poll() is None:
            if self._is_superseded():
                playing.kill()
                with suppress(subprocess.TimeoutExpired):
                    playing.wait(ENDING_S)
                    return
                self._hangs = playing
                return

    def _is_superseded(self) -> bool:
        """Return whether there is something newer to speak; waits a little for it."""
        with self._news:
            return self._news.wait_for(lambda: self._over or self._next is not None, CHECK_S)
