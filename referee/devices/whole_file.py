"""Writes files completely or not at all, and reads whole files of a limited size."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

from referee.errors import BadInput


class TooLong(BadInput):
    """A file that is longer than the limit."""


def write_whole(path: Path, data: bytes, place: str, mode: int = 0o644, *, for_owner: bool = False) -> None:
    """Write `data` with the permissions `mode`. A reader sees either the old file or the complete new one.

    With `for_owner`, root gives the file to the owner of its folder, who otherwise could not even read it.

    If `path` is a link, it stays, and the file that it leads to is written. Raises BadInput if that cannot be written,
    or is something other than a file; the message names the `place` that was expected. Nothing is changed then.
    """
    unfinished = None
    try:
        named, path = path, end_of_links(path)
        if kind := kind_of_no_file(path):
            raise BadInput(f"{named}: expected {place}, found {kind}")
        handle, unfinished = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if for_owner and os.geteuid() == 0:
                there = path.parent.stat()
                with contextlib.suppress(PermissionError):  # the disk has no owners
                    os.fchown(file.fileno(), there.st_uid, there.st_gid)
        Path(unfinished).chmod(mode)
        Path(unfinished).replace(path)
    except OSError as error:
        if unfinished is not None:
            with contextlib.suppress(OSError):
                Path(unfinished).unlink()
        raise BadInput(f"{path}: expected {place}, found: {error.strerror}") from error


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, so that they survive a power cut; not every stick can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_whole(path: Path, most: int, wanted: str) -> bytes:
    """Return all bytes of a file; raises BadInput, whose message says that `wanted` was expected.

    Only a regular file of at most `most` bytes is read: the content of a device may never end, and opening a pipe may
    never return.
    """
    try:
        if (kind := kind_of_no_file(path)) is None:
            # There may be something else by now. Without O_NONBLOCK, opening a pipe would wait for a writer.
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                kind = _kind_of(os.fstat(handle).st_mode)
                data = b"" if kind else file.read(most + 1)
    except (OSError, ValueError) as error:  # for instance a name with a NUL in it
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"{path}: expected {wanted}, found: {reason}") from error
    if kind:
        raise BadInput(f"{path}: expected {wanted}, found {kind}")
    if len(data) > most:
        raise TooLong(f"{path}: expected {wanted} of at most {most:,} bytes, found more")
    return data


def end_of_links(path: Path) -> Path:
    """Return the path that links lead to; raises OSError for a circle, which only older Pythons detect themselves."""
    with contextlib.suppress(RuntimeError):
        path = path.resolve()
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return path


def kind_of_no_file(path: Path) -> str | None:
    """Return the kind of thing at `path` if it is not a file; None for a file, and if there is nothing.

    Raises OSError.
    """
    try:
        return _kind_of(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _kind_of(mode: int) -> str | None:
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return "a device"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else None
