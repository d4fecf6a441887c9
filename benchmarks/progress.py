"""Signs of life of long measurements on standard error, and folders of theirs that do not outlive them."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

EVERY_S = 15.0
"""A sign of life at least this often."""
DISK = Path("/var/tmp")  # noqa: S108 - each folder in it is made by tempfile
"""Files here outlive a restart, so it is on a disk; /tmp is often kept in memory, where nothing is slow to write."""


def tell(text: str) -> None:
    """Say how far a measurement is."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def signs_of_life(part: str, every_s: float = EVERY_S) -> Iterator[None]:
    """Say that a part of the measurements begins, now and then that it still runs, and how long it took."""
    start, done = time.monotonic(), threading.Event()

    def beat() -> None:
        while not done.wait(every_s):
            tell(f"{part}: still measuring after {time.monotonic() - start:.0f} s")

    tell(f"{part}: measuring")
    beating = threading.Thread(target=beat, name=f"{part} is alive", daemon=True)
    beating.start()
    try:
        yield
        tell(f"{part}: measured in {time.monotonic() - start:.0f} s")
    finally:
        done.set()
        beating.join()


@contextmanager
def folder_on_disk(prefix: str) -> Iterator[Path]:
    """A folder outside of the checkout, on a disk as a journal is; gone afterwards, whatever happens."""
    disk = DISK if DISK.is_dir() and os.access(DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=disk, prefix=prefix, ignore_cleanup_errors=True) as place:
        yield Path(place)


def end_on_signals() -> None:
    """Let a signal that asks a program to end do so in order, so that folders and child processes go with it."""

    def end(number: int, _: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, end)
