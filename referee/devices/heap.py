"""Sets up the C library's heap so that the memory of freed pictures is returned to the system."""

from __future__ import annotations

import ctypes
import sys

LARGE_BYTES = 4 << 20
"""Blocks of at least this size are mapped separately, and unmapped when they are freed. These are the camera's
pictures (9 MB at 2304 by 1296 pixels) and arrays computed from whole pictures. With 1 MB reading a picture took
longer; with 4 MB it did not."""
HEAPS = 2
"""The number of heaps for smaller blocks, however many threads there are. Each heap keeps the memory that was freed in
it."""
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""The GNU C library's numbers for these options of `mallopt`, from malloc.h."""


def keep_little() -> bool:
    """Make the process keep little freed memory; return whether the C library can do that (GNU's can).

    By default, the GNU library has eight heaps for each core, and once a block of up to 32 MB has been freed, it takes
    blocks of that size from these heaps. In a match at the virtual table with a page, nearly half of the memory was
    unused memory in the heaps.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES) and mallopt(_M_ARENA_MAX, HEAPS))
