"""What the page keeps of a match does not grow with it: pictures, rendered parts, messages, sentences."""

import gc
import weakref
from dataclasses import replace

import pytest
from page import Stream, looked_at, served

from referee.game.notice import Notice
from referee.page import broadcast
from referee.pages.table import pictures
from referee.table.output import follower

TURNS = 40
OPENING = "R10 R11 R12 | B10 B11 B12"


@pytest.fixture
def table():
    with served() as made:
        yield made


def test_pictures_of_looks_that_are_over_are_let_go(table):
    screen, seen = Stream(table), looked_at(OPENING)
    screen.next()
    kept, app, parts = [], table.server._app, table.server._broadcast
    for turn in range(TURNS):
        look = replace(seen, picture=seen.picture.copy())
        kept.append(weakref.ref(look.picture))
        table.press()
        # Whether a look is accepted or refused, the next one takes its place.
        table.see(OPENING if turn % 3 else f"{OPENING} | K3 K4", look=look)
        del look
        number = screen.until(lambda told: told["picture"] and told["picture"]["look"])["picture"]["look"]
        for width in pictures.WIDTHS:
            assert table.get(f"/picture/{number}.jpg?w={width}")[0] in (200, 404)
        table.say(Notice("play.looking"))
    gc.collect()
    alive = sum(one() is not None for one in kept)
    assert alive <= 2  # the last one, and the one behind the table as it lies
    assert len(parts._messages) <= broadcast.REMEMBERED
    assert len(parts._changes) <= broadcast.CHANGES
    assert len(parts._rendered) <= len(parts._parts)  # of one language
    assert len(table.follower.facts.said) <= follower.REMEMBERED
    answer = next(route.endpoint for route in app.routes if route.path == "/picture/{look}.jpg")
    assert 0 < len(answer.__self__._made) <= pictures.KEPT
    assert answer.__self__._making == {}
    screen.close()


def test_streams_that_have_gone_leave_nothing(table):
    streams = table.server._app.state.streams
    for number in range(TURNS):
        screen = Stream(table, language=("en", "de", "fr", "it")[number % 4])
        screen.next()
        screen.close()
        table.say(Notice("play.looking"))
    last = Stream(table)
    last.next()
    for _ in range(1000):
        if streams.open.total() == 1:
            break
        table.say(Notice("play.looking"))
        last.next()
    assert streams.open.total() == 1
    assert len(table.server._broadcast._messages) <= broadcast.REMEMBERED
    last.close()
