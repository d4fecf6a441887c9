"""Bundles on USB sticks: what can be offered to people.

Nothing of it is trusted; the updater verifies the signature.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.devices.update_files import HEAD_BYTES, MOST_BYTES, can_be_bundle

ENDING = ".bundle"
MOST_ENTRIES, MOST_BUNDLES = 2000, 8
"""Names in a stick's folder that are looked at, and bundles that are offered: a stick may hold anything."""
MOST_MANIFEST = 4_000_000
"""Of the list in a bundle (`systemd/updater/bundle.py`)."""
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,59}", re.ASCII)
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class StickBundle:
    """A file on a stick that can be a bundle; `version` is empty if it does not say which it holds."""

    path: Path
    size: int
    changed_ns: int
    version: str = ""

    @property
    def name(self) -> str:
        """The name of the file for people: without invisible characters, and shortened."""
        text = "".join(letter for letter in self.path.name if letter.isprintable())
        return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"

    @property
    def id(self) -> str:
        """What tells this file from others, and from another one that takes its place."""
        return hashlib.sha256(f"{self.path!s}|{self.size}|{self.changed_ns}".encode(errors="replace")).hexdigest()[:16]


def find_bundles(folders: Iterable[Path], known: Iterable[StickBundle] = ()) -> tuple[StickBundle, ...]:
    """Return the bundles that lie in these folders themselves; `known` ones that are unchanged are not read again."""
    unchanged = {(one.path, one.size, one.changed_ns): one for one in known}
    found: list[StickBundle] = []
    for path in _candidates(folders):
        with suppress(OSError):
            file = path.lstat()
            if stat.S_ISREG(file.st_mode) and HEAD_BYTES < file.st_size <= MOST_BYTES:
                key = (path, file.st_size, file.st_mtime_ns)
                bundle = unchanged.get(key) or read_bundle(*key)
                if bundle is not None:
                    found.append(bundle)
        if len(found) == MOST_BUNDLES:
            break
    return tuple(found)


def _candidates(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            names = [entry.name for _, entry in zip(range(MOST_ENTRIES), entries, strict=False)]
            yield from (folder / name for name in sorted(names) if name.lower().endswith(ENDING))


def read_bundle(path: Path, size: int, changed_ns: int) -> StickBundle | None:
    """Return what a file on a stick holds, None if it can be no bundle; raises OSError if it cannot be read."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        if not can_be_bundle(file.read(HEAD_BYTES)):
            return None
        file.seek(0)
        version = ""
        with suppress(tarfile.TarError, ValueError, RecursionError, AttributeError):
            with tarfile.open(fileobj=file, mode="r|") as members:
                first = members.next()
                content = None if first is None or first.size > MOST_MANIFEST else members.extractfile(first)
                told = "" if content is None else json.loads(content.read()).get("version")
            version = told if isinstance(told, str) and _VERSION.fullmatch(told) else ""
    return StickBundle(path, size, changed_ns, version)
