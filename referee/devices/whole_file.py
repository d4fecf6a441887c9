"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from referee.errors import BadInput


def write_whole(path: Path, data: bytes, place: str, mode: int = 0o644) -> None:
    """Write `data`; whoever reads `path` meets the old file or the whole new one, with the rights of `mode`.

    Raises BadInput where it cannot be written, naming the `place` that was expected; the old file is untouched then.
    """
    unfinished = None
    try:
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
