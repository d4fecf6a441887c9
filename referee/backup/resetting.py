"""Brings a table back to what it was on its first day, by the same steps as a restore: of a backup with nothing in it.

1. What is there is saved as a backup, as before a restore, unless no backup is to remain either.
2. An empty state is made ready beside the present one, and one rename decides. Before it a power cut leaves the old
   state, after it whoever uses the folder next completes the new one.

The settings file is not touched: what was chosen on the page is beside the journal, and goes with it. So are networks
and time zone, which belong to the system.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from pathlib import Path

from referee.backup.contents import Places
from referee.backup.manifest import DRAFT, READY
from referee.backup.restoring import (
    SPARE,
    locked,
    refuse_open_databases,
    save_present,
    tidy_undos,
)
from referee.backup.rights import as_owner
from referee.backup.switching import finish_locked, make_plan, remove
from referee.backup.writing import check_room, size_of
from referee.devices.whole_file import sync_folder
from referee.errors import BadInput, RefereeError
from referee.journal.errors import JournalInUse
from referee.journal.in_use import in_use
from referee.journal.opening import LockedStore


class MatchUnderWay(BadInput):
    """A match that is not over would be lost."""


def reset(places: Places, made: dt.datetime, *, forget: bool = False, even_a_match: bool = False) -> Path | None:
    """Delete everything that a table has gathered; return the backup with which that can be undone.

    With `forget`, no backup is made, and those beside the journal are deleted, too; those in another folder and on
    sticks stay. Raises MatchUnderWay unless `even_a_match`, JournalInUse while a referee or a hall uses the folder,
    and BadInput; then nothing has changed.
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
            refuse_open_databases(folder)
            if not forget:
                check_room(folder, size_of(Places(folder, folder=places.folder)), SPARE)
                undo = save_present(places, made)
            _make_ready(places, forget=forget)
            finish_locked(folder)
            if undo is not None:
                tidy_undos(undo)
    return undo


def match_under_way(folder: Path) -> int | None:
    """Return the number of the match that is not over; None if there is none. This repairs the journal, if it can.

    A journal that cannot be read is saved as it is. Raises JournalInUse.
    """
    try:
        store = LockedStore(folder, make=False)
    except JournalInUse:
        raise
    except RefereeError:
        return None
    with contextlib.closing(store):
        kept = store.kept
        return None if kept is None or kept.is_over else kept.match


def _make_ready(places: Places, *, forget: bool) -> None:
    """Make an empty state ready beside the present one; the rename at the end decides."""
    draft = places.state / DRAFT
    try:
        remove(draft)
        draft.mkdir(mode=0o700)
        make_plan(draft, (), None, places.backups_inside.partition("/")[0], forget=forget)
        sync_folder(draft)
    except BaseException:  # also Ctrl-C: nothing must be left
        with contextlib.suppress(OSError):
            remove(draft)
        raise
    draft.rename(places.state / READY)
    sync_folder(places.state)
