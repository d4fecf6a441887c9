"""The folder of the journal: may it be written, is there room, is what stands there whole, and who writes it now."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from referee.doctor.finding import Finding, attention, ok, sentence, skipped, wrong
from referee.errors import RefereeError
from referee.game.wording import count, joined
from referee.journal.errors import ForeignFile, JournalClosedToUs, NewerJournal
from referee.journal.files.owner import followed
from referee.journal.files.pictures import FOLDER
from referee.journal.opening import FILE, LOCK
from referee.journal.reading import altered_events, translated
from referee.journal.scores import read_scores

MB = 1_000_000
LEAST_MB = 50
"""A whole year of evenings is a few MB; the rest is room for what the system itself writes."""
SPARE_MB = 200
NAMED = 3
"""So many altered events are told one by one."""
SERVICE = Path("/var/lib/referee")
"""Where systemd keeps the journal of the service."""
AS_REFEREE = "Run the doctor as the referee's user: sudo -u referee referee doctor."


def running(folder: Path) -> str | None:
    """The process number of a referee that holds this journal; None if nobody does.

    The locks are only asked for, shared and for an instant, never taken from anybody. The folder is asked, too: the
    file in it may have been removed.
    """
    return _holder(folder / LOCK) or _holder(folder)


def _holder(path: Path) -> str | None:
    """The process number that the holder of a lock has written, `unknown` where it has not; None: nobody holds it."""
    try:
        # A link, or a pipe that nobody writes to, is no lock of ours.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if path.is_dir() else followed()))
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        named = "" if path.is_dir() else os.pread(handle, 32, 0).decode("ascii", "replace").strip()
        return named or "unknown"
    except OSError:
        return None  # some network disks lock no folders
    finally:
        os.close(handle)
    return None


def journal(folder: Path, holder: str | None, service: Path = SERVICE) -> Iterator[Finding]:
    """Whether the journal can be written and what stands in it is whole."""
    if service.exists() and folder.absolute() != service:
        text = f"The service keeps its journal in {service}; what is checked here is {folder}."
        yield attention("journal place", text, AS_REFEREE)
    if holder is not None:
        text = f"A referee is running (process {holder}) and writes the journal; that is no fault."
        yield ok("running", text, process=holder)
    yield writable(folder)
    yield contents(folder / FILE)


def writable(folder: Path) -> Finding:
    """Try to write: rights alone do not tell of a card that turned itself read-only."""
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
        return wrong("journal folder", *_refused(folder, error))
    if place != folder:
        return ok(
            "journal folder", f"The journal will be kept in {folder}, which the referee makes at its first start."
        )
    return ok("journal folder", f"The journal is kept in {folder}, and that can be written.")


def _nearest(folder: Path) -> Path:
    """The folder itself, or the nearest one above it that is there; what may not be looked into is not."""

    def there(one: Path) -> bool:
        try:
            return one.exists()
        except PermissionError:
            return False

    return next((one for one in (folder, *folder.absolute().parents) if there(one)), folder)


def _refused(folder: Path, error: OSError) -> tuple[str, str]:
    text = f"Nothing can be written to {folder}: {error.strerror}."
    if error.errno == errno.EROFS:
        return text, "The card takes no writes any more: save what is on it, then replace it."
    if error.errno == errno.ENOSPC:
        return text, "Make room on the card, or take a larger one."
    return text, f"{AS_REFEREE} Or name another folder: [storage] state."


def contents(path: Path) -> Finding:
    """Whether the file is a journal, and whole: every event of every match is held against its sum."""
    try:
        if not path.exists():
            return ok("journal", "No match has been played yet.", matches=0)
        matches = read_scores(path)
        damage = _quick_check(path)
        events = altered_events(path) if damage is None else []
    except (PermissionError, RefereeError) as error:
        return _unread(path, error)
    figures = {"matches": len(matches)}
    if events:
        do = (
            f"Copy {path} to another computer and check the card. Results of matches that are over stay; "
            "a match under way goes on from before that event."
        )
        return wrong("journal", f"The journal is damaged: {_named(events)} not as written.", do, **figures)
    if damage is not None or any(match.damaged for match in matches):
        text = f"The journal is damaged: {damage or 'some events are not as they were written'}."
        do = f"Copy {path} to another computer, then start the referee: it keeps all that is whole. Check the card."
        return wrong("journal", text, do, **figures)
    text = f"The journal is whole: {count(len(matches), 'match').replace('matchs', 'matches')}."
    return ok("journal", text, **figures)


def _unread(path: Path, error: PermissionError | RefereeError) -> Finding:
    if isinstance(error, PermissionError) or _closed(error):
        return attention("journal", f"The journal may not be read by this user ({path}).", AS_REFEREE)
    do = "Copy that file away; the referee mends what can be mended at its next start, and says what it did."
    if isinstance(error, ForeignFile | NewerJournal):
        do = "The file is left as it is, and no match begins here until that is done."
    return wrong("journal", sentence(error), do)


def _named(events: Sequence[tuple[int, int]]) -> str:
    """Which events those are, the first few by name."""
    names = [f"event {number} of match {match}" for match, number in events[:NAMED]]
    more = len(events) - len(names)
    names += [count(more, "other")] if more else []
    return f"{joined(names)} {'is' if len(events) == 1 else 'are'}"


def _closed(error: RefereeError) -> bool:
    """Whether this user may not read the journal; another one would find it whole."""
    return isinstance(error, JournalClosedToUs) and isinstance(error.__cause__, PermissionError)


def _quick_check(path: Path) -> str | None:
    """What SQLite finds wrong; None where it finds nothing."""
    # Without a log nobody writes it now; SQLite then needs no files beside it, which this user may not be allowed.
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    address = f"file:{quote(os.fsencode(path.absolute()))}?{mode}"
    with translated(path), closing(sqlite3.connect(address, uri=True, timeout=1.0)) as connection:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else found


def room(folder: Path, pictures_mb: int) -> Finding:
    """Whether the disk has room for the journal and for the pictures that the settings allow."""
    place = _nearest(folder)
    kept = folder / FOLDER
    try:
        free = shutil.disk_usage(place).free // MB
        used = sum(one.stat().st_size for one in kept.rglob("*") if one.is_file()) // MB if kept.is_dir() else 0
    except OSError as error:
        return skipped("disk", f"The free room cannot be told: {error.strerror}.", AS_REFEREE)
    return judge_room(free, used, pictures_mb)


def judge_room(free_mb: int, pictures_used_mb: int, pictures_mb: int) -> Finding:
    """What free room means, once the pictures have taken all that they may."""
    figures = {"free_mb": free_mb, "pictures_mb": pictures_used_mb}
    left = free_mb - max(0, pictures_mb - pictures_used_mb)
    if free_mb < LEAST_MB:
        return wrong("disk", f"The disk is all but full: {free_mb} MB are free.", "Make room on the card.", **figures)
    if left < SPARE_MB:
        text = f"The disk has {free_mb} MB free; pictures of the table may take {pictures_mb} MB in all."
        return attention("disk", text, "Make room on the card, or set a smaller [storage] pictures_mb.", **figures)
    return ok("disk", f"The disk has {free_mb / 1000:.1f} GB free; that is enough.", **figures)
