"""A match may be ended in any phase; nothing of it is looked at, asked about, offered or lit afterwards."""

import pytest
from virtual_evening import OPENING, Evening, Slow

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.journal.replay import replay
from referee.table.output.follower import Facts, Follower

OF_A_MATCH = ("seen", "pictured", "accepted", "judged", "doubts", "due", "offers", "draws", "winners", "before")
REFUSED = parse_table("R1 R2")


async def refused(evening):
    await evening.lay(REFUSED)
    await evening.press(1)
    assert evening.state.refused


async def paused_after_a_refusal(evening):
    await refused(evening)
    await evening.start()
    assert evening.state.phase is Phase.PAUSED


async def drawn(evening):
    await evening.press(1)
    assert evening.state.current == 1


async def asking(evening):
    evening.sight.doubtful = 99
    await evening.lay(OPENING)
    await evening.press(1)
    assert evening.state.phase is Phase.ASKING


async def looking(evening):
    await evening.lay(OPENING)
    evening.look_anew()
    await evening.press(1)
    assert evening.state.phase is Phase.LOOKING


async def putting_right(evening):
    await evening.lay(OPENING)
    await evening.press(1)
    await evening.lay((*OPENING, *REFUSED))
    await evening.until_the_end(-1)
    await evening.lay(REFUSED)
    assert evening.state.phase is Phase.PUTTING_RIGHT


async def showing(evening):
    evening.count(3, 5)
    await evening.lay(OPENING)
    await evening.press(1)
    assert evening.state.phase is Phase.SHOWING


async def over(evening):
    await showing(evening)
    await evening.lay((*OPENING, parse_table("R1 R2 R3 R4 R5")[0]))
    await evening.press(2)
    assert evening.state.phase is Phase.OVER


WAYS = [refused, paused_after_a_refusal, drawn, asking, looking, putting_right, showing, over]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_of_a_match_that_was_ended_is_seen_in_the_lobby(way):
    follower = Follower(lambda: None, (900.0, 600.0))

    async def script(evening):
        before = follower.facts.scene.lights
        await evening.start()
        await way(evening)
        if evening.state.phase is Phase.TURN:
            await evening.start()
        for _ in range(2):  # a second time where somebody could have leant on the button
            if evening.state.phase is not Phase.LOBBY:
                await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.LOBBY
        await evening.wait(30)  # a look that was under way has come back by now
        fresh = Facts()
        assert {name: getattr(follower.facts, name) for name in OF_A_MATCH} == {
            name: getattr(fresh, name) for name in OF_A_MATCH
        }
        assert follower.facts.scene.lights == before  # lamps, and what stands on the display
        assert evening.loop.controller.match.seen is None
        assert "Ready: press start" in evening.said[-1]

    Evening(audience=follower, thread=Slow(5) if way is looking else None).play(script)


def test_a_match_ended_after_a_cut_waits_for_nothing_any_more():
    follower = Follower(lambda: None, (900.0, 600.0))

    async def before(evening):
        await evening.start()
        await refused(evening)

    first = Evening().play(before)
    kept = replay(first.store.rows)

    async def after(evening):
        assert follower.facts.scene.cut
        for _ in range(2):
            await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.LOBBY
        assert not follower.facts.scene.cut

    Evening(kept=kept, journal=first.journal, audience=follower).play(after)
