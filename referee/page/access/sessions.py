"""Sessions: who has told the PIN, in a signed cookie. Nothing of them is kept here."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable

from itsdangerous import BadSignature, TimestampSigner

from referee.page.access.secret import Secret

COOKIE = "referee"
LASTS_S = 30 * 86_400
LONGEST = 200


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
        if not cookie or len(cookie) > LONGEST:
            return None
        try:
            session, begun = self._signer().unsign(cookie, return_timestamp=True)
        except BadSignature:
            return None
        return session.decode() if self._now() - begun.timestamp() <= LASTS_S else None

    def _signer(self) -> _Signer:
        return _Signer(self._secret.key, self._now)
