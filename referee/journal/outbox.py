"""The outbox: which rows of the journal are told to the club, and in which order.

1. A row is entered in the very transaction that keeps it, so that nothing is told that is not in the journal, and
   nothing in the journal stays untold.
2. Sequence numbers count from 1 and have no holes. They mean something within one epoch only: a journal that is new,
   or was made anew of a damaged one, has another epoch.
3. Where the club is switched on, a match that goes on is entered as far as it was not yet; others are not.

Entries are never taken out: whoever has missed some may ask for them at any time.
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
    """Some entries in order, `last` of all there are, and the epoch that they count in."""

    epoch: str
    last: int
    entries: tuple[Entry, ...] = ()


def switch(connection: sqlite3.Connection, *, on: bool, going: Sequence[Row] = ()) -> None:
    """Let rows be entered from now on, or no more, within a transaction.

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
    """Enter a row that is kept in the same transaction, if the club is on."""
    connection.execute(
        "INSERT INTO outbox SELECT coalesce((SELECT max(seq) FROM outbox), 0) + 1, ?, ? FROM club WHERE telling = 1",
        (row.match, row.number),
    )


def is_enabled(connection: sqlite3.Connection) -> bool:
    """Whether rows are entered."""
    return connection.execute("SELECT 1 FROM club WHERE telling = 1").fetchone() is not None


def read_outgoing(path: Path, after: int, most: int) -> Outgoing | None:
    """The first `most` entries behind the number `after`, read beside a running referee; None while nobody is told.

    Raises JournalError, or NewerJournal.
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
    """The number of the last entry that a state after event `number` of a match contains; 0: none.

    Without a match that is the last one there is.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        if match is None:
            found = connection.execute("SELECT max(seq) FROM outbox").fetchone()
        else:
            found = connection.execute(_POSITION, (match, match, number)).fetchone()
    return 0 if found is None or found[0] is None else int(found[0])


def newest_matches(path: Path, most: int) -> list[int]:
    """The matches of the newest entries, at most `most` of them, the newest first.

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
    """The matches whose result entries behind the number `after` may have changed; raises as `newest_matches`."""
    with translate_errors(path), closing(read_only(path)) as connection:
        found = connection.execute(f"SELECT DISTINCT o.match {_RESULTS} AND o.seq > ?", (GIVEN_UP, after)).fetchall()
    return [int(match) for (match,) in found]


def result_entries(path: Path, match: int) -> Outgoing:
    """The entries of a match that may have changed its result, in order; raises as `newest_matches`."""
    with translate_errors(path), closing(read_only(path)) as connection:
        connection.execute("BEGIN")  # so that all is read as of one moment
        epoch, last = connection.execute(_OUTBOX).fetchone() or ("", 0)
        found = connection.execute(
            f"SELECT o.seq, {_COLUMNS} {_RESULTS} AND o.match = ? ORDER BY o.seq", (GIVEN_UP, match)
        ).fetchall()
    return Outgoing(str(epoch), int(last or 0), tuple(Entry(seq, Row(*values)) for seq, *values in found))


_OUTBOX = "SELECT epoch, (SELECT max(seq) FROM outbox) FROM club"
_COLUMNS = "e.match, e.number, e.t, e.wall, e.kind, e.body, e.score, e.sum"
# The outbox first: it knows its own order only, and a row of the journal is found by its number.
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
