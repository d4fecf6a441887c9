"""A damaged journal: set aside byte for byte, and made anew of all that can still be read in order."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from referee.errors import RefereeError
from referee.game.wording import count
from referee.journal.carve import found_beat, found_rows, log_of
from referee.journal.owner import give, make_like
from referee.journal.resume import Kept, Refused, replay
from referee.journal.rows import Row, chains
from referee.journal.store import SqliteStore

READY = "journal-ready.db"
_DRAFT = "journal-draft.db"
LONGEST_REST_S = 3600.0
"""No clock runs so long without an event: a later time that stands in a damaged file is a part of the damage."""


def rescue(path: Path, why: str) -> str:
    """Set the journal aside and make it anew of what can be read; returns what to tell the players.

    Nothing changes before the new one is complete. Raises JournalError or OSError where there is no room for it.
    """
    folder = path.parent
    whole, cut = list(chains(found_rows(path))), False
    if whole:
        whole[-1], cut = playable(whole[-1])
    draft = folder / _DRAFT
    for old in files_of(draft):
        old.unlink(missing_ok=True)
    make_like(draft, path if path.exists() else folder)
    store = SqliteStore(draft)
    try:
        for chain in whole:
            if chain:
                store.put(chain)
        if whole and whole[-1]:
            store.beat(whole[-1][0].match, _last_time(path, whole[-1]))
    finally:
        store.close()
    aside = _aside(path)
    for one, other in zip(files_of(path)[:2], files_of(aside)[:2], strict=True):
        if one.exists():
            _second_name(one, other)
    sync_folder(folder)
    draft.replace(folder / READY)
    sync_folder(folder)
    finish_rescue(path)
    events = sum(max(0, len(chain) - 1) for chain in whole)
    return (
        f"The journal was damaged: {why}. {count(events, 'event')} could be read and stay in it"
        f"{', but the newest match is cut short' if cut else ''}; the damaged file is kept as {aside.name}."
    )


def finish_rescue(path: Path) -> None:
    """Put a rescued journal into its place; the next start does it if the power goes meanwhile."""
    ready = path.with_name(READY)
    if not ready.exists():
        return
    # The old log first: SQLite would write it over the new file.
    for old in files_of(path)[1:]:
        old.unlink(missing_ok=True)
    sync_folder(path.parent)
    ready.replace(path)
    sync_folder(path.parent)


def playable(chain: tuple[Row, ...]) -> tuple[tuple[Row, ...], bool]:
    """The part of a chain whose events can have happened, and whether something had to go."""
    try:
        replay(chain)
    except Refused as refused:
        return chain[: refused.kept.tip.row.number + 1] if refused.kept else (), True
    except RefereeError:
        return chain, False  # a newer referee wrote it; that is told when it is opened
    return chain, False


def from_bytes(path: Path) -> tuple[Kept | None, int, tuple[Row, ...]]:
    """The newest match, its number and its rows, out of the bytes of a journal that cannot be opened to write.

    Raises NewerJournal for a match that this version does not know; what cannot be read at all counts as nothing.
    """
    try:
        found = list(chains(found_rows(path)))
    except OSError:
        return None, 0, ()
    if not found:
        return None, 0, ()
    rows, _ = playable(found[-1])
    return (replay(rows, _last_time(path, rows)) if rows else None), found[-1][0].match, rows


def _last_time(path: Path, rows: Sequence[Row]) -> float:
    """The last match time that is known of a match."""
    told = max(row.t for row in rows)
    beat = found_beat(path, rows[0].match)
    return told if beat is None or not told < beat <= told + LONGEST_REST_S else beat


def files_of(path: Path) -> tuple[Path, Path, Path]:
    """A journal's file, its log, and SQLite's index of the log."""
    return path, log_of(path), path.with_name(path.name + "-shm")


def sync_folder(folder: Path) -> None:
    """Make new names in a folder outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _aside(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}-damaged-{number}{path.suffix}") for number in range(1, 10_000))
    return next(name for name in names if not name.exists())


def _second_name(path: Path, other: Path) -> None:
    """Keep a file under another name too, without writing it anew where the disk can do that."""
    try:
        other.hardlink_to(path)
    except OSError:
        shutil.copy2(path, other)
        give(other, path)
