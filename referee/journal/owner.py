"""The owner of the journal's files, when root works in the folder of another user.

A command given as root must not lock the service out of its own data. Nor may it be led out of that folder: the owner
of the folder may have planted a link there, and root would then write to the file that the link leads to, or give it
away.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from referee.game.notice import Notice
from referee.journal.errors import JournalClosedToUs


def no_follow_flag() -> int:
    """Return the flag to add when a file is opened: root follows no links; others have only their own rights."""
    return os.O_NOFOLLOW if os.geteuid() == 0 else 0


def give(handle: int, like: Path) -> None:
    """Give a new file, by its handle, the owner of `like`. Only root can do this, and only root needs to."""
    if os.geteuid() == 0:
        there = like.stat()
        with contextlib.suppress(PermissionError):  # the disk has no owners, or root has no such right on it
            os.fchown(handle, there.st_uid, there.st_gid)


def make_like(path: Path, like: Path) -> None:
    """Create an empty file with the owner of `like`, and, if `like` is a file, with its permissions.

    SQLite gives the files that it makes beside a file the owner and the permissions of that file, so these must be
    right before there is any content. Does nothing if the file exists.
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
    """Return the permissions for the journal's files, which contain names of players.

    The owner may read and write. The group may read if it may read the folder.
    """
    return 0o600 | stat.S_IMODE(folder.stat().st_mode) & stat.S_IRGRP


def keep_private(folder: Path, *paths: Path) -> None:
    """Remove the permissions of others from files of the journal, if they exist.

    Files of another owner stay as they are.
    """
    most = rights_in(folder)
    for path in paths:
        with contextlib.suppress(OSError):  # no file, or not ours: opening it will report that
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                found = os.fstat(handle)
                if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) & 0o077 & ~most:
                    os.fchmod(handle, stat.S_IMODE(found.st_mode) & (most | 0o700))
            finally:
                os.close(handle)


def refuse_planted(*paths: Path) -> None:
    """Raise JournalClosedToUs for anything but a plain file.

    For root, links are refused as well, and so are second names of files of another user. SQLite opens files by their
    names and follows links, so they are checked before.
    """
    for path in paths:
        try:
            found = path.lstat() if os.geteuid() == 0 else path.stat()
        except OSError:  # no file, or no permission: opening it will report that
            continue
        told = _planted_notice(found, path)
        if told is not None:
            raise JournalClosedToUs(told)


def _planted_notice(found: os.stat_result, path: Path) -> Notice | None:
    if stat.S_ISLNK(found.st_mode):
        return Notice("journal.planted_link", path=str(path), target=str(path.readlink()))
    if stat.S_ISDIR(found.st_mode):
        return None  # opening it will report that
    if not stat.S_ISREG(found.st_mode):
        return Notice("journal.planted_no_file", path=str(path))
    if os.geteuid() == 0 and found.st_nlink > 1 and found.st_uid != path.parent.stat().st_uid:
        return Notice("journal.planted_second_name", path=str(path))
    return None
