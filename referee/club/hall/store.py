"""The hall's SQLite database: one result for each match, and every event of every table once.

Tables send results as documents. If a table of an earlier release sends none, or its events say more than its
document, the result is computed from the events (`result_after`). Only `newer_of` decides which of two results is
valid.
"""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from referee.club.hall.file import ROW_BYTES, migrate, transaction
from referee.club.hall.limits import KEPT_BYTES, LINES, MATCHES
from referee.club.hall.results import (
    MARK,
    Branch,
    KeptResult,
    MatchKey,
    line_number,
    line_of,
    merge,
    newer_of,
    result_after,
)
from referee.club.protocol import Event, Kind, MatchResult, decode_document, encode_document
from referee.club.protocol.facts import MatchStarted
from referee.journal.codec import PLAIN, codec_of

Document = Event | MatchResult

RENAMED, FORGOTTEN = "renamed", "forgotten"
"""Kinds of notes: a table got another name; the director wants a table hidden until it sends something again."""
LINES_AT_HAND, LONGEST_MATCH = 5000, 20_000
"""How many branches are cached, and how many events are searched for the beginning of a match. Chosen by hand."""


@dataclass(slots=True)
class Kept:
    """The outcome of storing some documents."""

    contradicted: set[str] = field(default_factory=set)
    """Tables that have sent an event or result that contradicts a stored one."""
    back: dict[tuple[str, str], int] = field(default_factory=dict)
    """The number of the last stored event by table and epoch, where the table must continue from an earlier number."""
    full: set[str] = field(default_factory=set)
    """Tables that have reached the limit; no more of them is stored."""


@dataclass(slots=True)
class _Batch:
    """The changes of one transaction; they are applied to the cached data after the commit."""

    received: str
    kept: Kept = field(default_factory=Kept)
    branches: dict[tuple[str, str], Branch] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    results: dict[MatchKey, KeptResult] = field(default_factory=dict)


