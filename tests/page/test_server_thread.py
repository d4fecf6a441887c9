"""The thread of a page's server: what is told to it in the moment of its start is not lost, and breaks nothing."""

import asyncio
import threading
import time
from types import SimpleNamespace

from starlette.applications import Starlette

from referee.i18n import Wording
from referee.page.access import Policy
from referee.page.thread import Listener, ServerThread


def test_news_that_come_between_the_start_of_the_loop_and_the_end_of_start_are_published() -> None:
    """A keeper of tournaments tells its first news while the hall is still starting."""
    published: list[int] = []
    broadcast = SimpleNamespace(publish=published.append, end=lambda: None, catch_up=None)
    facts = iter(range(9))
    listener = Listener("localhost", 0, None)
    thread = ServerThread(listener, Starlette(), broadcast, lambda: next(facts), Policy().limits, Wording("en"))
    thread._started.set_result(loop := asyncio.new_event_loop())
    thread.news()
    loop.call_later(0.05, loop.stop)
    loop.run_forever()
    loop.close()
    listener.close()
    assert published == [0]


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
