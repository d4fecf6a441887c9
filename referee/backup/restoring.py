"""Restores a backup: everything is ready beside the present files before one rename decides.

1. The journal's lock is held from the beginning to the end, nobody else may use a database in the folder, and no
   backup of it is under way.
2. The backup is unpacked into `restore-draft` and checked there. What was in the folder is saved as a backup.
3. `restore-draft` becomes `restore-ready`. Before this rename a power cut leaves the old state, after it the new one.
4. The settings file is replaced, the old files are removed, and the new ones are moved into their places. If this was
   interrupted, whoever uses the folder next completes it; if even the settings file was not replaced yet, and may not
   be by that user, the old state stays.

Root works in the folder with the rights of its owner. Only the settings file is written with root's own rights.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee.backup.checking import Backup, check_backup, check_database, check_version, open_backup
from referee.backup.contents import Places, is_database, is_of_backups, sources
from referee.backup.counting import Meter, Report, ignore_report
from referee.backup.exclusion import no_backup_of
from referee.backup.manifest import BACKUPS, DRAFT, OF_THIS_MACHINE, READY, SETTINGS_NAME, STATE, Manifest, Member
from referee.backup.pointing import point_settings
from referee.backup.rights import as_owner
from referee.backup.switching import NewSettings, check_removable, finish_locked, make_plan, remove, write_settings
from referee.backup.writing import JOURNAL, check_room, save_stream, size_of, stream_backup
from referee.devices.whole_file import sync_folder
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.errors import JournalInUse
from referee.journal.in_use import in_use
from referee.journal.opening import LOCK, LockedStore, WriterLock
from referee.journal.owner import rights_in

UNDO = "before-restore"
"""The beginning of the name of the backup with which a restore can be undone."""
_UNDO_TIME = "%Y-%m-%d-%H%M%S"
UNDOS = 3
"""How many of these are kept: whoever has restored a wrong backup tries another one next."""
SPARE = 64_000_000
CheckSettings = Callable[[str], None]
"""Raises BadInput for the text of a settings file that this referee cannot use here."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and the backup with which that can be undone; None if there was nothing before."""

    manifest: Manifest
    undo: Path | None


def restore(
    path: Path,
    places: Places,
    made: dt.datetime,
    check_settings: CheckSettings,
    *,
    dry_run: bool = False,
    with_settings: bool = True,
    report: Report = ignore_report,
) -> Restored:
    """Restore a backup into `places`, or with `dry_run` only check whether that would succeed.

    `report` is told how many bytes of how many have been checked, unpacked, and saved before that.

    Raises BadInput, BadBackup for a file that cannot be restored, and JournalInUse while a referee or a hall uses the
    folder. In all these cases nothing has changed.
    """
    folder = places.state
    with open_backup(path) as backup:
        check_version(backup.manifest, path)
        settings = _checked_settings(backup, places, check_settings) if with_settings else None
        if folder.is_dir():
            check_room(folder, backup.manifest.size, SPARE)  # reading all of it may take minutes
        meter = Meter(report, 2 * (backup.manifest.size + (0 if dry_run else _present_size(places))))
        meter.begin(backup.manifest.size)
        check_backup(path, meter.count)
        if dry_run and not folder.exists():
            meter.finish()
            return Restored(backup.manifest, None)
        _make_folder(folder)
        with as_owner(folder), in_use(folder):
            repair_journal(folder)
            with locked(folder):
                finish_locked(folder)
                check_removable(folder, places.kept_beside)
                refuse_open_databases(folder)
                check_room(folder, backup.manifest.size + size_of(Places(folder, folder=places.folder)), SPARE)
                undo = _prepare(backup, places, made, settings, meter, dry_run=dry_run)
                if dry_run:
                    meter.finish()
                    return Restored(backup.manifest, None)
                (folder / DRAFT).rename(folder / READY)
                sync_folder(folder)
                if settings is not None:
                    with _as_before():
                        write_settings(settings)
                finish_locked(folder, settings_are_written=True)
                meter.finish()
                if undo is not None:
                    tidy_undos(undo)
    return Restored(backup.manifest, undo)


