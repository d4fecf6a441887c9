"""How much somebody may send: so much at once, and so much a second for long."""

from __future__ import annotations


class Bucket:
    """A token bucket; times are seconds of any clock that only goes on."""

    def __init__(self, per_s: float, most: float, t: float) -> None:
        self._per_s, self._most = per_s, most
        self._left, self._t = most, t

    def take(self, t: float) -> bool:
        """Whether one more is within the limit at `t`."""
        self._left = min(self._most, self._left + self._per_s * max(0.0, t - self._t))
        self._t = max(t, self._t)
        if self._left < 1:
            return False
        self._left -= 1
        return True
