"""Makes a backup, as a stream of bytes or as a file. A match may be running meanwhile.

SQLite's online backup reads the journal as of one moment. With a write-ahead log, readers never keep a writer waiting.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import hashlib
import io
import math
import os
import platform
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee import __version__
from referee.backup.contents import Places, Source, named_paths, sources
from referee.backup.exclusion import no_switch_in
from referee.backup.manifest import NAME, STATE, Manifest, Member, manifest_text
from referee.devices.whole_file import sync_folder
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.errors import DiskFull, JournalError, ReadOnlyDisk
from referee.journal.opening import FILE
from referee.journal.owner import give, refuse_planted
from referee.journal.reading import read_only, translate_errors
from referee.journal.schema import is_marked, version_of

CHUNK = 1 << 18
JOURNAL = f"{STATE}/{FILE}"
_STORED = (".jpg", ".jpeg", ".png", ".zip", ".ogg", ".mp3")
"""Files that are compressed already; compressing them once more only takes time."""
FIRST_TIME, LAST_TIME = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)
"""Year, month, day, hour, minute and second between which times in a ZIP must be; a clock may have been wrong."""
SPARE = 200_000_000
"""Bytes that stay free on the disk: the journal and the system need them more than a backup does."""
COPIES = ".backup-"
"""The beginning of the names of folders with copies of databases, which exist only while a backup is made."""
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
"""Where a copy is made if the disk is full or cannot be written: then a backup is needed most."""
DRAFT_ENDING = ".part"
"""The end of the name of a file that is being written; its name also begins with a dot."""
SYNC_BYTES = 4_000_000
"""So many bytes are written to the disk at a time: a journal that is written meanwhile never waits for all of them."""
Continues = Callable[[], bool]


class Stopped(Exception):
    """Somebody ended the work before it was done."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the manifest says of the journal."""

    version: int | None = None
    matches: int = 0


class _Pipe(io.RawIOBase):
    """Collects what the ZIP library writes until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self._chunks: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._chunks.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        data, self._chunks = b"".join(self._chunks), []
        return data


def stream_backup(
    places: Places, made: dt.datetime, *, pictures: bool = True, damaged: bool = False, alone: bool = False
) -> Generator[bytes, None, None]:
    """Yield the bytes of a backup; raises BadInput or OSError if something cannot be read, and during a restore.

    `made` is the present time, with its time zone. Only copies of databases need room on the disk, and only while they
    are sent. With `damaged`, a database that is damaged is saved byte for byte, as one that was set aside. `alone`:
    nobody else can exchange what is in the folder, because the caller is about to do it.
    """
    with contextlib.nullcontext() if alone else no_switch_in(places.state):
        yield from _stream(places, made, pictures=pictures, damaged=damaged)


def _stream(places: Places, made: dt.datetime, *, pictures: bool, damaged: bool) -> Iterator[bytes]:
    pipe, members, facts = _Pipe(), list[Member](), Facts()
    with zipfile.ZipFile(pipe, "w") as archive:
        for source in sources(places, pictures=pictures):
            with contextlib.ExitStack() as stack:
                saved = [(source.name, source.path)]
                if source.database:
                    try:
                        copy = stack.enter_context(_database_copy(source.path, places.state))
                        facts = _facts_of(copy) if source.name == JOURNAL else facts
                        saved = [(source.name, copy)]
                    except RefereeError:
                        if not damaged:
                            raise
                        saved = list(_set_aside(source))
                for name, path in saved:
                    try:
                        file = stack.enter_context(_open_file(path))
                    except FileNotFoundError:  # pictures are deleted to make room for others
                        continue
                    yield from _add(archive, pipe, name, file, members)
        manifest = Manifest(
            made.astimezone(dt.UTC).isoformat(timespec="seconds"), __version__, platform.node(),
            facts.version, facts.matches, pictures, tuple(members), named_paths(places),
        )  # fmt: skip
        archive.writestr(_info(NAME, made, 0o600), manifest_text(manifest))
    yield pipe.take()


def _add(
    archive: zipfile.ZipFile, pipe: _Pipe, name: str, file: io.BufferedReader, members: list[Member]
) -> Iterator[bytes]:
    found = os.fstat(file.fileno())
    info = _info(name, _time_of(found.st_mtime), found.st_mode & 0o777)
    info.file_size = found.st_size
    size, digest = 0, hashlib.sha256()
    with archive.open(info, "w") as member:
        while chunk := file.read(CHUNK):
            member.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            if data := pipe.take():
                yield data
    members.append(Member(name, size, digest.hexdigest()))


def _time_of(mtime: float) -> dt.datetime:
    """Return when a file was changed last; file systems know times that are far outside the calendar."""
    try:
        return dt.datetime.fromtimestamp(mtime, dt.UTC)
    except (ValueError, OverflowError, OSError):
        return dt.datetime(*(LAST_TIME if mtime > 0 else FIRST_TIME), tzinfo=dt.UTC)


def _info(name: str, when: dt.datetime, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, min(max(when.timetuple()[:6], FIRST_TIME), LAST_TIME))
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_STORED if name.lower().endswith(_STORED) else zipfile.ZIP_DEFLATED
    return info


def _open_file(path: Path) -> io.BufferedReader:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    return os.fdopen(handle, "rb")


def _set_aside(source: Source) -> Iterator[tuple[str, Path]]:
    """Yield names and paths of a damaged database and its log, under the names that damaged journals have."""
    stem, dot, suffix = source.name.rpartition(".")
    for more in ("", "-wal"):
        yield f"{stem}-damaged-0{dot}{suffix}{more}", source.path.with_name(source.path.name + more)


@contextlib.contextmanager
def _database_copy(path: Path, state: Path) -> Iterator[Path]:
    """Provide a copy of a database as of this moment, log included; raises BadInput if the database is damaged."""
    with contextlib.ExitStack() as stack:
        yield _copy_into(_rooms(state), path, stack)


def _rooms(state: Path) -> list[Path | None]:
    """Return the folders for a copy, the best first; None: the usual one, which on a Pi may be in memory."""
    rooms = (state, None, IN_MEMORY)
    return [room for room in rooms if room is None or os.access(room, os.W_OK)]


def _copy_into(rooms: Sequence[Path | None], path: Path, stack: contextlib.ExitStack) -> Path:
    """Copy a database into the first of these folders that takes it; the copy lasts as long as the stack."""
    first, *others = rooms
    with contextlib.ExitStack() as here:
        try:
            copy = Path(here.enter_context(tempfile.TemporaryDirectory(prefix=COPIES, dir=first)), path.name)
            copy_database(path, copy)
        except OSError as error:
            helps = not isinstance(error, JournalError) or isinstance(error, DiskFull | ReadOnlyDisk)
            if not others or not helps:
                raise
        else:
            stack.push(here.pop_all())
            return copy
    return _copy_into(others, path, stack)


def copy_database(path: Path, copy: Path) -> None:
    """Copy a database as of this moment; raises BadInput if it is damaged, JournalError if it cannot be read."""
    refuse_planted(path)
    with translate_errors(path), closing(read_only(path)) as source, closing(sqlite3.connect(copy)) as target:
        target.execute("PRAGMA journal_mode = OFF")
        target.execute("PRAGMA synchronous = OFF")
        source.backup(target)
        found = target.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise BadInput(Notice("backup.damaged", path=str(path), why=str(found)))


def _facts_of(path: Path) -> Facts:
    with translate_errors(path), closing(read_only(path)) as connection:
        if not is_marked(connection):
            raise BadInput(Notice("backup.other_database", path=str(path)))
        matches = int(connection.execute("SELECT count(DISTINCT match) FROM events").fetchone()[0])
        return Facts(version_of(connection), matches)


def size_of(places: Places, *, pictures: bool = True) -> int:
    """Return how many bytes the files of a backup have at most; raises OSError if a folder cannot be read."""
    total = 0
    for source in sources(places, pictures=pictures):
        with contextlib.suppress(FileNotFoundError):
            total += source.path.stat().st_size
    return total


def check_room(folder: Path, size: int, spare: int = SPARE) -> None:
    """Raise BadInput unless the folder's disk has room for this many bytes and the spare ones."""
    free = shutil.disk_usage(folder).free
    if free < size + spare:
        raise no_room(folder, size, spare, free)


