"""The journal's file: SQLite with a synchronised write-ahead log, so that rows that were put are on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from referee.game.notice import Notice
from referee.journal.errors import JournalDamaged, JournalError
from referee.journal.outbox import enter, is_enabled, switch
from referee.journal.reading import BUSY_S, check, translate_errors
from referee.journal.rows import Row
from referee.journal.schema import ROWS, index, migrate

PAGE = 4096
WAL_PAGES = 256
"""The pages that the log may have before it is moved into the file. So what must be read after a crash stays small."""


class Store(Protocol):
    """The interface of every store of rows."""

    @property
    def notices(self) -> list[Notice]:
        """Notices for the players about damage that was repaired."""

    @property
    def trouble(self) -> Notice | None:
        """What keeps rows from being written to disk now; None while all is well."""

    def put(self, rows: Sequence[Row]) -> None:
        """Store rows of one match, all or none; raises JournalError. Once this returns, they will not be lost."""

    def amend(self, rows: Sequence[Row]) -> bool:
        """Append rows to a match that is not being played; raises JournalError if the disk does not accept writes.

        Returns False, and writes nothing, if other rows have been appended to that match in the meantime.
        """

    def beat(self, match: int | None, t: float) -> None:
        """Store the match time, so that a power cut costs at most the time since the last call; raises JournalError.

        Without a match there is no time to store. A store in trouble uses the call to try again.
        """

    def newest(self) -> int:
        """Return the number of the newest match, as far as it is known; 0 if there is none."""

    def as_kept(self, row: Row) -> Row | None:
        """Return the row that was put last as it is stored: its match may have got another number.

        Returns None while the number is not certain, because the journal could not be read yet.
        """

    def close(self) -> None:
        """Release everything."""


class Disk(Store, Protocol):
    """A store that may contain earlier matches."""

    def clashes(self, rows: Sequence[Row]) -> bool:
        """Return whether these rows of a match cannot be stored here under its number; raises JournalError.

        That is so if a different row is in the place of one of them. It is also so if the store has later matches but
        not this one: it would not be taken for the newest match.
        """


class SqliteStore:
    """The journal on disk. After an error, the next call opens it again."""

    trouble: Notice | None = None
    _opened: sqlite3.Connection | None = None

    def __init__(self, path: Path) -> None:
        """Open or create the file and bring it to the present version; raises JournalError, or NewerJournal."""
        self.path = path
        self.notices: list[Notice] = []
        check(path)
        with self._open_connection() as connection:
            migrate(connection)

    def put(self, rows: Sequence[Row]) -> None:
        """Store rows, all or none; rows that are already there are skipped. Raises JournalError."""
        with self._open_connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            for row in rows:
                _insert(connection, row)
            connection.execute("COMMIT")

    def amend(self, rows: Sequence[Row]) -> bool:
        """Append rows to an older match, all or none; raises JournalError.

        Returns False, and writes nothing, if other rows have been appended there in the meantime.
        """
        with self._open_connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            found = connection.execute(_LAST, (rows[0].match,)).fetchone()
            if found is None or not rows_follow(rows, *found):
                connection.execute("ROLLBACK")
                return False
            for row in rows:
                _insert(connection, row)
            connection.execute("COMMIT")
            return True

    def beat(self, match: int | None, t: float) -> None:
        """Store the match time; raises JournalError."""
        if match is not None:
            with self._open_connection() as connection:
                connection.execute("INSERT OR REPLACE INTO clock VALUES (1, ?, ?)", (match, t))

    def newest(self) -> int:
        """Return the number of the newest match; 0 if there is none."""
        with self._open_connection() as connection:
            return int(connection.execute("SELECT coalesce(max(match), 0) FROM events").fetchone()[0])

    def rows(self, match: int) -> list[Row]:
        """Return all rows of a match in order."""
        with self._open_connection() as connection:
            return [Row(*values) for values in connection.execute(f"{ROWS} WHERE match = ? ORDER BY number", (match,))]

    def as_kept(self, row: Row) -> Row:
        """Return the row itself: this store never changes the number of a match, but refuses rows in a taken place."""
        return row

    def clashes(self, rows: Sequence[Row]) -> bool:
        """Return whether these rows of a match cannot be stored here under its number; raises JournalError."""
        return rows_clash(rows, self.rows(rows[0].match), self.newest())

    def last_beat(self, match: int) -> float | None:
        """Return the match time that was stored last for this match; None if none was."""
        with self._open_connection() as connection:
            found = connection.execute("SELECT t FROM clock WHERE match = ?", (match,)).fetchone()
            return None if found is None else float(found[0])

    def tell_club(self, *, on: bool, going: Sequence[Row] = ()) -> None:
        """Switch the outbox on or off; when it is switched on, also enter the rows of a match that goes on.

        Raises JournalError.
        """
        with self._open_connection() as connection:
            if on or is_enabled(connection):
                connection.execute("BEGIN IMMEDIATE")
                switch(connection, on=on, going=going)
                connection.execute("COMMIT")

    def settle(self) -> None:
        """Move the whole log into the file; raises JournalError if that fails, which closing would not report."""
        with self._open_connection() as connection:
            busy, logged, moved = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy or logged != moved:
                raise JournalError(Notice("journal.held", path=str(self.path)))

    def close(self) -> None:
        """Close the file; the log is moved into it, as far as the disk accepts that."""
        self._disconnect()

    def _disconnect(self) -> None:
        connection, self._opened = self._opened, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _open_connection(self) -> Iterator[sqlite3.Connection]:
        """Return a context manager for the connection.

        After an error the connection is closed, because its state is not reliable then.
        """
        with translate_errors(self.path):
            try:
                if self._opened is None:
                    self._opened = _connect(self.path)
                yield self._opened
            except BaseException:  # after any error, Ctrl-C included, the next access opens the file anew
                self._disconnect()
                raise


def _connect(path: Path) -> sqlite3.Connection:
    # The event loop may let a worker wait for the disk, but never two at once.
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_S, check_same_thread=False)
    try:
        for pragma in (
            f"page_size = {PAGE}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "temp_store = MEMORY",
            f"wal_autocheckpoint = {WAL_PAGES}",
        ):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:  # also Ctrl-C: the connection must be closed
        connection.close()
        raise
    return connection


def rows_clash(rows: Sequence[Row], there: Sequence[Row], newest: int) -> bool:
    """Return whether rows of a match cannot be stored beside the rows `there`; `newest` is the newest match."""
    if not there:
        return rows[0].match < newest
    sums = {row.number: row.sum for row in there}
    return any(sums.get(row.number, row.sum) != row.sum for row in rows)


_LAST = "SELECT number, sum FROM events WHERE match = ? ORDER BY number DESC LIMIT 1"


def rows_follow(rows: Sequence[Row], number: int, before: int) -> bool:
    """Return whether rows directly follow the row with that number and checksum."""
    return rows[0].number == number + 1 and rows[0].follows(before)


def _insert(connection: sqlite3.Connection, row: Row) -> None:
    values = (row.match, row.number, row.t, row.wall, row.kind, row.body, row.score, row.sum)
    done = connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", values)
    if done.rowcount:
        index(connection, row)
        enter(connection, row)
        return
    there = connection.execute("SELECT sum FROM events WHERE match = ? AND number = ?", values[:2]).fetchone()
    if there is None or there[0] != row.sum:
        raise JournalDamaged(Notice("journal.other_event", event=row.number, match=row.match))
