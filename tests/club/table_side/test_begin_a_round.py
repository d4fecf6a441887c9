"""A hall begins a round at all tables at once, over a real Mosquitto: every match knows its draw, cut or not."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from club_loop import ClubLoop
from club_table import heard
from mosquitto import Reader, until

from referee.club.protocol import Command, Do, Kind, encode_document, topic
from referee.club.protocol.facts import MatchStarted, RoundHasStarted
from referee.game.match.events import Paused
from referee.game.match.phases import Phase
from referee.game.notice import Notice

ROUND = {
    "table-1": ("cup-r1-t1", ("Ann", "Ben", "Cleo")),
    "table-2": ("cup-r1-t2", ("Dan", "Eve", None, "Gil")),
    "table-3": ("cup-r1-t3", ("Hal", "Ida")),
}


@pytest.fixture
def hall(mosquitto):
    reader = Reader(mosquitto.port, "referee/1/#")
    yield reader
    reader.close()


@pytest.fixture
def tables(tmp_path, mosquitto):
    made = []

    def table(name, **how):
        made.append(ClubLoop(tmp_path / name, mosquitto.port, name, **how))
        return made[-1]

    yield table
    for one in made:
        one.close()


def begins(hall, table, draw, players, number="1", **more):
    command = Command(Do.BEGIN, f"{draw}-{number}", players=players, draw=draw, **more)
    hall.publish(topic("referee", table, Kind.DO), encode_document(command))


def facts(hall, table):
    return [fact for event in heard(hall, table, Kind.EVENT) for fact in event.facts]


def started(hall, table):
    return [fact for fact in facts(hall, table) if isinstance(fact, MatchStarted)]


def state(hall, table):
    """The newest state of a table that is told."""
    return (heard(hall, table, Kind.STATE) or [None])[-1]


def online(hall, *tables):
    until(lambda: all(state(hall, table) is not None for table in tables))


def test_a_round_begins_at_all_tables_and_every_match_tells_its_draw(hall, tables):
    for name in ROUND:
        tables(name, names=name == "table-2")
    online(hall, *ROUND)
    for name, (draw, players) in ROUND.items():
        begins(hall, name, draw, players)
        begins(hall, name, draw, players)  # the same command, as a line that breaks may bring it
    until(lambda: all(started(hall, name) for name in ROUND))
    until(lambda: all(state(hall, name).phase is Phase.TURN for name in ROUND))
    for name, (draw, players) in ROUND.items():
        named = ("Dan", "Eve", "Player 3", "Gil") if name == "table-2" else (None,) * len(players)
        assert started(hall, name) == [MatchStarted("rummikub", named, 3, draw)]
        assert RoundHasStarted(1, 0) in facts(hall, name)
        now = state(hall, name)
        assert (now.draw, now.refused, now.current, now.clock.running) == (draw, None, 0, True)


def test_a_round_begins_at_a_table_whose_program_is_still_starting(mosquitto, hall, tables):
    """Whoever hears that a table is online may ask it at once; it does what it was asked once it can."""
    asked = []

    def ask(client, _, message):
        if message.topic.endswith("/online") and b"true" in message.payload and not asked:
            asked.append(Command(Do.BEGIN, "cup-r1-t1-1", players=("Ann", "Ben"), draw="cup-r1-t1"))
            client.publish(topic("referee", "table-1", Kind.DO), encode_document(asked[0]), 1)

    quick = Reader(mosquitto.port, "referee/1/#")
    quick.client.on_message = ask
    try:
        table = tables("table-1", starts_s=0.5)
        online(hall, "table-1")
        until(lambda: table.state.phase is Phase.TURN)
        until(lambda: state(hall, "table-1").draw == "cup-r1-t1")
    finally:
        quick.close()


def test_a_table_in_a_match_refuses_the_hall_is_told_and_the_match_goes_on(hall, tables):
    table = tables("table-1")
    online(hall, "table-1")
    begins(hall, "table-1", "cup-r1-t1", ("Ann", "Ben"), rounds=1)
    until(lambda: table.state.phase is Phase.TURN)
    begins(hall, "table-1", "cup-r2-t1", ("Cleo", "Dan"))
    until(lambda: state(hall, "table-1").refused is not None)
    now = state(hall, "table-1")
    assert (now.refused.id, now.refused.why.notice(())) == ("cup-r2-t1-1", Notice("club.match_under_way"))
    assert (now.draw, now.rounds, now.phase) == ("cup-r1-t1", 1, Phase.TURN)
    table.happen(Paused(table.loop.t))
    until(lambda: state(hall, "table-1").phase is Phase.PAUSED)
    begins(hall, "table-1", "cup-r2-t1", ("Cleo", "Dan"), "2")
    until(lambda: state(hall, "table-1").refused.id == "cup-r2-t1-2")
    assert [fact.draw for fact in started(hall, "table-1")] == ["cup-r1-t1"]
    assert tuple(seat.name for seat in table.state.seats) == ("Ann", "Ben")


def test_a_table_whose_settings_do_not_allow_it_stays_as_it_is_and_says_so(hall, tables):
    table = tables("table-1", commands=("pause",))
    online(hall, "table-1")
    begins(hall, "table-1", "cup-r1-t1", ("Ann", "Ben"))
    until(lambda: state(hall, "table-1").refused is not None)
    told = state(hall, "table-1")
    assert told.refused.why.notice(()) == Notice("club.command_not_allowed", command="begin")
    assert (told.phase, told.draw, table.state.phase) == (Phase.LOBBY, None, Phase.LOBBY)
    assert started(hall, "table-1") == []


def test_players_who_do_not_fit_are_refused_with_the_reason(hall, tables):
    tables("table-1")
    online(hall, "table-1")
    begins(hall, "table-1", "cup-r1-t1", ("Ann", "Ben", "Cleo"), rules="gin")
    until(lambda: state(hall, "table-1").refused is not None)
    told = state(hall, "table-1")
    assert "expected 2 players for gin, got 3" in str(told.refused.why.body)
    assert (told.phase, told.draw) == (Phase.LOBBY, None)


def test_a_plug_pulled_right_after_the_beginning_costs_no_draw(tmp_path, mosquitto, hall):
    here = Path(__file__).parents[2]
    path = os.pathsep.join([str(here.parent), str(here / "support"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, here / "support" / "club_loop.py", tmp_path / "state", str(mosquitto.port), "table-1"]

    @contextmanager
    def plugged_in():
        with subprocess.Popen(command, env=os.environ | {"PYTHONPATH": path}) as table:  # noqa: S603
            try:
                yield
            finally:
                table.kill()

    with plugged_in():
        online(hall, "table-1")
        begins(hall, "table-1", "cup-r1-t1", ("Ann", "Ben", "Cleo"))
        until(lambda: state(hall, "table-1").phase is Phase.TURN)
    until(lambda: not heard(hall, "table-1", Kind.ONLINE)[-1].online)
    seen = len(hall.messages)
    with plugged_in():
        until(lambda: len(hall.messages) > seen and state(hall, "table-1").cut)
        now = state(hall, "table-1")
        assert (now.draw, now.phase, len(now.players)) == ("cup-r1-t1", Phase.PAUSED, 3)
        begins(hall, "table-1", "cup-r1-t1", ("Ann", "Ben", "Cleo"))  # a hall that has not heard what came of it
        until(lambda: state(hall, "table-1").refused is not None)
        again = Command(Do.AGAIN, "again", 1)
        told = len(started(hall, "table-1"))
        hall.publish(topic("referee", "table-1", Kind.DO), encode_document(again))
        until(lambda: len(started(hall, "table-1")) > told)
    found = {(event.epoch, event.seq): event for event in heard(hall, "table-1", Kind.EVENT)}
    told = [fact for event in found.values() for fact in event.facts if isinstance(fact, MatchStarted)]
    assert [fact.draw for fact in told] == ["cup-r1-t1"]