def no_room(folder: Path, size: int, spare: int, free: int) -> BadInput:
    """Return the error for a disk without room for this many bytes and the spare ones."""
    # Rounded apart, so that the two are never the same.
    needed, found = math.ceil((size + spare) / 1e5) / 10, math.floor(free / 1e5) / 10
    return BadInput(Notice("backup.no_room", path=str(folder), needed=needed, free=found))


def save_stream(path: Path, chunks: Iterator[bytes], check: Callable[[Path], object], goes_on: Continues) -> int:
    """Write chunks to a file, completely or not at all, and return its size; an old file of that name is replaced.

    The file is on disk, and `check` has read it back, before it gets its name. Raises Stopped once `goes_on` returns
    False, and BadInput if another program writes a file of that name, or this one cannot be written. In these cases,
    and after any other error, nothing is left.
    """
    draft = path.with_name(f".{path.name}{DRAFT_ENDING}")
    with translate_disk(path):
        _remove_dead(draft)
        handle = os.open(
            draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600
        )  # it has the PIN of the page
    try:
        with os.fdopen(handle, "wb") as file:
            with contextlib.suppress(OSError):  # not every disk knows locks
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            give(handle, path.parent)
            unsynced = 0
            for chunk in chunks:
                if not goes_on():
                    raise Stopped
                with translate_disk(path):
                    file.write(chunk)
                    unsynced += len(chunk)
                    if unsynced >= SYNC_BYTES:
                        file.flush()
                        os.fdatasync(handle)
                        unsynced = 0
            with translate_disk(path):
                file.flush()
                os.fsync(handle)
            size = file.tell()
            check(draft)
            with translate_disk(path):
                draft.replace(path)
        sync_folder(path.parent)
    except BaseException:  # also Ctrl-C must leave no draft behind
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    return size


@contextlib.contextmanager
def translate_disk(path: Path) -> Iterator[None]:
    """Within this context, what goes wrong with the disk is told of the backup, not of its unfinished file."""
    try:
        yield
    except OSError as error:
        raise BadInput(Notice("backup.not_writable", path=str(path), why=error.strerror or str(error))) from error


def _remove_dead(draft: Path) -> None:
    """Remove what a power cut has left of a file; raises BadInput if somebody is still writing it."""
    try:
        handle = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # there is none, or a link, which is not followed
        draft.unlink(missing_ok=True)
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInput(Notice("backup.under_way", path=str(draft))) from None
    except OSError:  # not every disk knows locks
        pass
    finally:
        os.close(handle)
    draft.unlink(missing_ok=True)
