"""What the hall keeps: every event of every table once, and the results made of them, in a SQLite of its own."""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from referee.club.hall.branches import MARK, Branch
from referee.club.hall.limits import KEPT_BYTES, LINES, MATCHES
from referee.club.hall.results import MatchKey, MatchResult, Round, result_after
from referee.club.hall.transaction import transaction
from referee.club.protocol import Event, Kind, decode_document, encode_document
from referee.club.protocol.facts import MatchStarted
from referee.club.protocol.topics import VERSION as DOCUMENTS

VERSION = 2
_MARK = 0x48414C00
"""Says of a file that a hall made it; with the version."""
_TABLES = """
CREATE TABLE events (
    tbl TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, received TEXT NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (tbl, epoch, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE matches (
    tbl TEXT NOT NULL, epoch TEXT NOT NULL, match INTEGER NOT NULL, begun TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (tbl, epoch, match)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, wall TEXT NOT NULL, body TEXT NOT NULL) STRICT;
"""
_SIZES = "CREATE TABLE sizes (tbl TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID"
ROW_BYTES = 100
"""What a row costs beside its body."""
RENAMED, FORGOTTEN = "renamed", "forgotten"
"""Kinds of notes: a table has another name; the director does not want to see a table until it speaks again."""
LINES_AT_HAND, LONGEST_MATCH = 5000, 20_000
"""How many branches are remembered; that far back the beginning of a match is looked for."""


