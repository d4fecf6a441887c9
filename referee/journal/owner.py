"""Whose files the journal's are, when root works in somebody's folder.

A command given as root must not lock the service out of its own data. And it must not be led out of that folder:
whoever owns it may have planted a link there, and root would write, or give away, what the link leads to.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from referee.game.notice import Notice
from referee.journal.errors import JournalClosedToUs


def no_follow_flag() -> int:
    """What is added to the flags of a file that is opened: root follows no link; others have their own rights only."""
    return os.O_NOFOLLOW if os.geteuid() == 0 else 0


def give(handle: int, like: Path) -> None:
    """Let a new file, by its handle, belong to whoever owns `like`; only root can do that, and only root need."""
    if os.geteuid() == 0:
        there = like.stat()
        with contextlib.suppress(PermissionError):  # a disk that knows no owners, or leaves root none of its rights
            os.fchown(handle, there.st_uid, there.st_gid)


def make_like(path: Path, like: Path) -> None:
    """Make an empty file with the owner of `like`, and with its rights where that is a file, too.

    SQLite gives what it makes beside a file the owner and the rights of that file; so these come before the content.
    """
    if not os.path.lexists(path):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, rights_in(path.parent))
        try:
            give(handle, like)
            if like.is_file():
                os.fchmod(handle, stat.S_IMODE(like.stat().st_mode))
        finally:
            os.close(handle)


def rights_in(folder: Path) -> int:
    """The rights of the journal's files, which have names of players: the owner's, and to read where a group may."""
    return 0o600 | stat.S_IMODE(folder.stat().st_mode) & stat.S_IRGRP


def keep_private(folder: Path, *paths: Path) -> None:
    """Take away what rights others have to files of the journal that are there; files of another owner stay."""
    most = rights_in(folder)
    for path in paths:
        with contextlib.suppress(OSError):  # nothing is there, or it is not ours: whoever opens it is told
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                found = os.fstat(handle)
                if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) & 0o077 & ~most:
                    os.fchmod(handle, stat.S_IMODE(found.st_mode) & (most | 0o700))
            finally:
                os.close(handle)


def refuse_planted(*paths: Path) -> None:
    """Raise JournalClosedToUs for whatever is no plain file; for root also for a link, or another one's file.

    SQLite opens files by their names, and follows links; so they are looked at before.
    """
    for path in paths:
        try:
            found = path.lstat() if os.geteuid() == 0 else path.stat()
        except OSError:  # nothing is there, or it may not be looked at: whoever opens it is told
            continue
        told = _planted_notice(found, path)
        if told is not None:
            raise JournalClosedToUs(told)


def _planted_notice(found: os.stat_result, path: Path) -> Notice | None:
    if stat.S_ISLNK(found.st_mode):
        return Notice("journal.planted_link", path=str(path), target=str(path.readlink()))
    if stat.S_ISDIR(found.st_mode):
        return None  # whoever opens it is told
    if not stat.S_ISREG(found.st_mode):
        return Notice("journal.planted_no_file", path=str(path))
    if os.geteuid() == 0 and found.st_nlink > 1 and found.st_uid != path.parent.stat().st_uid:
        return Notice("journal.planted_second_name", path=str(path))
    return None
