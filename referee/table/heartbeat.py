"""What is due every so often: the journal keeps the clock that runs, and the service hears that the loop turns."""

from __future__ import annotations

import math
from collections.abc import Iterator

from referee.devices.service import Service
from referee.table.session import MatchTime, Session

BEAT_S = 1.0


class Heartbeat:
    """Signs of life. None goes to the service while a job hangs, so that its watchdog starts the referee anew."""

    def __init__(self, session: Session, time: MatchTime, service: Service) -> None:
        self._session, self._time, self._service = session, time, service
        self._beat = self._alive = -math.inf
        self.writes = False
        """Whether the journal keeps the clock just now, which nobody waits for."""

    def beat(self, now: float, *, hangs: bool) -> None:
        """Do what is due at `now`, monotonic."""
        t = self._time.at(now)
        if self._beats() and t - self._beat >= BEAT_S:
            self._beat = t
            self.writes = True
            try:
                self._session.journal.beat(t)
            finally:
                self.writes = False
        self.alive(now, hangs=hangs)

    def alive(self, now: float, *, hangs: bool) -> None:
        """The sign of life alone: also while the journal waits for its disk."""
        every = self._service.alive_every_s
        if every is not None and not hangs and now - self._alive >= every:
            self._alive = now
            self._service.alive()

    def beats_due(self, *, hangs: bool) -> Iterator[float]:
        """The moments, monotonic, at which `beat` has something to do."""
        if self._beats():
            yield self._time.monotonic(self._beat + BEAT_S)
        if self._service.alive_every_s is not None and not hangs:
            yield self._alive + self._service.alive_every_s

    def _beats(self) -> bool:
        """Whether the journal is to be called every second: to keep a running clock, or to try a disk in trouble."""
        return self._session.state.clock.running or self._session.journal.trouble is not None
