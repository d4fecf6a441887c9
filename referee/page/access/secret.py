"""The PIN, the key that signs sessions, and the sessions themselves.

The PIN and the key are in a file beside the journal. Sessions are not stored here: each is a signed cookie of a
browser in which the PIN was entered.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

from itsdangerous import BadSignature, TimestampSigner

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput

FILE = "page.json"
DIGITS = 6
"""Number of digits of a generated PIN. There are a million PINs; `sign_in.py` limits how fast they can be tried."""
MOST_BYTES = 10_000
"""Size of the largest file that is read, in bytes."""
COOKIE = "referee"
LASTS_S = 30 * 86_400
LONGEST_COOKIE = 200


class Secret:
    """The PIN and the key that signs sessions. A new PIN has a new key, which ends all sessions."""

    trouble: str | None = None
    """Why the PIN could not be saved, so that it is valid until the program ends; None if it was saved."""

    def __init__(self, folder: Path | None) -> None:
        """Read the PIN and the key from the file in `folder`; if there is no valid file, generate them."""
        self._path = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        known = self._read()
        self._known = _make_secret() if known is None else known
        if known is None:
            self._write()

    @property
    def pin(self) -> str:
        """The current PIN."""
        return self._known[0]

    @property
    def key(self) -> str:
        """The key that sessions are signed with."""
        return self._known[1]

    def fits(self, told: str) -> bool:
        """Return whether this is the PIN; the time that this takes reveals nothing about the PIN."""
        return secrets.compare_digest(told.encode(), self.pin.encode())

    def renew(self) -> str:
        """Choose a new PIN, which is valid at once, and return it.

        It is saved in another thread, so that the event loop does not wait for the disk.
        """
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
            with contextlib.suppress(OSError):  # then write_whole() below fails, and reports it
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


class _Signer(TimestampSigner):
    def __init__(self, key: str, now: Callable[[], float]) -> None:
        super().__init__(key, salt="page", digest_method=hashlib.sha256)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now())


class Sessions:
    """Begins sessions, and recognises them by their cookies."""

    def __init__(self, secret: Secret, now: Callable[[], float] = time.time) -> None:
        """`now` returns the wall-clock time in seconds, because sessions outlast the program."""
        self._secret, self._now = secret, now

    @property
    def epoch(self) -> object:
        """A value that changes when all sessions end."""
        return self._secret.key

    def begin(self) -> str:
        """Return the cookie of a new session."""
        return self._signer().sign(secrets.token_urlsafe(12)).decode()

    def session_in(self, cookie: str) -> str | None:
        """Return the session of a cookie; None if the cookie is empty, forged or expired.

        Setting the clock back ends no session.
        """
        if not cookie or len(cookie) > LONGEST_COOKIE:
            return None
        try:
            session, begun = self._signer().unsign(cookie, return_timestamp=True)
        except BadSignature:
            return None
        return session.decode() if self._now() - begun.timestamp() <= LASTS_S else None

    def _signer(self) -> _Signer:
        return _Signer(self._secret.key, self._now)
