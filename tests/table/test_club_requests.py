"""What a club may ask of a table: the clock stands, runs on, a look is taken again, all are told."""

import queue

import pytest
from page_loop import playing

from referee.game.match.events import Paused, Pressed, Started
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.table.input.requests import Announce, ClubTrouble, GoOn, LookAgain, Pause, PendingRequest, Sender


@pytest.fixture
def table():
    with playing() as one:
        yield one


def happen(table, event):
    table.happen(event)


def begin(table):
    happen(table, Started(("Anna", "Ben"), table.loop.t))
    table.until(lambda: table.state.phase is Phase.TURN)


def wish(table, what):
    answers = queue.Queue()
    table.loop.request(PendingRequest(what, Sender.CLUB, answers.put))
    return answers.get(timeout=30)


def test_the_clock_stands_and_runs_on(table):
    begin(table)
    assert wish(table, Pause()) is None
    assert table.state.phase is Phase.PAUSED
    assert not table.state.clock.is_running
    assert wish(table, GoOn()) is None
    assert table.state.phase is Phase.TURN


def test_what_cannot_be_done_is_refused_without_a_word(table):
    said = len(table.said)
    for what in (Pause(), GoOn(), LookAgain()):
        assert wish(table, what) == Notice("play.not_now")
    begin(table)
    said = len(table.said)
    for what in (GoOn(), LookAgain()):
        assert wish(table, what) == Notice("play.not_now")
    assert (table.state.phase, len(table.said)) == (Phase.TURN, said)
    wish(table, Pause())
    assert wish(table, Pause()) == Notice("play.not_now")


def test_a_look_is_taken_again_where_the_referee_asks(table):
    begin(table)
    table.sight.table, table.sight.doubtful = parse_table("R11 R12 R13"), 10_000
    happen(table, Pressed(table.state.current, table.loop.t))
    table.until(lambda: table.state.asked)
    table.sight.doubtful = 0
    assert wish(table, LookAgain()) is None
    table.until(lambda: table.state.phase is Phase.TURN and table.state.current == 1)


def test_a_match_that_waits_after_a_cut_goes_on_at_the_table_only(table):
    begin(table)
    happen(table, Paused(table.loop.t))
    table.until(lambda: table.state.phase is Phase.PAUSED)
    table.loop.controller.match.cut = True
    assert wish(table, GoOn()) == Notice("play.not_now")


def test_the_players_are_told(table):
    assert wish(table, Announce("Tea is ready")) is None
    table.until(lambda: any("Tea is ready" in line for line in table.said))


def test_a_trouble_of_the_line_is_told_once_without_a_tone_and_when_it_is_over(table):
    sounded = table.server.follower.facts.sounded
    told = Notice("club.lost", address="box:1883")
    for _ in range(3):
        wish(table, ClubTrouble(told))
    assert len([line for line in table.said if "box:1883" in line]) == 1
    facts = table.server.follower.facts
    assert facts.troubles == (told,)
    wish(table, ClubTrouble(None))
    assert table.server.follower.facts.troubles == ()
    assert table.said[-1] == "Club: connected again."
    assert table.server.follower.facts.sounded == sounded
