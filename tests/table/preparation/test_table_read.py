"""The table is read outside a match on request, and a match learns nothing from it."""

import time

import pytest
from page_loop import playing
from virtual_evening import TABLE_MM, TrueSight

from referee.errors import CannotJudge
from referee.game.match.events import Started
from referee.game.match.phases import Phase
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import ruleset
from referee.table.looking.table_watcher import TableWatcher
from referee.table.preparation.table_read import read_table

TABLE = parse_table("R10 R11 R12 | B4 K4 O4")


@pytest.fixture
def watcher():
    sight = TrueSight(time.monotonic, TABLE)
    return TableWatcher(sight, sight, lambda: ruleset("rummikub").box, TABLE_MM, time.monotonic), sight


def test_what_lies_there_is_read_and_nothing_is_remembered(watcher):
    one, _ = watcher
    before = one.memory.words, one.ready, one.is_accustomed
    assert read_table(lambda: one.read_still(0.0)).table == TABLE
    assert (one.memory.words, one.ready, one.is_accustomed) == before


def test_likely_tiles_are_named(watcher):
    one, sight = watcher
    sight.doubtful = 1
    assert read_table(lambda: one.read_still(0.0)).unsure == parse_set("R10")


def test_a_table_that_cannot_be_judged_is_a_trouble():
    def fails():
        raise CannotJudge("expected 4 markers, found 2")

    read = read_table(fails)
    assert read.table == ()
    assert read.trouble is not None


def test_what_was_read_goes_when_a_match_begins():
    with playing() as table:
        table.sight.table = TABLE
        assert table.post(command="read_table", n=0)[0] == 200
        prepared = lambda: table.server.follower.facts.prepared.table  # noqa: E731 - a name for what is waited for
        table.until(lambda: prepared() is not None, "what lies there")
        assert prepared().table == TABLE
        table.sight.table = ()
        table.happen(Started(("Anna", "Ben"), table.loop.t))
        table.until(lambda: table.state.phase is Phase.TURN and prepared() is None, "the match")
