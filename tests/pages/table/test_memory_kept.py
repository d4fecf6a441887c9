"""What the page keeps of a match does not grow with it: pictures, rendered parts, messages, sentences."""

import gc
import math
import tracemalloc
import weakref
from dataclasses import replace

import pytest
from page import Stream, looked_at, served

from referee.game.notice import Notice
from referee.page.broadcast import CHANGES, REMEMBERED, Broadcast, Part
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
    kept = []
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
    assert len(table.follower.facts.said) <= follower.REMEMBERED
    screen.close()


def test_a_few_pictures_are_kept_and_others_are_made_again(table, monkeypatch):
    made, jpeg = [], pictures.jpeg

    def counted(image):
        made.append(image.shape)
        return jpeg(image)

    monkeypatch.setattr(pictures, "jpeg", counted)
    screen = Stream(table)
    table.press()
    table.see(OPENING)
    look = screen.until(lambda told: told["picture"] and told["picture"]["look"])["picture"]["look"]
    screen.close()
    paths = [f"/picture/{look}{tile}.jpg?w={width}" for tile in ("", "/0", "/1") for width in pictures.WIDTHS]
    for count, path in enumerate(paths[: pictures.KEPT], 1):
        assert table.get(path)[0] == 200
        assert len(made) == count
    for path in paths[: pictures.KEPT]:
        assert table.get(path)[0] == 200
    assert len(made) == pictures.KEPT
    for path in (paths[pictures.KEPT], paths[0]):  # the first had to go
        assert table.get(path)[0] == 200
    assert len(made) == pictures.KEPT + 2


def broadcast_of(**parts):
    return Broadcast("epoch", lambda: 0.0, parts=lambda _: parts, facts=0)


def test_messages_that_were_sent_are_let_go():
    shown = broadcast_of(text=Part(lambda facts: facts, lambda facts, _: f"{facts:06}" * 2000))
    length = len(shown.message(0, "en"))
    tracemalloc.start()
    try:
        for number in range(3 * REMEMBERED):
            shown.publish(number)
            shown.message(0, "en")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 2 * REMEMBERED * length


def test_changes_that_are_forgotten_make_every_older_command_late():
    shown = broadcast_of(text=Part(lambda facts: facts, lambda facts, _: facts))
    for number in range(CHANGES):
        shown.publish(number)
    assert not shown.late(0, ["text"], math.inf)
    shown.publish(CHANGES)
    assert shown.late(0, ["text"], math.inf)


class Rendered(dict):
    """What a part looks like; one that can be followed."""


def test_parts_that_look_otherwise_now_or_are_gone_are_let_go():
    made = []

    def render(facts, _):
        rendered = Rendered(facts=facts)
        made.append(weakref.ref(rendered))
        return rendered

    part = Part(lambda facts: facts, render)
    shown = Broadcast("epoch", lambda: 0.0, parts=lambda facts: {"stays": part, f"table-{facts}": part}, facts=0)
    for number in range(TURNS):
        shown.publish(number)
        shown.message(0, "en")
    gc.collect()
    assert len(made) == 2 * TURNS
    assert sum(one() is not None for one in made) == 2


def test_streams_that_have_gone_leave_nothing(table):
    streams = table.server.app.state.streams
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
    last.close()
