"""The PIN, the secret that sessions are signed with, and the sessions: who has told the PIN, in a signed cookie.

PIN and secret are in a file beside the journal; of sessions nothing is kept here.
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
"""The digits of a PIN that is made up: a million, tried at the rate that `sign_in.py` allows."""
MOST_BYTES = 10_000
"""The largest file of secrets that is read."""
COOKIE = "referee"
LASTS_S = 30 * 86_400
LONGEST_COOKIE = 200


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


class _Signer(TimestampSigner):
    def __init__(self, key: str, now: Callable[[], float]) -> None:
        super().__init__(key, salt="page", digest_method=hashlib.sha256)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now())


class Sessions:
    """Begins sessions, and knows them again."""

    def __init__(self, secret: Secret, now: Callable[[], float] = time.time) -> None:
        """`now` is the clock of the wall: sessions outlast the program."""
        self._secret, self._now = secret, now

    @property
    def epoch(self) -> object:
        """Another one once all sessions have ended."""
        return self._secret.key

    def begin(self) -> str:
        """A cookie for somebody new."""
        return self._signer().sign(secrets.token_urlsafe(12)).decode()

    def session_in(self, cookie: str) -> str | None:
        """The session of a cookie; None where it was forged, has ended or is none.

        A clock that was set back ends no session.
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
