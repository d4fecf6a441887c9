"""Ctrl-C and closed streams in a program's first moments, before anything else is loaded; and its very end."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]

STOPPED = 130
"""The exit code by which shells report a program that Ctrl-C ended (128 + SIGINT)."""


@contextmanager
def quiet_stop() -> Iterator[None]:
    """While this lasts Ctrl-C ends the process without a word: for loading modules, which leaves nothing half-done."""
    with _instead(signal.default_int_handler, _at_once):
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Within `quiet_stop`: while this lasts Ctrl-C raises `KeyboardInterrupt`, for what must be put in order first."""
    with _instead(_at_once, signal.default_int_handler):
        yield


def stop_at_once() -> None:
    """From now on Ctrl-C ends the process without a word; as it ends, interrupted threads would leave a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _at_once)


def _at_once(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signals call it
    os._exit(STOPPED)


@contextmanager
def _instead(usual: Handler, other: Handler) -> Iterator[None]:
    """Another handler of Ctrl-C where the usual one is set; whoever ignores it, or has a handler, keeps that."""
    change = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is usual
    if change:
        signal.signal(signal.SIGINT, other)
    try:
        yield
    finally:
        if change:
            signal.signal(signal.SIGINT, usual)


def hold_standard_streams() -> None:
    """Open whichever of descriptors 0 to 2 is closed, as after `>&-`: a journal must never get the number of one."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one


class ProcessEnd:
    """Ends the process with `code`, without taking the interpreter down where a thread is still at work.

    While the interpreter is taken down, a daemon thread that comes back from native code is unwound (`pthread_exit`).
    Where C++ of ONNX Runtime or OpenCV lies on its stack, that ends the process with SIGABRT and "terminate called
    without an active exception": so it was when a look took longer than its thread is waited for.
    """

    def __init__(self) -> None:
        """To be made before other modules register what they do at the end: the last one comes first there."""
        self.code = 1
        """The exit code; 1 unless set, like Python's own after an error that nobody caught."""
        atexit.register(self._end)

    def _end(self) -> None:
        if threading.active_count() == 1:
            return
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, or nobody reads it any more
                stream.flush()
        os._exit(self.code)
