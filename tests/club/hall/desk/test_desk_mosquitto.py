"""The director's desk with a real Mosquitto, the hall's program, and tables with real loops: whatever is killed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

mosquitto = pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from club_loop import ClubLoop  # noqa: E402
from hall_program import HallProcess  # noqa: E402
from mosquitto import MISSING, PROGRAM, Mosquitto, Reader, until  # noqa: E402

from referee.club.protocol import Kind, decode_document, topic  # noqa: E402
from referee.club.table_side.call_file import CALL_FILE  # noqa: E402
from referee.game.notice import Notice  # noqa: E402
from referee.table.desk_values import CallDirector, CallState, WithdrawCall  # noqa: E402

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]
COMMANDS = ("begin", "pause", "resume", "announce")


@pytest.fixture
def closed():
    """Closes all that is put into it, the newest first."""
    made = []
    yield made
    for one in reversed(made):
        one.close()


@pytest.fixture
def broker(tmp_path, closed):
    made = Mosquitto(tmp_path / "broker")
    closed.append(made)
    return made


@pytest.fixture
def hall(tmp_path, broker, closed):
    made = HallProcess(tmp_path, broker)
    closed.append(made)
    return made


@pytest.fixture
def table(tmp_path, broker, closed):
    def sit(name, commands=COMMANDS):
        made = ClubLoop(tmp_path / name, broker.port, name, commands)
        closed.append(made)
        return made

    return sit


def calls(hall):
    return [(call["table"], bool(call["coming"])) for call in hall.part("calls")]


def listens(*tables):
    until(lambda: all(one.shown.listens for one in tables))


def test_the_time_of_the_round_reaches_all_tables_and_survives_a_killed_hall(hall, table):
    first, second = table("table-1"), table("table-2")
    listens(first, second)
    hall.do("clock-set", minutes=20, warn=5)
    until(lambda: all(one.shown.clock is not None and one.shown.clock.left == 1200 for one in (first, second)))
    assert first.shown.clock.ends is None
    hall.do("clock-start")
    until(lambda: all(one.shown.clock.ends is not None for one in (first, second)))
    hall.kill()
    until(lambda: not first.shown.listens)  # the broker says so for the hall
    assert first.shown.clock.ends is not None
    hall.start()
    listens(first, second)
    late = table("table-3")  # which has missed everything
    until(lambda: late.shown.clock is not None and late.shown.clock.ends is not None)
    assert abs(late.shown.clock.ends - first.shown.clock.ends) < 30
    told = hall.part("round-clock")
    assert told["ends_at"] is not None
    assert "counted on" in told["told"]
    before = first.shown.clock
    hall.do("clock-extend", minutes=5)
    until(lambda: first.shown.clock.number != before.number)
    assert 299 < first.shown.clock.ends - before.ends < 331
    hall.do("clock-pause")
    until(lambda: first.shown.clock.ends is None)
    hall.do("clock-stop")
    until(lambda: first.shown.clock is None and late.shown.clock is None)
    assert hall.refused("clock-pause") == "No time is set for the round. Set it first."


def test_a_call_goes_to_the_director_and_the_answer_comes_back(hall, table):
    first, second = table("table-1"), table("table-2")
    listens(first, second)
    assert second.ask(CallDirector("rules", "May the joker go there?", stops=True)) is None
    until(lambda: second.shown.state is CallState.WAITING)
    assert first.ask(CallDirector("late")) is None
    until(lambda: first.shown.place == 2)
    assert calls(hall) == [("table-2", False), ("table-1", False)]
    told = hall.part("calls")[0]
    assert (told["reason"], told["text"]) == ("A question about the rules", "May the joker go there?")
    hall.do("call-coming", call=told["id"], who="Maya")
    until(lambda: second.shown.state is CallState.COMING)
    assert second.shown.who == "Maya"
    until(lambda: first.shown.place == 1)
    assert hall.refused("call-coming", call=told["id"], who="Tom") == "Already on the way to that table: Maya."
    hall.do("call-done", call=told["id"])
    until(lambda: second.shown.call is None)
    assert hall.refused("call-done", call=told["id"]) == "This call is over already."
    assert calls(hall) == [("table-1", False)]
    assert first.ask(WithdrawCall()) is None
    until(lambda: calls(hall) == [])


def test_a_call_survives_a_killed_hall_which_still_knows_who_is_coming(hall, table):
    first = table("table-1")
    listens(first)
    first.ask(CallDirector("dispute"))
    until(lambda: calls(hall) == [("table-1", False)])
    hall.do("call-coming", call=hall.part("calls")[0]["id"])
    hall.kill()
    until(lambda: not first.shown.listens)
    assert first.shown.call is not None
    hall.start()
    listens(first)
    until(lambda: calls(hall) == [("table-1", True)])
    hall.do("call-done", call=hall.part("calls")[0]["id"])
    until(lambda: first.shown.call is None)


def test_a_call_survives_a_broker_that_is_killed_and_has_lost_all_it_retained(hall, table, broker):
    first = table("table-1")
    listens(first)
    first.ask(CallDirector("equipment", "lamp"))
    until(lambda: calls(hall) == [("table-1", False)])
    broker.kill()
    until(lambda: not first.shown.listens)
    assert first.ask(CallDirector()) == Notice("desk.called_already")
    assert first.ask(WithdrawCall()) is None  # told to the hall once the broker is back
    assert first.ask(CallDirector()) == Notice("desk.nobody_listens")
    broker.start()
    listens(first)
    until(lambda: calls(hall) == [])
    assert first.ask(CallDirector("rules")) is None
    until(lambda: first.shown.state is CallState.WAITING)
    broker.kill()
    broker.start()
    listens(first)
    until(lambda: calls(hall) == [("table-1", False)] and first.shown.state is CallState.WAITING)


CALLER = """
import sys, threading
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from club_loop import ClubLoop
from mosquitto import until
from referee.table.desk_values import CallDirector

