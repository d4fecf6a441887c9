"""The folder of one table on a USB stick.

One stick may be carried from table to table. Each has a folder of its own there, so that no table takes the backups
of another one for its own, replaces one that was made in the same minute, or removes one of the same day.
"""

from __future__ import annotations

import hashlib
import platform
import re
from pathlib import Path

from referee.errors import BadInput
from referee.game.notice import Notice

ON_STICK = "referee-backups"
"""The folder on a stick."""
_TELLING = ("etc/machine-id", "proc/device-tree/serial-number")
"""What differs between machines, also if all have the same name, or cards with the same content."""
_MARK_LETTERS = 6
_LONGEST_NAME = 40


def name_on_sticks(state: Path, root: Path = Path("/"), host: str | None = None) -> str:
    """Return the name of the folder for the table whose journal is in `state`: that of the machine, and a mark.

    `root`: where the files of the system are.
    `host`: the name of the machine; by default that of this one.
    """
    host = platform.node() if host is None else host
    telling = [host.encode(), str(state.resolve()).encode(), *(_content(root / name) for name in _TELLING)]
    mark = hashlib.sha256(b"\0".join([b"referee", *telling])).hexdigest()[:_MARK_LETTERS]
    readable = re.sub(r"[^A-Za-z0-9-]+", "-", host).strip("-")[:_LONGEST_NAME]
    return f"{readable or 'table'}-{mark}"


def folder_on(stick: Path, state: Path) -> Path:
    """Return the folder for the backups of a table on a stick; raises BadInput if it leads elsewhere.

    A file system such as ext4 can have links, with which whoever owns the stick could have any folder written to.
    """
    folder = stick / ON_STICK / name_on_sticks(state)
    for one in (folder.parent, folder):
        if one.is_symlink():
            raise BadInput(Notice("backup.stick_link", path=str(one)))
    return folder


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()[:200]
    except OSError:
        return b""
