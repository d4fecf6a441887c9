"""Whether the table has real buttons: only a press proves that, because nothing may be wired to the pins.

Without this, a family whose Pi has no buttons yet could not even choose those of the page. It is true of this machine
only, so no backup has it.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

from referee.devices.whole_file import write_whole
from referee.errors import BadInput

FILE = "buttons.json"


class ButtonsProof:
    """Remembers that a real button was pressed, also after the next start."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is where that is kept; None: it is known until the program ends."""
        self._path = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        self._proven = self._path is not None and self._path.is_file()

    @property
    def proven(self) -> bool:
        """Whether a real button was ever pressed here."""
        return self._proven

    def were_pressed(self) -> None:
        """Remember it; the file is written in another thread, because the event loop must not wait for the disk."""
        if not self._proven:
            self._proven = True
            threading.Thread(target=self._keep, name="buttons").start()

    def forget(self) -> None:
        """Forget it: those at the table have allowed to do without the buttons."""
        self._proven = False
        threading.Thread(target=self._keep, name="buttons").start()

    def _keep(self) -> None:
        with self._lock, contextlib.suppress(BadInput, OSError):  # a disk that is full is told elsewhere
            if self._path is None:
                return
            if self._proven:
                write_whole(self._path, b'{"pressed": true}\n', "a place to remember the buttons", 0o600)
            else:
                self._path.unlink(missing_ok=True)
