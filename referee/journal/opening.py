"""Opening the journal: locks out other writers, and repairs what a power cut or a failing card has left.

The lock is released when the process ends, however it ends.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice, told_by
from referee.journal.buffered_store import SafeStore, ThreadedStore
from referee.journal.errors import (
    DiskFull,
    JournalClosedToUs,
    JournalDamaged,
    JournalError,
    JournalInUse,
    ReadOnlyDisk,
)
from referee.journal.journal import Journal, Now, Wall, utc_now
from referee.journal.owner import give, keep_private, make_like, no_follow_flag, refuse_planted
from referee.journal.reading import files_of, log_of, read_only, translate_errors
from referee.journal.recovery.altered_match import has_ended
from referee.journal.recovery.carving import log_rows, refuse_foreign
from referee.journal.recovery.rescue import READY, every_file_of, finish_rescue, from_bytes, rescue, sync
from referee.journal.replay import Kept, replay
from referee.journal.rows import Row, broken_at, chains
from referee.journal.schema import ROWS, version_of
from referee.journal.store import SqliteStore, Store

FILE = "journal.db"
LOCK = "journal.lock"
_CLOSED = (
    errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP
)  # fmt: skip


class WriterLock:
    """The lock of the journal's writer, held from creation to `release`; raises JournalInUse if another one holds it.

    Both the lock file and its folder are locked, since a file can be removed and another one created in its place.
    """

    def __init__(self, path: Path) -> None:
        refuse_planted(path)
        self._handles = [os.open(path, os.O_RDWR | os.O_CREAT | no_follow_flag(), 0o600)]
        try:
            give(self._handles[0], path.parent)
            self._handles.append(os.open(path.parent, os.O_RDONLY))
            for handle in self._handles:
                _lock(handle)
        except BlockingIOError:
            holder = os.pread(self._handles[0], 32, 0).decode("ascii", "replace").strip()
            self.release()
            known = Notice("journal.in_use", process=holder, path=str(path))
            raise JournalInUse(known if holder else Notice("journal.in_use_unknown", path=str(path))) from None
        except BaseException:  # also Ctrl-C: the lock must be released
            self.release()
            raise
        self._sign()

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        while self._handles:
            os.close(self._handles.pop())

    def _sign(self) -> None:
        """Write the number of this process into the lock file; if the disk is full, the lock holds without it."""
        try:
            os.ftruncate(self._handles[0], 0)
            os.pwrite(self._handles[0], f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError:
            return


def _lock(handle: int) -> None:
    """Lock a file or folder; raises BlockingIOError if it is locked already."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        # Some network disks cannot lock a folder that was opened for reading; there the lock on the file must do.
        if error.errno not in (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP):
            raise


