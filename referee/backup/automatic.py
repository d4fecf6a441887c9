"""The automatic backups: makes one if it is due, copies it to a USB stick, and removes those that are not kept."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee.backup.checking import check_backup, open_backup
from referee.backup.contents import Places
from referee.backup.drives import removable_folders
from referee.backup.keeping import Kept, day_of, is_due, name_of, time_in, to_keep
from referee.backup.manifest import DONE, DRAFT
from referee.backup.writing import (
    CHUNK,
    COPIES,
    JOURNAL,
    SPARE,
    Continues,
    no_room,
    save_stream,
    size_of,
    stream_backup,
)
from referee.errors import BadInput, RefereeError
from referee.journal.opening import FILE
from referee.journal.reading import read_only, translate_errors

ON_STICK = "referee-backups"
"""The folder on a stick."""
_LAST = "SELECT wall FROM events ORDER BY match DESC, number DESC LIMIT 1"
_EXTENT = "SELECT count(*), max(match), max(wall) FROM events"
"""What changes with every event."""
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
    local = now.replace(tzinfo=None)
    # One of tomorrow, made while the clock was wrong, says nothing; with it a backup would be due again and again.
    kept = next((one for one in kept_backups(places.backups) if one.made <= local), None)
    newest = None if kept is None else kept.made
    last = last_event(places.state)
    if last is not None and day_of(last) > day_of(local):
        if not (_is_of_an_earlier_day(newest, local) and _is_news(places, kept)):
            return Done()
    elif not is_due(last, newest, local):
        return Done()
    path = make_backup(places, now, pictures=pictures, goes_on=goes_on)
    tidy(places.backups)
    return Done(path, tuple(copy_to_stick(path, stick, goes_on) for stick in sticks()))


def _is_of_an_earlier_day(newest: dt.datetime | None, local: dt.datetime) -> bool:
    return newest is None or day_of(newest) < day_of(local)


def _is_news(places: Places, kept: Kept | None) -> bool:
    """Return whether the journal has events that a backup lacks, or has other ones.

    This is asked if the last event is in the future: the clock was wrong while it was played, so its time does not
    tell.
    """
    if kept is None:
        return True
    try:
        saved = _events_in(places.backups / kept.name, places.state)
    except (RefereeError, OSError, KeyError):
        return True  # a backup that cannot be read is none
    return saved != _last_events(places.state / FILE)


def _events_in(backup: Path, folder: Path) -> object:
    """Return what `_last_events` returns for the journal in a backup, which is unpacked into `folder` for that."""
    with tempfile.TemporaryDirectory(prefix=COPIES, dir=folder) as name, open_backup(backup) as opened:
        journal = next((one for one in opened.manifest.members if one.name == JOURNAL), None)
        if journal is None:
            return None
        copy = Path(name) / FILE
        with copy.open("wb") as file:
            opened.copy(journal, file.write)
        return _last_events(copy)


def _last_events(path: Path) -> object:
    with translate_errors(path), closing(read_only(path)) as connection:
        return connection.execute(_EXTENT).fetchone()


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
    """Remove the oldest backups until this many bytes fit.

    Raises BadInput, and removes none, if they do not fit beside the newest.
    """
    free = free or (lambda place: shutil.disk_usage(place).free)
    older = kept_backups(folder)[1:]
    if (most := free(folder) + sum(one.size for one in older)) < size + spare:
        raise no_room(folder, size, spare, most)
    for old in reversed(older):
        if free(folder) >= size + spare:
            return
        (folder / old.name).unlink(missing_ok=True)
    if (left := free(folder)) < size + spare:
        raise no_room(folder, size, spare, left)


def tidy(folder: Path) -> None:
    """Remove the backups that are not kept."""
    there = kept_backups(folder)
    kept = to_keep(one.made for one in there)
    for one in there:
        if one.made not in kept:
            (folder / one.name).unlink(missing_ok=True)


def folder_on(stick: Path) -> Path:
    """Return the folder for backups on a stick; raises BadInput if it leads elsewhere.

    A file system such as ext4 can have links, with which whoever owns the stick could have any folder written to.
    """
    folder = stick / ON_STICK
    if folder.is_symlink():
        raise BadInput(f"{folder}: expected a folder on the stick, found a link, which may lead anywhere")
    return folder


def copy_to_stick(path: Path, stick: Path, goes_on: Continues = lambda: True) -> Path:
    """Copy a backup to a stick, read it back, and return its path there; raises BadInput or OSError."""
    folder = folder_on(stick)
    folder.mkdir(exist_ok=True)
    make_room(folder, path.stat().st_size, spare=0)
    copy = folder / path.name
    save_stream(copy, _chunks_of(path), check_backup, goes_on)
    tidy(folder)
    return copy


def copy_newest(places: Places, stick: Path) -> Path | None:
    """Copy the newest automatic backup to a stick unless it is there; None if it is, or if there is none."""
    there = kept_backups(places.backups)
    if not there or (folder_on(stick) / there[0].name).exists():
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
