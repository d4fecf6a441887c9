"""Reads a journal's file without writing anything, and turns SQLite's errors into those of the journal."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from referee.game.notice import Notice
from referee.journal.errors import DiskFull, JournalDamaged, JournalError, ReadOnlyDisk
from referee.journal.rows import Row
from referee.journal.schema import ROWS, altered_rows, version_of

BUSY_S = 0.5
# Missing tables, rows that contradict each other, and (0) text that is not valid: only damage causes these.
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, 0)


_INDEX_BYTES = 1 << 15
"""The least size of SQLite's index of a log. If there is no room for it, SQLite reports that the disk fails."""


def log_of(path: Path) -> Path:
    """Return the path of SQLite's log of a file."""
    return path.with_name(path.name + "-wal")


def files_of(path: Path) -> tuple[Path, Path, Path]:
    """Return the paths of a journal's file, of its log, and of SQLite's index of the log."""
    return path, log_of(path), path.with_name(path.name + "-shm")


def undo_of(path: Path) -> Path:
    """Return the path of the file with which SQLite undoes a write that was cut short.

    It exists only for a new file that has no log yet.
    """
    return path.with_name(path.name + "-journal")


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Return a context manager that turns SQLite's errors into those of the journal, which say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _error(error, path) from error
    except UnicodeDecodeError as error:
        # SQLite quotes what it found in the file, and Python cannot decode the quotation.
        raise JournalDamaged(Notice("journal.damaged", path=str(path))) from error


def _error(error: sqlite3.Error, path: Path) -> JournalError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _has_no_room(path)):
        return DiskFull.at(path)
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyDisk.at(path)
    if code in _DAMAGE:
        return JournalDamaged(Notice("journal.damaged_because", path=str(path), reason=str(error)))
    if code == sqlite3.SQLITE_BUSY:
        return JournalError(Notice("journal.held", path=str(path)))
    return JournalError(Notice("journal.disk_fails", reason=str(error), where=str(path)))


def _has_no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _INDEX_BYTES
    except OSError:
        return False


def read_only(path: Path, *, alone: bool = False) -> sqlite3.Connection:
    """Return a connection that writes nothing, not even beside the file.

    With `alone`, the file is read as if it had no log.
    """
    # A journal that is being written has a log. Without a log, SQLite is told that nobody writes: it would make one.
    mode = "mode=ro" if log_of(path).exists() and not alone else "mode=ro&immutable=1"
    address = f"file:{quote(os.fsencode(path.absolute()))}?{mode}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_S)


def rows_of(path: Path, match: int) -> tuple[list[Row], int]:
    """Return all rows of a match in order, and the number of the newest match. A referee may be running.

    Raises JournalError, or NewerJournal.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        version_of(connection)
        connection.execute("BEGIN")  # so that both are read as of the same moment
        newest = int(connection.execute("SELECT coalesce(max(match), 0) FROM events").fetchone()[0])
        if not 0 < match <= newest:  # SQLite refuses numbers that are too large for it
            return [], newest
        found = connection.execute(f"{ROWS} WHERE match = ? ORDER BY number", (match,)).fetchall()
    return [Row(*values) for values in found], newest


def check(path: Path) -> None:
    """Check that a journal is intact before it is opened for writing; raises JournalDamaged or NewerJournal.

    When a connection that may write is closed, it moves the log into the file, even if the log is damaged.
    """
    if not path.exists() or undo_of(path).exists():
        return
    with translate_errors(path), closing(read_only(path)) as connection:
        version_of(connection)
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise JournalDamaged(Notice("journal.damaged_because", path=str(path), reason=str(found)))


def altered_events(path: Path) -> list[tuple[int, int]]:
    """Return match and number of every event of all matches that is missing or not as it was written.

    This reads the whole journal, so it is for the doctor, not for every start.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        return list(altered_rows(connection))
