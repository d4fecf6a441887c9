"""Brings a table back to what it was on its first day, by the same steps as a restore: of a backup with nothing in it.

1. What is there is saved as a backup, as before a restore, unless no backup is to remain either.
2. An empty state is made ready beside the present one, and one rename decides. Before it a power cut leaves the old
   state, after it whoever uses the folder next completes the new one.
3. If the disk is too full even for that, and no backup is to remain, backups and then pictures are removed first, one
   at a time and the oldest first, and no more than it needs. A power cut then leaves the old state with fewer of them:
   every event, box and setting is still there.

The settings file is not touched: what was chosen on the page is beside the journal, and goes with it. So are networks
and time zone, which belong to the system.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.backup.contents import PICTURE_FOLDERS, Places
from referee.backup.keeping import time_in
from referee.backup.manifest import BACKUPS, DRAFT, READY
from referee.backup.restoring import (
    SPARE,
    locked,
    refuse_open_databases,
    save_present,
    tidy_undos,
)
from referee.backup.rights import as_owner
from referee.backup.switching import check_removable, finish_locked, make_plan, remove
from referee.backup.writing import check_room, size_of
from referee.devices.whole_file import sync_folder
from referee.errors import BadInput, RefereeError
from referee.journal.errors import JournalError, JournalInUse
from referee.journal.in_use import in_use
from referee.journal.opening import FILE, LockedStore
from referee.journal.recovery.rescue import from_bytes
from referee.journal.replay import Kept

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class MatchUnderWay(BadInput):
    """A match that is not over would be lost."""


def reset(places: Places, made: dt.datetime, *, forget: bool = False, even_a_match: bool = False) -> Path | None:
    """Delete everything that a table has gathered; return the backup with which that can be undone.

    With `forget`, no backup is made, and those beside the journal are deleted, too; those in another folder and on
    sticks stay. Raises MatchUnderWay unless `even_a_match`, JournalInUse while a referee or a hall uses the folder,
    and BadInput; then nothing has changed, except that with `forget` a disk that stays full has lost its backups.
    """
    folder, undo = places.state, None
    if not folder.is_dir():
        return None
    with as_owner(folder), in_use(folder):
        match = match_under_way(folder)
        if match is not None and not even_a_match:
            raise MatchUnderWay(f"{folder}: expected no match under way, found match {match}")
        with locked(folder):
            finish_locked(folder)
            check_removable(folder, places.kept_beside, forget=forget)
            refuse_open_databases(folder)
            if not forget:
                check_room(folder, size_of(Places(folder, folder=places.folder)), SPARE)
                undo = save_present(places, made)
            if forget:
                _make_ready_on_full_disk(places)
            else:
                _make_ready(places, forget=False)
            finish_locked(folder)
            if undo is not None:
                tidy_undos(undo)
    return undo


def match_under_way(folder: Path) -> int | None:
    """Return the number of the match that is not over; None if there is none. This repairs the journal, if it can.

    A journal that cannot be written now, as on a full disk, is only read. One that cannot be read is saved as it is.
    Raises JournalInUse.
    """
    try:
        store = LockedStore(folder, make=False)
    except JournalInUse:
        raise
    except JournalError:
        with contextlib.suppress(RefereeError):  # it is of a newer version
            return _unfinished(from_bytes(folder / FILE)[0])
        return None
    except RefereeError:
        return None
    with contextlib.closing(store):
        return _unfinished(store.kept)


def _unfinished(kept: Kept | None) -> int | None:
    return None if kept is None or kept.is_over else kept.match


def _make_ready_on_full_disk(places: Places) -> None:
    """Like `_make_ready()` with `forget`, but while the disk lacks room, remove what is to be deleted anyway."""
    removable = _removable(places)
    while True:
        try:
            return _make_ready(places, forget=True)
        except (BadInput, OSError) as error:
            path = next(removable, None) if _is_no_room(error) else None
            if path is None:
                raise
            path.unlink(missing_ok=True)
            sync_folder(path.parent)


def _is_no_room(error: BadInput | OSError) -> bool:
    cause = error if isinstance(error, OSError) else error.__cause__
    return isinstance(cause, OSError) and cause.errno in NO_ROOM


def _removable(places: Places) -> Iterator[Path]:
    """Yield what a table can do without: the backups in the journal's folder, then its pictures, the oldest first."""
    folder = places.state
    beside = [path for path in folder.iterdir() if time_in(path.name) is not None]
    inside = [folder / name for name in {BACKUPS, places.backups_inside} if name]
    pictures = [folder / name for name in sorted(PICTURE_FOLDERS)]
    yield from _oldest_first([*beside, *_files_below(inside)])
    yield from _oldest_first(_files_below(pictures))


def _files_below(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if not folder.is_symlink():
            yield from folder.rglob("*")


def _oldest_first(paths: Iterable[Path]) -> list[Path]:
    """Return those of the paths that are files; links are not followed."""
    files = [path for path in paths if path.is_file() and not path.is_symlink()]
    return sorted(files, key=lambda path: path.stat().st_mtime_ns)


def _make_ready(places: Places, *, forget: bool) -> None:
    """Make an empty state ready beside the present one; the rename at the end decides."""
    draft = places.state / DRAFT
    try:
        remove(draft)
        draft.mkdir(mode=0o700)
        make_plan(draft, (), None, places.kept_beside, forget=forget)
        sync_folder(draft)
    except BaseException:  # also Ctrl-C: nothing must be left
        with contextlib.suppress(OSError):
            remove(draft)
        raise
    draft.rename(places.state / READY)
    sync_folder(places.state)
