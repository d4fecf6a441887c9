"""A factory reset from the page: once table and page are closed, everything is deleted, and the program starts again.

It starts again in the same process, so that whatever has started it sees no failure.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from contextlib import suppress
from pathlib import Path

from referee.backup.contents import Places
from referee.backup.resetting import reset
from referee.backup.restoring import SPARE, refuse_open_databases
from referee.backup.writing import check_room, size_of
from referee.cli.terminal.common import complain
from referee.devices.whole_file import write_whole
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.errors import JournalInUse

REFUSED = "reset-refused"
"""The file beside the journal that says that a reset was refused, until those at the table have been told."""


def why_no_reset(places: Places, forget: bool) -> Notice | None:
    """Return why a reset is impossible now, as far as that can be known while the table is open; None if it is not.

    With `forget`, no backup is made, and a full disk is no obstacle.
    """
    try:
        refuse_open_databases(places.state)
        if not forget:
            check_room(places.state, size_of(places), SPARE)
    except JournalInUse:
        return Notice("system.reset_hall")
    except BadInput:
        return Notice("system.reset_no_room")
    except OSError:
        return Notice("system.make_room")
    return None


def reset_and_start_again(places: Places, forget: bool) -> None:
    """Delete everything, with `forget` the backups, too, and start this program again; it does not return.

    If that is refused after all, because a match has begun meanwhile, the program starts again as it was, and then
    says so.
    """
    try:
        reset(places, dt.datetime.now().astimezone(), forget=forget)
    except (RefereeError, OSError) as error:
        complain(error if isinstance(error, RefereeError) else BadInput(str(error)))
        with suppress(BadInput):  # without room, the console alone says so
            write_whole(places.state / REFUSED, b"", REFUSED, 0o600)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this program itself


def take_refused_reset(folder: Path) -> tuple[Notice, ...]:
    """Return what must be told of a reset that was refused before the program started again; it is returned once."""
    with suppress(OSError):
        (folder / REFUSED).unlink()
        return (Notice("system.reset_refused"),)
    return ()
