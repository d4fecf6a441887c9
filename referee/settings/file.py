"""The settings file: where it lies, and its text."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from referee.errors import BadInput

FILE_VARIABLE = "REFEREE_CONFIG"
PLACES = (Path("referee.toml"), Path("/etc/referee/referee.toml"))
"""Where settings are looked for, unless a flag or the environment names a file."""
LONGEST = 1_000_000
"""Bytes of a settings file; the one that explains every setting has some ten thousand."""


def settings_file(chosen: Path | None, environ: Mapping[str, str], places: tuple[Path, ...] = PLACES) -> Path | None:
    """The settings file in use: the one chosen, else `REFEREE_CONFIG`, else the first place that has one."""
    if chosen is not None:
        return chosen
    if environ.get(FILE_VARIABLE):
        return Path(environ[FILE_VARIABLE])
    return next((place for place in places if is_there(place)), None)


def is_there(place: Path) -> bool:
    """Whether a file is there; in a folder that this user may not enter, as after `sudo -u`, none is."""
    try:
        return place.is_file()
    except PermissionError:
        return False


def text_of(path: Path) -> str:
    """The text of a settings file, without the mark that some editors put before it; raises BadInput.

    A device may never end and a pipe may never begin, so neither is read; /dev/null means no settings.
    """
    try:
        kind = path.stat().st_mode
        if stat.S_ISREG(kind):
            with path.open("rb") as file:
                data = file.read(LONGEST + 1)
        elif path.samefile(os.devnull):
            data = b""
        else:
            what = "a folder" if stat.S_ISDIR(kind) else "a pipe" if stat.S_ISFIFO(kind) else "a device"
            raise BadInput(f"{path}: expected a settings file, found {what}")
    except (OSError, ValueError) as error:  # among them a name with a NUL in it
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path}: expected a settings file, found: {_reason(error)}") from error
    if len(data) > LONGEST:
        raise BadInput(f"{path}: expected a settings file of at most {LONGEST:,} bytes, found more")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: expected settings as UTF-8 text, found other bytes") from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
