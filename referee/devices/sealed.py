"""Small files of learnt data: JSON with its kind, version and a checksum, written whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.devices.whole_file import TooLong, read_whole, write_whole
from referee.errors import BadInput

MAX_BYTES = 5_000_000


class BadSeal(BadInput):
    """A file that is there, but is not what was written: cut off, edited, of another kind or version."""


def write_sealed(path: Path, kind: str, version: int, content: Mapping[str, Any]) -> None:
    """Write `content` with its checksum; readers of `path` see the old file or the whole new one.

    Raises BadInput where it cannot be written; the old file is untouched then.
    """
    text = json.dumps({"kind": kind, "version": version, "sha256": _sum(content), "content": content}, allow_nan=False)
    write_whole(path, f"{text}\n".encode(), "a place to write to")
    _outlast(path.parent)


def read_sealed(path: Path, kind: str, version: int) -> Mapping[str, Any]:
    """Return the content of a sealed file; raises BadInput where there is none, BadSeal where it was altered."""
    try:
        data = read_whole(path, MAX_BYTES, f"a file ({kind})")
    except TooLong as error:
        raise BadSeal(str(error)) from None
    try:
        outer = json.loads(data)
        found, content = (outer["kind"], outer["version"], outer["sha256"]), outer["content"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadSeal(f"{path}: expected a file ({kind}), found one that is cut off or something else") from None
    if found[:2] != (kind, version):
        raise BadSeal(f"{path}: expected {kind}, version {version}, found {found[0]!s:.40}, version {found[1]!s:.20}")
    if not isinstance(content, dict) or found[2] != _sum(content):
        raise BadSeal(f"{path}: expected {kind} as it was written, found one that was edited or damaged")
    return content


def _sum(content: Any) -> str:
    """The checksum over the content as it is read back, whatever its layout."""
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(plain.encode("ascii")).hexdigest()


def _outlast(folder: Path) -> None:
    """Make the names in a folder survive a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
