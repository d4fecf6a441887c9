"""Recognises when the clock of a turn passes a mark, from the state that the panel shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.game.match.state import State

WARNINGS_S = (30, 10)
"""The seconds left in a turn at which the time is nearly up."""


class ClockMarks:
    """Compares the time left with that of the call before."""

    def __init__(self, now: Callable[[], float], marks: Sequence[int] = WARNINGS_S) -> None:
        """`now` is the clock of the loop, in monotonic seconds; `marks` are seconds left, the most first."""
        self._now, self._marks = now, marks
        self._left: float | None = None

    def passed(self, state: State, zero: float) -> list[int]:
        """Return the marks passed since the last call; none if the clock stands or was only wound back.

        `zero` is the moment of the monotonic clock at which the match time was 0.
        """
        end = state.clock.deadline if state.phase.has_clock else None
        before, self._left = self._left, None if end is None else end + zero - self._now()
        left = self._left
        if left is None or before is None or left <= 0:
            return []
        return [mark for mark in self._marks if left <= mark < before]
