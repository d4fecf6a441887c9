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


def text_before(folder: Path) -> str | None:
    """The file as it is; None where there is none."""
    path = folder / PAGE_FILE
    return text_of(path) if is_there(path) else None


def change(folder: Path, changes: Changes) -> None:
    """Write the file with these changes, whole or not at all; raises BadInput where the disk does not take it."""
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
    write(folder, "\n".join(lines))


def write(folder: Path, text: str | None) -> None:
    """Write the file as it was before, or take it away; raises BadInput where that cannot be."""
    path = folder / PAGE_FILE
    try:
        if text is None:
            path.unlink(missing_ok=True)
            return
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: expected {A_PLACE}, found: {error.strerror}") from error
    write_whole(path, text.encode(), A_PLACE, 0o600)  # a network camera's password may stand in it


def chosen(folder: Path) -> dict[str, dict[str, Any]]:
    """What stands there, by table; a file that cannot be used is written anew."""
    try:
        found = tomllib.loads(text_before(folder) or "")
    except (BadInput, ValueError, RecursionError):
        return {}
    return {
        name: {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
        for name, table in found.items()
        if name in ON_THE_PAGE and isinstance(table, dict)
    }
