"""`referee update`: gives a bundle to the machine's updater, and follows what becomes of it."""

from __future__ import annotations

import errno
import os
import shutil
import time
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import LANGUAGE, as_set, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import tell
from referee.devices.update_result import ENDED, FILE, update_notices, update_state
from referee.errors import BadInput

STATE = Path("/var/lib/referee")
"""The folder of the service, which the updater watches."""
MOST_BYTES = 400_000_000
LOOK_S = 1.0
REFUSED = ("failed", "back")


def update(
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=common.some_path, help="The bundle with the update.")],
    *,
    state: Annotated[
        Path, typer.Option("--state", metavar="FOLDER", parser=common.some_path, help="Folder of the service.")
    ] = STATE,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Install another version from a signed bundle; it is used between matches, and taken back if it fails."""
    words = wording(language, as_set())
    before = _mark(state)
    hand_over(file, state)
    told = None
    while True:
        notices = update_notices(state)
        if _mark(state) != before and notices != told:
            told = notices
            for notice in notices:
                tell(words(notice))
        if _mark(state) != before and update_state(state) in ENDED:
            return Code.REFUSED if update_state(state) in REFUSED else Code.DONE
        time.sleep(LOOK_S)


def hand_over(file: Path, state: Path) -> None:
    """Put a copy of a bundle where the updater takes it, all at once; raises BadInput."""
    if not file.is_file():
        raise BadInput(f"{file}: expected the file of an update, found {'a folder' if file.is_dir() else 'none'}")
    if (size := file.stat().st_size) > MOST_BYTES:
        raise BadInput(f"{file}: expected at most {MOST_BYTES:,} bytes, found {size:,}")
    if not state.is_dir():
        raise BadInput(f"{state}: expected the folder of the service, found none: `sudo make install` makes it")
    folder = state / "updates"
    unfinished = folder / ".bundle.part"
    try:
        folder.mkdir(mode=0o750, exist_ok=True)
        with file.open("rb") as source, os.fdopen(_new_file(unfinished), "wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
        unfinished.replace(folder / "bundle")
    except PermissionError as error:
        raise BadInput(f"{folder}: expected the right to write there, found none: put sudo before it") from error
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        lacks = " (there is not enough room)" if error.errno == errno.ENOSPC else ""
        raise BadInput(f"{folder}: expected a place for the update, found: {error.strerror}{lacks}") from error


def _new_file(path: Path) -> int:
    """Open a new file; whatever an interrupted update has left there is removed, and no link is followed."""
    path.unlink(missing_ok=True)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640)


def _mark(state: Path) -> tuple[int, int] | None:
    """Return what tells one result from another; None without one."""
    try:
        found = (state / FILE).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
