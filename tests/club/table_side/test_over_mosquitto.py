"""Tables and a real Mosquitto: whatever happens to either, every event arrives, in order, and the newest state."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from club_table import ClubTable, heard
from mosquitto import MISSING, PROGRAM, Mosquitto, Proxy, Reader, free_port, until
from played import SETUPS, match

from referee.club.mqtt.line import Patience
from referee.club.mqtt.mqtt import MqttBroker
from referee.club.protocol import Command, Do, Kind, encode_document, topic

QUICK = Patience(keepalive_s=1, connect_s=3.0, first_s=0.02, longest_s=0.2, stable_s=1.0)
STEPS = match(SETUPS[0], 5, 300, rounds=60)
assert len(STEPS) == 300
NAME = "table-7"


def opens(endpoint, will):
    return MqttBroker(endpoint, will, QUICK)


@pytest.fixture
def tables(tmp_path):
    made = []

    def table(port, folder="state", **club):
        made.append(ClubTable(tmp_path / folder, opens, broker="127.0.0.1", port=port, **club))
        return made[-1]

    yield table
    for one in made:
        one.close()


@pytest.fixture
def readers():
    made = []

    def read(port):
        made.append(Reader(port, "referee/1/#", "homeassistant/#"))
        return made[-1]

    yield read
    for one in made:
        one.close()


def seqs(reader, table=NAME):
    return [event.seq for event in heard(reader, table, Kind.EVENT)]


def asks_until_all(reader, last, table=NAME):
    """What a hall does: ask for what is missing, until nothing is."""
    command = iter(range(10**6))

    def complete():
        missing = set(range(1, last + 1)) - set(seqs(reader, table))
        if missing:
            ask = Command(Do.AGAIN, f"again-{os.getpid()}-{next(command)}", min(missing))
            reader.client.publish(topic("referee", table, Kind.DO), encode_document(ask), 1)
            until_or_not(lambda: set(range(1, last + 1)) <= set(seqs(reader, table)))
        return not missing

    until(complete, 120)


def until_or_not(true, seconds=6.0):
    try:
        until(true, seconds)
    except AssertionError:
        return


def test_a_broker_away_for_long_is_told_all_that_was_missed_once_and_in_order_and_the_state_anew(
    mosquitto, tables, readers
):
    reader, port = readers(mosquitto.port), free_port()
    table = tables(port)
    for begin, end in ((0, 120), (120, 300)):  # it comes late, and is away once more
        table.play(STEPS[begin:end])
        proxy = Proxy(mosquitto.port, port)
        until(lambda end=end: len(seqs(reader)) > end)
        until(lambda end=end: heard(reader, NAME, Kind.STATE)[-1].seq == end + 1)
        until(lambda end=end: table.confirmed == end + 1)
        proxy.close()
    assert seqs(reader) == list(range(1, len(STEPS) + 2))


def test_lines_that_break_lose_nothing_double_nothing_for_good_and_keep_the_order(mosquitto, tables, readers):
    """Only the table's line breaks, so that the reader sees every message that the broker has taken."""
    proxy = Proxy(mosquitto.port)
    reader, table = readers(mosquitto.port), tables(proxy.port)
    for begin in range(0, 300, 15):
        table.play(STEPS[begin : begin + 15])
        proxy.cut()
    until(lambda: set(seqs(reader)) == set(range(1, 302)))
    first = list(dict.fromkeys(seqs(reader)))
    assert first == sorted(first)
    until(lambda: any(state.seq == 301 for state in heard(reader, NAME, Kind.STATE)))
    proxy.close()


def test_a_broker_killed_and_back_twenty_times_loses_nothing(mosquitto, tables, readers):
    table, reader = tables(mosquitto.port), readers(mosquitto.port)
    for begin in range(0, 300, 15):
        table.play(STEPS[begin : begin + 15])
        mosquitto.kill()
        mosquitto.start()
    asks_until_all(reader, 301)
    events = {event.seq: event for event in heard(reader, NAME, Kind.EVENT)}
    assert [events[seq].number for seq in range(1, 302)] == list(range(301))
    assert len({(event.epoch, event.match, event.number) for event in events.values()}) == 301


def test_a_broker_that_hangs_keeps_nobody_waiting_and_gets_all_later(mosquitto, tables, readers):
    proxy = Proxy(mosquitto.port)
    table, reader = tables(proxy.port), readers(mosquitto.port)
    table.play(STEPS[:10])
    until(lambda: len(seqs(reader)) == 11)
    proxy.flows.clear()
    table.play(STEPS[10:])  # as long as nothing flows nobody else ends this
    proxy.cut()
    proxy.flows.set()
    until(lambda: set(seqs(reader)) == set(range(1, len(STEPS) + 2)))
    proxy.close()


