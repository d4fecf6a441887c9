"""That a new journal stands on the disk, whole and in one file, before an old one makes way for it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from referee.game.notice import Notice, as_notice, told_by
from referee.journal.errors import JournalDamaged, JournalError
from referee.journal.reading import log_of, read_only, translate_errors
from referee.journal.rows import Row
from referee.journal.schema import ROWS


def prove(path: Path, rows: Sequence[Row], beat: tuple[int, float] | None) -> None:
    """See that the closed file alone holds just these rows in order, and this match time; raises JournalError."""
    if log_of(path).exists():
        raise JournalError(Notice("journal.log_left", path=str(path)))
    sync(path)
    try:
        with translate_errors(path), closing(read_only(path, alone=True)) as connection:
            told = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            found = None if told == "ok" else as_notice(told)
            there = [Row(*values) for values in connection.execute(f"{ROWS} ORDER BY match, number")]
            clock = connection.execute("SELECT match, t FROM clock").fetchone()
    except JournalDamaged as error:
        found, there, clock = told_by(error), [], None
    if found is not None:
        raise JournalError(Notice("journal.reads_otherwise", path=str(path), found=found))
    if there != list(rows) or clock != beat:
        raise JournalError(Notice("journal.rows_missing", path=str(path), read=len(there), rows=len(rows)))


def sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, outlast a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
