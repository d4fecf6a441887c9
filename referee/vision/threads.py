"""Work on one picture in several threads at once.

OpenCV, the networks, and NumPy with large arrays let other threads run meanwhile. As many threads work as OpenCV
has: one for each core, unless somebody has set another number with `cv2.setNumThreads`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

import cv2

MOST_THREADS = 4
"""A Pi has four cores; more threads than this gain nothing (`python -m benchmarks cost`)."""
Part = TypeVar("Part")
Result = TypeVar("Result")
Other = TypeVar("Other")


def thread_count() -> int:
    """Return how many threads work at once, including the one that calls."""
    return max(1, min(MOST_THREADS, cv2.getNumThreads()))


@functools.cache
def _helpers() -> ThreadPoolExecutor:
    """Return the threads that help; they start when they are first needed, and sleep when there is no work."""
    return ThreadPoolExecutor(MOST_THREADS - 1, thread_name_prefix="thread")


def run_in_threads(work: Callable[[Part], Result], parts: Sequence[Part], threads: int | None = None) -> list[Result]:
    """Return what `work` returns for each part, in their order; errors are raised as usual, and end all work.

    The calling thread works, too, so that all gets done even if every helper is busy with another picture. `threads`
    is their number if it is not the usual one.
    """
    helpers = min(threads or thread_count(), len(parts)) - 1
    results: dict[int, Result] = {}
    waiting = iter(range(len(parts)))  # taking the next number from it is a single step for all threads

    def drain() -> None:
        try:
            for number in waiting:
                results[number] = work(parts[number])
        except BaseException:  # Ctrl+C, too
            for _ in waiting:
                pass  # no thread begins any other part
            raise

    started = [help_ for _ in range(helpers) for help_ in _ask_for_help(drain)]
    try:
        drain()
    finally:
        begun = [help_ for help_ in started if not help_.cancel()]
        errors = [error for help_ in begun if (error := help_.exception()) is not None]
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(parts))]


def run_beside(one: Callable[[], Result], other: Callable[[], Other]) -> tuple[Result, Other]:
    """Return what two functions return that are called at the same time, the second one in the calling thread."""
    started = _ask_for_help(one) if thread_count() > 1 else []
    try:
        second = other()
    finally:
        begun = [help_ for help_ in started if not help_.cancel()]
        wait(begun)
    return begun[0].result() if begun else one(), second


def _ask_for_help(work: Callable[[], Result]) -> list[Future[Result]]:
    """Return the work in the hands of a helper; nothing if the program is ending, so that none takes any more."""
    try:
        return [_helpers().submit(work)]
    except RuntimeError:
        return []
