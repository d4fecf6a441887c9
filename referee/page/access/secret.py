"""The PIN, the key that signs sessions, and the sessions themselves.

The PIN and the key are in a file beside the journal. Sessions are not stored here: each is a signed cookie of a
browser in which the PIN was entered.

Sessions end after a time by a clock that nobody can set: that of the program, in seconds for which it has run. It
began at the wall clock's time when this file was made, and goes on with every start where it stopped. While the
machine is switched off, it stands still.
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
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from itsdangerous import BadSignature, TimestampSigner

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput

FILE = "page.json"
DIGITS = 6
"""Number of digits of a generated PIN. There are a million PINs; `sign_in.py` limits how fast they can be tried."""
PIN_FORM = re.compile(rf"[0-9]{{{DIGITS}}}")
LATEST_S = 2.0**40
"""A clock beyond this is no clock of ours."""
MOST_BYTES = 10_000
"""Size of the largest file that is read, in bytes."""
COOKIE = "referee"
LASTS_S = 30 * 86_400
LONGEST_COOKIE = 200
SAVED_EVERY_S = 3600.0
"""How often the clock of sessions is saved, so that a power cut prolongs none by more. Chosen by hand: memory cards
wear."""
AHEAD_S = 2 * SAVED_EVERY_S
"""A session may have begun this much later than the clock says, because a power cut set it back by an hour."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is in the file.

    `asks`: the page asks for the PIN although the settings do not, because somebody has set it on the page.
    `clock`: that of sessions, in seconds, when the file was written.
    """

    pin: str
    key: str
    asks: bool = False
    clock: float = 0.0


class Secret:
    """The PIN and the key that signs sessions. A new PIN has a new key, which ends all sessions."""

    trouble: str | None = None
    """Why the PIN could not be saved, so that it is valid until the program ends; None if it was saved."""

    def __init__(
        self,
        folder: Path | None,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Read the PIN and the key from the file in `folder`; if there is no valid file, generate them."""
        self._path = None if folder is None else folder / FILE
        self._lock, self._monotonic = threading.Lock(), monotonic
        self._begun = self._saved = monotonic()
        known = self._read(wall())
        self._known = replace(_make_secret(), clock=wall()) if known is None else known
        self._clock_before = self._known.clock
        if known is None:
            self._write()

    @property
    def pin(self) -> str:
        """The current PIN."""
        return self._known.pin

    @property
    def key(self) -> str:
        """The key that sessions are signed with."""
        return self._known.key

    @property
    def asks(self) -> bool:
        """Whether somebody has set the PIN on the page, which asks for it from then on."""
        return self._known.asks

    def clock(self) -> float:
        """Return the time of the clock of sessions, in seconds; from time to time it is saved."""
        now = self._monotonic()
        if now - self._saved >= SAVED_EVERY_S:
            self._saved = now
            self._save()
        return self._clock_before + now - self._begun

    def fits(self, told: str) -> bool:
        """Return whether this is the PIN; the time that this takes reveals nothing about the PIN."""
        return secrets.compare_digest(told.encode(), self.pin.encode())

    def renew(self) -> str:
        """Choose a new PIN, which is valid at once, and return it.

        It is saved in another thread, so that the event loop does not wait for the disk.
        """
        before = self.pin
        while self.pin == before:
            self._known = replace(_make_secret(), asks=self.asks)
        self._save()
        return self.pin

    def choose(self, pin: str) -> None:
        """Use a PIN that somebody has chosen, which the page asks for from now on; this ends all sessions."""
        self._known = _Known(pin, _make_secret().key, asks=True)
        self._save()

    def stop_asking(self) -> None:
        """No longer ask for the PIN that was set on the page; this ends all sessions."""
        self._known = _make_secret()
        self._save()

    def _save(self) -> None:
        threading.Thread(target=self._write, name="pin").start()

    def _write(self) -> None:
        with self._lock:
            if self._path is None:
                return
            known = replace(self._known, clock=self._clock_before + self._monotonic() - self._begun)
            with contextlib.suppress(OSError):  # then write_whole() below fails, and reports it
                self._path.parent.mkdir(
                    mode=0o700, parents=True, exist_ok=True
                )  # the page is there before the journal
            try:
                data = f"{json.dumps(asdict(known))}\n".encode()
                write_whole(self._path, data, "a place to write to", 0o600)
                self.trouble = None
            except BadInput as error:
                self.trouble = str(error)

    def _read(self, wall: float) -> _Known | None:
        if self._path is None:
            return None
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            told = json.loads(read_whole(self._path, MOST_BYTES, "the PIN"))
            pin, key, clock = str(told["pin"]), str(told["key"]), float(told.get("clock", wall))
            if PIN_FORM.fullmatch(pin) and re.fullmatch(r"[0-9a-f]{64}", key) and 0 <= clock < LATEST_S:
                self._path.chmod(0o600)
                return _Known(pin, key, told.get("asks") is True, clock)
        return None


def _make_secret() -> _Known:
    return _Known(f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", secrets.token_hex(32))


class _Signer(TimestampSigner):
    def __init__(self, key: str, now: Callable[[], float]) -> None:
        super().__init__(key, salt="page", digest_method=hashlib.sha256)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now())


class Sessions:
    """Begins sessions, and recognises them by their cookies."""

    def __init__(self, secret: Secret, now: Callable[[], float] | None = None) -> None:
        """`now` returns the time in seconds by a clock that outlasts the program; None: that of the secret."""
        self._secret, self._now = secret, now or secret.clock

    @property
    def epoch(self) -> object:
        """A value that changes when all sessions end."""
        return self._secret.key

    def begin(self) -> str:
        """Return the cookie of a new session."""
        return self._signer().sign(secrets.token_urlsafe(12)).decode()

    def session_in(self, cookie: str) -> str | None:
        """Return the session of a cookie; None if the cookie is empty, forged or expired.

        One that begins in the future comes from a file that was restored, and would last for ever.
        """
        if not cookie or len(cookie) > LONGEST_COOKIE:
            return None
        try:
            session, begun = self._signer().unsign(cookie, return_timestamp=True)
        except BadSignature:
            return None
        return session.decode() if -AHEAD_S <= self._now() - begun.timestamp() <= LASTS_S else None

    def _signer(self) -> _Signer:
        return _Signer(self._secret.key, self._now)
