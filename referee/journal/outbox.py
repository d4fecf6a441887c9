"""The outbox: which rows of the journal are sent to the club, and in which order.

1. A row is entered in the same transaction that stores it. So nothing is sent that is not in the journal, and nothing
   in the journal is left out.
2. Sequence numbers count from 1, without gaps. They are valid within one epoch only: a journal that is new, or was
   rebuilt from a damaged one, has another epoch.
3. When the club is switched on, those rows of a match that goes on are entered that are missing; rows of other matches
   are not.

Entries are never removed, so that a receiver can ask for missed entries at any time.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee.journal.reading import read_only, translate_errors
from referee.journal.rows import GIVEN_UP, Row
from referee.journal.schema import OUTBOX_SINCE, version_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the journal and its number in the outbox."""

    seq: int
    row: Row


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Some entries in order, the number `last` of the last entry of all, and the epoch in which the numbers count."""

    epoch: str
    last: int
    entries: tuple[Entry, ...] = ()


def switch(connection: sqlite3.Connection, *, on: bool, going: Sequence[Row] = ()) -> None:
    """Switch the entering of rows on or off, within a transaction.

    `going` are the rows of a match that goes on.
    """
    if not on:
        connection.execute("UPDATE club SET telling = 0")
        return
    connection.execute("INSERT INTO club VALUES (1, ?, 1) ON CONFLICT DO UPDATE SET telling = 1", (uuid.uuid4().hex,))
    if going:
        found = connection.execute("SELECT max(number) FROM outbox WHERE match = ?", (going[0].match,)).fetchone()[0]
        for row in going:
            if found is None or row.number > found:
                enter(connection, row)


def enter(connection: sqlite3.Connection, row: Row) -> None:
    """Enter a row that is stored in the same transaction, if the club is switched on."""
    connection.execute(
        "INSERT INTO outbox SELECT coalesce((SELECT max(seq) FROM outbox), 0) + 1, ?, ? FROM club WHERE telling = 1",
        (row.match, row.number),
    )


def is_enabled(connection: sqlite3.Connection) -> bool:
    """Return whether rows are entered."""
    return connection.execute("SELECT 1 FROM club WHERE telling = 1").fetchone() is not None


def read_outgoing(path: Path, after: int, most: int) -> Outgoing | None:
    """Return the first `most` entries after the number `after`; None while the club is switched off.

    A referee may be running. Raises JournalError, or NewerJournal.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        if version_of(connection) < OUTBOX_SINCE:
            return None
        connection.execute("BEGIN")  # so that all is read as of one moment
        club = connection.execute("SELECT epoch FROM club WHERE telling = 1").fetchone()
        if club is None:
            return None
        last = connection.execute("SELECT coalesce(max(seq), 0) FROM outbox").fetchone()[0]
        found = connection.execute(_ENTRIES, (after, most)).fetchall()
    return Outgoing(str(club[0]), int(last), tuple(Entry(seq, Row(*values)) for seq, *values in found))


def position(path: Path, match: int | None, number: int) -> int:
    """Return the number of the last entry that belongs to the state after event `number` of a match; 0 if none does.

    Without a match, return the number of the last entry of all.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        if match is None:
            found = connection.execute("SELECT max(seq) FROM outbox").fetchone()
        else:
            found = connection.execute(_POSITION, (match, match, number)).fetchone()
    return 0 if found is None or found[0] is None else int(found[0])


def newest_matches(path: Path, most: int) -> list[int]:
    """Return the matches of the newest entries, at most `most` of them, the newest first.

    Raises JournalError, or NewerJournal.
    """
    found: dict[int, None] = {}
    with translate_errors(path), closing(read_only(path)) as connection:
        for (match,) in connection.execute("SELECT match FROM outbox ORDER BY seq DESC"):
            found[match] = None
            if len(found) == most:
                break
    return list(found)


def matches_changed(path: Path, after: int) -> list[int]:
    """Return the matches whose results may have been changed by entries after the number `after`.

    Raises the same errors as `newest_matches`.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        found = connection.execute(f"SELECT DISTINCT o.match {_RESULTS} AND o.seq > ?", (GIVEN_UP, after)).fetchall()
    return [int(match) for (match,) in found]


def result_entries(path: Path, match: int) -> Outgoing:
    """Return the entries of a match that may have changed its result, in order.

    Raises the same errors as `newest_matches`.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        connection.execute("BEGIN")  # so that all is read as of one moment
        epoch, last = connection.execute(_OUTBOX).fetchone() or ("", 0)
        found = connection.execute(
            f"SELECT o.seq, {_COLUMNS} {_RESULTS} AND o.match = ? ORDER BY o.seq", (GIVEN_UP, match)
        ).fetchall()
    return Outgoing(str(epoch), int(last or 0), tuple(Entry(seq, Row(*values)) for seq, *values in found))


_OUTBOX = "SELECT epoch, (SELECT max(seq) FROM outbox) FROM club"
_COLUMNS = "e.match, e.number, e.t, e.wall, e.kind, e.body, e.score, e.sum"
# The outbox is read first (CROSS JOIN): its only order is its own, and rows of the journal are found by number.
_RESULTS = """
    FROM outbox o CROSS JOIN events e ON e.match = o.match AND e.number = o.number
    WHERE (e.score IS NOT NULL OR e.kind = ?)
"""
_ENTRIES = f"""
    SELECT o.seq, {_COLUMNS}
    FROM outbox o JOIN events e ON e.match = o.match AND e.number = o.number
    WHERE o.seq > ? ORDER BY o.seq LIMIT ?
"""  # noqa: S608 - made of our own words only
_POSITION = """
    SELECT seq FROM outbox WHERE NOT (match > ? OR (match = ? AND number > ?)) ORDER BY seq DESC LIMIT 1
"""
