"""Time at a virtual table: it hurries while everybody waits, and every timer with it."""

import asyncio
import time

import pytest

from referee.cli.programs.pace import Pace, PacedLoop


class Clock:
    t = 100.0

    def __call__(self) -> float:
        return self.t


@pytest.mark.parametrize("speed", [6.0, 0.5])
def test_time_runs_fast_in_a_hurry_only_and_never_back(speed: float) -> None:
    clock = Clock()
    pace = Pace(clock, speed)
    clock.t += 2
    assert pace.now() == 102
    with pace.hurry():
        assert pace.now() == 102
        clock.t += 3
        assert pace.now() == 102 + 3 * speed
    clock.t += 1
    assert pace.now() == 103 + 3 * speed
    assert pace.rate == 1


def test_a_hurry_ends_with_an_error_too() -> None:
    pace = Pace(Clock(), 6.0)
    with pytest.raises(KeyError), pace.hurry():
        raise KeyError
    assert pace.rate == 1


def test_timers_go_by_the_pace_also_those_that_wait_already() -> None:
    pace = Pace(time.monotonic, 1e6)

    async def waits() -> tuple[float, float]:
        began = pace.now()
        timer = asyncio.ensure_future(asyncio.sleep(600, "rung"))
        await asyncio.sleep(0)
        with pace.hurry():
            assert await timer == "rung"
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 600)
            return began, asyncio.get_running_loop().time()

    with asyncio.Runner(loop_factory=lambda: PacedLoop(pace)) as runner:
        began, ended = runner.run(waits())
    assert ended - began >= 1200


def test_other_threads_still_wake_the_loop() -> None:
    pace = Pace(time.monotonic, 1.0)

    async def asks() -> int:
        return await asyncio.to_thread(lambda: 7)

    with asyncio.Runner(loop_factory=lambda: PacedLoop(pace)) as runner:
        assert runner.run(asks()) == 7
