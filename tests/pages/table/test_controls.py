"""The way from the server's thread to the loop: what nobody waits for any more is not done."""

import asyncio

from virtual_evening import Evening

from referee.game.match.phases import Phase
from referee.pages.table.server import LoopControls
from referee.table.input.requests import BeginMatch
from referee.table.input.touches import Stroke, Touch


def given_up(asking, **named):
    """The match after somebody has asked for something and has given up before the loop came to it, or has not."""

    async def script(evening):
        asked = asyncio.ensure_future(asking(LoopControls(evening.loop), evening))
        await asyncio.sleep(0)
        asked.cancel()
        await evening.wait(1)
        assert evening.state.phase is Phase.LOBBY
        assert await asking(LoopControls(evening.loop), evening) is None
        await evening.wait(1)
        assert evening.state.phase is Phase.TURN

    Evening(**named).play(script)


def test_a_wish_that_was_given_up_is_not_granted_later():
    given_up(lambda controls, _: controls.send(BeginMatch()))


def test_a_press_that_was_given_up_counts_no_more():
    async def press(controls, evening):
        start, now = evening.pins.contacts[-1], controls.now()
        told = [
            await controls.touch(Touch(start, stroke, f"finger at {now}", now, now))
            for stroke in (Stroke.DOWN, Stroke.UP)
        ]
        return next(filter(None, told), None)

    given_up(press, touched=True)