table = ClubLoop(Path(sys.argv[1]), int(sys.argv[2]), "table-1")
until(lambda: table.shown.listens)
assert table.ask(CallDirector("late", "Ben")) is None
print("called", flush=True)
threading.Event().wait()
"""


def test_a_call_survives_a_killed_table_and_its_answer_meanwhile_reaches_it(hall, table, tmp_path, broker):
    here = Path(__file__).parents[3]
    path = os.pathsep.join([str(here / "support"), str(here.parent)])
    command = [sys.executable, "-c", CALLER, tmp_path / "table-1", str(broker.port), here / "support"]
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as process:
        assert process.stdout.readline() == "called\n"
        until(lambda: calls(hall) == [("table-1", False)])
        process.kill()
    until(lambda: hall.part("calls")[0]["away"])
    hall.do("call-coming", call=hall.part("calls")[0]["id"])
    again = table("table-1")
    until(lambda: again.shown.state is CallState.COMING)
    assert again.shown.call.text == "Ben"
    hall.do("call-done", call=hall.part("calls")[0]["id"])
    until(lambda: again.shown.call is None and not (tmp_path / "table-1" / CALL_FILE).exists())


def test_without_a_hall_nobody_is_called(table, broker, closed):
    reader = Reader(broker.port, "referee/1/#")
    closed.append(reader)
    first = table("table-1")
    until(lambda: reader.under("table-1/online"))
    assert first.ask(CallDirector(stops=True)) == Notice("desk.nobody_listens")
    assert reader.under(topic("referee", "table-1", Kind.CALL)) == []


def test_an_announcement_reaches_the_chosen_tables_and_the_director_sees_who_refuses(hall, table):
    tables = {"table-1": table("table-1"), "table-2": table("table-2"), "table-3": table("table-3", ("pause",))}
    listens(*tables.values())
    hall.online(*tables)
    told = hall.do("announce", text="The buffet is open.", tables=["table-2", "table-3", "table-9"], minutes=1)
    assert told["told"] == "Not connected, so not reached: table-9."
    until(lambda: tables["table-2"].shown.announcement is not None)
    assert tables["table-2"].shown.announcement.text == "The buffet is open."
    assert "The hall says: The buffet is open." in tables["table-2"].said
    until(lambda: any(one["refused"] for one in hall.part("announced") or ()))
    (refused,) = hall.part("announced")[0]["refused"]
    assert refused["table"] == "table-3"
    assert "announce" in refused["why"]
    hall.do("announce", text="Round two begins.")
    until(lambda: tables["table-1"].shown.announcement is not None)
    assert tables["table-1"].shown.announcement.text == "Round two begins."
    assert tables["table-3"].shown.announcement is None


def test_the_documents_are_retained_and_valid_and_the_hall_says_that_it_goes(hall, table, broker, closed):
    first = table("table-1")
    listens(first)
    hall.do("clock-set", minutes=1)
    first.ask(CallDirector("rules"))
    until(lambda: first.shown.state is CallState.WAITING)
    reader = Reader(broker.port, "referee/1/#")  # which gets only what the broker has kept
    closed.append(reader)
    until(lambda: reader.under("table-1/desk") and reader.under("table-1/call") and reader.under("_hall/online"))
    desk = decode_document(Kind.DESK, reader.under("table-1/desk")[-1])
    call = decode_document(Kind.CALL, reader.under("table-1/call")[-1])
    assert (desk.clock.left, desk.clock.running, desk.call.id) == (60, False, call.call.id)
    assert json.loads(reader.under("_hall/online")[-1])["online"] is True
    hall.terminate()
    until(lambda: json.loads(reader.under("_hall/online")[-1])["online"] is False)
