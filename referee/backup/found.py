"""The backups that a machine finds: its own, those from before a restore or a reset, and those on USB sticks."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.backup.contents import Places
from referee.backup.manifest import BACKUPS
from referee.backup.restoring import UNDO, undo_time
from referee.backup.room import kept_backups
from referee.backup.stick_folder import ON_STICK

MOST_OF_TABLE, MOST_TABLES = 10, 20
"""As many are listed of a table on a stick, the newest, and as many tables: a list must stay one that can be read."""


@dataclass(frozen=True, slots=True)
class Found:
    """A backup: by what it is named in a request, where it is, and its time by the clock of the house."""

    id: str
    path: Path
    made: dt.datetime
    undo: bool = False
    """Whether it was made before a restore or a reset."""
    table: str = ""
    """On a stick, the folder of the table that it is of."""


def find_backups(places: Places, sticks: Iterable[Path] = ()) -> list[Found]:
    """Return the backups of a table and those on sticks, the newest of each kind first; links are not followed."""
    own = [Found(one.name, places.backups / one.name, one.made) for one in kept_backups(places.backups)]
    return [*own, *_undos(places.state / BACKUPS), *_on_sticks(sticks)]


def _undos(folder: Path) -> list[Found]:
    found = []
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{UNDO}-*.zip"):
            made = undo_time(path.name)
            if made is not None and path.is_file() and not path.is_symlink():
                found.append(Found(path.name, path, made, undo=True))
    return sorted(found, key=lambda one: one.made, reverse=True)


def _on_sticks(sticks: Iterable[Path]) -> Iterator[Found]:
    for stick in sticks:
        with contextlib.suppress(OSError):  # it was pulled out
            for folder in _tables(stick / ON_STICK):
                for one in kept_backups(folder)[:MOST_OF_TABLE]:
                    path = folder / one.name
                    yield Found(_id(path), path, one.made, table=folder.name)


def _tables(folder: Path) -> list[Path]:
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())[:MOST_TABLES]


def _id(path: Path) -> str:
    """Return a name that no backup beside the journal has."""
    return hashlib.sha256(bytes(path)).hexdigest()[:24]
