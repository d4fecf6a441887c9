"""The time of day jumps during a match, forwards and backwards: no turn, no clock and no event depends on it."""

from datetime import UTC, datetime, timedelta

import pytest
from memory_store import MemoryStore
from virtual_evening import Evening

from referee.game.match.phases import Phase
from referee.journal.journal import Journal

YEARS = timedelta(days=3650)


class Jumping:
    """A time of day that somebody sets."""

    def __init__(self) -> None:
        self.off = timedelta()

    def __call__(self) -> datetime:
        return datetime(2026, 11, 26, 18, 20, tzinfo=UTC) + self.off


def played(jumps: tuple[timedelta, ...]) -> tuple[list[tuple], list[str], Evening]:
    """Events with their match times, the seconds left after each turn, and the evening; one jump in each turn."""
    wall, store = Jumping(), MemoryStore()
    left = []

    async def script(evening: Evening) -> None:
        await evening.start()
        for jump in jumps:
            await evening.wait(5.0)
            wall.off += jump
            await evening.wait(5.0)
            left.append(round(evening.state.clock.seconds_left(evening.loop.t), 3))
            await evening.until_the_end(-2.0)  # the time runs out, as it does without a jump
            await evening.wait(3.0)
        assert evening.state.phase is Phase.TURN

    evening = Evening(journal=Journal(store, wall=wall), store=store)
    evening.play(script)
    return [(row.kind, round(row.t, 3)) for row in store.rows], left, evening


@pytest.mark.parametrize("jumps", [(YEARS, -YEARS), (-YEARS, YEARS), (timedelta(hours=-20),) * 2], ids=str)
def test_a_jump_changes_neither_what_happens_nor_when(jumps):
    still = played((timedelta(),) * len(jumps))
    jumped = played(jumps)
    assert jumped[:2] == still[:2]
    assert len({row.wall[:10] for row in jumped[2].store.rows}) > 1  # the day has changed meanwhile
    assert not jumped[2].loop.session.journal.trouble
