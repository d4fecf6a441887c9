"""A factory reset or a restore from the page: it is done once table and page are closed.

Then the program starts again in the same process, so that whatever has started it sees no failure.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from referee.backup.contents import Places
from referee.backup.counting import Report
from referee.backup.resetting import MatchUnderWay, match_under_way, reset
from referee.backup.restoring import SPARE, refuse_open_databases, restore
from referee.backup.switching import check_removable
from referee.backup.writing import check_room, size_of
from referee.cli.programs.restore_progress import Address, progress_at
from referee.cli.terminal.common import complain
from referee.devices.system.safe_mode import why_unwritten
from referee.devices.update_result import IN_TRIAL, RESET_IN_TRIAL, is_on_trial
from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice, told_by
from referee.i18n import ENGLISH
from referee.journal.errors import JournalInUse

REFUSED = "reset-refused"
"""The file beside the journal that says what was refused, and why, until those at the table have been told."""
LONGEST = 4096
RESET, RESTORE = "system.reset", "backup.restore"
"""How the notices of each begin: ..._refused, because a match is under way, and ..._failed for any other reason."""


def why_no_reset(places: Places, forget: bool) -> Notice | None:
    """Return why a reset is impossible now, as far as that can be known while the table is open; None if it is not.

    With `forget`, no backup is made, and a full disk is no obstacle; nor is the trial of a new version, because the
    copy of the journal from before it is deleted, too.
    """
    if not forget and is_on_trial(places.state):
        return RESET_IN_TRIAL
    try:
        if (refused := _why_not_removable(places, forget=forget)) is not None:
            return refused
        refuse_open_databases(places.state)
        if not forget:
            check_room(places.state, size_of(places), SPARE)
    except JournalInUse:
        return Notice("system.reset_hall")
    except BadInput:
        return Notice("system.reset_no_room")
    except OSError as error:
        return why_unwritten(error)
    return None


def why_no_restore(places: Places) -> Notice | None:
    """Return why a restore is impossible now, as far as that can be known while the table is open; None if it is not.

    Whether there is room is known from the check of the backup.
    """
    if is_on_trial(places.state):
        return IN_TRIAL
    try:
        if (refused := _why_not_removable(places)) is not None:
            return refused
        refuse_open_databases(places.state)
    except JournalInUse:
        return Notice("system.reset_hall")
    except OSError as error:
        return why_unwritten(error)
    return None


def _why_not_removable(places: Places, *, forget: bool = False) -> Notice | None:
    """Return what is in the way of removing everything, which somebody else than this program must remove."""
    try:
        check_removable(places.state, places.kept_beside, forget=forget)
    except BadInput as error:
        return told_by(error)
    return None


def reset_and_start_again(places: Places, forget: bool) -> None:
    """Delete everything, with `forget` the backups, too, and start this program again; it does not return.

    If that is refused after all, because a match has begun meanwhile, the program starts again as it was, and then
    says so.
    """
    _do_and_start_again(places.state, RESET, lambda: reset(places, _now(), forget=forget))


def restore_and_start_again(places: Places, path: Path, address: Address | None = None) -> None:
    """Restore a backup, but for the settings file, and start this program again; it does not return.

    Meanwhile browsers that ask at `address`, where the page has listened, are told how far it is.

    The service may not write the settings file. If the restore is refused after all, because a match has begun
    meanwhile, the program starts again as it was, and then says so.
    """

    def restore_backup() -> None:
        with progress_at(address) as report:
            _restore(places, path, report)

    _do_and_start_again(places.state, RESTORE, restore_backup)


def _restore(places: Places, path: Path, report: Report) -> None:
    match = match_under_way(places.state)
    if match is not None:
        raise MatchUnderWay(f"{places.state}: expected no match under way, found match {match}")
    restore(path, places, _now(), lambda _: None, with_settings=False, report=report)


def _do_and_start_again(folder: Path, what: str, do: Callable[[], object]) -> None:
    try:
        do()
    except (RefereeError, OSError) as error:
        complain(error if isinstance(error, RefereeError) else BadInput(str(error)))
        is_match = isinstance(error, MatchUnderWay)
        told = Notice(f"{what}_refused") if is_match else Notice(f"{what}_failed", why=told_by(error))
        with suppress(BadInput):  # without room, the console alone says so
            write_whole(folder / REFUSED, json.dumps(told.to_json()).encode(), REFUSED, 0o600)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this program itself


def take_refused(folder: Path) -> tuple[Notice, ...]:
    """Return what must be told of a reset or a restore that was refused before the program started again, once."""
    told: tuple[Notice, ...] = ()
    # There may be none, or one of another version, which this one cannot put into words.
    with suppress(BadInput, ValueError, KeyError):
        notice = Notice.from_json(json.loads(read_whole(folder / REFUSED, LONGEST, REFUSED)))
        ENGLISH(notice)
        told = (notice,)
    with suppress(OSError):
        (folder / REFUSED).unlink()
    return told


def _now() -> dt.datetime:
    return dt.datetime.now().astimezone()
