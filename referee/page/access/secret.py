"""The PIN, and the secret that sessions are signed with: a file beside the journal."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import threading
from pathlib import Path

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput

FILE = "page.json"
DIGITS = 6
MOST_BYTES = 10_000


class Secret:
    """The PIN and the secret; a new PIN has a new secret, so that it ends all sessions."""

    trouble: str | None = None
    """Why the last PIN could not be kept: it holds until the program ends."""

    def __init__(self, folder: Path | None) -> None:
        """They come from the file in `folder`; where there is none, or no good one, they are made."""
        self._path = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        known = self._read()
        self._known = _make_secret() if known is None else known
        if known is None:
            self._write()

    @property
    def pin(self) -> str:
        """The PIN as it is now."""
        return self._known[0]

    @property
    def key(self) -> str:
        """What sessions are signed with."""
        return self._known[1]

    def fits(self, told: str) -> bool:
        """Whether that is the PIN; takes as long whatever is told."""
        return secrets.compare_digest(told.encode(), self.pin.encode())

    def renew(self) -> str:
        """Give another PIN, which holds at once and is written soon: the loop waits for no disk."""
        before = self.pin
        while self.pin == before:
            self._known = _make_secret()
        threading.Thread(target=self._write, name="pin").start()
        return self.pin

    def _write(self) -> None:
        with self._lock:
            if self._path is None:
                return
            pin, key = self._known
            with contextlib.suppress(OSError):  # what cannot be made cannot be written into: that is told
                self._path.parent.mkdir(
                    mode=0o700, parents=True, exist_ok=True
                )  # the page is there before the journal
            try:
                data = f"{json.dumps({'pin': pin, 'key': key})}\n".encode()
                write_whole(self._path, data, "a place to write to", 0o600)
                self.trouble = None
            except BadInput as error:
                self.trouble = str(error)

    def _read(self) -> tuple[str, str] | None:
        if self._path is None:
            return None
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            told = json.loads(read_whole(self._path, MOST_BYTES, "the PIN"))
            pin, key = str(told["pin"]), str(told["key"])
            if re.fullmatch(rf"[0-9]{{{DIGITS}}}", pin) and re.fullmatch(r"[0-9a-f]{64}", key):
                self._path.chmod(0o600)
                return pin, key
        return None


def _make_secret() -> tuple[str, str]:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", secrets.token_hex(32)