def test_a_slow_broker_is_told_the_newest_state_and_all_events(mosquitto, tables, readers):
    proxy = Proxy(mosquitto.port)
    proxy.slow_s = 0.02
    table, reader = tables(proxy.port), readers(mosquitto.port)
    table.play(STEPS[:100])
    until(lambda: any(state.seq == 101 for state in heard(reader, NAME, Kind.STATE)))
    until(lambda: set(seqs(reader)) == set(range(1, 102)))
    assert len(heard(reader, NAME, Kind.STATE)) < 101
    proxy.close()


@pytest.fixture
def guarded_broker(tmp_path):
    """One that knows nobody of ours."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    passwords = tmp_path / "passwords"
    passwords.write_text("nobody:$7$101$AAAA$AAAA\n")
    passwords.chmod(0o644)
    broker = Mosquitto(tmp_path / "guarded", f"password_file {passwords}", anonymous=False)
    yield broker
    broker.close()


def test_a_wrong_password_keeps_the_match_going_and_is_told(guarded_broker, tables):
    table = tables(guarded_broker.port, user="table-7", password="wrong")  # noqa: S106
    table.play(STEPS[:20])
    until(lambda: table.club.trouble is not None)
    assert table.club.trouble.key == "club.wrong_password"
    assert table.journal.number == 20


def test_two_tables_of_one_name_are_told(mosquitto, tables):
    one, two = tables(mosquitto.port, "one"), tables(mosquitto.port, "two")
    keys = lambda: {table.club.trouble.key for table in (one, two) if table.club.trouble is not None}  # noqa: E731
    until(lambda: all(table.club.trouble is not None for table in (one, two)))
    assert keys() == {"club.taken_over"}
    two.club.close()
    until(lambda: one.club.trouble is None)


def test_home_assistant_that_starts_later_is_told_again(mosquitto, tables, readers):
    reader = readers(mosquitto.port)
    tables(mosquitto.port, home_assistant=True, chance=lambda: 0.01)
    until(lambda: len(reader.under("referee-table-7/config")) == 1)
    reader.publish("homeassistant/status", b"online")
    until(lambda: len(reader.under("referee-table-7/config")) == 2)


WRITER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from club_table import ClubTable
from test_over_mosquitto import STEPS, opens

table = ClubTable(Path(sys.argv[1]), opens, broker="127.0.0.1", port=int(sys.argv[2]))
kept = table.opened.kept
for step in STEPS[kept.tip.row.number if kept else 0:]:
    table.play([step])
    print(table.journal.number, flush=True)
    time.sleep(0.005)
time.sleep(60)
"""


def test_a_table_that_is_killed_and_back_has_told_everything_once_it_is_back(tmp_path, mosquitto, readers):
    reader = readers(mosquitto.port)
    here = Path(__file__)
    command = [sys.executable, "-c", WRITER, tmp_path / "state", str(mosquitto.port), here.parents[2] / "support"]
    path = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(here.parent), str(here.parents[3])])
    for _ in range(5):
        with subprocess.Popen(  # noqa: S603
            command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": path}
        ) as table:
            for _ in range(60):
                if not table.stdout.readline():
                    break
            table.send_signal(signal.SIGKILL)
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": path}
    ) as table:
        until(lambda: set(seqs(reader)) == set(range(1, len(STEPS) + 2)), 90)
        table.kill()
    first = list(dict.fromkeys(seqs(reader)))
    assert first == sorted(first)
    assert {event.epoch for event in heard(reader, NAME, Kind.EVENT)} == {heard(reader, NAME, Kind.EVENT)[0].epoch}
    until(lambda: not heard(reader, NAME, Kind.ONLINE)[-1].online)


def test_a_whole_match_that_is_played_by_the_program_arrives(tmp_path, mosquitto, readers):
    reader = readers(mosquitto.port)
    chosen = (
        "camera.kind=virtual", "game.rounds=1", "club.on=true", "club.broker=127.0.0.1", f"club.port={mosquitto.port}",
        f"club.table={NAME}", f"storage.state={tmp_path / 'state'}",
    )  # fmt: skip
    command = [sys.executable, "-m", "referee", "play", "--speed", "200", *(f for c in chosen for f in ("--set", c))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    until(lambda: not heard(reader, NAME, Kind.ONLINE)[-1].online)
    found = seqs(reader)
    assert found == list(range(1, len(found) + 1))
    facts = [fact for event in heard(reader, NAME, Kind.EVENT) for fact in event.facts]
    assert [fact.kind for fact in facts if fact.kind.startswith("match")] == ["match-started", "match-over"]
    assert heard(reader, NAME, Kind.STATE)[-1].phase == "over"
