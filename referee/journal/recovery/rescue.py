"""Rescues a damaged journal: sets it aside byte for byte, and rebuilds it from all that can still be read in order.

The old file is replaced only after a check that the new one is on disk, complete and in one file.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from referee.errors import RefereeError
from referee.game.notice import Notice, as_notice, told_by
from referee.journal.errors import JournalDamaged, JournalError
from referee.journal.outbox import is_enabled
from referee.journal.owner import give, make_like
from referee.journal.reading import check, files_of, log_of, read_only, translate_errors, undo_of
from referee.journal.recovery.altered_match import has_ended, with_endings
from referee.journal.recovery.carving import find_last_beat, found_rows
from referee.journal.replay import EventRefused, Kept, replay
from referee.journal.rows import Row, broken_at, chains
from referee.journal.schema import ROWS
from referee.journal.store import SqliteStore


def prove(path: Path, rows: Sequence[Row], beat: tuple[int, float] | None) -> None:
    """Check that the closed file alone contains just these rows in order, and this match time; raises JournalError."""
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
    """Make the content of a file, or the names in a folder, survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


READY = "journal-ready.db"
_DRAFT = "journal-draft.db"
LONGEST_REST_S = 3600.0
"""Seconds. No turn clock runs this long without an event, so a later time in a damaged file is part of the damage."""


def rescue(path: Path, why: Notice, left: Sequence[Row] = ()) -> Notice:
    """Set the journal aside and rebuild it from what can be read; return the notice for the players.

    `left` are the rows that were in its log before SQLite opened it. Nothing changes before the new journal is on disk
    and has been read back. Raises JournalError or OSError if there is no room for it.
    """
    whole, cut = with_endings([*found_rows(path), *left]), False
    if whole and broken_at(whole[-1]) is None:
        whole[-1], cut = playable(whole[-1])
    draft = path.with_name(_DRAFT)
    try:
        _make(draft, path, whole)
    except BaseException:  # also Ctrl-C must leave no draft behind
        with contextlib.suppress(OSError):  # what is left of it only takes room from the next attempt
            _remove(draft)
        raise
    aside = _free_name_for_damaged(path)
    kept = [(one, other) for one, other in zip(files_of(path)[:2], files_of(aside), strict=False) if one.exists()]
    try:
        for one, other in kept:
            _second_name(one, other)
        sync(path.parent)
        draft.replace(path.with_name(READY))
    except BaseException:  # also Ctrl-C must leave no second names behind
        with contextlib.suppress(OSError):  # otherwise every attempt would leave one more
            for _, other in kept:
                other.unlink(missing_ok=True)
        raise
    sync(path.parent)
    finish_rescue(path)
    events = sum(max(0, len(chain) - 1) for chain in whole)
    name = kept[0][1].name if kept else aside.name
    return Notice("journal.rescued_cut" if cut else "journal.rescued", why=why, events=events, file=name)


def every_file_of(path: Path) -> tuple[Path, ...]:
    """Return all files that belong to the journal, including those of a journal that is being rebuilt."""
    made = (path, path.with_name(READY), path.with_name(_DRAFT))
    return tuple(one for file in made for one in (*files_of(file), undo_of(file)))


def finish_rescue(path: Path) -> None:
    """Move a rescued journal into its place. If the power fails meanwhile, the next start does it."""
    ready = path.with_name(READY)
    if not ready.exists():
        return
    try:
        check(ready)
    except JournalDamaged:
        # The card has damaged it meanwhile. The old journal is still there and is read once more.
        ready.unlink()
        sync(path.parent)
        return
    # The old log goes first: SQLite would write it over the new file.
    for old in (*files_of(path)[1:], undo_of(path)):
        old.unlink(missing_ok=True)
    sync(path.parent)
    ready.replace(path)
    sync(path.parent)


def _make(draft: Path, path: Path, whole: Sequence[tuple[Row, ...]]) -> None:
    """Write the rows that could be read into the file `draft`.

    Raises JournalError unless the file is then complete on disk.
    """
    _remove(draft)
    make_like(draft, path if path.exists() else path.parent)
    newest = whole[-1] if whole else ()
    beat = (newest[0].match, _last_time(path, newest)) if newest else None
    try:
        store = SqliteStore(draft)
        try:
            for chain in filter(None, whole):
                store.put(chain)
            if _was_told(path):
                store.tell_club(on=True, going=() if has_ended(newest) else newest)
            if beat is not None:
                store.beat(*beat)
            store.settle()
        finally:
            store.close()
    except JournalDamaged as error:  # the old journal's damage is already known; this is in the new one
        raise JournalError(Notice("journal.disk_fails_twice", why=told_by(error))) from error
    prove(draft, [row for chain in whole for row in chain], beat)


def _was_told(path: Path) -> bool:
    """Return whether the rows of a journal were sent to the club, as far as that can still be read."""
    if not path.exists() or not path.stat().st_size:
        return False  # SQLite drops the log of an empty file even if it only reads
    try:
        with translate_errors(path), closing(read_only(path)) as connection:
            return is_enabled(connection)
    except RefereeError:
        return False


def _remove(draft: Path) -> None:
    for old in (*files_of(draft), undo_of(draft)):
        old.unlink(missing_ok=True)


def playable(chain: tuple[Row, ...]) -> tuple[tuple[Row, ...], bool]:
    """Return the part of a chain whose events can have happened, and whether something was removed."""
    try:
        replay(chain)
    except EventRefused as refused:
        return chain[: refused.kept.tip.row.number + 1] if refused.kept else (), True
    except RefereeError:
        return chain, False  # a newer referee wrote it; opening it reports that
    return chain, False


def from_bytes(path: Path) -> tuple[Kept | None, int, tuple[Row, ...]]:
    """Return the newest match, its number and its rows, from a journal that cannot be opened for writing.

    They are read from the bytes of the file. Raises NewerJournal for a match that this version does not know. If
    nothing can be read, returns None, 0 and no rows.
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
    """Return the last match time that is known of a match."""
    told = max(row.t for row in rows)
    beat = find_last_beat(path, rows[0].match)
    return told if beat is None or not told < beat <= told + LONGEST_REST_S else beat


def _free_name_for_damaged(path: Path) -> Path:
    """Return a name for the damaged file under which there is neither a file nor a log yet."""
    names = (path.with_name(f"{path.stem}-damaged-{number}{path.suffix}") for number in range(1, 10_000))
    return next(name for name in names if not any(map(os.path.lexists, files_of(name))))


def _second_name(path: Path, other: Path) -> None:
    """Keep a file under another name as well: by a second name if the disk supports that, otherwise by a copy."""
    try:
        other.hardlink_to(path)
    except OSError:
        _copy(path, other)


def _copy(path: Path, other: Path) -> None:
    # It must be a new file: the owner of the folder may have put a link under that name meanwhile.
    handle = os.open(other, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, stat.S_IMODE(path.stat().st_mode))
    with path.open("rb") as source, os.fdopen(handle, "wb") as copy:
        give(handle, path)
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(handle)
