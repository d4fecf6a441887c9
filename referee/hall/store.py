"""What the hall keeps: every event of every table once, and the results made of them, in a SQLite of its own."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from referee.club import Event, encoded
from referee.club.topics import VERSION as DOCUMENTS
from referee.hall.results import MatchKey, MatchResult, Round, result_after

VERSION = 1
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


class HallStore:
    """One file; for one thread. Raises sqlite3.Error where the disk does not take or give something."""

    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")  # what a cut costs the tables send again
        self._migrate(path)
        self.changes = 0
        """Counts changes of the results."""
        self.results: dict[MatchKey, MatchResult] = {
            (result := _result(*row)).key: result
            for row in self._db.execute("SELECT tbl, epoch, match, begun, body FROM matches ORDER BY begun")
        }

    def _migrate(self, path: Path | str) -> None:
        found, mark = (self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
        if found == VERSION and mark == _MARK + VERSION:
            return
        if found or mark or self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise sqlite3.DatabaseError(
                f"expected the file of a hall of version {VERSION}, found another one ({path})"
            )
        self._db.execute("BEGIN IMMEDIATE")
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                self._db.execute(statement)
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        self._db.execute(f"PRAGMA application_id = {_MARK + VERSION}")
        self._db.execute("COMMIT")

    def last(self) -> dict[str, dict[str, int]]:
        """By table and epoch the last event that is kept. Events have no holes, so that is all."""
        found: dict[str, dict[str, int]] = {}
        for table, epoch, seq in self._db.execute("SELECT tbl, epoch, max(seq) FROM events GROUP BY tbl, epoch"):
            found.setdefault(table, {})[epoch] = seq
        return found

    def keep(self, events: Iterable[tuple[str, Event]], received: str) -> list[str]:
        """Keep events by table, each once, all or none; gives the tables with one that contradicts a kept one."""
        contradicted, changed = [], dict[MatchKey, MatchResult]()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for table, event in events:
                body = encoded(event)
                added = self._db.execute(
                    "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)",
                    (table, event.epoch, event.seq, received, body),
                ).rowcount
                if not added:
                    if self._body(table, event) != body:
                        contradicted.append(table)
                    continue
                key = MatchKey(table, event.epoch, event.match)
                before = changed.get(key, self.results.get(key))
                after = result_after(before, key, event)
                if after is not None and after is not before:
                    changed[key] = after
            for key, result in changed.items():
                self._db.execute(
                    "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?)",
                    (key.table, key.epoch, key.match, result.begun, _body(result)),
                )
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self.results |= changed
        self.changes += bool(changed)
        return contradicted

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

    def _body(self, table: str, event: Event) -> bytes:
        found = self._db.execute(
            "SELECT body FROM events WHERE tbl = ? AND epoch = ? AND seq = ?", (table, event.epoch, event.seq)
        ).fetchone()
        return bytes(found[0])


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
