"""How old a picture from the network is: for each a moment, at or after which it was sent.

A picture comes late for two reasons. One is the way through the camera: exposing, developing, compressing, and
whatever its program buffers. That takes about the same time for each picture and cannot be measured from what arrives:
it is the setting `lag_s`, a bound. The other is a queue: where network or reader are slower than the camera, pictures
wait in the camera's socket or on the way, for seconds. That is measured here, picture by picture.

`Rhythm` knows arrival times only, as of MJPEG. Queued pictures arrive one immediately after the other. So a picture is
known to be new by its rhythm: it came after a pause, as did the one before, and about when it was due. An interruption
of the network is a pause, too, but a long one, and what was queued meanwhile comes without any. A picture that proves
nothing is at least not older than the connection, whose queue was empty when it was opened: then a new one is opened.

`CameraClock` also knows the camera's own clock, as of RTSP. Its offset from ours is taken from the picture that took
the least time; any other picture has waited for as long as it took longer.
"""

from __future__ import annotations

import math
import statistics
from collections import deque

LEFT_OVER = 2
"""Pictures at the beginning of a connection that may be older than it: cameras keep one or two ready."""
PAUSE_S = 0.003
PAUSE_SHARE = 0.15
"""A picture is known to be new only after a pause of at least PAUSE_S seconds and of this part of its interval:
without one it may have waited in a queue."""
LATE = 2.5
"""A picture that comes after more than this many usual intervals comes after an interruption."""
IN_STEP = 3
"""How many pictures in a row make a rhythm."""
REMEMBERED = 15
FEWEST = 4
"""Intervals from which on the usual one is known."""
DRIFT = 2e-4
"""The largest difference in speed between the two clocks, as a part."""
NEARER_S = 0.02
SETTLED = 8
SETTLED_S = 0.5
"""A camera's clock is known once this many pictures over this long a time were none faster by more than that."""


class Rhythm:
    """The pictures of one connection, judged by when they arrive; moments are monotonic seconds."""

    def __init__(self, opened_at: float) -> None:
        self._opened_at, self._bound = opened_at, -math.inf
        self._count = self._in_step = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=REMEMBERED)

    def take_time(self, empty_at: float, arrived_at: float, pause_s: float) -> float:
        """Return the moment after which a picture was sent, minus infinity where nothing is known.

        Its first byte came at `arrived_at`, and at `empty_at` nothing had been waiting here. `pause_s`: how many
        seconds nothing came between the picture before and this one.
        """
        self._count += 1
        if self._last is not None:
            interval = arrived_at - self._last
            known = len(self._intervals) >= FEWEST
            due = not known or interval <= LATE * statistics.median(self._intervals)
            waited = pause_s >= max(PAUSE_S, PAUSE_SHARE * interval)
            self._in_step = self._in_step + 1 if due and waited and known else 0
            self._intervals.append(interval)
        self._last = arrived_at
        if self._count > LEFT_OVER:
            self._bound = max(self._bound, self._opened_at)
        if self._in_step >= IN_STEP:
            self._bound = max(self._bound, empty_at)
        return self._bound  # pictures come in their order: none is older than the one before


class CameraClock:
    """The pictures of one connection, judged by the camera's clock and by when they arrive; both in seconds."""

    def __init__(self) -> None:
        self._least = self._mark = math.inf
        self._last = (-math.inf, -math.inf)
        self._settled = 0
        self._since = math.inf

    def take_time(self, stamp: float, arrived_at: float) -> float:
        """Return the moment after which a picture was sent; `stamp` is its time by the camera's clock.

        Minus infinity while the clock is not known: the first pictures of a connection may have been stored for it,
        and come faster and faster until that store is used up.
        """
        before, at = self._last
        if stamp <= before:  # it began anew, or stands still
            self._least = self._mark = math.inf
        self._last = stamp, arrived_at
        took = arrived_at - stamp
        self._least = min(took, self._least + DRIFT * max(0.0, arrived_at - at))
        if self._least < self._mark - NEARER_S:
            self._mark, self._settled, self._since = self._least, 0, arrived_at
        self._mark = max(self._mark, self._least)
        self._settled += 1
        if self._settled <= SETTLED or arrived_at - self._since < SETTLED_S:
            return -math.inf
        return stamp + self._least
