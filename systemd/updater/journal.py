"""The journal while versions change: whether a match is under way, a copy from before, and what of it is put back.

The same holds for the file of a hall, which is copied and put back like the journal.

Everything is done by the owner of the journal. Root would leave files of its own beside it, which the service could
not write to, and might be led elsewhere by a link.

Which journal counts after a version was taken back:

1. If the new version did not change the tables, the journal stays as it is, with everything that was written since.
2. If it did, the old version cannot read it. The journal is then kept beside, as journal-after-update.db, and the copy
   from before takes its place. The number of events that only the kept one has is reported. On a full disk the journal
   is renamed for that, and so is the copy: neither needs room. The next update gives what was kept another name.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

USUAL = "var/lib/referee"
SETTINGS, HALL_SETTINGS = "etc/referee/referee.toml", "etc/referee/hall.toml"
TIMEOUT_S, PUT_BACK_S = 300.0, 1800.0
"""Seconds for anything; and for putting the journal back, without which no version could read it."""
BUSY_MS = 5000
GIVEN_UP = "given-up"
"""The kind of the row that ends a match which nobody plays to its end; `referee/journal/rows.py` has it too."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a database is called below its folder, its copy from before an update, and what is kept of a newer one."""

    file: str
    before: str
    after: str


JOURNAL, HALL = "journal", "hall"
KINDS = {
    JOURNAL: Names("journal.db", "journal-before-update.db", "journal-after-update.db"),
    HALL: Names("hall/hall.sqlite", "hall-before-update.sqlite", "hall-after-update.sqlite"),
}


class NoCopy(OSError):
    """The journal could not be copied or put back; the text says why."""


def state_folder(root: Path, file: str = SETTINGS) -> Path:
    """Return the folder of the journal, as a settings file names it."""
    try:
        settings = tomllib.loads((root / file).read_text(encoding="utf-8"))
        named = settings.get("storage", {}).get("state") or ""
    except (OSError, ValueError, AttributeError):
        named = ""
    return root / named.lstrip("/") if isinstance(named, str) and named.startswith("/") else root / USUAL


