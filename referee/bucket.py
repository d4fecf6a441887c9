"""How much somebody may have: so much at once, and so much a second for long."""

from __future__ import annotations


class Bucket:
    """A token bucket; times are seconds of any clock."""

    __slots__ = ("_each_s", "_left", "_most", "_t")

    def __init__(self, most: float, each_s: float, t: float) -> None:
        """Full at `t`: `most` at once, `each_s` more every second."""
        self._most, self._each_s = most, each_s
        self._left, self._t = most, t

    def take(self, t: float, tokens: float = 1.0) -> float:
        """Take this many at `t`: 0.0, or after how many seconds there are as many; then none is taken."""
        self._left = min(self._most, self._left + self._each_s * max(0.0, t - self._t))
        self._t = t
        if self._left < tokens:
            return (tokens - self._left) / self._each_s
        self._left -= tokens
        return 0.0
