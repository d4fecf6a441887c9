"""Work on one picture in several threads at once.

OpenCV, the networks, and NumPy with large arrays let other threads run meanwhile. There are as many lanes as OpenCV
has threads: one for each core, unless somebody has set another number with `cv2.setNumThreads`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import cv2

MOST_LANES = 4
"""A Pi has four cores; more threads than this gain nothing (`python -m benchmarks cost`)."""
Part = TypeVar("Part")
Result = TypeVar("Result")
Other = TypeVar("Other")


def lane_count() -> int:
    """Return how many threads work at once, including the one that calls."""
    return max(1, min(MOST_LANES, cv2.getNumThreads()))


@functools.cache
def _helpers() -> ThreadPoolExecutor:
    """Return the threads that help; they start when they are first needed, and sleep when there is no work."""
    return ThreadPoolExecutor(MOST_LANES - 1, thread_name_prefix="lane")


def work_in_lanes(work: Callable[[Part], Result], parts: Sequence[Part], lanes: int | None = None) -> list[Result]:
    """Return what `work` returns for each part, in their order; errors are raised as usual.

    The calling thread works, too, so that all gets done even if every helper is busy with another picture. `lanes` is
    the number of threads if it is not the usual one.
    """
    helpers = min(lanes or lane_count(), len(parts)) - 1
    results: dict[int, Result] = {}
    waiting = iter(range(len(parts)))  # taking the next number from it is a single step for all threads

    def drain() -> None:
        for number in waiting:
            results[number] = work(parts[number])

    started = [_helpers().submit(drain) for _ in range(helpers)]
    try:
        drain()
    finally:
        begun = [helper for helper in started if not helper.cancel()]
        errors = [error for helper in begun if (error := helper.exception()) is not None]
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(parts))]


def work_beside(one: Callable[[], Result], other: Callable[[], Other]) -> tuple[Result, Other]:
    """Return what two functions return that are called at the same time, the second one in the calling thread."""
    if lane_count() < 2:
        return one(), other()
    started = _helpers().submit(one)
    try:
        second = other()
    finally:
        first = one() if started.cancel() else started.result()
    return first, second
