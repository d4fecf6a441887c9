"""A test's hands and eyes on the header in memory, from within the process that uses its pins."""

import ctypes
import time

PATIENCE_S = 20.0
"""Longer than lgpio's threads ever need, on however busy a machine."""
INPUT, OUTPUT, RISING, FALLING, PULL_UP = 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 8
"""Flags of a line, as <linux/gpio.h> has them."""

_made = ctypes.CDLL(None)
_made.fake_flags.restype = ctypes.c_ulonglong


def press(gpio):
    _made.fake_pull(gpio, 0)


def let_go(gpio):
    _made.fake_pull(gpio, -1)


def play(gpio, *lasts):
    """Wait, press, let go, press and so on, each for so many seconds; gives how long each lasted.

    The interpreter may do something else meanwhile, or nothing at all.
    """
    took = (ctypes.c_double * len(lasts))()
    _made.fake_play(gpio, len(lasts), (ctypes.c_double * len(lasts))(*lasts), took)
    return list(took)


def stall(seconds):
    """Stop the interpreter, with all its threads, as a call of a library does that keeps its lock."""
    ctypes.PyDLL(None).usleep(int(1e6 * seconds))


def level(gpio):
    return _made.fake_level(gpio)


def flags(gpio):
    return _made.fake_flags(gpio)


def writes(gpio):
    """How often a level was written."""
    return _made.fake_writes(gpio)


def until(holds, patience_s=PATIENCE_S):
    """Wait until something holds; gives whether it came to that."""
    end = time.monotonic() + patience_s
    while not (so := holds()) and time.monotonic() < end:
        time.sleep(0.0005)  # lgpio tells of edges from threads of its own
    return bool(so)


def left_high(gpio):
    """How often a line was given back as an output that was on."""
    return _made.fake_left_high(gpio)


def arrive():
    """Let lgpio's thread, where PINS_LATE has stopped it, begin to wait for a signal; returns once it does.

    Returns False where a busy machine let it come too late to be stopped.
    """
    return bool(_made.fake_arrive())
