"""Files that a command writes where somebody says: an earlier one of the same kind is replaced, any other stays."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Collection
from pathlib import Path

from referee.devices.whole_file import kind_of_no_file, read_whole
from referee.errors import BadInput

LONGEST = 100_000_000
"""The largest file, in bytes, that is looked into; a tournament with 200 players has less than a tenth of that."""
OTHER = "another file"
KindOfOther = Callable[[Path], str | None]
"""Returns None for a file that may be replaced, otherwise what was found; may raise OSError and BadInput."""


def refuse_others(target: Path, earlier: str, kind_of_other: KindOfOther) -> None:
    """Raise BadInput unless there is no file at `target`, an empty one, or one that `kind_of_other` knows.

    `earlier` names what may be replaced, such as "an earlier backup".
    """
    try:
        kind = kind_of_no_file(target)
        if kind is None:
            kind = kind_of_other(target) if target.stat().st_size else None
    except (FileNotFoundError, NotADirectoryError):  # writing it reports the latter
        return
    except OSError as error:
        kind = f"one that cannot be read ({error.strerror})"
    except BadInput:
        kind = OTHER
    if kind is not None:
        raise BadInput(
            f"{target}: expected no file there, or {earlier} to be replaced, found {kind}; choose another name"
        )


def like_csv(data: bytes) -> KindOfOther:
    """Return what knows earlier CSV files of the kind of `data`, by their first two columns: later ones may be new."""
    wanted = _first_columns(data)

    def kind_of_other(path: Path) -> str | None:
        with path.open("rb") as file:
            return None if _first_columns(file.read(len(data) or 1)) == wanted else OTHER

    return kind_of_other


def like_json(names: Collection[str], **values: str) -> KindOfOther:
    """Return what knows JSON objects that have these names, and these values."""

    def kind_of_other(path: Path) -> str | None:
        try:
            found = json.loads(read_whole(path, LONGEST, path.name))
        except (ValueError, RecursionError):
            return OTHER
        is_ours = isinstance(found, dict) and found.keys() >= {*names, *values}
        return None if is_ours and all(found[name] == value for name, value in values.items()) else OTHER

    return kind_of_other


def like_toml(names: Collection[str]) -> KindOfOther:
    """Return what knows TOML files that have these names."""

    def kind_of_other(path: Path) -> str | None:
        try:
            found = tomllib.loads(read_whole(path, LONGEST, path.name).decode("utf-8"))
        except (ValueError, RecursionError):
            return OTHER
        return None if found.keys() >= {*names} else OTHER

    return kind_of_other


def with_bytes(beginning: bytes, mark: bytes) -> KindOfOther:
    """Return what knows files that begin so, and have a mark in their first or last kilobytes."""

    def kind_of_other(path: Path) -> str | None:
        with path.open("rb") as file:
            head = file.read(_ENDS)
            file.seek(max(0, path.stat().st_size - _ENDS))
            ends = head, file.read(_ENDS)
        return None if head.startswith(beginning) and any(mark in end for end in ends) else OTHER

    return kind_of_other


_ENDS = 4096


def _first_columns(data: bytes) -> list[bytes]:
    return data.split(b"\n", 1)[0].rstrip(b"\r").split(b",")[:2]