def in_the_way(folder: Path) -> Notice | None:
    """Return what keeps the folder from being created: a file or a dead link in its path. None if nothing does."""
    for one in (folder, *folder.absolute().parents):
        if os.path.lexists(one):
            kind = "journal.a_file" if one.exists() else "journal.dead_link"
            return None if one.is_dir() else Notice(kind, path=str(one))
    return None


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal to write to, and the newest match in it.

    `notices` say what was done about damage; the first call of the journal's `take_notices` returns them as well.
    """

    journal: Journal
    kept: Kept | None
    notices: tuple[Notice, ...] = ()


def open_journal(
    folder: Path,
    wall: Wall = utc_now,
    now: Now = time.monotonic,
    thread: Executor | None = None,
    *,
    club: bool = False,
    is_known: Callable[[], bool] = lambda: True,
) -> Opened:
    """Open the journal in `folder`, or create one there. With a `thread`, that thread does all writing from then on.

    With `club`, every row that is written is entered in the outbox as well. `is_known` says whether `wall` is more
    than a guess; rows that are written while it is not are marked.

    Raises JournalInUse, JournalClosedToUs and NewerJournal, each of which says what to do. If the disk is full or does
    not accept writes, events are kept in memory, and `journal.trouble` says so.
    """
    try:
        locked = LockedStore(folder, club=club)
    except JournalError as error:
        kept, newest, rows = from_bytes(folder / FILE)
        safe = SafeStore(None, lambda: LockedStore(folder, club=club), rows, told_by(error))
        return Opened(Journal(_patient(safe, thread), newest, kept, wall, now, is_known), kept)
    safe = SafeStore(locked, lambda: LockedStore(folder, club=club), locked.running)
    safe.notices += locked.notices
    journal = Journal(_patient(safe, thread), locked.newest(), locked.kept, wall, now, is_known)
    return Opened(journal, locked.kept, tuple(locked.notices))


def _patient(store: Store, thread: Executor | None) -> Store:
    return store if thread is None else ThreadedStore(store, thread)


class LockedStore(SqliteStore):
    """The journal on disk, locked, and repaired if it was damaged.

    `kept` is the newest match; None if there is none, or if one of its rows was altered. `running` are its rows, and
    `notices` say what was repaired.
    """

    def __init__(self, folder: Path, *, make: bool = True, club: bool | None = None) -> None:
        """Open the journal in `folder`; create it if there is none, or without `make` raise BadInput.

        `club` says whether rows are entered in the outbox; with None that stays as it was.
        """
        self.kept: Kept | None = None
        self.running: Sequence[Row] = ()
        path = folder / FILE
        with _plainly(folder):
            if make:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            elif not any(one.exists() for one in (*files_of(path)[:2], path.with_name(READY))):
                raise BadInput(f"expected a journal, found none ({path})")
            self._lock = WriterLock(folder / LOCK)
            try:
                refuse_planted(*every_file_of(path))
                refuse_foreign(path)
                _may_write(path)
                keep_private(folder, folder / LOCK, *every_file_of(path))
                finish_rescue(path)
                make_like(path, folder)
                self._open(path)
                if club is not None:
                    self._tell(on=club)
                sync(folder)
            except BaseException:  # also Ctrl-C: the lock must be released
                self._lock.release()
                raise

    def close(self) -> None:
        """Close the file and release the lock."""
        super().close()
        self._lock.release()

    def _tell(self, *, on: bool) -> None:
        """Switch the outbox on or off. If that cannot be written now, opening the journal fails."""
        try:
            going = () if self.kept is None or self.kept.is_over else self.running
            self.tell_club(on=on, going=going)
        except BaseException:  # also Ctrl-C: the file must be closed
            self._disconnect()
            raise

    def _open(self, path: Path) -> None:
        left = log_rows(path)
        try:
            try:
                torn = _rows_of_torn_log(path, left)
                super().__init__(path)
                if torn:
                    self.put(torn)
                self._load()
            except JournalDamaged as error:
                self._disconnect()
                notice = rescue(path, told_by(error), left)
                super().__init__(path)
                self.notices.append(notice)
                self._load()
        except BaseException:  # also Ctrl-C: the file must be closed
            self._disconnect()
            raise

    def _load(self) -> None:
        """Load the newest match; raises JournalDamaged if its rows were altered and it has not ended.

        If an altered match has ended, a notice says that its result stays.
        """
        match = self.newest()
        rows = self.rows(match)
        _playable(rows, match)
        broken = broken_at(rows)
        self.running = rows if broken is None else ()
        self.kept = replay(rows, self.last_beat(match)) if self.running else None
        if broken is not None:
            self.notices.append(Notice("journal.result_stays", event=broken, match=match))


def _rows_of_torn_log(path: Path, left: Sequence[Row]) -> Sequence[Row]:
    """Return the rows that are intact in the write-ahead log, but that SQLite would drop.

    SQLite drops its log from the first wrong byte on. A power cut may leave the last write unfinished, so the rows of
    one write may be missing. Raises JournalDamaged if more than that is missing, which is a fault of the card, or if
    the newest match was altered. This must be found out before the journal is opened for writing, which overwrites the
    log or moves it into the file before the rows in it are safe.
    """
    there: list[Row] = []
    if left and path.exists() and path.stat().st_size:
        with translate_errors(path), closing(read_only(path)) as connection:
            if version_of(connection):
                newest = connection.execute("SELECT max(match) FROM events").fetchone()[0]
                for match in {row.match for row in left}:
                    found = connection.execute(f"{ROWS} WHERE match = ? ORDER BY number", (match,))
                    there += [Row(*values) for values in found]
                _playable([row for row in there if row.match == newest], newest)
    missing: list[Row] = []
    for chain in chains([*left, *there]):
        missing += chain[sum(row.match == chain[0].match for row in there) :]
    if len(missing) > 1 and [row.number for row in missing] != [0, 1]:  # the two rows that begin a match are one write
        raise JournalDamaged(Notice("journal.log_garbled", rows=len(missing), log=str(log_of(path))))
    return missing


def _playable(rows: Sequence[Row], match: int) -> None:
    """Raise JournalDamaged if the rows of the match were altered and it has not ended, so it would continue."""
    broken = broken_at(rows)
    if broken is not None and not has_ended(rows):
        raise JournalDamaged(Notice("journal.altered", event=broken, match=match))


def _in_the_way(folder: Path) -> Notice | None:
    try:
        return in_the_way(folder)
    except OSError:  # looking for it is not permitted; the error that came first says more
        return None


def _may_write(path: Path) -> None:
    """Raise PermissionError if this user may not write the journal or its folder."""
    folder = path.parent
    # A disk that is read-only refuses everybody. That is another error, and may be temporary.
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return
    for one in (folder, *files_of(path)):
        if one.exists() and not os.access(one, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(one))


@contextmanager
def _plainly(folder: Path) -> Iterator[None]:
    """Turn errors of the operating system into those of the journal."""
    try:
        yield
    except RefereeError:
        raise
    except OSError as error:
        where = error.filename or folder
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DiskFull.at(where) from error
        if error.errno == errno.EROFS:
            raise ReadOnlyDisk.at(where) from error
        found = _in_the_way(folder)
        if found is not None:
            raise JournalClosedToUs(Notice("journal.no_folder", found=found)) from error
        told = {"reason": str(error.strerror), "where": str(where)}
        if error.errno in _CLOSED:
            raise JournalClosedToUs(Notice("journal.closed_folder", **told)) from error
        raise JournalError(Notice("journal.disk_fails", **told)) from error