def _present_size(places: Places) -> int:
    """Return about how many bytes are saved before they are replaced."""
    with contextlib.suppress(OSError), as_owner(places.state):
        return size_of(places)
    return 0


def finish_restore(folder: Path) -> bool:
    """Complete a restore that was interrupted, and return whether there was one.

    Raises JournalInUse while another process completes it, and BadInput if this user may not complete it.
    """
    if not os.path.lexists(folder / READY):
        return False
    try:
        with as_owner(folder), locked(folder):
            finish_locked(folder)
    except PermissionError as error:
        raise BadInput(
            f"{folder}: expected to complete the restore that was interrupted there, found: {error.strerror}; "
            "any command of the referee that is given as the owner of this folder, or as root, completes it"
        ) from error
    return True


def _prepare(
    backup: Backup,
    places: Places,
    made: dt.datetime,
    settings: NewSettings | None,
    meter: Meter,
    *,
    dry_run: bool,
) -> Path | None:
    """Make `restore-draft`, complete and on disk, and save what is there now; return the path of that backup.

    After an error, and with `dry_run`, nothing is left.
    """
    draft, undo = places.state / DRAFT, None
    try:
        members = list(_members(backup, places))
        names, kept = {member.name.split("/")[1] for member in members}, places.kept_beside
        if kept in names:
            raise BadInput(f"{places.backups}: expected a folder with nothing but backups beside the journal, found "
                           f"files of the backup below {kept}/; name another folder with backup.folder")  # fmt: skip
        meter.begin(backup.manifest.size)
        _unpack(backup, members, draft, meter)
        if dry_run:
            remove(draft)
            return None
        undo = save_present(places, made, meter)
        make_plan(draft, names, settings, kept)
        for place, _, _ in os.walk(draft):
            sync_folder(Path(place))
    except BaseException:  # also Ctrl-C: nothing must be left
        with contextlib.suppress(OSError):
            remove(draft)
        raise
    return undo


def _members(backup: Backup, places: Places) -> Iterator[Member]:
    """Yield what is unpacked: all but the settings, and what earlier versions saved although it is of a machine."""
    for member in backup.manifest.members:
        is_ours = member.name.removeprefix(f"{STATE}/").partition("/")[0] not in OF_THIS_MACHINE
        if member.name != SETTINGS_NAME and is_ours and not is_of_backups(member.name, places.backups_inside):
            yield member


