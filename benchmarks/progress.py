"""Progress of long measurements on standard error, as a bar or in messages, and temporary folders on a disk."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from referee.cli.terminal.common import show_part

EVERY_S = 15.0
"""The seconds between two progress messages."""
DISK = Path("/var/tmp")  # noqa: S108 - each folder in it is made by tempfile
"""A folder on a disk, as its files must survive a restart; /tmp is often in memory, where writing is fast."""


def tell(text: str) -> None:
    """Print the progress of a measurement."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def signs_of_life(part: str, every_s: float = EVERY_S) -> Iterator[None]:
    """Print that a part of the measurements begins, regularly that it is still running, and how long it took."""
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


Report = Callable[[int, int], None]
"""Takes how much of how much is done."""


def report_nothing(_done: int, _total: int) -> None:
    """Show nothing."""


@contextmanager
def show_bar(part: str) -> Iterator[Report]:
    """Provide what takes how much of how much is done: a bar shows it on a terminal; in a log, see `signs_of_life`."""
    if not sys.stderr.isatty():
        with signs_of_life(part):
            yield report_nothing
        return
    with show_part(part) as report:
        yield report


@contextmanager
def folder_on_disk(prefix: str) -> Iterator[Path]:
    """Make a temporary folder outside of the checkout, on a disk as for a journal; it is always deleted afterwards."""
    disk = DISK if DISK.is_dir() and os.access(DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=disk, prefix=prefix, ignore_cleanup_errors=True) as place:
        yield Path(place)


def end_on_signals() -> None:
    """Let signals end the program in an orderly way, so that it deletes folders and ends child processes."""

    def end(number: int, _: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, end)
