"""Makes room for a new backup among the older ones, as late as possible.

1. While the disk has room for the new backup and all others, none is removed before the new one is complete.
2. If it lacks room, older ones are removed while the new one is written, one at a time, and no more than it needs:
   first those that would not be kept anyway, then the oldest.
3. The newest one stays, and the newest whole one: after a power cut there is always one that can be restored. Of those
   of a time to come, which a wrong clock has made, the newest and the newest whole one stay as well.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from referee.backup.checking import check_backup
from referee.backup.keeping import Kept, time_in, to_keep
from referee.backup.writing import SPARE, no_room
from referee.errors import RefereeError

Free = Callable[[Path], int]
"""Returns how many bytes are free on the disk of a folder."""


def kept_backups(folder: Path) -> list[Kept]:
    """Return the backups in a folder, the newest first; none if there is no such folder, or it cannot be read."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            made = time_in(path.name)
            if made is not None and path.is_file() and not path.is_symlink():
                found.append(Kept(path.name, made, path.stat().st_size))
    return sorted(found, key=lambda one: one.made, reverse=True)


def newest_of(kept: Sequence[Kept], local: dt.datetime) -> Kept | None:
    """Return the newest backup; None without one. One dated in the future was made while the clock was wrong."""
    return next((one for one in kept if one.made <= local), None)


def times_to_keep(kept: Sequence[Kept], local: dt.datetime) -> set[dt.datetime]:
    """Return the times of the backups to keep; `local` is the present time.

    Those of a time to come were made while the clock was wrong. They do not count among the others, whose places they
    would take for years.
    """
    times = [one.made for one in kept]
    return to_keep(made for made in times if made <= local) | to_keep(made for made in times if made > local)


def tidy(folder: Path, local: dt.datetime) -> None:
    """Remove the backups that are not kept; `local` is the present time."""
    there = kept_backups(folder)
    kept = times_to_keep(there, local)
    for one in there:
        if one.made not in kept:
            (folder / one.name).unlink(missing_ok=True)


def make_room(
    chunks: Iterator[bytes], size: int, folder: Path, local: dt.datetime, spare: int = SPARE, free: Free | None = None
) -> Iterator[bytes]:
    """Yield the chunks of a new backup of at most `size` bytes; older ones in the folder make room if there is none.

    `local` is the present time, `spare` the number of bytes that stay free. Raises BadInput, and removes none, if
    there would be no room even so.
    """
    room = (free or _free_bytes)(folder) - spare
    older = [] if room >= size else _removable(folder, local)
    if (most := room + sum(one.size for one in older)) < size:
        raise no_room(folder, size, spare, most + spare)
    written = 0
    for chunk in chunks:
        written += len(chunk)  # often less than `size`, which is that of the files before they are compressed
        while written > room and older:
            oldest = older.pop(0)
            (folder / oldest.name).unlink(missing_ok=True)
            room += oldest.size
        yield chunk


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def _removable(folder: Path, local: dt.datetime) -> list[Kept]:
    """Return the backups that may make room for a new one, in this order. This reads some of them completely."""
    there = kept_backups(folder)
    stay = set(there[:1])
    for group in ([one for one in there if one.made <= local], [one for one in there if one.made > local]):
        stay.update(group[:1])
        stay.update(_newest_whole(folder, group))
    kept = times_to_keep([*there, Kept("", local, 0)], local)  # as if the new one was there
    return sorted((one for one in there if one not in stay), key=lambda one: (one.made in kept, one.made))


def _newest_whole(folder: Path, newest_first: Sequence[Kept]) -> Sequence[Kept]:
    """Return the newest backup of which every byte is as it was saved; empty without one."""
    for one in newest_first:
        with contextlib.suppress(RefereeError, OSError):
            check_backup(folder / one.name)
            return (one,)
    return ()
