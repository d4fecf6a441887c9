"""Work that takes seconds: one piece after the other, none for ever, and nobody waits behind too many."""

import asyncio
import threading

import pytest

from referee.pages.table.one_at_a_time import MOST_WAITING, Busy, OneAtATime, TooLong


def test_pieces_are_done_one_after_the_other_in_a_thread_of_their_own():
    async def script():
        work, threads, under_way, most = OneAtATime("test"), set(), [], []

        def piece(number):
            under_way.append(number)
            most.append(len(under_way))
            threads.add(threading.current_thread().name)
            under_way.remove(number)
            return number

        found = await asyncio.gather(*(work.run(lambda n=n: piece(n), 60) for n in range(MOST_WAITING)))
        assert found == list(range(MOST_WAITING))
        assert set(most) == {1}
        assert threads == {"test"}

    asyncio.run(script())


def test_who_comes_when_too_many_wait_is_sent_away_and_may_come_again():
    async def script():
        work, go = OneAtATime("test"), threading.Event()
        waiting = [asyncio.ensure_future(work.run(go.wait, 60)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await work.run(lambda: None, 60)
        go.set()
        assert await asyncio.gather(*waiting) == [True] * MOST_WAITING
        assert await work.run(lambda: "again", 60) == "again"

    asyncio.run(script())


def test_work_that_takes_too_long_is_given_up_and_an_error_is_passed_on():
    async def script():
        work, go = OneAtATime("test"), threading.Event()
        with pytest.raises(TooLong):
            await work.run(go.wait, 0)
        go.set()
        with pytest.raises(ZeroDivisionError):
            await work.run(lambda: 1 // 0, 60)

    asyncio.run(script())
