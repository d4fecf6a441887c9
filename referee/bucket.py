"""A limit of a rate: how much is allowed at once, and how much per second in the long run."""

from __future__ import annotations


class Bucket:
    """A token bucket. Times are in seconds of any clock."""

    __slots__ = ("_each_s", "_left", "_most", "_t")

    def __init__(self, most: float, each_s: float, t: float) -> None:
        """Create a bucket that is full at `t`. It holds at most `most` tokens and gains `each_s` tokens per second."""
        self._most, self._each_s = most, each_s
        self._left, self._t = most, t

    def take(self, t: float, tokens: float = 1.0) -> float:
        """Take tokens at `t` and return 0.0.

        If there are too few, take none and return after how many seconds there will be enough.
        """
        self._left = min(self._most, self._left + self._each_s * max(0.0, t - self._t))
        self._t = t
        if self._left < tokens:
            return (tokens - self._left) / self._each_s
        self._left -= tokens
        return 0.0
