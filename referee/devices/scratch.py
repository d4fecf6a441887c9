"""A temporary working directory, for libraries that write wherever they happen to be started."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

MEMORY = "/dev/shm"  # noqa: S108
"""It can be written even if the whole card cannot."""
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
"""Enough to come back to a folder that can be entered, but not read."""


@contextmanager
def scratch_folder() -> Iterator[None]:
    """Work in a fresh folder of our own, and go back afterwards; raises OSError where none can be made.

    The whole process changes its directory: use this only while no other thread works with relative paths. There is no
    way back to a folder that this user may not enter, as after `sudo -u` in a home; nothing could be opened there
    anyway.
    """
    with _make_folder() as folder:
        try:
            before = os.open(".", _ENTER)
        except OSError:
            before = os.open("/", _ENTER)
        try:
            os.chdir(folder)
            yield
        finally:
            os.fchdir(before)
            os.close(before)


def _make_folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="referee-")
    except OSError:
        return tempfile.TemporaryDirectory(prefix="referee-", dir=MEMORY)
