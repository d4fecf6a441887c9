"""What was chosen on the page: a small file of its own in the journal's folder, that people need not know of."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.devices.whole_file import write_whole
from referee.errors import BadInput
from referee.settings.file import is_there, text_of
from referee.settings.settings import ON_THE_PAGE, PAGE_FILE
from referee.settings.values import toml_of

HEAD = "# Chosen on the page; comes after the settings file. Remove this file to have that one alone again.\n"

A_PLACE = "a place to write what is chosen on the page"

Changes = Mapping[str, Any]
"""Values by `table.key`; None: as the settings file has it."""


def text_with(folder: Path, changes: Changes) -> str:
    """The text of the file with these changes, which `write` writes."""
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
    """Write the file, whole or not at all; raises BadInput where the disk does not take it."""
    path = folder / PAGE_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: expected {A_PLACE}, found: {error.strerror}") from error
    write_whole(path, text.encode(), A_PLACE, 0o600)  # a network camera's password may stand in it


def chosen(folder: Path) -> dict[str, dict[str, Any]]:
    """What stands there, by table; a file that cannot be used is written anew."""
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
