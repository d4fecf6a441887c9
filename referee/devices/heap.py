"""The C library's heap: memory of pictures is returned to the system when they are freed."""

from __future__ import annotations

import ctypes
import sys

LARGE_BYTES = 4 << 20
"""Blocks from this size on are mapped separately, and unmapped when they are freed: pictures of the camera (9 MB of
2304 by 1296 pixels) and what is computed from whole ones. With 1 MB reading a picture took longer, with 4 MB it did
not."""
HEAPS = 2
"""Heaps for smaller blocks, whatever the number of threads; each keeps what was freed within it."""
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""The GNU C library's numbers for these options of `mallopt`, from malloc.h."""


def keep_little() -> bool:
    """Make the process keep little freed memory; return whether the C library can do that (GNU's can).

    By default that library takes blocks of up to 32 MB from its heaps once one of that size was freed, and has eight
    heaps for each core. In a match at the virtual table with a page, nearly half of the memory lay free in these.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES) and mallopt(_M_ARENA_MAX, HEAPS))
