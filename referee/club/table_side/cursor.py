"""Up to where the broker has confirmed the outbox, and which results it keeps; written down beside the journal.

Not in the journal: a second writer could make the match wait for the disk. What stands here may be old or gone after a
power cut; some events then go out twice, and whoever reads drops what it has. A result that nobody knows of any more
stays with the broker, and is still one.
"""

from __future__ import annotations

import json
from pathlib import Path

from referee.devices.whole_file import read_whole

FILE = "club.json"
EVERY_S = 5.0
"""Written at most so often."""


class Cursor:
    """The last number confirmed without a gap before it, in one epoch, and the matches whose results were told."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.epoch, self.sent = "", 0
        self._results: tuple[int, ...] = ()
        """The matches whose results the broker keeps, the one told last at the end."""
        self._confirmed: set[int] = set()
        self._written = self._news
        self._at = 0.0
        try:
            found = json.loads(read_whole(self._path, 10_000, "a cursor"))
            self.epoch, self.sent = str(found["epoch"]), max(0, int(found["sent"]))
            self._results = tuple(int(match) for match in found.get("results", ()))
        except (OSError, ValueError, KeyError, TypeError):
            pass

    def begin(self, epoch: str, last: int) -> None:
        """Numbers count in this epoch, of which `last` is the highest."""
        if self.epoch != epoch:
            self._results = ()  # of another journal; they hold on
        if self.epoch != epoch or self.sent > last:
            self.epoch, self.sent = epoch, 0
        self._confirmed.clear()

    def confirm(self, seq: int) -> None:
        """The broker has the event of this number."""
        self._confirmed.add(seq)
        while self.sent + 1 in self._confirmed:
            self.sent += 1
        self._confirmed = {seq for seq in self._confirmed if seq > self.sent}

    def retain_result(self, match: int, most: int) -> tuple[int, ...]:
        """The broker keeps the result of a match; return the matches of which it shall keep none any more."""
        known = (*(one for one in self._results if one != match), match)
        self._results = known[-most:]
        return known[:-most]

    def keep(self, now: float, *, at_once: bool = False) -> None:
        """Write it down now and then; a disk that takes no writes is the journal's matter."""
        news = self._news
        if news == self._written or (now - self._at < EVERY_S and not at_once):
            return
        self._written, self._at = news, now
        try:
            told = {"epoch": self.epoch, "sent": self.sent, "results": self._results}
            self._path.write_text(json.dumps(told), encoding="ascii")
        except OSError:
            return

    @property
    def _news(self) -> tuple[str, int, tuple[int, ...]]:
        return self.epoch, self.sent, self._results
