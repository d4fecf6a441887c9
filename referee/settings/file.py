"""The settings file: where it is, its text, and the lines of its keys; and the folder of the journal.

Settings that were chosen on the page are in a small file of their own in the journal's folder. Nobody needs to edit
that file.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput
from referee.settings.values import toml_of

PAGE_FILE = "page.toml"
"""The file in the journal's folder that has the settings chosen on the page."""
RESTORE = "restore-ready"
"""The folder in the journal's folder that a restore of a backup leaves if it is interrupted."""
EXCHANGED = "state-exchanged"
"""An empty file in the journal's folder, whose time says when a restore or a reset exchanged what is in the folder."""
ON_THE_PAGE = ("game", "table", "camera", "panel")
"""The tables that this file may have."""
FILE_VARIABLE = "REFEREE_CONFIG"
STATE_VARIABLE = "REFEREE_STATE"
SYSTEMD_STATE = "STATE_DIRECTORY"
PLACES = (Path("referee.toml"), Path("/etc/referee/referee.toml"))
"""Where the settings file is looked for, unless a flag or the environment names one."""
LONGEST = 1_000_000
"""The largest settings file, in bytes; the one that explains every setting has about ten thousand."""

HEAD = "# Chosen on the page; comes after the settings file. Remove this file to have that one alone again.\n"
A_PLACE = "a place to write what is chosen on the page"
Changes = Mapping[str, Any]
"""New values by key, in the form `table.key`; None removes a value, so that the one in the settings file applies."""


def settings_file(chosen: Path | None, environ: Mapping[str, str], places: tuple[Path, ...] = PLACES) -> Path | None:
    """Return the settings file in use: the chosen one, else that of `REFEREE_CONFIG`, else the first that exists."""
    if chosen is not None:
        return chosen
    if environ.get(FILE_VARIABLE):
        return Path(environ[FILE_VARIABLE])
    return next((place for place in places if is_there(place)), None)


def is_there(place: Path) -> bool:
    """Return whether a file exists; False if this user may not enter its folder, for example after `sudo -u`."""
    try:
        return place.is_file()
    except PermissionError:
        return False


def text_of(path: Path) -> str:
    """Return the text of a settings file, without a byte order mark; raises BadInput.

    Devices and pipes are not read; /dev/null means no settings.
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


def tables_of(text: str, where: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raises BadInput, which begins with `where`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where}: expected TOML, found: {error}") from None
    except ValueError:
        raise BadInput(f"{where}: expected TOML, found a number with thousands of digits") from None
    except RecursionError:
        raise BadInput(f"{where}: expected TOML, found hundreds of brackets within each other") from None


def line_of(text: str, table: str, key: str | None = None) -> int | None:
    """Return the line, counted from 1, of a table or of a key in it in a TOML text; None if it is not found."""
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([\w.\"'-]+)\s*\]+", line)
        if head:
            here = head[1].strip("\"'")
            if key is None and here.split(".")[0] == table:
                return number
            continue
        wanted = key if here == table else None if here else table
        if wanted is not None and re.match(rf"\s*[\"']?{re.escape(wanted)}[\"']?\s*[=.]", line):
            return number
    return None


def state_folder(chosen: str | Path | None, environ: Mapping[str, str], home: Path | None) -> Path:
    """Return the journal's folder: the chosen one, else `REFEREE_STATE`, else systemd's, else one in the user's home.

    `~` at the beginning is the user's home, `~name` that of another user. Raises BadInput if a home is needed and
    there is none.
    """
    # systemd may name several folders, separated by colons; the first is the referee's.
    named = chosen or environ.get(STATE_VARIABLE) or environ.get(SYSTEMD_STATE, "").split(":")[0]
    folder = Path(named) if named else Path("~", ".local", "state", "referee")
    if folder.parts[:1] == ("~",):
        found = None if home is None else home.joinpath(*folder.parts[1:])
    else:
        found = _expand(folder)
    if found is None:
        raise BadInput(
            f"expected a folder for the journal, found no home that it could lie in ({folder}): "
            f"name one with {STATE_VARIABLE}=FOLDER"
        )
    return found


def _expand(folder: Path) -> Path | None:
    try:
        return folder.expanduser()
    except RuntimeError:  # there is no user of that name
        return None


def text_with(folder: Path, changes: Changes) -> str:
    """Return the text of the page's file with these changes; `write` writes it."""
    tables = chosen(folder)
    for name, value in changes.items():
        table, key = name.split(".")
        tables.setdefault(table, {}).pop(key, None)
        if value is not None:
            tables[table][key] = value
    lines = [HEAD]
    for table in ON_THE_PAGE:
        if tables.get(table):
            values = "".join(f"{key} = {toml_of(value)}\n" for key, value in tables[table].items())
            lines += [f"[{table}]\n{values}"]
    return "\n".join(lines)


def write(folder: Path, text: str) -> None:
    """Write the page's file, completely or not at all; raises BadInput if it cannot be written."""
    path = folder / PAGE_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: expected {A_PLACE}, found: {error.strerror}") from error
    write_whole(path, text.encode(), A_PLACE, 0o600)  # it may have the password of a network camera


def chosen(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the content of the page's file, by table; empty if the file cannot be used, which is then overwritten."""
    path = folder / PAGE_FILE
    try:
        found = tomllib.loads(text_of(path) if is_there(path) else "")
    except (BadInput, ValueError, RecursionError):
        return {}
    return {
        name: {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
        for name, table in found.items()
        if name in ON_THE_PAGE and isinstance(table, dict)
    }
