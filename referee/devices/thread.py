"""A thread for work that may hang."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

PATIENCE_S = 5.0
"""Seconds to wait for the thread to end. The limit of systemd (`TimeoutStopSec=`) is longer."""

P = ParamSpec("P")
T = TypeVar("T")


class OneThread(Executor):
    """An executor that runs one call after the other, in a thread for which nothing waits for ever.

    The threads of a `ThreadPoolExecutor` are joined when the process ends. A driver or a disk that hangs would then
    keep the process from ending.
    """

    def __init__(self, name: str, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def hangs(self) -> bool:
        """Whether the thread is still running."""
        return self._thread.is_alive()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue `fn(*args, **kwargs)`; it runs when everything queued before it is done."""
        future: Future[T] = Future()
        self._jobs.put((future, lambda: fn(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread after the queued calls; `cancel_futures` drops the calls that have not begun.

        With `wait`, wait at most `patience_s` seconds for the end of the thread. If that was not long enough, `hangs`
        is True afterwards.
        """
        if cancel_futures:
            self._cancel()
        self._jobs.put(None)
        if wait:
            self._thread.join(self._patience_s)

    def _cancel(self) -> None:
        while not self._jobs.empty():
            job = self._jobs.get()
            if job is not None:
                job[0].cancel()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, call = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - the caller gets it from the future, as with every executor
                future.set_exception(error)
            else:
                future.set_result(result)
