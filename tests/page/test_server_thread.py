"""The thread of a page's server: what is told to it in the moment of its start is not lost, and breaks nothing."""

import threading
import time
from types import SimpleNamespace

from starlette.applications import Starlette

from referee.i18n import Wording
from referee.page.access import Policy
from referee.page.thread import Listener, ServerThread


def test_news_that_come_while_the_thread_is_starting_are_published() -> None:
    """A keeper of tournaments tells its first news while the hall is still starting."""
    published: list[float] = []
    twice = threading.Event()

    def facts() -> float:
        if not published:  # called by the thread before `start` has returned
            thread.news()
        return time.monotonic()

    def publish(value: float) -> None:
        published.append(value)
        if len(published) == 2:
            twice.set()

    broadcast = SimpleNamespace(publish=publish, end=lambda: None, catch_up=None)
    thread = ServerThread(
        Listener("localhost", 0, None), Starlette(), broadcast, facts, Policy().limits, Wording("en")
    )
    thread.start()
    assert twice.wait(60)
    thread.close()


def test_news_before_the_start_are_part_of_what_is_published_first() -> None:
    published = threading.Event()
    broadcast = SimpleNamespace(publish=lambda _: published.set(), end=lambda: None, catch_up=None)
    thread = ServerThread(
        Listener("localhost", 0, None), Starlette(), broadcast, time.monotonic, Policy().limits, Wording("en")
    )
    thread.news()
    assert not published.is_set()
    thread.start()
    assert published.wait(60)
    thread.close()
