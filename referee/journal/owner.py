"""Whose files the journal's are: a command given as root must not lock the service out of its own data."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path


def give(path: Path, like: Path) -> None:
    """Let a new file belong to whoever owns `like`; only root can do that, and only root need."""
    if os.geteuid() == 0:
        there = like.stat()
        with contextlib.suppress(PermissionError):  # a disk that knows no owners, or leaves root none of its rights
            os.chown(path, there.st_uid, there.st_gid)


def make_like(path: Path, like: Path) -> None:
    """Make an empty file with the owner of `like`, and with its rights where that is a file, too.

    SQLite gives what it makes beside a file the owner of that file; so the owner comes before the content.
    """
    if os.geteuid() == 0 and not path.exists():
        path.touch()
        give(path, like)
        if like.is_file():
            shutil.copymode(like, path)
