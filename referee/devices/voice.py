"""Spoken sentences: `espeak-ng` makes a sound file of each sentence, and `aplay` plays it.

Both run as separate processes, so that a voice or a sound card that hangs does not delay anything else. A new sentence
replaces one that is still waiting, and cuts off one that is being spoken.
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
"""Seconds that `espeak-ng` may take for a sentence. If it takes longer, the sentence is left out."""
LONGEST = 600
"""The longest text to speak, in characters."""
CHECK_S = 0.05
ENDING_S = 2.0
"""Seconds to wait for a player to end. If it does not, it hangs in the kernel: it cannot be ended, and nothing is
spoken until it is gone."""
_NO = subprocess.DEVNULL

Find = Callable[[str], str | None]


class Voice:
    """Speaks in one language."""

    def __init__(self, language: str, words_a_minute: int = 160, device: str = "", find: Find = shutil.which) -> None:
        """Start the thread that speaks; raises BadInput if a program is missing.

        `device` is the ALSA name of the sound device; empty for the default.
        """
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
        """Speak a text next, instead of one that waits or is being spoken. Returns at once."""
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
        """Wait for the newest sentence and return it; None once the voice is closed."""
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
            return  # the lamps and the page show the same, so a voice that fails may be silent

    def _wait_for_player(self, playing: subprocess.Popen[bytes]) -> None:
        """Wait until the player has ended; kill it if there is a newer sentence."""
        while playing.poll() is None:
            if self._is_superseded():
                playing.kill()
                with suppress(subprocess.TimeoutExpired):
                    playing.wait(ENDING_S)
                    return
                self._hangs = playing
                return

    def _is_superseded(self) -> bool:
        """Return whether there is a newer sentence, or the voice is closed; waits up to CHECK_S seconds for that."""
        with self._news:
            return self._news.wait_for(lambda: self._over or self._next is not None, CHECK_S)
