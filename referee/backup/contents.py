"""What a backup contains: everything beside the journal except what can be made again, and the settings file.

New kinds of files beside the journal are included without a change here. Only what is listed below is left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.backup.keeping import time_in
from referee.backup.manifest import BACKUPS, OF_THIS_MACHINE, OWN_NAMES, SETTINGS_NAME, STATE, is_safe_name
from referee.journal.opening import FILE as JOURNAL_FILE
from referee.journal.pictures import FOLDER as PICTURES

NAMED = "named"
"""The folder of files that settings name and that are outside the state folder."""
HALL_FILE = "hall/hall.sqlite"
"""What a club's hall has recorded, by its path below the journal's folder (`referee.cli.programs.hall`)."""
PICTURE_FOLDERS = frozenset({PICTURES, "failures"})
"""The pictures behind verdicts, and those of misread tiles that are kept for training."""
CAN_BE_MADE_AGAIN = frozenset({"models", "cache", "__pycache__", "updates"})
OF_THE_LAST_RUN = frozenset({"last-failure.json"})
"""What says only why the program has failed on this machine: it is not saved, and a restore or a reset deletes it."""
_HEADER = b"SQLite format 3\0"
_BESIDE = re.compile(r"(.+)-(wal|shm|journal)")
_DAMAGED = re.compile(r".*-damaged-\d+\..*")
"""Journals that were set aside because they are damaged; they are copied byte for byte, with their logs."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the files of a table are."""

    state: Path
    """The journal's folder."""
    settings: Path | None = None
    named: Mapping[str, Path] = field(default_factory=dict)
    """By key, files and folders that settings name, such as the recordings of `voice.pack`."""
    folder: Path | None = None
    """The folder of the automatic backups; None: in the state folder."""

    @property
    def backups(self) -> Path:
        """The folder of the automatic backups."""
        return self.folder or self.state / BACKUPS

    @property
    def backups_inside(self) -> str:
        """The path of that folder below the journal's folder; empty if it is elsewhere."""
        if not _is_inside(self.backups, self.state):
            return ""
        return self.backups.absolute().relative_to(self.state.absolute()).as_posix()

    @property
    def kept_beside(self) -> str:
        """The name of the folder beside the journal that has them; empty if they are elsewhere."""
        return self.backups_inside.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be saved: its name in the backup, and whether SQLite may be writing it."""

    name: str
    path: Path
    database: bool = False


def sources(places: Places, *, pictures: bool = True) -> Iterator[Source]:
    """Yield everything to be saved, in the order of names; raises OSError if a folder cannot be read.

    Links are not followed: a link in the folder of another user could lead anywhere.
    """
    if places.settings is not None and places.settings.is_file():
        yield Source(SETTINGS_NAME, places.settings)
    skipped = OWN_NAMES | CAN_BE_MADE_AGAIN | OF_THIS_MACHINE | OF_THE_LAST_RUN
    skipped |= frozenset() if pictures else PICTURE_FOLDERS
    if places.state.is_dir():
        for source in _files_in(places.state, STATE, skipped):
            if not is_of_backups(source.name, places.backups_inside):
                yield source
    for key, path in sorted(places.named.items()):
        if not _is_inside(path, places.state):
            yield from _named_files(path, f"{STATE}/{NAMED}/{key}")


def named_paths(places: Places) -> dict[str, str]:
    """Return by key the settings that name a file or folder of the backup, and its path below `state`."""
    found = {}
    for key, path in sorted(places.named.items()):
        if _is_inside(path, places.state):
            found[key] = path.absolute().relative_to(places.state.absolute()).as_posix()
        elif path.is_dir():
            found[key] = f"{NAMED}/{key}"
        elif path.is_file():
            found[key] = f"{NAMED}/{key}/{path.name}"
    return found


def is_of_backups(name: str, inside: str) -> bool:
    """Return whether a member of a backup is a backup itself: beside the journal, or in the folder `inside` there.

    Otherwise each automatic backup would contain all earlier ones, and have twice their size.
    """
    below = name.removeprefix(f"{STATE}/")
    return time_in(below) is not None or (bool(inside) and below.startswith(f"{inside}/"))


def _is_inside(path: Path, folder: Path) -> bool:
    return path.absolute().is_relative_to(folder.absolute())


def _named_files(path: Path, name: str) -> Iterator[Source]:
    if path.is_dir():
        yield from _files_in(path, name, frozenset())
    elif path.is_file() and is_safe_name(f"{name}/{path.name}"):
        yield Source(f"{name}/{path.name}", path)


def _files_in(folder: Path, name: str, skipped: frozenset[str]) -> Iterator[Source]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    databases = {entry.name for entry in entries if entry.is_file(follow_symlinks=False) and _is_one(entry, name)}
    for entry in entries:
        inner = f"{name}/{entry.name}"
        if entry.name in skipped or entry.name.endswith(".part") or not is_safe_name(f"{inner}/x"):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files_in(Path(entry.path), inner, CAN_BE_MADE_AGAIN)
        elif entry.is_file(follow_symlinks=False) and _database_beside(entry.name) not in databases:
            yield Source(inner, Path(entry.path), entry.name in databases)


def _is_one(entry: os.DirEntry[str], folder: str) -> bool:
    """Return whether a file is a database, or the journal, even if its beginning is damaged."""
    is_journal = folder == STATE and entry.name == JOURNAL_FILE and entry.stat(follow_symlinks=False).st_size > 0
    return is_journal or is_database(entry.path)


def _database_beside(name: str) -> str | None:
    """Return the name of the database that a file of SQLite belongs to, if that is copied together with its log."""
    found = _BESIDE.fullmatch(name)
    return None if found is None or _DAMAGED.fullmatch(found[1]) else found[1]


def is_database(path: str | Path) -> bool:
    """Return whether SQLite may be writing this file. Damaged journals that were set aside nobody writes."""
    if _DAMAGED.fullmatch(Path(path).name):
        return False
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # reading it for the backup reports that
        return False
    try:
        return os.read(handle, len(_HEADER)) == _HEADER
    finally:
        os.close(handle)
