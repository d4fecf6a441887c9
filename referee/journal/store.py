"""The journal's file: SQLite with its log written ahead and synchronised, so that what was put is on the disk."""

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
"""How much may stand in the log before it goes into the file itself; what is read after a crash stays small."""


class Store(Protocol):
    """Where rows are kept."""

    @property
    def notices(self) -> list[Notice]:
        """What was done about damage, for the players."""

    @property
    def trouble(self) -> Notice | None:
        """What keeps rows from the disk just now; None while all is well."""

    def put(self, rows: Sequence[Row]) -> None:
        """Keep rows of one match, all or none; raises JournalError. When it returns they will not be lost."""

    def amend(self, rows: Sequence[Row]) -> bool:
        """Keep rows behind those of a match that is not played on; raises JournalError where the disk takes none.

        False where other rows have been put behind that match meanwhile: nothing is written then.
        """

    def beat(self, match: int | None, t: float) -> None:
        """Keep the match time, so that a power cut costs no more of it than one beat; raises JournalError.

        Without a match there is none to keep; a store in trouble takes the occasion to try again.
        """

    def newest(self) -> int:
        """The newest match, as far as that is known; 0 where there is none."""

    def as_kept(self, row: Row) -> Row | None:
        """The row that was put last as it is kept: its match may have got another number.

        None while the number is not certain, because the journal could not be read yet.
        """

    def close(self) -> None:
        """Let go of everything."""


class Disk(Store, Protocol):
    """A store that may hold matches from before."""

    def clashes(self, rows: Sequence[Row]) -> bool:
        """Whether these rows of a match cannot stand here under its number; raises JournalError.

        Another row stands where one of them belongs; or none of the match does, but later matches: it would not be
        taken for the newest.
        """


class SqliteStore:
    """The journal on disk. After an error it is opened anew with the next call."""

    trouble: Notice | None = None
    _opened: sqlite3.Connection | None = None

    def __init__(self, path: Path) -> None:
        """Open or make the file and bring it up to date; raises JournalError, or NewerJournal."""
        self.path = path
        self.notices: list[Notice] = []
        check(path)
        with self._open_connection() as connection:
            migrate(connection)

    def put(self, rows: Sequence[Row]) -> None:
        """Keep rows, all or none; those that are there already are passed over. Raises JournalError."""
        with self._open_connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            for row in rows:
                _insert(connection, row)
            connection.execute("COMMIT")

    def amend(self, rows: Sequence[Row]) -> bool:
        """Keep rows behind those of an older match, all or none; raises JournalError.

        False where other rows have been put there meanwhile: nothing is written then.
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
        """Keep the match time; raises JournalError."""
        if match is not None:
            with self._open_connection() as connection:
                connection.execute("INSERT OR REPLACE INTO clock VALUES (1, ?, ?)", (match, t))

    def newest(self) -> int:
        """The newest match; 0 where there is none."""
        with self._open_connection() as connection:
            return int(connection.execute("SELECT coalesce(max(match), 0) FROM events").fetchone()[0])

    def rows(self, match: int) -> list[Row]:
        """All rows of a match in order."""
        with self._open_connection() as connection:
            return [Row(*values) for values in connection.execute(f"{ROWS} WHERE match = ? ORDER BY number", (match,))]

    def as_kept(self, row: Row) -> Row:
        """The row itself: whoever comes too late with a number is refused."""
        return row

    def clashes(self, rows: Sequence[Row]) -> bool:
        """Return whether these rows of a match cannot stand here under its number; raises JournalError."""
        return rows_clash(rows, self.rows(rows[0].match), self.newest())

    def last_beat(self, match: int) -> float | None:
        """The match time that was kept last for this match."""
        with self._open_connection() as connection:
            found = connection.execute("SELECT t FROM clock WHERE match = ?", (match,)).fetchone()
            return None if found is None else float(found[0])

    def tell_club(self, *, on: bool, going: Sequence[Row] = ()) -> None:
        """Enter rows in the outbox from now on, or no more, and at once those of a match that goes on.

        Raises JournalError.
        """
        with self._open_connection() as connection:
            if on or is_enabled(connection):
                connection.execute("BEGIN IMMEDIATE")
                switch(connection, on=on, going=going)
                connection.execute("COMMIT")

    def settle(self) -> None:
        """Move the whole log into the file; raises JournalError where that cannot be: closing would pass over it."""
        with self._open_connection() as connection:
            busy, logged, moved = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy or logged != moved:
                raise JournalError(Notice("journal.held", path=str(self.path)))

    def close(self) -> None:
        """Close the file; what stands in the log goes into it, as far as the disk takes it."""
        self._disconnect()

    def _disconnect(self) -> None:
        connection, self._opened = self._opened, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _open_connection(self) -> Iterator[sqlite3.Connection]:
        """The connection; after an error it is given up, for its state is not to be trusted then."""
        with translate_errors(self.path):
            try:
                if self._opened is None:
                    self._opened = _connect(self.path)
                yield self._opened
            except BaseException:  # after any error, Ctrl-C included, the next access opens the file anew
                self._disconnect()
                raise


def _connect(path: Path) -> sqlite3.Connection:
    # The loop may leave the waiting for the disk to a worker; it never does so twice at once.
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
    except BaseException:  # also Ctrl-C: the connection is closed
        connection.close()
        raise
    return connection


def rows_clash(rows: Sequence[Row], there: Sequence[Row], newest: int) -> bool:
    """Whether rows of a match cannot stand beside those that are there, where `newest` is the newest match."""
    if not there:
        return rows[0].match < newest
    sums = {row.number: row.sum for row in there}
    return any(sums.get(row.number, row.sum) != row.sum for row in rows)


_LAST = "SELECT number, sum FROM events WHERE match = ? ORDER BY number DESC LIMIT 1"


def rows_follow(rows: Sequence[Row], number: int, before: int) -> bool:
    """Whether rows follow at once the one of that number and sum."""
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
