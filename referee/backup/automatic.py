"""The automatic backups: makes one if it is due, copies it to a USB stick, and removes those that are not kept."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.drives import removable_folders
from referee.backup.keeping import Kept, is_due, name_of, time_in, to_keep
from referee.backup.manifest import DONE, DRAFT
from referee.backup.writing import CHUNK, COPIES, SPARE, Continues, check_room, save_stream, size_of, stream_backup
from referee.journal.opening import FILE
from referee.journal.reading import read_only, translate_errors

ON_STICK = "referee-backups"
"""The folder on a stick."""
_LAST = "SELECT wall FROM events ORDER BY match DESC, number DESC LIMIT 1"
STALE_S = 86_400.0
"""Seconds after which the beginning of a backup, which a power cut has left, is removed."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done: the new backup, None if none was due, and its copies on sticks."""

    path: Path | None = None
    copies: tuple[Path, ...] = ()


def kept_backups(folder: Path) -> list[Kept]:
    """Return the backups in a folder, the newest first; none if there is no such folder, or it cannot be read."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            made = time_in(path.name)
            if made is not None and path.is_file() and not path.is_symlink():
                found.append(Kept(path.name, made, path.stat().st_size))
    return sorted(found, key=lambda one: one.made, reverse=True)


def last_event(state: Path) -> dt.datetime | None:
    """Return the local time of the last event in the journal; None without one. Raises JournalError."""
    path = state / FILE
    if not path.exists():
        return None
    with translate_errors(path), closing(read_only(path)) as connection:
        row = connection.execute(_LAST).fetchone()
    if row is None:
        return None
    try:
        return dt.datetime.fromisoformat(row[0]).astimezone().replace(tzinfo=None)
    except ValueError:
        return None


def back_up_if_due(
    places: Places, now: dt.datetime, *, pictures: bool, goes_on: Continues, sticks: Callable[[], Sequence[Path]]
) -> Done:
    """Make the automatic backup if one is due at `now`, which has its time zone.

    Raises BadInput, JournalError or OSError if that is not possible, and Stopped once `goes_on` returns False. Backups
    are removed only after a new one was made and read back.
    """
    there = kept_backups(places.backups)
    if not is_due(last_event(places.state), there[0].made if there else None, now.replace(tzinfo=None)):
        return Done()
    path = make_backup(places, now, pictures=pictures, goes_on=goes_on)
    tidy(places.backups)
    return Done(path, tuple(copy_to_stick(path, stick, goes_on) for stick in sticks()))


def make_backup(places: Places, now: dt.datetime, *, pictures: bool, goes_on: Continues = lambda: True) -> Path:
    """Make a backup in the folder of the automatic ones and return its path.

    If the disk lacks room, the oldest backups make room for it, but never the newest one.
    """
    folder = places.backups
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_stale(folder, places.state)
    make_room(folder, size_of(places, pictures=pictures))
    path = folder / name_of(now)
    save_stream(path, stream_backup(places, now, pictures=pictures), check_backup, goes_on)
    return path


def make_room(folder: Path, size: int, spare: int = SPARE, free: Callable[[Path], int] | None = None) -> None:
    """Remove the oldest backups until this many bytes fit; raises BadInput if they do not fit beside the newest."""
    free = free or (lambda place: shutil.disk_usage(place).free)
    for old in reversed(kept_backups(folder)[1:]):
        if free(folder) >= size + spare:
            return
        (folder / old.name).unlink(missing_ok=True)
    if free(folder) < size + spare:
        check_room(folder, size, spare)


def tidy(folder: Path) -> None:
    """Remove the backups that are not kept."""
    there = kept_backups(folder)
    kept = to_keep(one.made for one in there)
    for one in there:
        if one.made not in kept:
            (folder / one.name).unlink(missing_ok=True)


def copy_to_stick(path: Path, stick: Path, goes_on: Continues = lambda: True) -> Path:
    """Copy a backup to a stick, read it back, and return its path there; raises BadInput or OSError."""
    folder = stick / ON_STICK
    folder.mkdir(exist_ok=True)
    make_room(folder, path.stat().st_size, spare=0)
    copy = folder / path.name
    save_stream(copy, _chunks_of(path), check_backup, goes_on)
    tidy(folder)
    return copy


def copy_newest(places: Places, stick: Path) -> Path | None:
    """Copy the newest automatic backup to a stick unless it is there; None if it is, or if there is none."""
    there = kept_backups(places.backups)
    if not there or (stick / ON_STICK / there[0].name).exists():
        return None
    return copy_to_stick(places.backups / there[0].name, stick)


def _chunks_of(path: Path) -> Iterator[bytes]:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _remove_stale(*folders: Path) -> None:
    """Remove what a power cut has left of a backup, or of a restore that had not been decided."""
    for folder in folders:
        for path in (*folder.glob(".*.zip.part"), *folder.glob(f"{COPIES}*"), folder / DRAFT, folder / DONE):
            with contextlib.suppress(OSError):
                if time.time() - path.lstat().st_mtime > STALE_S:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()


def all_sticks() -> list[Path]:
    """Return the removable drives that are mounted now."""
    return removable_folders()