@contextlib.contextmanager
def _as_before() -> Iterator[None]:
    """Within this context, a command of root has root's rights again; for other users nothing changes."""
    user, group = os.geteuid(), os.getegid()
    if os.getuid() != 0 or user == 0:
        yield
        return
    os.seteuid(0)
    os.setegid(os.getgid())
    try:
        yield
    finally:
        os.setegid(group)
        os.seteuid(user)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Within this context nobody else writes the journal or makes a backup; raises JournalInUse and BadInput."""
    lock = WriterLock(folder / LOCK)
    try:
        with no_backup_of(folder):
            yield
    finally:
        lock.release()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: expected a folder for the journal, found: {error.strerror}") from error


def repair_journal(folder: Path) -> None:
    """Repair the journal as a start of the referee would, so that the backup of the present state has every event.

    A journal that cannot be repaired is saved as it is.
    """
    try:
        LockedStore(folder, make=False).close()
    except JournalInUse:
        raise
    except RefereeError:
        return


def refuse_open_databases(folder: Path) -> None:
    """Raise JournalInUse if another process uses a database in the folder or below it, as a hall does."""
    for source in sources(Places(folder), pictures=False):
        if source.database and source.path.parent != folder and is_open(source.path):
            raise JournalInUse(Notice("journal.in_use_unknown", path=str(source.path)))


def is_open(path: Path) -> bool:
    """Return whether another process uses a database with a write-ahead log."""
    # Every connection to a database with a write-ahead log keeps a shared lock on it, which excludes this one.
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:  # a damaged one is not in use; it is saved as it is
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return False


def _checked_settings(backup: Backup, places: Places, check: CheckSettings) -> NewSettings | None:
    """Return the settings to be written, None if there are none; raises BadInput if they cannot be used or written."""
    member = backup.settings()
    if member is None:
        return None
    if places.settings is None:
        raise BadInput("restore: expected a place for the settings file, found none; name one with --config")
    text = point_settings(backup.text(member), backup.manifest.named, places.state)
    try:
        check(text)
    except BadInput as error:
        raise BadInput(f"{backup.path}: {error}; --without-settings leaves the settings as they are") from error
    folder = places.settings.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise BadInput(
            f"{places.settings}: expected a folder in which this user may replace the settings, found none; "
            "use sudo, or --without-settings"
        )
    return NewSettings(places.settings.absolute(), text)


def _unpack(backup: Backup, members: Sequence[Member], draft: Path, meter: Meter) -> None:
    """Unpack these members of a backup and check their databases; raises BadBackup."""
    remove(draft)
    draft.mkdir(mode=0o700)
    most = rights_in(draft.parent)
    for member in members:
        _unpack_member(backup, member, draft / member.name, most, meter)
    for member in members:
        if is_database(draft / member.name) or (member.name == JOURNAL and member.size):
            check_database(draft / member.name, member.name)


def _unpack_member(backup: Backup, member: Member, path: Path, most: int, meter: Meter) -> None:
    path.parent.mkdir(mode=0o750 if most & 0o040 else 0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, (backup.mode(member) | 0o600) & most)
    with os.fdopen(handle, "wb") as file:

        def write(chunk: bytes) -> None:
            file.write(chunk)
            meter.count(chunk)

        backup.copy(member, write)
        file.flush()
        os.fsync(handle)


def save_present(places: Places, made: dt.datetime, meter: Meter | None = None) -> Path | None:
    """Save what is in the folder, which is `locked`; return the path of that backup, None if there is nothing.

    `meter` counts it twice: once while it is written, and once while it is read back.
    """
    if not any(source.name.startswith(f"{STATE}/") for source in sources(places)):
        return None
    folder, size = places.state / BACKUPS, size_of(places)
    folder.mkdir(mode=0o700, exist_ok=True)
    path, meter = _new_undo(folder, made), meter or Meter(ignore_report, 2 * size)

    def check(draft: Path) -> None:
        meter.begin(size)
        check_backup(draft, meter.count)

    meter.begin(size)
    chunks = meter.counted(stream_backup(places, made, damaged=True, alone=True))
    save_stream(path, chunks, check, lambda: True)
    return path


def _new_undo(folder: Path, made: dt.datetime) -> Path:
    """Return a path that no file has yet: a clock that was put back tells the same second twice."""
    moments = (made + dt.timedelta(seconds=number) for number in itertools.count())
    paths = (folder / f"{UNDO}-{moment:{_UNDO_TIME}}.zip" for moment in moments)
    return next(path for path in paths if not os.path.lexists(path))


def undo_time(name: str) -> dt.datetime | None:
    """Return the local time in the name of a backup made before a restore; None for any other name."""
    try:
        return dt.datetime.strptime(name, f"{UNDO}-{_UNDO_TIME}.zip")  # noqa: DTZ007 - a name has no time zone
    except ValueError:
        return None


def tidy_undos(newest: Path) -> None:
    """Remove the older backups of this kind, but only now: one of them may be what was restored."""
    older = [path for path in newest.parent.glob(f"{UNDO}-*.zip") if path.name != newest.name]
    older.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for place, path in enumerate(older, 1):
        if place >= UNDOS or shutil.disk_usage(newest.parent).free < SPARE:
            path.unlink(missing_ok=True)
