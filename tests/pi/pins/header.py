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
