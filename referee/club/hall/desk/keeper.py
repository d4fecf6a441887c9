"""Keeps the director's desk in the hall's file: every change is on the disk before it takes effect.

All changes are made in one thread, one after the other, so neither the page nor the broker waits for the disk. Both
read `facts`, one frozen value, in their own threads.

A clock that runs when the hall ends counts on: the tables go on counting in the meantime, and so do the people in the
hall. At the next start the rest follows from the time of day. If that has gone back, as on a machine that lost its
clock, the clock continues with what was left when it was last stored, which happens every `BEAT_S` seconds.
Announcements count on in the same way, each until its own time is over.
"""

from __future__ import annotations

import json
import sqlite3
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from referee.club.hall.desk.announcements import MOST_SENT, SentAnnouncement, with_sent, with_withdrawal
from referee.club.hall.desk.rounds import follow_round
from referee.club.hall.desk.state import Change, DeskState, RoundNow, finish, hear_call
from referee.club.hall.file import connect_for_notes, transaction
from referee.club.protocol.documents import DirectorCall
from referee.devices.thread import OneThread
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.codec import PLAIN, codec_of

KIND = "desk"
"""The kind of the note with the desk in the hall's file; there is one at most."""
BEAT_S = 10.0
"""Seconds between two times that a running clock is stored. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Announced:
    """An announcement: its id in the commands to the tables, its text, when it was sent, and to which tables."""

    id: str
    text: str
    t: float
    """A moment of the monotonic clock, which may be before the hall was started anew."""
    tables: tuple[str, ...]
    until: float = 0.0
    """The moment of the monotonic clock until which it is shown."""
    for_all: bool = False
    """Whether it is for everybody, so that the pages of all players show it."""

    def is_shown(self, t: float, table: str | None) -> bool:
        """Return whether the page of a player shows it at the moment `t`; `table` is their table of the hall."""
        return t < self.until and (self.for_all or table in self.tables)


@dataclass(frozen=True, slots=True)
class DeskFacts:
    """Everything that the pages and the tables are told of the desk; `zero` turns times of day into monotonic ones."""

    state: DeskState = field(default_factory=DeskState)
    zero: float = 0.0
    """The time of day, in seconds since 1970, at which the monotonic clock was 0."""
    announced: tuple[Announced, ...] = ()
    """The oldest first: all whose time was not over when the last one was sent or withdrawn, or the hall started."""


@dataclass(frozen=True, slots=True)
class _KeptAnnouncement:
    """An announcement as it is stored: sent `ago` seconds before, and shown for `left` seconds more."""

    id: str
    text: str
    tables: tuple[str, ...]
    for_all: bool
    ago: float
    left: float


@dataclass(frozen=True, slots=True)
class _Kept:
    """The desk as it is stored: of a running clock, what was `left` at the time of day `wall`."""

    state: DeskState
    wall: float
    shown: tuple[_KeptAnnouncement, ...] = ()
    """The announcements whose time was not over, the oldest first."""


class DeskKeeper:
    """The director's desk in the hall's file, which must exist."""

    def __init__(
        self, path: Path | str, wall: Callable[[], float] = time.time, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Read the desk; raises sqlite3.Error if that fails. `wall` is the time of day in seconds since 1970."""
        self._wall, self._now = wall, now
        self.news: Callable[[], None] = lambda: None
        """Called in the keeper's thread when `facts` have changed."""
        self._db = connect_for_notes(path)
        self._stored_at = now()
        state, announced = self._load()
        self.facts = DeskFacts(state, wall() - now(), announced)
        self._thread = OneThread("desk")

    def change(self, change: Change) -> Future[None]:
        """Make a change of the director; its future raises BadInput if that is refused, or cannot be stored."""
        return self._thread.submit(self._change, change)

    def hear(self, table: str, told: DirectorCall) -> None:
        """Note whether a table calls; may be called in any thread."""
        self._thread.submit(self._hear, table, told)

    def phone(self, change: Callable[[DeskState, float], DeskState]) -> Future[None]:
        """Make a change that came from somebody's phone; like `change()`, but it is given the time of day."""
        return self._thread.submit(self._change, lambda state, _: change(state, self._wall()))

    def finish_call(self, call: str) -> Future[None]:
        """Close a call; like `change()`."""
        return self._thread.submit(self._change, finish(call, self._wall()))

    def follow(self, now: RoundNow | None) -> None:
        """Let the clock follow the rounds of the tournament; may be called in any thread."""
        self._thread.submit(self._follow, now)

    def announce(self, told: Announced) -> Future[None]:
        """Keep an announcement, which is shown with those whose time is not over; like `change()`."""
        return self._thread.submit(self._announce, told)

    def withdraw_announcement(self, announcement: str) -> Future[None]:
        """Remove an announcement by its id; like `change()`. Refused if it is over or was withdrawn."""
        return self._thread.submit(self._withdraw_announcement, announcement)

    def beat(self) -> None:
        """Store a running clock now and then; may be called in any thread, at any time."""
        if self.facts.state.clock is not None and self._now() - self._stored_at >= BEAT_S:
            self._stored_at = self._now()
            self._thread.submit(self._beat)

    def close(self) -> None:
        """Store the desk, and end the thread."""
        self._thread.submit(self._beat)
        self._thread.shutdown()
        if not self._thread.hangs:
            self._db.close()

    def _change(self, change: Change) -> None:
        state = change(self.facts.state, self._now())
        self._store_or_refuse(state, self.facts.announced)
        self._publish(state)

    def _announce(self, told: Announced) -> None:
        wall, now = self._wall(), self._now()
        one = SentAnnouncement(
            told.id, told.text, wall, len(told.tables), told.for_all, until=wall + max(0.0, told.until - now)
        )
        self._keep_announced((*self._shown(), told)[-MOST_SENT:], with_sent(self.facts.state.sent, one))

    def _shown(self) -> tuple[Announced, ...]:
        now = self._now()
        return tuple(one for one in self.facts.announced if now < one.until)

    def _keep_announced(self, announced: tuple[Announced, ...], sent: tuple[SentAnnouncement, ...]) -> None:
        state = replace(self.facts.state, sent=sent)
        self._store_or_refuse(state, announced)
        self.facts = replace(self.facts, state=state, announced=announced)
        self.news()

    def _withdraw_announcement(self, announcement: str) -> None:
        shown = self._shown()
        others = tuple(one for one in shown if one.id != announcement)
        if others == shown:
            raise BadInput(Notice("desk.announcement_is_over"))
        self._keep_announced(others, with_withdrawal(self.facts.state.sent, announcement))

    def _store_or_refuse(self, state: DeskState, announced: tuple[Announced, ...]) -> None:
        try:
            self._store(state, announced)
        except sqlite3.Error as error:
            raise BadInput(Notice("director.not_kept", reason=str(error))) from error

    def _hear(self, table: str, told: DirectorCall) -> None:
        state = hear_call(self.facts.state, table, told.call, self._wall())
        if state == self.facts.state:
            return
        try:
            self._store(state, self.facts.announced)
        except sqlite3.Error as error:  # people wait there, and the table sends it again
            traceback.print_exception(error)
        self._publish(state)

    def _follow(self, now: RoundNow | None) -> None:
        state = follow_round(self.facts.state, now, self._now())
        if state == self.facts.state:
            return
        try:
            self._store(state, self.facts.announced)
        except sqlite3.Error as error:  # the round goes on all the same
            traceback.print_exception(error)
        self._publish(state)

    def _beat(self) -> None:
        clock = self.facts.state.clock
        if clock is not None and clock.since is not None:
            try:
                self._store(self.facts.state, self.facts.announced)
            except sqlite3.Error as error:  # the next one tries again
                traceback.print_exception(error)

    def _store(self, state: DeskState, announced: tuple[Announced, ...]) -> None:
        self._stored_at = now = self._now()
        clock = state.clock
        if clock is not None:
            since = None if clock.since is None else 0.0  # only whether it runs matters in the file
            state = replace(state, clock=replace(clock, left=clock.left_at(now), since=since))
        kept = _Kept(state, self._wall(), _stored(announced, now))
        body = json.dumps(_CODEC.write(kept), separators=(",", ":"))
        stamp = datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="milliseconds")
        with transaction(self._db):
            self._db.execute("DELETE FROM notes WHERE kind = ?", (KIND,))
            self._db.execute("INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)", (KIND, stamp, body))

    def _load(self) -> tuple[DeskState, tuple[Announced, ...]]:
        """Return what was stored, with moments of the present monotonic clock."""
        row = self._db.execute("SELECT body FROM notes WHERE kind = ?", (KIND,)).fetchone()
        if row is None:
            return DeskState(), ()
        try:
            kept: _Kept = _CODEC.read(json.loads(row[0]))
        except ValueError as error:  # written by another version: calls are sent again by their tables
            traceback.print_exception(error)
            return DeskState(), ()
        now, away = self._now(), max(0.0, self._wall() - kept.wall)
        announced = _restored(kept.shown, now - away, now)
        clock = kept.state.clock
        if clock is None or clock.since is None:
            return kept.state, announced
        left = max(0.0, clock.left - away)
        return replace(kept.state, clock=replace(clock, left=left, since=now, counted_on=True)), announced

    def _publish(self, state: DeskState) -> None:
        if state != self.facts.state:
            self.facts = replace(self.facts, state=state)
            self.news()


def _stored(announced: tuple[Announced, ...], now: float) -> tuple[_KeptAnnouncement, ...]:
    """Return the announcements as they are stored at the moment `now`, without those whose time is over."""
    return tuple(
        _KeptAnnouncement(one.id, one.text, one.tables, one.for_all, max(0.0, now - one.t), left=one.until - now)
        for one in announced
        if now < one.until
    )


def _restored(kept: tuple[_KeptAnnouncement, ...], stored_at: float, now: float) -> tuple[Announced, ...]:
    """Return the announcements that were stored at a moment of the present monotonic clock, if they are not over."""
    return tuple(
        Announced(one.id, one.text, stored_at - one.ago, one.tables, stored_at + one.left, one.for_all)
        for one in kept
        if now < stored_at + one.left
    )


_CODEC = codec_of(_Kept, PLAIN)
