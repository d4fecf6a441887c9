"""Settings that name a file or folder in the backup, such as recordings, name it where it was restored. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from referee.settings.file import line_of, tables_of
from referee.settings.values import toml_of


def point_settings(text: str, named: Mapping[str, str], state: Path) -> str:
    """Return the text of a settings file in which each of these keys names its path below `state`.

    A key that the file does not have is left out: then the value came from elsewhere. Raises BadInput for a text that
    is no TOML.
    """
    tables_of(text, "the settings in the backup")
    for key, path in named.items():
        table, _, name = key.partition(".")
        line = line_of(text, table, name)
        if line is None:
            continue
        value = str(state.absolute() / path)
        lines = text.splitlines()
        lines[line - 1] = f"{name} = {toml_of(value)}"
        changed = "\n".join(lines) + "\n"
        if _has(changed, table, name, value):
            text = changed
    return text


def _has(text: str, table: str, name: str, value: str) -> bool:
    """Return whether the line was understood: a value over several lines, for instance, would be left broken."""
    try:
        return bool(tables_of(text, "")[table][name] == value)
    except (ValueError, KeyError, TypeError):
        return False
