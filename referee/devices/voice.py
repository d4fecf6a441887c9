"""Spoken sentences: `espeak-ng` makes a sound file of each sentence, and `aplay` plays it.

Both run as separate processes, so that a voice or a sound card that hangs does not delay anything else. A new
utterance replaces one that is still waiting, and cuts off one that is being spoken.

A voice pack is a folder with recordings that are played instead: one sound file for each key of a notice, such as
`play.paused.wav`. What has no recording is spoken by `espeak-ng`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
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


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of an utterance; `key` names its recording, and is empty if it contains names or numbers."""

    text: str
    key: str = ""


class Voice:
    """Speaks in one language."""

    def __init__(self, language: str, words_a_minute: int = 160, device: str = "", find: Find = shutil.which,
                 *, pack: Path | None = None) -> None:  # fmt: skip
        """Start the thread that speaks; raises BadInput if a program is missing.

        `device` is the ALSA name of the sound device; empty for the default. `pack` is the folder of a voice pack.
        """
        missing = [name for name in PROGRAMS if find(name) is None]
        if missing:
            raise BadInput(Notice("play.no_voice", program=missing[0]))
        self._make = (find(PROGRAMS[0]) or "", "-v", language, "-s", str(words_a_minute), "--stdin")
        self._play = (find(PROGRAMS[1]) or "", "-q", *(("-D", device) if device else ()))
        self._pack = pack
        self._news = threading.Condition()
        self._next: tuple[Phrase, ...] | None = None
        self._over = False
        self._hangs: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def say(self, phrases: Iterable[Phrase]) -> None:
        """Speak an utterance next, instead of one that waits or is being spoken. Returns at once."""
        with self._news:
            self._next = tuple(phrases)
            self._news.notify()

    def close(self) -> None:
        """Stop speaking; waits up to `ENDING_S` seconds for the player to end."""
        with self._news:
            self._over, self._next = True, None
            self._news.notify()
        self._thread.join(ENDING_S)

    def _work(self) -> None:
        with tempfile.TemporaryDirectory(prefix="voice-") as folder:
            while (phrases := self._take_newest()) is not None:
                for part in self._parts(phrases):
                    if self._is_superseded(0.0):
                        break
                    self._speak(part, Path(folder) / "sentence.wav")

    def _parts(self, phrases: tuple[Phrase, ...]) -> Iterator[str | Path]:
        """Yield the recordings to play and the texts to speak, neighbouring texts as one."""
        found = ((self._recording(phrase.key), phrase.text) for phrase in phrases)
        for recorded, parts in groupby(found, lambda part: part[0] is not None):
            if recorded:
                yield from (recording for recording, _ in parts if recording is not None)
            else:
                yield " ".join(text for _, text in parts)[:LONGEST]

    def _recording(self, key: str) -> Path | None:
        path = self._pack / f"{key}.wav" if self._pack is not None and key else None
        return path if path is not None and path.is_file() else None

    def _take_newest(self) -> tuple[Phrase, ...] | None:
        """Wait for the newest utterance and return it; None once the voice is closed."""
        with self._news:
            self._news.wait_for(lambda: self._over or self._next is not None)
            phrases, self._next = self._next, None
            return None if self._over else phrases

    def _speak(self, part: str | Path, sound: Path) -> None:
        """Play a recording, or a text as soon as it is in the file `sound`."""
        if self._hangs is not None and self._hangs.poll() is None:
            return
        self._hangs = None
        try:
            if isinstance(part, Path):
                sound = part
            else:
                make = [*self._make, "-w", str(sound)]
                said = part.encode(errors="replace")
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

    def _is_superseded(self, wait_s: float = CHECK_S) -> bool:
        """Return whether there is a newer utterance, or the voice is closed; waits up to `wait_s` seconds for that."""
        with self._news:
            return self._news.wait_for(lambda: self._over or self._next is not None, wait_s)
