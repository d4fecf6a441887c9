"""A database of another program in the journal's place: it is somebody's, and neither adopted nor moved aside."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from referee.game.notice import Notice
from referee.journal.errors import ForeignFile, JournalDamaged
from referee.journal.reading import read_only, translate_errors
from referee.journal.recovery.carving import found_rows
from referee.journal.schema import is_marked

_NAMED = 3
"""How many of its tables are named: enough to know the file again."""


def refuse_foreign(path: Path) -> None:
    """Raise ForeignFile where a whole SQLite file lies in which nothing was ever written by a referee.

    One that is damaged is not judged here: what is left of a journal may look like anything.
    """
    if not path.exists() or not path.stat().st_size:
        return
    try:
        tables = _of_another(path)
    except JournalDamaged:
        return
    # A journal whose list of tables is garbled still holds its rows.
    if tables is None or found_rows(path):
        return
    if not tables:
        raise ForeignFile(Notice("journal.foreign_empty", path=str(path)))
    raise ForeignFile(Notice("journal.foreign", path=str(path), tables=tuple(tables[:_NAMED])))


def _of_another(path: Path) -> list[str] | None:
    """The names of the tables, where they are not those of a journal; None for a journal, or an empty file."""
    with translate_errors(path), closing(read_only(path)) as connection:
        columns = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info('events')")]
        if is_marked(connection) or {"match", "number", "kind", "body", "sum"} <= set(columns):
            return None
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")]
        if not (tables or any(marks)):
            return None
        whole = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    return tables if whole else None
