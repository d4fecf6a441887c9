"""The clock for a rebuilding starts when the still table shows that a set was moved, and never for a hand alone."""

from dataclasses import replace

import numpy as np
import pytest
from virtual_evening import Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.table.looking.doubts import shows_rebuilding
from referee.table.looking.look import Look
from referee.table.looking.vision_worker import Watch
from referee.vision.change.absence import Lies, Place
from referee.vision.change.occlusion import Cover
from referee.vision.sighting import Read, Sighting

FIRST = parse_table("R10 B10 K10 Y10")
BEGUN = "Ben, your time for rebuilding has started."


def evening(**given):
    return Evening("piatnik", {"limit": "rebuild"}, **given)


async def first_meld(evening):
    await evening.start()
    await evening.lay(FIRST)
    await evening.press(1)
    assert (evening.state.current, evening.state.clock.deadline) == (1, None)
    await evening.wait(60)


def test_the_clock_starts_and_is_shown():
    async def script(evening):
        await first_meld(evening)
        assert evening.panel.history[-1][1].text == ""
        await evening.lay(parse_table("R10 B10 K10 | Y10"))
        await evening.wait(1)
        assert evening.state.clock.seconds_left(evening.loop.t) == pytest.approx(120, abs=2.5)
        assert evening.panel.history[-1][1].text in ("2:00", "1:59", "1:58")

    made = evening().play(script)
    assert BEGUN in made.said
    assert made.rows[-1] == "rebuild-begun"


def test_a_longer_set_starts_nothing_and_the_press_ends_the_turn_as_ever():
    async def script(evening):
        await first_meld(evening)
        await evening.lay((*FIRST, *parse_table("R1 R2 R3")))
        await evening.wait(1)
        assert evening.state.clock.deadline is None
        evening.sight.table = parse_table("R10 B10 K10 Y10 | R10 R11 R12 R13")
        await evening.press(2)
        assert evening.state.current == 0

    assert BEGUN not in evening().play(script).said


def test_where_nothing_is_read_ahead_no_clock_starts():
    async def script(evening):
        await first_meld(evening)
        await evening.lay(parse_table("R10 B10 K10 | Y10"))
        await evening.wait(1)
        assert evening.state.clock.deadline is None

    evening(watch=Watch(read_ahead=False)).play(script)


def look(table, **fields):
    sets, reads = [], []
    for tiles in parse_table(table):
        sets.append(tuple(range(len(reads), len(reads) + len(tiles))))
        reads += [Read(tile, 1.0, False, (), np.zeros((4, 2), np.float32), 0.0, 1.0, 1.0) for tile in tiles]
    return Look(Sighting("piatnik", "markers", tuple(reads), tuple(sets)), None, **fields)


def state():
    made = evening()
    made.time.close()
    return replace(made.state, phase=Phase.TURN, table=FIRST)


def test_a_hand_in_the_picture_starts_nothing():
    begun, moved = state(), "R10 B10 K10 | Y10"
    assert shows_rebuilding(look(moved), begun)
    assert not shows_rebuilding(Look(None, None), begun)
    assert not shows_rebuilding(look(moved, covers=(Cover(0.5, 0.5, 900.0, (0,)),)), begun)
    assert not shows_rebuilding(look("R10 B10 K10"), begun), "a tile is gone, and nobody has seen its place bare"
    yellow = FIRST[0][3]
    for lies in Lies:
        seen = look("R10 B10 K10", places=(Place(yellow, lies),))
        assert shows_rebuilding(seen, begun) is (lies is Lies.NOTHING)
