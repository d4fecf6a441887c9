"""Checks of the journal's folder: whether it can be written to, has room and is intact, and which process uses it."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from referee.devices.wiring.header import MODEL, has_header
from referee.doctor.finding import Finding, attention, error_notice, ok, skip_check, wrong
from referee.errors import RefereeError
from referee.game.notice import Notice
from referee.journal.errors import ForeignFile, JournalClosedToUs, NewerJournal
from referee.journal.opening import FILE, LOCK
from referee.journal.owner import no_follow_flag
from referee.journal.pictures import FOLDER
from referee.journal.reading import altered_events, translate_errors
from referee.journal.scores import read_scores

MB = 1_000_000
LEAST_MB = 50
"""A whole year of evenings takes a few MB; the rest is for what the system itself writes."""
SPARE_MB = 200
NAMED = 3
"""How many altered events are reported one by one."""
UNNAMED = "unknown"
"""Stands for the process number of a running referee that did not write its own."""
SERVICE = Path("/var/lib/referee")
"""Where systemd keeps the journal of the service."""
AS_REFEREE = Notice("machine.as_referee")
NO_ROOM = "machine.no_room_left"
"""The notice of a folder that takes nothing because its disk is full."""
MOUNTS = Path("/proc/self/mountinfo")
MOUNT_POINT = 4
"""Which field of a line there is the mount point (proc(5))."""
IN_MEMORY = ("overlay", "tmpfs", "ramfs")
"""File systems whose content is lost with the power. An overlay of a Pi writes to memory."""
_OCTAL = re.compile(r"\\([0-7]{3})")


def running_process(folder: Path) -> str | None:
    """Return the process number of the referee that holds this journal, or UNNAMED; None if none does.

    The locks are only tested, as shared ones and for an instant, and never taken from a process. The lock of the
    folder is tested as well, because the file in it may have been removed.
    """
    return _holder(folder / LOCK) or _holder(folder)


def _holder(path: Path) -> str | None:
    """Return the process number that the holder of a lock has written.

    Returns UNNAMED if it has written none, and None if nobody holds the lock.
    """
    try:
        # A link or a pipe is not a lock of ours: do not follow the one, and do not wait for the other.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if path.is_dir() else no_follow_flag()))
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        named = "" if path.is_dir() else os.pread(handle, 32, 0).decode("ascii", "replace").strip()
        return named or UNNAMED
    except OSError:
        return None  # some network disks cannot lock folders
    finally:
        os.close(handle)
    return None


def journal(folder: Path, holder: str | None, service: Path = SERVICE) -> Iterator[Finding]:
    """Yield findings about whether the journal can be written, and whether its content is intact."""
    if service.exists() and folder.absolute() != service:
        text = Notice("machine.journal_elsewhere", service=str(service), folder=str(folder))
        yield attention("journal place", text, AS_REFEREE)
    yield from lasting(folder)
    if holder is not None:
        named = Notice("machine.referee_runs", process=holder)
        text = Notice("machine.referee_runs_unnamed") if holder == UNNAMED else named
        yield ok("running", text, process=holder)
    yield writable(folder)
    yield contents(folder / FILE)


def lasting(folder: Path, root: Path = Path("/")) -> Iterator[Finding]:
    """Yield a finding if what is written to the folder is lost at power-off; files of the system are below `root`."""
    if is_lost_at_power_off(folder, root / "proc/self/mountinfo", root / MODEL.relative_to("/")):
        told = Notice("machine.journal_vanishes", folder=str(folder))
        yield wrong("journal place", told, Notice("machine.give_it_a_partition"))


def is_lost_at_power_off(folder: Path, mounts: Path = MOUNTS, model: Path = MODEL) -> bool:
    """Return whether a folder of a Pi is only in memory, as with a read-only system that keeps all writes there.

    On other machines such folders belong to containers, which keep them, or to somebody who has chosen that.
    """
    return has_header(model) and _file_system(_nearest(folder), mounts) in IN_MEMORY


def _file_system(folder: Path, mounts: Path) -> str:
    """Return the type of the file system that a folder is in; empty if that is unknown."""
    found = Path(), ""
    try:
        place = folder.resolve()
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    for line in lines:
        fields, dash, rest = line.partition(" - ")
        if dash and len(parts := fields.split()) > MOUNT_POINT:
            point = Path(_OCTAL.sub(lambda code: chr(int(code[1], 8)), parts[MOUNT_POINT]))
            # Of several mounts at the same place, the last one is seen.
            if place.is_relative_to(point) and len(point.parts) >= len(found[0].parts):
                found = point, rest.split()[0]
    return found[1]


def writable(folder: Path) -> Finding:
    """Check by writing a file whether the folder can be written to.

    Permissions alone do not show that a card has turned itself read-only.
    """
    place = _nearest(folder)
    try:
        if place.is_dir():
            with tempfile.TemporaryFile(dir=place) as file:
                file.write(b"referee")
                file.flush()
                os.fsync(file.fileno())
        else:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
    except OSError as error:
        return wrong("journal folder", *_explain_refusal(folder, error))
    if place != folder:
        return ok("journal folder", Notice("machine.journal_will_be", folder=str(folder)))
    return ok("journal folder", Notice("machine.journal_folder", folder=str(folder)))


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists; unreadable ones count as absent."""

    def there(one: Path) -> bool:
        try:
            return one.exists()
        except PermissionError:
            return False

    return next((one for one in (folder, *folder.absolute().parents) if there(one)), folder)


