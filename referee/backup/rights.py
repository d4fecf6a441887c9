"""Work in the folder of another user: root does it with the rights of that user, who may have planted links there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Within this context, root has only the rights of the folder's owner; for other users nothing changes.

    The rights are those of the whole process, so this is for commands, which have one thread.
    """
    if os.geteuid() != 0 or (owner := folder.stat()).st_uid == 0:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups([owner.st_gid])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def read_as_owner(folder: Path, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks; each is made with the rights of the folder's owner."""
    while True:
        with as_owner(folder):
            chunk = next(chunks, None)
        if chunk is None:
            return
        yield chunk
