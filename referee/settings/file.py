"""The settings file: where it lies, and its text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from referee.devices.whole_file import read_whole
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

    Neither a device nor a pipe is read; /dev/null means no settings.
    """
    try:
        data = read_whole(path, LONGEST, "a settings file")
    except BadInput:
        if not _is_nothing(path):
            raise
        data = b""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: expected settings as UTF-8 text, found other bytes") from None


def _is_nothing(path: Path) -> bool:
    try:
        return path.samefile(os.devnull)
    except (OSError, ValueError):
        return False