@dataclass(slots=True)
class Kept:
    """What became of events that were to be kept."""

    contradicted: set[str] = field(default_factory=set)
    """Tables that have told something else under a number than before."""
    back: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and epoch the last event that is kept, where that is an earlier one than was told."""
    full: set[str] = field(default_factory=set)
    """Tables of which no more is kept."""


@dataclass(slots=True)
class _Batch:
    """What a transaction changes."""

    received: str
    kept: Kept = field(default_factory=Kept)
    branches: dict[tuple[str, str], Branch] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    results: dict[MatchKey, MatchResult] = field(default_factory=dict)


class HallStore:
    """One file; for one thread. Raises sqlite3.Error where the disk does not take or give something."""

    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")  # what a cut costs the tables send again
        self._migrate(path)
        self.changes = 0
        """Counts changes of the results."""
        self._branches: dict[tuple[str, str], Branch] = {}
        self._sizes: dict[str, int] = dict(self._db.execute("SELECT tbl, bytes FROM sizes"))
        self._held: dict[str, deque[MatchKey]] = {}
        self.formerly: dict[str, tuple[str, ...]] = {}
        """By table the names that it had before, the oldest first."""
        self.forgotten: set[str] = set()
        """Tables that are not shown until they speak again."""
        self._read_notes()
        self.results: dict[MatchKey, MatchResult] = {}
        for row in self._db.execute("SELECT tbl, epoch, match, begun, body FROM matches ORDER BY begun"):
            result = _result(*row)
            self._result(result.key, result)

    def _migrate(self, path: Path | str) -> None:
        found, mark = (self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
        if found == VERSION and mark == _MARK + VERSION:
            return
        if found == 1 and mark == _MARK + 1:
            self._upgrade(_SIZES, "INSERT INTO sizes SELECT tbl, sum(length(body)) FROM events GROUP BY tbl")
            return
        if found or mark or self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise sqlite3.DatabaseError(
                f"expected the file of a hall of version {VERSION}, found another one ({path})"
            )
        self._upgrade(*(statement for statement in _TABLES.split(";\n") if statement.strip()), _SIZES)

    def _upgrade(self, *statements: str) -> None:
        """Bring the file to this version."""
        self._db.execute("BEGIN IMMEDIATE")
        for statement in statements:
            self._db.execute(statement)
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        self._db.execute(f"PRAGMA application_id = {_MARK + VERSION}")
        self._db.execute("COMMIT")

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of which events are kept, but for those that were forgotten."""
        return tuple(sorted(table for table, size in self._sizes.items() if size and table not in self.forgotten))

    def last(self, table: str, epoch: str) -> int:
        """The last event of an epoch that is kept. Events have no holes, so that is all."""
        return self._branch(table, epoch).last

    def keep(self, events: Iterable[tuple[str, Event]], received: str) -> Kept:
        """Keep events by table, each once, all or none."""
        batch = _Batch(received)
        with transaction(self._db):
            for table, event in events:
                self._keep(table, event, batch)
            for key, result in batch.results.items():
                self._db.execute(
                    "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?)",
                    (key.table, key.epoch, key.match, result.begun, _body(result)),
                )
            for table, size in batch.sizes.items():
                self._db.execute("INSERT OR REPLACE INTO sizes VALUES (?, ?)", (table, size))
        self._branches |= batch.branches
        self._sizes |= batch.sizes
        for key, result in batch.results.items():
            self._result(key, result)
        self.changes += bool(batch.results)
        return batch.kept

    def _keep(self, table: str, event: Event, batch: _Batch) -> None:
        at, body = (table, event.epoch), encode_document(event)
        branch = batch.branches.get(at) or self._branch(*at)
        if event.seq > branch.last + 1:  # behind what a branch that was left had come to
            batch.kept.back[at] = branch.last
            return
        known = self._stored_body(table, branch.name(event.seq), event.seq) if event.seq <= branch.last else None
        if known == body:
            return
        if known is not None:
            batch.kept.contradicted.add(table)
            if branch.forks >= LINES:
                return
        size = batch.sizes.get(table, self._sizes.get(table, 0)) + len(body) + ROW_BYTES
        if size > KEPT_BYTES:
            batch.kept.full.add(table)
            return
        if known is not None:
            branch = self._fork(table, branch, event, batch)
        row = (table, branch.name(event.seq), event.seq, batch.received, body)
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
        batch.sizes[table], batch.branches[at] = size, branch.with_last(event.seq)
        if table in batch.kept.contradicted:
            batch.kept.back[at] = event.seq
        key = MatchKey(table, branch.match(event.match), event.match)
        before = batch.results.get(key, self.results.get(key))
        after = result_after(before, key, event)
        if after is not None and after is not before:
            batch.results[key] = after

    def _fork(self, table: str, branch: Branch, event: Event, batch: _Batch) -> Branch:
        """The branch that begins with this event. A match under way goes on with what both branches have of it."""
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
            result = result_after(result, key, one)
        if result is not None:
            batch.results[key] = result
        return found

    def _match_before(self, table: str, branch: Branch, seq: int) -> int:
        """Which match was under way before that event."""
        before = self._event(table, branch, seq - 1)
        return 0 if before is None else before.match

    def owner(self, epoch: str) -> str | None:
        """The table that has told events of an epoch; the one of the newest event where several have."""
        found = self._db.execute(  # by table, as the events are ordered: nobody may make the hall read all of them
            "SELECT tbl, (SELECT received FROM events WHERE events.tbl = sizes.tbl AND epoch = ? "
            "ORDER BY seq DESC LIMIT 1) AS newest FROM sizes WHERE newest IS NOT NULL ORDER BY newest DESC LIMIT 1",
            (epoch,),
        ).fetchone()
        return None if found is None else str(found[0])

    def rename(self, before: str, now: str, epoch: str, wall: str) -> None:
        """Give all that a table has told in an epoch to another table.

        What that has told in it itself must be the same (`tell_the_same`): whatever both have told is kept once.
        """
        moves = now, before, epoch, f"{epoch}{MARK}%"
        less = before if self.last(now, epoch) >= self.last(before, epoch) else now
        with transaction(self._db):
            self._db.execute("DELETE FROM events WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", (less, *moves[2:]))
            self._db.execute("DELETE FROM matches WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", (less, *moves[2:]))
            self._db.execute("UPDATE events SET tbl = ? WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", moves)
            self._db.execute("UPDATE matches SET tbl = ? WHERE tbl = ? AND (epoch = ? OR epoch LIKE ?)", moves)
            for table in (before, now):
                self._db.execute(
                    "INSERT OR REPLACE INTO sizes "
                    "SELECT ?, coalesce(sum(length(body) + ?), 0) FROM events WHERE tbl = ?",
                    (table, ROW_BYTES, table),
                )
            self._note(RENAMED, wall, {"table": now, "was": before, "epoch": epoch})
        self._sizes = dict(self._db.execute("SELECT tbl, bytes FROM sizes"))
        self._branches.clear()
        told = {key: result for key, result in self.results.items()
                if key.table in (before, now) and key.epoch.partition(MARK)[0] == epoch}  # fmt: skip
        for key in told:
            del self.results[key]
            self._held[key.table].remove(key)
        for key, result in told.items():
            if key.table != less:
                other = replace(key, table=now)
                self._result(other, replace(result, key=other))
        self._add_former_name(now, before)
        self.changes += 1

    def tell_the_same(self, one: str, other: str, epoch: str) -> bool:
        """Whether no event of an epoch that both tables have told says different things."""
        found = self._db.execute(
            "SELECT 1 FROM events a JOIN events b ON a.epoch = b.epoch AND a.seq = b.seq "
            "WHERE a.tbl = ? AND b.tbl = ? AND (a.epoch = ? OR a.epoch LIKE ?) AND a.body <> b.body LIMIT 1",
            (one, other, epoch, f"{epoch}{MARK}%"),
        ).fetchone()
        return found is None

    def forget(self, table: str, wall: str, *, gone: bool) -> None:
        """Note that a table is not to be shown until it speaks again, or that it has spoken."""
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
                self._add_former_name(told["table"], told["was"])
            else:
                (self.forgotten.add if told["gone"] else self.forgotten.discard)(told["table"])

    def _add_former_name(self, now: str, before: str) -> None:
        names = (*self.formerly.pop(before, ()), before, *self.formerly.get(now, ()))
        self.formerly[now] = tuple(dict.fromkeys(name for name in names if name != now))

    def _branch(self, table: str, epoch: str) -> Branch:
        """The newest branch of an epoch, as it is kept."""
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
        """The names of the branches that left the first one of an epoch, in their order."""
        found: list[str] = []
        while self._newest(table, f"{epoch}{MARK}{len(found) + 1}"):
            found.append(f"{epoch}{MARK}{len(found) + 1}")
        return found

    def _newest(self, table: str, name: str) -> int:
        found = self._db.execute("SELECT max(seq) FROM events WHERE tbl = ? AND epoch = ?", (table, name)).fetchone()
        return int(found[0] or 0)

    def _result(self, key: MatchKey, result: MatchResult) -> None:
        """Have a result at hand; the oldest one of a table goes where it has too many."""
        if key not in self.results:
            held = self._held.setdefault(key.table, deque())
            held.append(key)
            if len(held) > MATCHES:
                del self.results[held.popleft()]
        self.results[key] = result

    def events(self, table: str, epoch: str, since: int = 1, most: int = 1000) -> list[bytes]:
        """Kept events as they came, in order."""
        rows = self._db.execute(
            "SELECT body FROM events WHERE tbl = ? AND epoch = ? AND seq >= ? ORDER BY seq LIMIT ?",
            (table, epoch, since, most),
        )
        return [bytes(body) for (body,) in rows]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _event(self, table: str, branch: Branch, seq: int) -> Event | None:
        body = self._stored_body(table, branch.name(seq), seq) if seq > 0 else None
        return None if body is None else _event(body)

    def _stored_body(self, table: str, name: str, seq: int) -> bytes | None:
        found = self._db.execute(
            "SELECT body FROM events WHERE tbl = ? AND epoch = ? AND seq = ?", (table, name, seq)
        ).fetchone()
        return None if found is None else bytes(found[0])


def _event(body: bytes) -> Event:
    return cast("Event", decode_document(Kind.EVENT, bytes(body)))


def _body(result: MatchResult) -> str:
    return json.dumps(
        {
            "version": DOCUMENTS,
            "rules": result.rules,
            "players": list(result.players),
            "planned": result.planned,
            "rounds": [[list(one.points), one.winner, one.corrected] for one in result.rounds],
            "winners": list(result.winners),
            "over": result.over,
            "given_up": result.given_up,
            "draw": result.draw,
        },
        ensure_ascii=False,
    )


def _result(table: str, epoch: str, match: int, begun: str, body: str) -> MatchResult:
    told = json.loads(body)
    rounds = tuple(Round(tuple(points), winner, corrected) for points, winner, corrected in told["rounds"])
    return MatchResult(
        MatchKey(table, epoch, match), begun, told["rules"], tuple(told["players"]), told["planned"], rounds,
        tuple(told["winners"]), told["over"], told["given_up"], told.get("draw"),
    )  # fmt: skip
