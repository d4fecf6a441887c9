"""What was asked for, and whether it was allowed. Pure but for a lock: the time is passed in as a monotonic clock."""

from __future__ import annotations

import enum
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

WAITS_S, LASTS_S = 75.0, 120.0
"""Seconds for a press, a little longer than the loop waits; and for using what it has allowed. Chosen by hand."""
MOST = 50


class Action(enum.StrEnum):
    """What must be allowed."""

    BACKUP = "backup"
    HELP = "help"
    PANEL = "panel"
    """To do without the real buttons."""
    PIN = "pin"
    POWER = "power"
    RESET = "reset"
    RESTORE = "restore"
    UPDATE = "update"
    WIFI = "wifi"


@dataclass(slots=True)
class _Asked:
    action: Action
    session: str
    until: float
    allowed: bool | None = None


class Confirmations:
    """Each is for one action of one session, and is used once. Its id is the secret of whoever has asked."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._lock = now, threading.Lock()
        self._asked: dict[str, _Asked] = {}

    def begin(self, action: Action, session: str) -> str:
        """Note that something is asked for, and return its id."""
        now, name = self._now(), secrets.token_urlsafe(18)
        with self._lock:
            kept = [(key, one) for key, one in self._asked.items() if one.until > now]
            self._asked = {**dict(kept[-MOST + 1 :]), name: _Asked(action, session, now + WAITS_S)}
        return name

    def answer(self, name: str, *, allowed: bool) -> None:
        """Note whether it was allowed; may be called in any thread."""
        with self._lock:
            asked = self._asked.get(name)
            if asked is not None and asked.allowed is None:
                asked.allowed = allowed and asked.until > self._now()
                asked.until = self._now() + LASTS_S

    def state(self, name: str, session: str) -> bool | None:
        """Return whether it was allowed; None while it waits. What is over, or not of this session, was not."""
        with self._lock:
            asked = self._find(name, session)
            return False if asked is None else asked.allowed

    def take(self, name: str, action: Action, session: str) -> bool:
        """Use it: return whether this action of this session was allowed, and not used before."""
        with self._lock:
            asked = self._find(name, session)
            if asked is None or asked.action is not action or not asked.allowed:
                return False
            del self._asked[name]
            return True

    def _find(self, name: str, session: str) -> _Asked | None:
        asked = self._asked.get(name)
        if asked is None or asked.until <= self._now() or not secrets.compare_digest(asked.session, session):
            return None
        return asked