class HallStore:
    """The hall's file; to be used in one thread. Raises sqlite3.Error if the disk cannot be read or written."""

    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")  # tables send again what is lost in a power cut
        migrate(self._db, path)
        self.changes = 0
        """How often the results have changed."""
        self._branches: dict[tuple[str, str], Branch] = {}
        self.sizes: dict[str, int] = dict(self._db.execute("SELECT tbl, bytes FROM sizes"))
        """How many bytes are stored of each table."""
        self._held: dict[str, deque[MatchKey]] = {}
        self.formerly: dict[str, tuple[str, ...]] = {}
        """The former names of each table, the oldest first."""
        self.forgotten: set[str] = set()
        """Tables that are not shown until they send something."""
        self.moved: set[tuple[str, str]] = set()
        """Former names of tables, each with the epoch that is now sent under another name."""
        self._read_notes()
        self.results: dict[MatchKey, KeptResult] = {}
        for row in self._db.execute(f"{_MATCHES} ORDER BY begun"):
            self._have_at_hand(_result(*row))

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of which anything is stored, except those that were forgotten."""
        return tuple(sorted(table for table, size in self.sizes.items() if size and table not in self.forgotten))

    def last(self, table: str, epoch: str) -> int:
        """Return the number of the last stored event of an epoch. Stored events are numbered without gaps."""
        return self._branch(table, epoch).last

    def keep(self, documents: Iterable[tuple[str, Document]], received: str) -> Kept:
        """Store events and results in one transaction. Each document comes with the name of its table.

        `received`: the present time of day, which is stored with the events.
        """
        batch = _Batch(received)
        with transaction(self._db):
            for table, one in documents:
                self._keep(table, one, batch)
            for table, size in batch.sizes.items():
                self._db.execute("INSERT OR REPLACE INTO sizes VALUES (?, ?)", (table, size))
        self._branches |= batch.branches
        self.sizes |= batch.sizes
        for result in batch.results.values():
            self._have_at_hand(result)
        self.changes += bool(batch.results)
        return batch.kept

    def _keep(self, table: str, told: Document, batch: _Batch) -> None:
        if isinstance(told, Event):
            self._keep_event(table, told, batch)
        else:
            self._offer(table, told, batch)

    def _offer(self, table: str, told: MatchResult, batch: _Batch, *, from_history: bool = False) -> None:
        """Store a result unless a newer one is stored; a contradicting one begins another line of its match."""
        branch = batch.branches.get((table, told.epoch)) or self._branch(table, told.epoch)
        lines, name = self._lines(table, told), branch.match(told.match)
        new = KeptResult.of_document(MatchKey(table, name, told.match), told, from_history=from_history)
        line = line_of(new, lines)
        if line is not None:
            held = newer_of(line, new)
            if held is not None and held != line:
                self._store_result(held, batch, limited=not from_history)
            return
        if lines:
            batch.kept.contradicted.add(table)
            if len(lines) > LINES:
                return
        if any(one.key.epoch == name for one in lines):
            number = max(branch.forks, *(line_number(one.key.epoch) for one in lines)) + 1
            new = replace(new, key=replace(new.key, epoch=f"{told.epoch}{MARK}{number}"))
        self._store_result(new, batch, limited=not from_history)

    def _lines(self, table: str, told: MatchResult) -> list[KeptResult]:
        """Return the stored results of the same match, the newest line first."""
        names = [told.epoch, *(f"{told.epoch}{MARK}{number}" for number in range(1, 2 * LINES + 2))]
        rows = self._db.execute(
            f"{_MATCHES} WHERE tbl = ? AND match = ? AND epoch IN ({', '.join('?' * len(names))})",
            (table, told.match, *names),
        )
        found = [_result(*row) for row in rows]
        return sorted(found, key=lambda one: line_number(one.key.epoch), reverse=True)

    def _store_result(self, result: KeptResult, batch: _Batch, *, limited: bool = False) -> None:
        """Write a row. With `limited`, write nothing if the limit for the table is exceeded."""
        key, body = result.key, encode_document(result.document()).decode()
        before = self._db.execute(
            "SELECT length(body) FROM matches WHERE tbl = ? AND epoch = ? AND match = ?",
            (key.table, key.epoch, key.match),
        ).fetchone()
        more = len(body) + ROW_BYTES if before is None else len(body) - int(before[0])
        size = self._size(key.table, batch) + more
        if limited and size > KEPT_BYTES:
            batch.kept.full.add(key.table)
            return
        self._db.execute(
            "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?)",
            (key.table, key.epoch, key.match, result.begun, body, int(result.from_history)),
        )
        batch.sizes[key.table], batch.results[key] = size, result

    def _size(self, table: str, batch: _Batch) -> int:
        """Return how many bytes are stored of a table."""
        return batch.sizes.get(table, self.sizes.get(table, 0))

    def _keep_event(self, table: str, event: Event, batch: _Batch) -> None:
        at, body = (table, event.epoch), encode_document(event)
        branch = batch.branches.get(at) or self._branch(*at)
        if event.seq > branch.last + 1:  # another branch has begun, and its events before this one are missing
            batch.kept.back[at] = branch.last
            return
        known = self._load_body(table, branch.name(event.seq), event.seq) if event.seq <= branch.last else None
        if known == body:
            return
        if known is not None:
            batch.kept.contradicted.add(table)
            if branch.forks >= LINES:
                return
        if self._size(table, batch) + len(body) + ROW_BYTES > KEPT_BYTES:
            batch.kept.full.add(table)
            return
        if known is not None:
            branch = self._fork(table, branch, event, batch)
        row = (table, branch.name(event.seq), event.seq, batch.received, body)
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
        batch.sizes[table] = self._size(table, batch) + len(body) + ROW_BYTES
        batch.branches[at] = branch.with_last(event.seq)
        if table in batch.kept.contradicted:
            batch.kept.back[at] = event.seq
        key = MatchKey(table, branch.match(event.match), event.match)
        before = batch.results.get(key, self.results.get(key))
        told = None if before is None else before.document()
        after = result_after(told, event)
        if after is not None and after is not told:
            self._offer(table, after, batch, from_history=True)

    def _fork(self, table: str, branch: Branch, event: Event, batch: _Batch) -> Branch:
        """Return the branch that begins with this event.

        The result of the match under way is computed from the events that both branches share.
        """
        match = max(event.match, self._match_before(table, branch, event.seq))
        found = branch.fork(event.epoch, event.seq, match)
        shared: list[Event] = []
        for seq in range(event.seq - 1, max(0, event.seq - LONGEST_MATCH), -1):
            one = self._event(table, branch, seq)
            if one is not None and one.match == match:
                shared.append(one)
                if any(isinstance(fact, MatchStarted) for fact in one.facts):
                    break
        key, result = MatchKey(table, found.match(match), match), None
        for one in reversed(shared):
            result = result_after(result, one)
        # The document of this result may have arrived before the events of this branch.
        if result is not None and key not in batch.results and key not in self.results:
            self._store_result(KeptResult.of_document(key, result, from_history=True), batch)
        return found

    def _match_before(self, table: str, branch: Branch, seq: int) -> int:
        """Return the match of the event before `seq`; 0 if there is none."""
        before = self._event(table, branch, seq - 1)
        return 0 if before is None else before.match

    def owner(self, epoch: str, table: str) -> str | None:
        """Return the table that has sent events of an epoch; if several have, the one whose event arrived last.

        If no table has sent events, return one other than `table` that has sent results.
        """
        found = self._db.execute(  # table by table, as the events are indexed, so that not all of them are read
            "SELECT tbl, (SELECT received FROM events WHERE events.tbl = sizes.tbl AND epoch = ? "
            "ORDER BY seq DESC LIMIT 1) AS newest FROM sizes WHERE newest IS NOT NULL ORDER BY newest DESC LIMIT 1",
            (epoch,),
        ).fetchone()
        if found is None:
            found = self._db.execute(
                "SELECT tbl FROM sizes WHERE tbl <> ? AND EXISTS "
                "(SELECT 1 FROM matches WHERE matches.tbl = sizes.tbl AND epoch = ?) LIMIT 1",
                (table, epoch),
            ).fetchone()
        return None if found is None else str(found[0])

    def rename(self, before: str, now: str, epoch: str, wall: str) -> None:
        """Move everything that is stored of a table in an epoch to another table.

        Events that both tables have sent are stored once. They must be the same; see `tell_the_same()`.
        """
        names = epoch, f"{epoch}{MARK}%"
        less = before if self.last(now, epoch) >= self.last(before, epoch) else now
        batch = _Batch(wall)
        with transaction(self._db):
            self._db.execute("DELETE FROM events WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", (less, *names))
            self._db.execute(
                "UPDATE events SET tbl = ? WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", (now, before, *names)
            )
            both = []
            for table in (before, now):
                rows = self._db.execute(f"{_MATCHES} WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", (table, *names))
                both.append([_result(*row) for row in rows])
                self._db.execute("DELETE FROM matches WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", (table, *names))
            for result in merge(now, *both):
                self._store_result(result, batch)
            for table in (before, now):
                self._db.execute(
                    "INSERT OR REPLACE INTO sizes SELECT ?, coalesce(sum(length(body) + ?), 0) FROM "
                    "(SELECT tbl, body FROM events UNION ALL SELECT tbl, body FROM matches) WHERE tbl = ?",
                    (table, ROW_BYTES, table),
                )
            self._note(RENAMED, wall, {"table": now, "was": before, "epoch": epoch})
        self.sizes = dict(self._db.execute("SELECT tbl, bytes FROM sizes"))
        self._branches.clear()
        for key in [key for key in self.results if key.table in (before, now)]:
            if key.epoch.partition(MARK)[0] == epoch:
                del self.results[key]
                self._held[key.table].remove(key)
        for result in sorted(batch.results.values(), key=lambda one: one.begun)[-MATCHES:]:
            self._have_at_hand(result)
        self._add_former_name(now, before, epoch)
        self.changes += 1

    def tell_the_same(self, one: str, other: str, epoch: str) -> bool:
        """Return whether all events of an epoch that both tables have sent are the same."""
        found = self._db.execute(
            "SELECT 1 FROM events a JOIN events b ON a.epoch = b.epoch AND a.seq = b.seq "
            "WHERE a.tbl = ? AND b.tbl = ? AND (a.epoch = ? OR a.epoch LIKE ?) AND a.body <> b.body LIMIT 1",
            (one, other, epoch, f"{epoch}{MARK}%"),
        ).fetchone()
        return found is None

    def forget(self, table: str, wall: str, *, gone: bool) -> None:
        """Store that a table is not to be shown until it sends something (`gone`), or that it is to be shown again."""
        with transaction(self._db):
            self._note(FORGOTTEN, wall, {"table": table, "gone": gone})
        (self.forgotten.add if gone else self.forgotten.discard)(table)

    def _note(self, kind: str, wall: str, body: dict[str, object]) -> None:
        self._db.execute("INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)", (kind, wall, json.dumps(body)))

    def _read_notes(self) -> None:
        rows = self._db.execute(
            "SELECT kind, body FROM notes WHERE kind IN (?, ?) ORDER BY number", (RENAMED, FORGOTTEN)
        )
        for kind, body in rows:
            told = json.loads(body)
            if kind == RENAMED:
                self._add_former_name(told["table"], told["was"], told["epoch"])
            else:
                (self.forgotten.add if told["gone"] else self.forgotten.discard)(told["table"])

    def _add_former_name(self, now: str, before: str, epoch: str) -> None:
        self.moved.discard((now, epoch))
        self.moved.add((before, epoch))
        names = (*self.formerly.pop(before, ()), before, *self.formerly.get(now, ()))
        self.formerly[now] = tuple(dict.fromkeys(name for name in names if name != now))

    def _branch(self, table: str, epoch: str) -> Branch:
        """Return the newest branch of an epoch, from the cache or the file."""
        found = self._branches.get((table, epoch))
        if found is None:
            found = Branch.first(epoch, self._newest(table, epoch))
            for name in self._forks(table, epoch):
                seq, body = self._db.execute(
                    "SELECT seq, body FROM events WHERE tbl = ? AND epoch = ? ORDER BY seq LIMIT 1", (table, name)
                ).fetchone()
                match = max(_event(body).match, self._match_before(table, found, seq))
                found = found.fork(epoch, seq, match).with_last(self._newest(table, name))
            self._branches[table, epoch] = found
            while len(self._branches) > LINES_AT_HAND:
                self._branches.pop(next(iter(self._branches)))
        return found

    def _forks(self, table: str, epoch: str) -> list[str]:
        """Return the names of all branches of an epoch after the first one, in order."""
        found: list[str] = []
        while self._newest(table, f"{epoch}{MARK}{len(found) + 1}"):
            found.append(f"{epoch}{MARK}{len(found) + 1}")
        return found

    def _newest(self, table: str, name: str) -> int:
        found = self._db.execute("SELECT max(seq) FROM events WHERE tbl = ? AND epoch = ?", (table, name)).fetchone()
        return int(found[0] or 0)

    def _have_at_hand(self, result: KeptResult) -> None:
        """Put a result into `results`; if there are too many of a table, its oldest one is removed."""
        key = result.key
        if key not in self.results:
            held = self._held.setdefault(key.table, deque())
            held.append(key)
            if len(held) > MATCHES:
                del self.results[held.popleft()]
        self.results[key] = result

    def events(self, table: str, epoch: str, since: int = 1, most: int = 1000) -> list[bytes]:
        """Return at most `most` stored events from number `since` on, in order, encoded as they came."""
        rows = self._db.execute(
            "SELECT body FROM events WHERE tbl = ? AND epoch = ? AND seq >= ? ORDER BY seq LIMIT ?",
            (table, epoch, since, most),
        )
        return [bytes(body) for (body,) in rows]

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _event(self, table: str, branch: Branch, seq: int) -> Event | None:
        body = self._load_body(table, branch.name(seq), seq) if seq > 0 else None
        return None if body is None else _event(body)

    def _load_body(self, table: str, name: str, seq: int) -> bytes | None:
        found = self._db.execute(
            "SELECT body FROM events WHERE tbl = ? AND epoch = ? AND seq = ?", (table, name, seq)
        ).fetchone()
        return None if found is None else bytes(found[0])


def _event(body: bytes) -> Event:
    return cast("Event", decode_document(Kind.EVENT, bytes(body)))


_MATCHES = "SELECT tbl, epoch, match, body, from_history FROM matches"


def _result(table: str, epoch: str, match: int, body: str, from_history: int) -> KeptResult:
    document = codec_of(MatchResult, PLAIN).read(json.loads(body))
    return KeptResult.of_document(MatchKey(table, epoch, match), document, from_history=bool(from_history))
