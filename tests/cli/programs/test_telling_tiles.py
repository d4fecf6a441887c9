"""Lines at the console that tell a tile, and virtual people who say what really lies there."""

import asyncio
import os
import sys
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from referee.cli.programs.console import Keys
from referee.cli.programs.virtual_table import VirtualPeople
from referee.devices.panel.panel import RecordingPanel
from referee.devices.wiring.pins import PinMap
from referee.game.doubt import Doubt, ReadRecord
from referee.game.match.events import Ask
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.rulebooks import ruleset
from referee.i18n import ENGLISH
from referee.sim.match import NEAR_MM, VirtualMatch
from referee.table.input.answers import Answer


class Heard:
    """A loop that hears answers."""

    def __init__(self):
        self.answers = []

    def answer(self, answer):
        self.answers.append(answer)


def typed(word, pins=None):
    """What comes of a line on standard input: answers, and what is told."""
    pins, heard, told = pins or PinMap(), Heard(), []
    keys = Keys(heard, RecordingPanel(pins, lambda: 0.0, lambda *_: None), pins, told.append)

    async def listen():
        keys.listen()
        told.clear()
        os.write(end, f"{word}\n".encode())
        while not (heard.answers or told):
            await asyncio.sleep(0)

    begin, end = os.pipe()
    with os.fdopen(begin) as lines, os.fdopen(end, "w"), patch.object(sys, "stdin", lines):
        asyncio.run(listen())
    return heard.answers, told


@pytest.mark.parametrize(
    ("word", "answer"),
    [("a", Answer("a")), ("=R7", Answer("R7")), ("2=R7", Answer("R7", 1)), ("1=b", Answer("b", 0)), ("=", Answer(""))],
)
def test_a_line_that_tells_a_tile(word, answer):
    assert typed(word) == ([answer], [])


@pytest.mark.parametrize("word", ["2:430,210=R7", "2:430=R7", "2:430,210"])
def test_a_place_in_a_picture_of_an_enrolment_goes_where_it_is_understood_or_refused(word):
    assert typed(word) == ([Answer(word)], [])


def test_the_button_of_all_is_nobodys():
    assert typed("1=R7", PinMap(turn_buttons=(5,))) == ([Answer("R7")], [])


@pytest.mark.parametrize("word", ["s=R7", "9=R7", "f"])
def test_other_lines_are_told_what_can_be_typed(word):
    answers, told = typed(word)
    assert answers == []
    assert "a to e, or =R7, answer a question about a tile" in ENGLISH(told[0])
    assert "2:430,210=R7 (picture:x,y=tile, in pixels) then adds a tile that was not found" in ENGLISH(told[0])


def match():
    made = VirtualMatch(ruleset("rummikub"), np.random.default_rng(1), players=("Ann", "Ben"))
    made.table.lay(parse_table("R10 B10 K10"))
    return made


def test_the_truth_is_what_lies_nearest():
    made = match()
    placed = made.table.layout.tiles[1]
    assert made.truth(placed.x_mm + 3.0, placed.y_mm - 3.0) == str(placed.tile)
    assert made.truth(placed.x_mm + 3.0, placed.y_mm + 10 * NEAR_MM) is None
    made.table.lay(())
    assert made.truth(100.0, 100.0) is None


def test_people_tell_what_they_are_asked_and_leave_the_tiles_alone():
    made = match()
    people = VirtualPeople(made, None, 1.0, print)
    state = replace(apply(new_match(made.rules), made.start(0.0))[0], phase=Phase.ASKING, asked=True)
    made.table.lay(parse_table("R10 B10 K10"))
    before = made.table.layout
    placed = before.tiles[0]
    asked = Doubt("R10? (or R1)", ReadRecord(0, "red-10", x_mm=placed.x_mm, y_mm=placed.y_mm))
    people.follow_effects((Ask((replace(asked, offered=("red-1",)), Doubt("a cover"))),))
    assert made.table.layout is before
    assert people.choose_next(state, 1.0) == Answer(str(placed.tile))
    assert not isinstance(people.choose_next(state, 2.0), Answer)
    people.follow_effects((Ask((asked,)),))
    assert made.table.layout is not before
    assert not isinstance(people.choose_next(state, 3.0), Answer)