class JournalFile:
    """The journal in a folder, or another database of `KINDS`."""

    def __init__(self, folder: Path, kind: str = JOURNAL) -> None:
        self.folder, self._kind = folder, kind

    def match_under_way(self) -> bool:
        """Return whether a match in it has not ended. A journal that cannot be read has none that could be lost.

        If the disk does not answer, a match may be under way.
        """
        try:
            return bool(self._as_owner("under_way"))
        except NoCopy:
            return True

    def copy(self) -> tuple[str, int]:
        """Copy it; return the name of the copy and the version of its tables, or an empty name without a journal."""
        name, schema = self._as_owner("copy")
        return str(name), int(schema)

    def schema(self) -> int:
        """Return the version of its tables; 0 without a journal. Raises NoCopy if it cannot be read."""
        return int(self._as_owner("schema"))

    def put_back(self, copy: str, schema: int) -> int:
        """Let the version before read it again, by the rule above; return how many events only the kept one has."""
        return int(self._as_owner("put_back", copy, str(schema)))

    def _as_owner(self, verb: str, *words: str) -> Any:
        """Do it as the owner of the folder; raises NoCopy."""
        try:
            owner = self.folder.stat()
        except FileNotFoundError:
            return WITHOUT[verb]
        if owner.st_uid == os.geteuid():
            try:
                return VERBS[verb](self.folder, KINDS[self._kind], *words)
            except (OSError, sqlite3.Error) as error:
                raise NoCopy(str(error)) from error
        command = [sys.executable, "-P", "-B", "-m", "updater.journal", verb, str(self.folder), self._kind, *words]
        seconds = PUT_BACK_S if verb == "put_back" else TIMEOUT_S
        try:
            done = subprocess.run(  # noqa: S603
                command, capture_output=True, text=True, check=False, timeout=seconds, cwd="/",
                user=owner.st_uid, group=owner.st_gid, extra_groups=[], umask=0o077,
                env={"PYTHONPATH": str(Path(__file__).parent.parent)},
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise NoCopy(f"expected the journal to be read or written within {seconds:.0f} s, found no end") from error
        if done.returncode:
            raise NoCopy((done.stderr.strip().splitlines() or ["no reason was given"])[-1])
        return json.loads(done.stdout)


def open_database(path: Path, mode: str) -> sqlite3.Connection:
    """Open a database; `mode` is that of SQLite's URIs: ro, rw or rwc."""
    found = sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, isolation_level=None)
    found.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return found


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal that exists; on a full disk, which lacks room for memory shared with others, without that."""
    found = open_database(path, "ro")
    try:
        _schema(found)
    except sqlite3.OperationalError:
        found.close()
        found = open_database(path, "rw")
        found.execute("PRAGMA locking_mode = EXCLUSIVE")
    return found


def _under_way(folder: Path, names: Names) -> bool:
    path = folder / names.file
    if not path.exists():
        return False
    try:
        with closing(open_database(path, "ro")) as journal:
            newest = journal.execute("SELECT max(match) FROM events").fetchone()[0]
            if newest is None:
                return False
            ended = journal.execute("SELECT 1 FROM events WHERE match = ? AND kind = ?", (newest, GIVEN_UP)).fetchone()
            score = journal.execute(
                "SELECT score FROM events WHERE match = ? AND score IS NOT NULL ORDER BY number DESC LIMIT 1",
                (newest,),
            ).fetchone()
    except sqlite3.OperationalError as error:
        # Somebody is writing for longer than usual: the next try will tell.
        return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    except sqlite3.Error:
        return False
    try:
        return ended is None and (score is None or not json.loads(score[0]).get("over"))
    except (ValueError, TypeError, AttributeError, RecursionError):  # no version can go on with such a match
        return False


def _tables(folder: Path, names: Names) -> int:
    if not (folder / names.file).exists():
        return 0
    with closing(open_database(folder / names.file, "ro")) as journal:
        return _schema(journal)


def _copy(folder: Path, names: Names) -> tuple[str, int]:
    if not (folder / names.file).exists():
        return "", 0
    _set_apart(folder / names.after)
    with closing(open_database(folder / names.file, "ro")) as journal:
        schema = _schema(journal)
        copy_to(journal, folder / names.before)
    return names.before, schema


def _set_apart(kept: Path) -> None:
    """Give what was kept of an earlier update a name that nothing replaces: nothing else may have its events."""
    if not kept.exists():
        return
    with contextlib.suppress(sqlite3.Error), closing(open_database(kept, "rw")) as journal:
        journal.execute("PRAGMA journal_mode = DELETE")  # one file without a log beside it
    names = (kept.with_name(f"{kept.stem}-{number}{kept.suffix}") for number in itertools.count(2))
    free = next(path for path in names if not any(one.exists() for one in (path, *_beside(path))))
    _move(kept, free)


def copy_to(journal: sqlite3.Connection, path: Path) -> None:
    """Copy a journal into a new file, which bears the name only once it is complete."""
    unfinished = path.with_name(f".{path.name}.new")
    for one in (unfinished, unfinished.with_name(f"{unfinished.name}-journal")):
        one.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    try:
        with closing(open_database(unfinished, "rw")) as copy:
            journal.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file without a log beside it
        _sync(unfinished)
    except BaseException:
        unfinished.unlink(missing_ok=True)  # on a full disk it would be in the way
        raise
    unfinished.replace(path)
    _sync(path.parent)


def _put_back(folder: Path, names: Names, copy: str, schema: str) -> int:
    path, before, kept = folder / names.file, folder / Path(copy).name, folder / names.after
    if not copy or (path.exists() and _schema_in(path) <= int(schema)):
        return 0
    if not before.exists():  # everything was deleted meanwhile: nobody wants the copy back
        if not any(one.exists() for one in (path, *_beside(path))):
            return 0
        _move(path, kept)
        return _events(kept)
    with closing(open_database(before, "ro")) as source:
        had = int(source.execute("SELECT count(*) FROM events").fetchone()[0])
        if path.exists():
            _keep(path, kept)
        elif kept.exists():
            _move(path, kept)  # what is left of that, after a power cut
        lost = _events(kept) - had if kept.exists() else 0
        if path.exists():
            # In one transaction of SQLite's: after a power cut the journal is the newer one or the older one.
            try:
                with closing(open_database(path, "rw")) as journal:
                    source.backup(journal)
            except sqlite3.Error:  # there was room for the one, but not for the other
                _move(path, kept)
    if not path.exists():
        before.replace(path)
        _sync(path.parent)
        _sync(folder)
    return max(lost, 0)


def _keep(path: Path, kept: Path) -> None:
    """Keep the journal under another name: a copy, or if there is no room for that, the journal itself."""
    for one in _beside(kept):
        one.unlink(missing_ok=True)  # of an older one, which is replaced
    try:
        with closing(_open_to_read(path)) as journal:
            copy_to(journal, kept)
    except (OSError, sqlite3.Error):
        _move(path, kept)


def _move(path: Path, kept: Path) -> None:
    """Let a journal have the name under which it is kept, log included: on a full disk there is no room for copies.

    The log comes last: until it has been moved as well, another call finds it and goes on.
    """
    if path.exists():
        path.replace(kept)
    for one, other in zip(_beside(path), _beside(kept), strict=True):
        if one.exists():
            one.replace(other)
    _sync(kept.parent)
    _sync(path.parent)


def _beside(path: Path) -> list[Path]:
    """Return what SQLite may have beside a database: its log, what it can make again of that, and its journal."""
    return [path.with_name(f"{path.name}-{ending}") for ending in ("wal", "shm", "journal")]


def _events(path: Path) -> int:
    try:
        with closing(_open_to_read(path)) as journal:
            return int(journal.execute("SELECT count(*) FROM events").fetchone()[0])
    except sqlite3.Error:  # the newer version keeps its events in a table of another name
        return 0


def _schema_in(path: Path) -> int:
    with closing(_open_to_read(path)) as journal:
        return _schema(journal)


def _schema(journal: sqlite3.Connection) -> int:
    return int(journal.execute("PRAGMA user_version").fetchone()[0])


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


VERBS: dict[str, Any] = {"under_way": _under_way, "schema": _tables, "copy": _copy, "put_back": _put_back}
WITHOUT: dict[str, Any] = {"under_way": False, "schema": 0, "copy": ("", 0), "put_back": 0}
"""The answers without a folder: a machine on which nothing was ever played."""

if __name__ == "__main__":
    try:
        sys.stdout.write(json.dumps(VERBS[sys.argv[1]](Path(sys.argv[2]), KINDS[sys.argv[3]], *sys.argv[4:])))
    except (OSError, sqlite3.Error) as failure:
        sys.exit(str(failure))
