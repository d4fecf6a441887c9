"""That a new journal stands on the disk, whole and in one file, before an old one makes way for it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from referee.journal.errors import JournalDamaged, JournalError
from referee.journal.reading import log_of, read_only, translated
from referee.journal.rows import Row
from referee.journal.schema import ROWS


def prove(path: Path, rows: Sequence[Row], beat: tuple[int, float] | None) -> None:
    """See that the closed file alone holds just these rows in order, and this match time; raises JournalError."""
    if log_of(path).exists():
        raise JournalError(f"the disk fails: the journal's log did not go into its file ({path}); check the card")
    sync(path)
    try:
        with translated(path), closing(read_only(path, alone=True)) as connection:
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            there = [Row(*values) for values in connection.execute(f"{ROWS} ORDER BY match, number")]
            clock = connection.execute("SELECT match, t FROM clock").fetchone()
    except JournalDamaged as error:
        found, there, clock = str(error), [], None
    if found != "ok" or there != list(rows) or clock != beat:
        told = f"{len(there)} rows of {len(rows)}" if found == "ok" else found
        raise JournalError(f"the disk fails: what was written reads back otherwise ({path}: {told}); check the card")


def sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, outlast a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
