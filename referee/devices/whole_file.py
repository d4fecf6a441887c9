"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

from referee.errors import BadInput


def write_whole(path: Path, data: bytes, place: str, mode: int = 0o644) -> None:
    """Write `data`; whoever reads `path` meets the old file or the whole new one, with the rights of `mode`.

    A link stays, and the file that it leads to is written. Raises BadInput where that cannot be written or is no file,
    naming the `place` that was expected; whatever is there is untouched then.
    """
    unfinished = None
    try:
        named, path = path, end_of_links(path)
        if kind := _kind_of_no_file(path):
            raise BadInput(f"{named}: expected {place}, found {kind}")
        handle, unfinished = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(unfinished).chmod(mode)
        Path(unfinished).replace(path)
    except OSError as error:
        if unfinished is not None:
            with contextlib.suppress(OSError):
                Path(unfinished).unlink()
        raise BadInput(f"{path}: expected {place}, found: {error.strerror}") from error


def end_of_links(path: Path) -> Path:
    """Where links lead; raises OSError where that is in a circle, which only older Pythons tell by themselves."""
    with contextlib.suppress(RuntimeError):
        path = path.resolve()
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return path


def _kind_of_no_file(path: Path) -> str | None:
    """What lies there that must not be replaced by a file: a device, a pipe, a socket; None for all else."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return "a device"
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else None
