"""Changing to another Wi-Fi from the page: in a thread, because the phone that asked may lose the page meanwhile."""

from __future__ import annotations

import threading

from referee.devices.system.bus import NO_ANSWER
from referee.devices.system.network import Network
from referee.devices.thread import OneThread
from referee.game.notice import Notice


class Joining:
    """One change at a time; what became of the last one is kept for whoever opens the page next."""

    def __init__(self) -> None:
        self._lock, self._thread = threading.Lock(), OneThread("wifi")
        self._busy = False
        self._told: Notice | None = None

    @property
    def state(self) -> tuple[bool, Notice | None]:
        """Whether a change is under way, and what became of the last one; None if there was none."""
        with self._lock:
            return self._busy, self._told

    def begin(self, network: Network, name: str, password: str) -> bool:
        """Begin to change; return False if a change is still under way."""
        with self._lock:
            if self._busy:
                return False
            self._busy, self._told = True, None
        self._thread.submit(self._join, network, name, password)
        return True

    def _join(self, network: Network, name: str, password: str) -> None:
        told = NO_ANSWER
        try:
            told = network.join(name, password)
        finally:
            with self._lock:
                self._busy, self._told = False, told
