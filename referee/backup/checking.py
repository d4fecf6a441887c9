"""Reads a backup, and refuses a file that is damaged, foreign, newer, or made to do harm.

Nothing in the file is trusted: the names of the members, their sizes and their content are checked before anything is
written elsewhere.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sqlite3
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from referee.backup.manifest import (
    NAME,
    SETTINGS_NAME,
    BadBackup,
    Manifest,
    Member,
    NewerBackup,
    check_names,
    manifest_from,
)
from referee.backup.writing import CHUNK, JOURNAL
from referee.errors import BadInput, RefereeError
from referee.journal.reading import read_only
from referee.journal.schema import VERSION, is_marked, version_of

HEAD_OF_MANIFEST, FOR_EACH_FILE = 50_000, 400
"""The most bytes that a manifest may have: so many, and so many more for each file in the backup, beside its name.

Real ones have about 230 bytes and 110 for each file beside its name, and a later version may add something to each.
Reading one takes up to 25 times its size in memory, so it must not be larger than the files of the backup explain.
"""
LONGEST_MANIFEST = 100_000_000
"""That of 500,000 files, the most that a backup may have, has 71 MB if these are pictures."""
LONGEST_SETTINGS = 1_000_000
MOST_TIMES = 1100
"""DEFLATE makes data at most 1032 times smaller, so a file that claims more is made to do harm."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError)
"""What the ZIP library raises for files that are damaged, encrypted, or compressed in unusual ways."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Backup:
    """An open backup whose manifest, names and sizes are in order; its content is checked while it is read."""

    path: Path
    manifest: Manifest
    _archive: zipfile.ZipFile

    def mode(self, member: Member) -> int:
        """Return the permissions that the file had."""
        return (self._archive.getinfo(member.name).external_attr >> 16) & 0o777

    def copy(self, member: Member, write: Callable[[bytes], object]) -> None:
        """Pass the content of a member to `write`; raises BadBackup once it differs from what the manifest says."""
        digest, size = hashlib.sha256(), 0
        with _translate(self.path), self._archive.open(member.name) as file:
            while chunk := _read(file):
                size += len(chunk)
                if size > member.size:
                    break
                digest.update(chunk)
                write(chunk)
        if size != member.size or digest.hexdigest() != member.sha256:
            raise BadBackup(f"{self.path}: expected {member.name} as it was saved, found it damaged")

    def text(self, member: Member) -> str:
        """Return the text of a small member; raises BadBackup if it is long or no text."""
        if member.size > LONGEST_SETTINGS:
            raise BadBackup(f"{self.path}: expected {member.name} of at most {LONGEST_SETTINGS:,} bytes, found more")
        chunks: list[bytes] = []
        self.copy(member, chunks.append)
        try:
            return b"".join(chunks).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadBackup(f"{self.path}: expected {member.name} as UTF-8 text, found other bytes") from None

    def settings(self) -> Member | None:
        """Return the settings file in the backup; None if there is none."""
        return next((member for member in self.manifest.members if member.name == SETTINGS_NAME), None)


def _read(file: object) -> bytes:
    # Errors of the disk itself stay what they are: they say nothing about the backup.
    return file.read(CHUNK)  # type: ignore[attr-defined, no-any-return]


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    """Open a backup and check its manifest, names and sizes; raises BadBackup, or BadInput if it cannot be read."""
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb"))
        except (OSError, ValueError) as error:
            raise BadInput(f"{path}: expected a backup, found: {getattr(error, 'strerror', error)}") from error
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a device may never end
            raise BadInput(f"{path}: expected a backup, found no file but a device or a pipe")
        with _translate(path):
            archive = stack.enter_context(zipfile.ZipFile(file))
        yield Backup(path, _manifest_of(path, file, archive), archive)


def _manifest_of(path: Path, file: BinaryIO, archive: zipfile.ZipFile) -> Manifest:
    infos = archive.infolist()
    if sum(info.filename == NAME for info in infos) != 1:
        raise BadBackup(f"{path}: expected a backup of the referee, found another ZIP file")
    if (size := archive.getinfo(NAME).file_size) > (most := longest_manifest(info.filename for info in infos)):
        raise BadBackup(f"{path}: expected a manifest of at most {most:,} bytes for its files, found {size:,}")
    with _translate(path):
        manifest = manifest_from(archive.read(NAME), str(path))
    check_names((info.filename for info in infos if info.filename != NAME), str(path))
    sizes = {member.name: member.size for member in manifest.members}
    packed = 0
    for info in infos:
        packed += info.compress_size
        kind = info.external_attr >> 28
        if kind not in (0, 0o10) or info.flag_bits & 0x1 or info.compress_type not in _METHODS:
            raise BadBackup(f"{path}: expected plain files only, found {info.filename!r:.100}, which is none")
        if info.filename != NAME and sizes.pop(info.filename, None) != info.file_size:
            raise BadBackup(f"{path}: expected what its manifest says, found {info.filename!r:.100} otherwise")
    if sizes:
        raise BadBackup(f"{path}: expected {min(sizes)!r:.100} as in its manifest, found no such file")
    length = file.seek(0, os.SEEK_END)
    if packed > length or manifest.size > length * MOST_TIMES:
        raise BadBackup(f"{path}: expected files that fit into it, found {manifest.size:,} bytes in {length:,}")
    return manifest


def longest_manifest(names: Iterable[str]) -> int:
    """Return how many bytes the manifest of a backup with these files may have."""
    longest_escape = len(r"\u00e9") // len("é".encode())
    most = HEAD_OF_MANIFEST + sum(FOR_EACH_FILE + longest_escape * len(name.encode()) for name in names)
    return min(most, LONGEST_MANIFEST)


@contextmanager
def _translate(path: Path) -> Iterator[None]:
    try:
        yield
    except RefereeError:
        raise
    except OSError as error:
        if error.errno != errno.EINVAL:  # a wrong offset that leads in front of the file
            raise
        raise BadBackup(f"{path}: expected an intact backup, found an offset outside the file") from error
    except _DAMAGE as error:
        raise BadBackup(f"{path}: expected an intact backup, found: {error or type(error).__name__}") from error


def check_backup(path: Path, count: Callable[[bytes], object] = lambda _: None) -> Manifest:
    """Read a whole backup and return its manifest; raises BadBackup unless every byte is as it was saved.

    Every chunk is passed to `count`, for whoever shows how far this is.
    """
    with open_backup(path) as backup:
        for member in backup.manifest.members:
            backup.copy(member, count)
        return backup.manifest


def check_database(path: Path, name: str) -> None:
    """Check a database that was unpacked; raises BadBackup if it is damaged, or a journal that is newer than ours."""
    try:
        with closing(read_only(path)) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            if found == "ok" and name == JOURNAL:
                if not is_marked(connection):
                    raise BadBackup(f"{name}: expected a journal, found the database of another program")
                version_of(connection)
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        raise BadBackup(f"{name}: expected an intact database, found: {found}")


def check_version(manifest: Manifest, where: Path) -> None:
    """Raise BadBackup if the journal in the backup is newer than this referee knows."""
    if manifest.journal is not None and manifest.journal > VERSION:
        raise NewerBackup(
            f"{where}: expected a journal of version {VERSION} or older, found version {manifest.journal} of referee "
            f"{manifest.program}: update this referee first"
        )
