"""What the page asks the updater for, in a small file that the referee's service may write.

The service has no right to change anything of a version. It can only name one of `ORDERS`; the rest is decided here.
Whatever else lies where that file belongs is removed, because systemd would start the updater for it again and again.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from updater.switching import Change

ORDER = "updates/request"
"""In the folder of the service; `referee-request.path` waits for it."""
MOST_BYTES = 200
ORDERS: dict[str, Callable[[Change], None]] = {"cancel": Change.cancel, "back": Change.go_back}


def is_asked(folder: Path) -> bool:
    """Return whether something is asked for."""
    return os.path.lexists(folder / ORDER)


def take_order(folder: Path) -> str | None:
    """Remove the file and return which of `ORDERS` it named; None for anything else."""
    path = folder / ORDER
    found = _read(path)
    try:
        path.unlink(missing_ok=True)
    except IsADirectoryError:
        shutil.rmtree(path, ignore_errors=True)
    return found


def carry_out(folder: Path, change: Change) -> None:
    """Do what is asked for. During a trial nothing is done: it ends by itself, and the page offers nothing then."""
    if not is_asked(folder):
        return
    order = take_order(folder)
    if order is not None and change.trial() is None:
        ORDERS[order](change)


def _read(path: Path) -> str | None:
    with contextlib.suppress(OSError, ValueError, RecursionError, AttributeError):
        # No link is followed, and no pipe is waited for: the folder belongs to another user.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            order = json.loads(file.read(MOST_BYTES + 1)).get("do")
        return order if isinstance(order, str) and order in ORDERS else None
    return None
