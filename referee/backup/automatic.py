"""The automatic backups: makes one if it is due, copies it to a USB stick, and removes those that are not kept."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from referee.backup.checking import check_backup, open_backup
from referee.backup.contents import HALL_FILE, Places
from referee.backup.counting import Meter, Report, ignore_report
from referee.backup.drives import removable_folders
from referee.backup.keeping import Kept, day_of, is_due, name_of, start_of, time_in
from referee.backup.manifest import DONE, DRAFT, STATE
from referee.backup.room import kept_backups, make_room, newest_of, tidy
from referee.backup.stick_folder import folder_on
from referee.backup.writing import (
    CHUNK,
    COPIES,
    DRAFT_ENDING,
    Continues,
    Stopped,
    save_stream,
    size_of,
    stream_backup,
    translate_disk,
)
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.opening import FILE
from referee.journal.reading import read_only, translate_errors

_LAST = "SELECT wall FROM events ORDER BY match DESC, number DESC LIMIT 1"
_LAST_BEFORE = "SELECT wall FROM events WHERE wall < ? ORDER BY match DESC, number DESC LIMIT 1"
_EXTENTS = {
    FILE: "SELECT count(*), max(match), max(wall) FROM events",
    HALL_FILE: "SELECT (SELECT max(number) FROM notes), group_concat(tbl || bytes) FROM sizes",
}
"""By file, what changes with everything that is written to it."""
_HALL_BEFORE = (
    "SELECT EXISTS (SELECT 1 FROM notes WHERE wall > '' AND wall < ?1) "
    "OR EXISTS (SELECT 1 FROM events WHERE received < ?1)"
)
LARGEST_ON_FAT = 2**32 - 1
"""The largest file in bytes on a stick with FAT, which most sticks of up to 32 GB have."""
STALE_S = 86_400.0
"""Seconds after which the beginning of a backup, which a power cut has left, is removed."""


class Make(Protocol):
    """Makes a backup, like `make_backup`."""

    def __call__(self, places: Places, now: dt.datetime, *, pictures: bool, goes_on: Continues) -> Path: ...  # noqa: D102


Copy = Callable[[Path, Path, Path, dt.datetime, Continues], Path | None]
"""Copies a backup to a stick unless it is there, like `copy_if_missing`."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done: the new backup, None if none was made, the copies on sticks, and why there are no others.

    `failure`: why the new backup could not be made.
    """

    path: Path | None = None
    copies: tuple[Path, ...] = ()
    troubles: tuple[RefereeError | OSError, ...] = ()
    failure: RefereeError | OSError | None = None


def last_event(state: Path, before: dt.datetime | None = None) -> dt.datetime | None:
    """Return the local time of the last event in the journal; None without one. Raises JournalError.

    With `before`, a local time, it is the last of the events before that.
    """
    path = state / FILE
    if not path.exists():
        return None
    with translate_errors(path), closing(read_only(path)) as connection:
        if before is None:
            row = connection.execute(_LAST).fetchone()
        else:
            row = connection.execute(_LAST_BEFORE, (_wall(before),)).fetchone()
    if row is None:
        return None
    try:
        return dt.datetime.fromisoformat(row[0]).astimezone().replace(tzinfo=None)
    except ValueError:
        return None


def back_up_if_due(
    places: Places,
    now: dt.datetime,
    *,
    pictures: bool,
    goes_on: Continues,
    sticks: Callable[[], Sequence[Path]],
    make: Make | None = None,
    copy: Copy | None = None,
    fresh: bool = False,
) -> Done:
    """Make the automatic backup if one is due at `now`, which has its time zone; copy the newest to each stick.

    With `fresh`, one is also made if there is a stick and the newest lacks anything that was played: whoever puts a
    stick in after a match takes that along.

    `make` and `copy` do what `make_backup` and `copy_if_missing` do, such as in another process (`apart.py`).

    Raises JournalError if nobody can tell whether one is due, and Stopped once `goes_on` returns False. Those that are
    not kept are removed only after a new one was made and read back.
    """
    local, path = now.replace(tzinfo=None), None
    failure: RefereeError | OSError | None = None
    if _is_due(places, local) or (fresh and sticks() and _lacks_events(places, local)):
        try:
            path = (make or make_backup)(places, now, pictures=pictures, goes_on=goes_on)
            tidy(places.backups, local)
        except (RefereeError, OSError) as error:
            failure = error  # a stick gets the newest that there is
    copies, troubles = [], []
    newest = newest_of(kept_backups(places.backups), local)
    if newest is None:
        return Done(path, failure=failure)
    for stick in sticks():  # one may have been taken out meanwhile, or put in
        try:
            copied = (copy or copy_if_missing)(places.backups / newest.name, stick, places.state, local, goes_on)
        except (RefereeError, OSError) as error:  # one stick that is full or broken is not in the way of the others
            troubles.append(error)
        else:
            copies += [] if copied is None else [copied]
    return Done(path, tuple(copies), tuple(troubles), failure)


def _is_due(places: Places, local: dt.datetime) -> bool:
    kept = newest_of(kept_backups(places.backups), local)
    return _is_journal_due(places, kept, local) or _is_hall_due(places, kept, local)


def _lacks_events(places: Places, local: dt.datetime) -> bool:
    """Return whether the newest backup lacks anything that was played."""
    kept = newest_of(kept_backups(places.backups), local)
    return last_event(places.state) is not None and _is_news(FILE, places, kept)


def _is_journal_due(places: Places, kept: Kept | None, local: dt.datetime) -> bool:
    last, newest = last_event(places.state), None if kept is None else kept.made
    if last is None:
        return False
    if day_of(last) == day_of(local):
        # Somebody plays again already, who may switch off right after that: what was played before today is saved now.
        return is_due(last_event(places.state, start_of(local)), newest, local)
    if day_of(last) < day_of(local):
        # A backup may bear a later time than events that it lacks, if the clock was put back meanwhile.
        return is_due(last, newest, local) or _is_news(FILE, places, kept)
    return _is_of_an_earlier_day(kept, local) and _is_news(FILE, places, kept)


def _is_hall_due(places: Places, kept: Kept | None, local: dt.datetime) -> bool:
    """Return whether a hall has recorded anything since the last backup, of which there is one a day at most."""
    path = places.state / HALL_FILE
    if not path.exists() or not _is_of_an_earlier_day(kept, local):
        return False
    try:
        return _is_news(HALL_FILE, places, kept) if kept is not None else _has_hall_rows(path, start_of(local))
    except RefereeError:  # a hall of an earlier version has left it, and none has opened it since
        return False


def _has_hall_rows(path: Path, before: dt.datetime) -> bool:
    with translate_errors(path), closing(read_only(path)) as connection:
        return bool(connection.execute(_HALL_BEFORE, (_wall(before),)).fetchone()[0])


def _wall(local: dt.datetime) -> str:
    """Return a local time as journals and halls have it: in UTC, and in one form that can be compared as text."""
    return f"{local.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%S}"


def _is_of_an_earlier_day(kept: Kept | None, local: dt.datetime) -> bool:
    return kept is None or day_of(kept.made) < day_of(local)


def _is_news(name: str, places: Places, kept: Kept | None) -> bool:
    """Return whether a database has rows that a backup lacks, or has other ones; their times may be wrong."""
    if kept is None:
        return True
    path, now = places.backups / kept.name, _extent(name, places.state / name)
    try:
        saved = _extent_in(path, path.stat().st_mtime_ns, name, places.state)
    except (RefereeError, OSError, KeyError):
        return True  # a backup that cannot be read is none
    return saved != now


@lru_cache(maxsize=len(_EXTENTS))  # this is asked every few minutes, mostly of the same backup
def _extent_in(backup: Path, changed_ns: int, name: str, folder: Path) -> object:  # noqa: ARG001 - for the cache
    """Return what `_extent` returns for the database in a backup, which is unpacked into `folder` for that."""
    with tempfile.TemporaryDirectory(prefix=COPIES, dir=folder) as inside, open_backup(backup) as opened:
        member = next((one for one in opened.manifest.members if one.name == f"{STATE}/{name}"), None)
        if member is None:
            return None
        copy = Path(inside) / Path(name).name
        with copy.open("wb") as file:
            opened.copy(member, file.write)
        return _extent(name, copy)


def _extent(name: str, path: Path) -> object:
    with translate_errors(path), closing(read_only(path)) as connection:
        return connection.execute(_EXTENTS[name]).fetchone()


def make_backup(places: Places, now: dt.datetime, *, pictures: bool, goes_on: Continues = lambda: True) -> Path:
    """Make a backup in the folder of the automatic ones and return its path.

    If the disk lacks room, the oldest backups make room for it, but never the newest one that is whole.
    """
    folder = places.backups
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_stale(folder, places.state)
    size, path = size_of(places, pictures=pictures), folder / name_of(now)
    chunks = make_room(stream_backup(places, now, pictures=pictures), size, folder, now.replace(tzinfo=None))
    save_stream(path, chunks, lambda draft: check_backup(draft, _stopping(goes_on)), goes_on)
    return path


def _stopping(goes_on: Continues) -> Callable[[bytes], None]:
    """Return what takes each chunk that is read back, and raises Stopped once `goes_on` returns False."""

    def look(_: bytes) -> None:
        if not goes_on():
            raise Stopped

    return look


def copy_to_stick(
    path: Path,
    stick: Path,
    state: Path,
    local: dt.datetime,
    goes_on: Continues = lambda: True,
    report: Report = ignore_report,
) -> Path:
    """Copy a backup of the journal in `state` to a stick, read it back, and return its path there.

    Raises BadInput or OSError, and Stopped once `goes_on` returns False.
    """
    folder = folder_on(stick, state)
    folder.parent.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    remove_stale(folder)
    size, copy = path.stat().st_size, folder / path.name
    check_largest(folder, size)
    with open_backup(path) as backup:
        unpacked = backup.manifest.size
    meter = Meter(report, size + 2 * unpacked)
    look = _stopping(goes_on)

    def count(chunk: bytes) -> None:
        look(chunk)
        meter.count(chunk)

    if shutil.disk_usage(folder).free < size:
        meter.begin(unpacked)
        check_backup(path, count)  # no older copy makes room for a damaged one
    meter.begin(size)
    chunks = meter.counted(chunks_of(path))

    def check(draft: Path) -> None:
        meter.begin(unpacked)
        check_backup(draft, count)

    save_stream(copy, make_room(chunks, size, folder, local, spare=0), check, goes_on)
    tidy(folder, local)
    return copy


def check_largest(folder: Path, size: int) -> None:
    """Raise BadInput if the file system of a folder has no files of this size, as FAT from 4 GB on.

    Otherwise older backups would make room for one that can never be complete.
    """
    if size <= LARGEST_ON_FAT:
        return
    with translate_disk(folder), tempfile.TemporaryFile(dir=folder) as file:
        try:
            os.lseek(file.fileno(), size, os.SEEK_SET)  # writes nothing; Linux refuses a place that no file can have
        except OSError as error:
            raise BadInput(Notice("backup.stick_fat", gigabytes=size / 1e9)) from error


def copy_if_missing(
    path: Path,
    stick: Path,
    state: Path,
    local: dt.datetime,
    goes_on: Continues = lambda: True,
    report: Report = ignore_report,
) -> Path | None:
    """Do what `copy_to_stick` does, unless the stick has this backup already; then return None."""
    if (folder_on(stick, state) / path.name).exists():
        return None
    return copy_to_stick(path, stick, state, local, goes_on, report)


def chunks_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file; a link is not followed."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def remove_stale(folder: Path) -> None:
    """Remove what a power cut has left of dated backups in a folder that may hold other files, too."""
    beginnings = (path for path in folder.glob(f".referee-*.zip{DRAFT_ENDING}"))
    _remove_old(path for path in beginnings if time_in(path.name[1 : -len(DRAFT_ENDING)]) is not None)


def _remove_stale(*folders: Path) -> None:
    """Remove what a power cut has left of a backup, or of a restore that had not been decided."""
    for folder in folders:
        drafts = (*folder.glob(f".*.zip{DRAFT_ENDING}"), *folder.glob(f"{COPIES}*"))
        _remove_old((*drafts, folder / DRAFT, folder / DONE))


def _remove_old(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            # One of a time to come was made while the clock was wrong.
            if abs(time.time() - path.lstat().st_mtime) > STALE_S:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def all_sticks() -> list[Path]:
    """Return the removable drives that are mounted now."""
    return removable_folders()