def _explain_refusal(folder: Path, error: OSError) -> tuple[Notice, Notice]:
    text = Notice("machine.not_written", folder=str(folder), why=str(error.strerror))
    if error.errno == errno.EROFS:
        return text, Notice("machine.card_read_only")
    if error.errno == errno.ENOSPC:
        return Notice(NO_ROOM, folder=str(folder)), Notice("machine.make_room_or_larger")
    return text, Notice("machine.as_referee_or_elsewhere")


def contents(path: Path) -> Finding:
    """Check whether the file is a journal, and intact: every event of every match is compared with its checksum."""
    try:
        if not path.exists():
            return ok("journal", Notice("machine.no_match_yet"), matches=0)
        matches = read_scores(path)
        damage = _quick_check(path)
        events = altered_events(path) if damage is None else []
    except (PermissionError, RefereeError) as error:
        return _unread(path, error)
    figures = {"matches": len(matches)}
    if events:
        return wrong("journal", _altered_notice(events), Notice("machine.check_card", path=str(path)), **figures)
    if damage is not None or any(match.damaged for match in matches):
        text = Notice("machine.journal_damaged_so", damage=damage) if damage else Notice("machine.journal_damaged")
        return wrong("journal", text, Notice("machine.keep_whole", path=str(path)), **figures)
    return ok("journal", Notice("machine.journal_whole", matches=len(matches)), **figures)


def _unread(path: Path, error: PermissionError | RefereeError) -> Finding:
    if isinstance(error, PermissionError) or _is_unreadable(error):
        return attention("journal", Notice("machine.journal_closed", path=str(path)), AS_REFEREE)
    do = Notice("machine.copy_journal_away")
    if isinstance(error, ForeignFile | NewerJournal):
        do = Notice("machine.journal_left")
    return wrong("journal", error_notice(error), do)


def _altered_notice(events: Sequence[tuple[int, int]]) -> Notice:
    """Return the notice of the events that are not as they were written, the first few by name."""
    names = [Notice("machine.event", event=number, match=match) for match, number in events[:NAMED]]
    more = len(events) - len(names)
    names += [Notice("machine.other_events", number=more)] if more else []
    return Notice("machine.events_altered", events=tuple(names))


def _is_unreadable(error: RefereeError) -> bool:
    """Return whether this user may not read the journal; another user might find it intact."""
    return isinstance(error, JournalClosedToUs) and isinstance(error.__cause__, PermissionError)


def _quick_check(path: Path) -> str | None:
    """Return what SQLite finds wrong; None if nothing."""
    # Without a log nobody is writing. SQLite then needs no files beside it, which this user may not be able to make.
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    address = f"file:{quote(os.fsencode(path.absolute()))}?{mode}"
    with translate_errors(path), closing(sqlite3.connect(address, uri=True, timeout=1.0)) as connection:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else found


def room(folder: Path, pictures_mb: int) -> Finding:
    """Check whether the disk has room for the journal and for the pictures that the settings allow."""
    place = _nearest(folder)
    kept = folder / FOLDER
    try:
        free = shutil.disk_usage(place).free // MB
        used = _size_of(kept) // MB
    except OSError as error:
        return skip_check("disk", Notice("machine.room_unknown", why=str(error.strerror)), AS_REFEREE)
    return judge_room(free, used, pictures_mb)


def _size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder; a running match may delete some of them meanwhile."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                size += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - there may be thousands
    return size


def judge_room(free_mb: int, pictures_used_mb: int, pictures_mb: int) -> Finding:
    """Judge the space that is left once the pictures have taken all that they may."""
    figures = {"free_mb": free_mb, "pictures_mb": pictures_used_mb}
    left = free_mb - max(0, pictures_mb - pictures_used_mb)
    if free_mb < LEAST_MB:
        text = Notice("machine.disk_full", megabytes=free_mb)
        return wrong("disk", text, Notice("machine.make_room"), **figures)
    if left < SPARE_MB:
        text = Notice("machine.disk_tight", megabytes=free_mb, pictures=pictures_mb)
        return attention("disk", text, Notice("machine.make_room_or_fewer"), **figures)
    return ok("disk", Notice("machine.disk", gigabytes=free_mb / 1000), **figures)
