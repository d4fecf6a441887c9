"""What a panel shows and plays, as values: lamps that may blink, and tunes. All moments are arguments."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass


class Glow(enum.Enum):
    """How a lamp glows.

    All lamps of one kind blink in step; an `OPPOSITE` lamp is lit while a `BLINK` lamp is dark.
    """

    OFF = "off"
    ON = "on"
    BLINK = "blink"
    OPPOSITE = "opposite"
    SLOW = "slow"
    TICK = "tick"
    """A short flash every two seconds."""

    def is_lit(self, t: float) -> bool:
        """Return whether the lamp is lit at `t`."""
        if self is Glow.TICK:
            return t % _TICK_EVERY_S < _TICK_S
        if self not in _HALF_PERIOD:
            return self is Glow.ON
        first_half = math.floor(t / _HALF_PERIOD[self]) % 2 == 0
        return first_half is not (self is Glow.OPPOSITE)

    def next_change(self, t: float) -> float | None:
        """Return the first moment after `t` at which the lamp changes; None if it never does."""
        if self is Glow.TICK:
            begun = t - t % _TICK_EVERY_S
            return next(at for at in (begun + _TICK_S, begun + _TICK_EVERY_S) if at > t)
        half = _HALF_PERIOD.get(self)
        if half is None:
            return None
        # Because of rounding, the product may be at `t` itself or before it. Then the next one is right.
        return next(at for n in (1, 2) if (at := (math.floor(t / half) + n) * half) > t)


_HALF_PERIOD = {Glow.BLINK: 0.25, Glow.OPPOSITE: 0.25, Glow.SLOW: 1.0}
"""Seconds for which a lamp is lit, and then dark. They are binary fractions, so that dividing by them and multiplying
again loses nothing."""
_TICK_S, _TICK_EVERY_S = 0.125, 2.0


@dataclass(frozen=True, slots=True)
class Lights:
    """All lamps of a panel. `bar` is the share of time left, from 0 to 1; `text` is shown on the display."""

    players: tuple[Glow, ...] = ()
    red: Glow = Glow.OFF
    amber: Glow = Glow.OFF
    green: Glow = Glow.OFF
    draw: Glow = Glow.OFF
    bar: float = 0.0
    text: str = ""

    def by_name(self) -> Iterator[tuple[str, Glow]]:
        """Yield every lamp but the bar, by the name of its line in the pin map."""
        yield from ((f"player-{seat}", glow) for seat, glow in enumerate(self.players, 1))
        yield from (("red", self.red), ("amber", self.amber), ("green", self.green), ("draw", self.draw))

    def lit_lamps(self, t: float) -> frozenset[str]:
        """Return the lamps that are lit at `t`, without the bar."""
        return frozenset(name for name, glow in self.by_name() if glow.is_lit(t))

    def next_change(self, t: float) -> float | None:
        """Return the first moment after `t` at which a lamp changes by itself; None if none blinks."""
        return min((at for _, glow in self.by_name() if (at := glow.next_change(t)) is not None), default=None)


def lit_in_bar(bar: float, count: int) -> int:
    """Return how many of `count` lamps show the share `bar`; the last one stays lit until no time is left."""
    return min(count, math.ceil(round(bar * count, 6)))


Note = tuple[float | None, float]
"""The frequency in hertz, or None for silence, and the duration in seconds."""
Tune = tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """A tune that began at `since`."""

    tune: Tune
    since: float

    def note(self, t: float) -> float | None:
        """Return the frequency in hertz of the note that sounds at `t`; None while nothing sounds."""
        return next((hertz for end, hertz in self._note_ends() if t < end), None)

    def next_change(self, t: float) -> float | None:
        """Return the first moment after `t` at which a note ends; None once the tune is over."""
        return next((end for end, _ in self._note_ends() if t < end), None)

    def _note_ends(self) -> Iterator[tuple[float, float | None]]:
        end = self.since
        for hertz, seconds in self.tune:
            end += seconds
            yield end, hertz
