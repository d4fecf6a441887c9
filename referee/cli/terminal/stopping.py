"""Ctrl-C and closed streams in the first moments of the program, before other modules are loaded; and its end."""

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
    """Within this context, Ctrl-C ends the process silently. Used to load modules, which leaves nothing half-done."""
    with _instead(signal.default_int_handler, _at_once):
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Within this context inside `quiet_stop`, Ctrl-C raises `KeyboardInterrupt`, so that code can clean up first."""
    with _instead(_at_once, signal.default_int_handler):
        yield


def stop_at_once() -> None:
    """From now on, Ctrl-C ends the process silently: at the end, interrupted threads would print a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _at_once)


def _at_once(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signals call it
    os._exit(STOPPED)


@contextmanager
def _instead(usual: Handler, other: Handler) -> Iterator[None]:
    """Replace the handler of Ctrl-C if it is the `usual` one; an ignored Ctrl-C or any other handler is kept."""
    change = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is usual
    if change:
        signal.signal(signal.SIGINT, other)
    try:
        yield
    finally:
        if change:
            signal.signal(signal.SIGINT, usual)


def hold_standard_streams() -> None:
    """Open descriptors 0 to 2 if they are closed, as after `>&-`: no journal may get one of these numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # this opens the lowest free number, which is this one


class ProcessEnd:
    """Ends the process with `code`, without finalising the interpreter if another thread is still running.

    During finalisation, a daemon thread that returns from native code is unwound (`pthread_exit`). If C++ code of ONNX
    Runtime or OpenCV is on its stack, that ends the process with SIGABRT and "terminate called without an active
    exception". This happened when a look took longer than the program waits for its thread.
    """

    def __init__(self) -> None:
        """Must be created before other modules register `atexit` functions: the last one registered runs first."""
        self.code = 1
        """The exit code; 1 unless it is set, like Python's own after an uncaught error."""
        atexit.register(self._end)

    def _end(self) -> None:
        if threading.active_count() == 1:
            return
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # it is closed, or its reader is gone
                stream.flush()
        os._exit(self.code)
