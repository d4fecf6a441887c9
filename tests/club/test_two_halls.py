"""Two halls on two real brokers with TLS, access lists and a bridge as `--setup` writes them; the bridge is cut."""

import re
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import paho.mqtt.client as paho
import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from club_table import ClubTable, until
from cut_off import QUICK, kept_of
from mosquitto import MISSING, PATIENCE_S, PROGRAM, Mosquitto, Proxy
from played import SETUPS, match, short

from referee.club.bridge_setup import BRIDGE
from referee.club.broker_setup import (
    BROKER_FOLDER,
    connect_halls,
    plan_files,
    prepare_club,
    read_accounts,
    write_files,
)
from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.mqtt.line import Endpoint
from referee.club.mqtt.mqtt import MqttBroker
from referee.club.protocol import Kind, topic
from referee.errors import BadInput
from referee.journal.opening import FILE
from referee.journal.outbox import read_outgoing
from referee.journal.scores import read_scores

LONGEST_S = 120
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
LONG, SHORT = match(SETUPS[0], 3, 120, rounds=5), short()


def counting(start=0):
    """Random bytes for tests: every call gives others, and every run the same."""
    calls = iter(range(start, 10_000))
    return lambda count: next(calls).to_bytes(count, "big")


def both(tables=2, topics=("referee", "club/west")):
    """The accounts of two halls that are connected."""
    place = Path("/nowhere")
    made = [
        prepare_club(place, tables, ["127.0.0.1"], one, counting(at)) for at, one in ((0, topics[0]), (99, topics[1]))
    ]
    return connect_halls(*made, counting(500))


def set_up(folder, *arguments):
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "referee", "hall", "--setup", str(folder), *arguments],
        capture_output=True, text=True, check=False, timeout=LONGEST_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip


class Hall:
    """A hall whose file is on the disk, as the user `hall` of its broker."""

    def __init__(self, folder, accounts, port):
        self.folder, self._accounts, self.port, self.topic = folder, accounts, port, accounts.topic
        self.open()

    def open(self):
        self.store = HallStore(self.folder / "hall.sqlite")
        self.reader = HallReader(self.store, self.topic, lambda: None)
        endpoint = self.endpoint("hall")
        self.line = MqttBroker(endpoint, None, QUICK)
        self.line.start(self.reader)

    def endpoint(self, user):
        password, ca = self._accounts.passwords[user], self.folder / "run/broker/ca.pem"
        return Endpoint("127.0.0.1", self.port, user, tls=True, ca=ca, user=user, password=password)

    @property
    def tables(self):
        return {name: view for name, view in self.reader.facts.tables.items() if view.online}

    def events(self, table):
        """The events in the file of the hall, each as its journal and its row there."""
        told = [event for event, _ in kept_of(self.folder / "hall.sqlite", table)]
        return [(event.epoch, event.seq, event.match, event.number) for event in told]

    def points(self, table):
        """The points of all rounds by match; a match that is there twice is an error of its own."""
        found = [one for one in self.reader.facts.results.values() if one.key.table == table]
        assert len({one.match for one in found}) == len(found)
        return {one.match: [line.points for line in one.rounds] for one in found}

    def close(self):
        self.line.close()
        self.store.close()


class Club:
    """Two halls: the bridge of the second one goes through a proxy that may be cut."""

    def __init__(self):
        self.brokers, self.halls, self.tables, self.bridge = [], [], {}, None

    def begin(self, folder):
        accounts = both()
        for letter, one in zip("ab", accounts, strict=True):
            place = folder / letter
            write_files(place / "run", plan_files(one, counting(1000)))
            for path in (place, *place.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            broker = Mosquitto(place / "mosquitto")
            broker.close()
            files = [place / "run/broker/club.conf", place / f"run/broker/{BRIDGE}.conf"]
            text = "".join(path.read_text() for path in files if path.exists())
            text = text.replace(BROKER_FOLDER, str(place / "run/broker")).replace(
                "listener 8883", f"listener {broker.port} 127.0.0.1\nuser root"
            )
            if letter == "b":
                self.bridge = Proxy(self.brokers[0].port)
                assert text.count("127.0.0.1:8883") == 1
                text = text.replace("127.0.0.1:8883", f"127.0.0.1:{self.bridge.port}")
                text = text.replace("restart_timeout 1 30", "restart_timeout 1 1")
            broker.config.write_text(text)
            broker.start()
            self.brokers.append(broker)
            self.halls.append(Hall(place, one, broker.port))
        self.a, self.b = self.halls

    def play_at(self, hall, table):
        """A table of a hall, with its journal."""
        folder = hall.folder / table
        endpoint = hall.endpoint(table)
        made = ClubTable(
            folder,
            lambda _, will: MqttBroker(endpoint, will, QUICK),
            table=table,
            topic=hall.topic,
        )
        self.tables[hall.folder.name, table] = made
        return made

    def cut(self):
        self.bridge.close()

    def restore(self):
        self.bridge = Proxy(self.brokers[0].port, self.bridge.port)

    def names(self, hall):
        """The tables as a hall names them."""
        return {
            table if hall.folder.name == letter else f"{letter}-{table}": made
            for (letter, table), made in self.tables.items()
        }

    def is_current(self):
        """Wait until each hall has each event and each result of each table exactly once, and shows its state."""
        for hall in self.halls:
            until(lambda hall=hall: set(hall.tables) == set(self.names(hall)), LONGEST_S)
            for name, made in self.names(hall).items():
                outgoing = read_outgoing(made.folder / FILE, 0, 10**6)
                truth = [(outgoing.epoch, one.seq, one.row.match, one.row.number) for one in outgoing.entries]
                until(lambda hall=hall, name=name, truth=truth: hall.events(name) == truth, LONGEST_S)
                scores = read_scores(made.folder / FILE)
                points = {one.match: [line.scores for line in one.sheet.rounds] for one in scores}
                until(lambda hall=hall, name=name, points=points: hall.points(name) == points, LONGEST_S)
                last = outgoing.last
                until(lambda hall=hall, name=name, last=last: hall.tables[name].snapshot.seq == last, LONGEST_S)
                assert not hall.tables[name].troubles

    def close(self):
        for one in (*self.tables.values(), *self.halls, *self.brokers, self.bridge):
            if one is not None:
                one.close()


@pytest.fixture
def club():
    if PROGRAM is None or shutil.which("openssl") is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="two-halls-"))
    folder.chmod(0o755)
    made = Club()
    try:
        made.begin(folder)
        yield made
    finally:
        made.close()
        shutil.rmtree(folder)


@pytest.mark.club
def test_tables_of_both_halls_are_seen_in_both_and_those_of_one_name_are_told_apart(club):
    for hall in club.halls:
        club.play_at(hall, "table-1")
    club.play_at(club.b, "table-2")
    club.tables["a", "table-1"].play(LONG)
    club.tables["b", "table-1"].play(SHORT)
    club.tables["b", "table-2"].play(SHORT)
    club.is_current()
    assert set(club.a.tables) == {"table-1", "b-table-1", "b-table-2"}
    assert set(club.b.tables) == {"table-1", "table-2", "a-table-1"}


@pytest.mark.club
def test_what_happens_while_the_bridge_is_cut_is_in_both_halls_once_it_is_back(club):
    for hall in club.halls:
        club.play_at(hall, "table-1").play(SHORT)
    club.is_current()
    club.cut()
    for made in club.tables.values():
        made.play(LONG)
    for hall in club.halls:
        until(lambda hall=hall: hall.tables["table-1"].snapshot.seq > len(LONG))
    before = {hall: hall.tables[name].connections for hall, name in ((club.a, "b-table-1"), (club.b, "a-table-1"))}
    club.restore()
    club.is_current()
    for hall, name in ((club.a, "b-table-1"), (club.b, "a-table-1")):  # so that a lost `begin` is sent again
        until(lambda hall=hall, name=name: hall.tables[name].connections > before[hall])
    for hall in club.halls:  # a hall that comes only now finds what its own broker has retained
        hall.close()
        hall.open()
    club.is_current()


@pytest.mark.club
def test_brokers_that_are_killed_lose_nothing_for_either_hall(club):
    for hall in club.halls:
        club.play_at(hall, "table-1")
    for broker in club.brokers:
        club.cut()
        for made in club.tables.values():
            made.play(SHORT)
        broker.kill()  # and with it whatever waited for the bridge
        for made in club.tables.values():
            made.play(SHORT)
        broker.start()
        club.restore()
        club.is_current()


@pytest.mark.club
def test_a_hall_that_has_lost_its_file_has_the_events_of_the_other_halls_tables_sent_again(club):
    for hall in club.halls:
        club.play_at(hall, "table-1").play(LONG)
    club.is_current()
    for hall in club.halls:
        hall.close()
        (hall.folder / "hall.sqlite").unlink()
        hall.open()
    club.is_current()


class Writer:
    """Tries to write under a topic, as one user."""

    def __init__(self, port, user, password):
        self.answers, self.client = {}, paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self.client.username_pw_set(user, password)
        self.client.on_publish = lambda _client, _data, number, code, _more: self.answers.update({number: code})
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def may(self, table, kind, match=None):
        sent = self.client.publish(topic("referee", table, kind, match), b"x", 1)
        sent.wait_for_publish(PATIENCE_S)
        until(lambda: sent.mid in self.answers)
        return not self.answers[sent.mid].is_failure

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.mark.club
@needs_openssl
@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_the_bridge_may_write_only_what_it_carries(tmp_path):
    first, _ = both()
    write_files(tmp_path / "a", plan_files(first, counting(1000)))
    place, log = tmp_path / "a/broker", tmp_path / "log"
    lines = [f"password_file {place / 'passwords'}", f"acl_file {place / 'acl'}", f"log_dest file {log}"]
    with closing(Mosquitto(tmp_path / "run", *lines, anonymous=False)) as broker:
        with closing(Writer(broker.port, BRIDGE, first.passwords[BRIDGE])) as bridge:
            crossing = {Kind.ONLINE, Kind.STATE, Kind.EVENT, Kind.RESULT, Kind.HEALTH, Kind.PICTURE}
            assert {kind for kind in Kind if bridge.may("b-table-2", kind)} == crossing
            assert bridge.may("b-table-2", Kind.RESULT, 7)
            assert {kind for kind in Kind if bridge.may("table-2", kind)} == {Kind.DO}
            assert not any(bridge.may(other, kind) for kind in Kind for other in ("b-table-3", "table-3", "_hall"))
        with closing(Writer(broker.port, "table-1", first.passwords["table-1"])) as table:
            assert table.may("table-1", Kind.STATE)
            assert not table.may("b-table-1", Kind.STATE)
    assert "Warning" not in log.read_text()


@needs_openssl
def test_one_command_connects_two_halls_and_another_adds_tables(tmp_path):
    first, second = tmp_path / "west", tmp_path / "east"
    assert set_up(first, "--tables", "2", "--broker", "west.local").returncode == 0
    assert set_up(second, "--tables", "1", "--broker", "east.local").returncode == 0
    done = set_up(second, "--other-hall", str(first))
    assert done.returncode == 0, done.stderr
    assert f"the broker of {second} connects to that of {first}" in " ".join(done.stdout.split())
    west, east = read_accounts(first), read_accounts(second)
    assert (west.other.connects, east.other.connects) == (False, True)
    assert west.passwords[BRIDGE] == east.other.password
    assert west.tables == ["table-1", "table-2"]
    settings = second / f"broker/{BRIDGE}.conf"
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert "address west.local:8883\n" in settings.read_text()
    assert (second / f"broker/{BRIDGE}.pem").read_bytes() == (first / "broker/ca.pem").read_bytes()
    assert not (first / f"broker/{BRIDGE}.conf").exists()
    assert set_up(second, "--tables", "3", "--other-hall", str(first)).returncode == 0
    assert read_accounts(first).other.tables == ("table-1", "table-2", "table-3")
    assert read_accounts(first).passwords == west.passwords
    assert "topic write referee/1/b-table-3/state\n" in (first / "broker/acl").read_text()
    before = settings.read_text()
    assert set_up(second).returncode == 0  # what is known of the other hall stays
    assert settings.read_text() == before


@needs_openssl
@pytest.mark.parametrize("text", ['{"tables": 3}', "{}", "7", '{"connects": true, "host": "a b", "tables": []}'])
def test_another_hall_that_cannot_be_read_is_never_written_over(tmp_path, text):
    assert set_up(tmp_path, "--tables", "1", "--broker", "west.local").returncode == 0
    state = tmp_path / "club.json"
    state.write_text(state.read_text().replace('"other": null', f'"other": {text}'))
    kept = state.read_text()
    done = set_up(tmp_path, "--tables", "2")
    assert (done.returncode, state.read_text()) == (2, kept)
    assert "found" in done.stderr


@needs_openssl
def test_a_third_hall_is_refused_and_so_is_the_other_way_round(tmp_path):
    first, second = both()
    third = prepare_club(tmp_path, 1, ["127.0.0.1"], None, counting(700))
    for pair in ((first, third), (third, second)):
        with pytest.raises(BadInput, match="a third hall"):
            connect_halls(*pair, counting())
    with pytest.raises(BadInput, match="found the other one"):
        connect_halls(second, first, counting())
    with pytest.raises(BadInput, match="the same club twice"):
        connect_halls(third, third, counting())
    with pytest.raises(BadInput, match="IPv4"):
        connect_halls(
            prepare_club(tmp_path, 1, ["fe80::1"], None, counting(700)),
            prepare_club(tmp_path, 1, ["127.0.0.1"], None, counting(700)),
            counting(),
        )


@needs_openssl
def test_a_folder_without_accounts_is_no_other_hall(tmp_path):
    assert set_up(tmp_path / "west", "--tables", "1", "--broker", "west.local").returncode == 0
    done = set_up(tmp_path / "west", "--other-hall", str(tmp_path / "nothing"))
    assert done.returncode == 2
    assert "--other-hall: expected a folder that --setup wrote" in done.stderr


@needs_openssl
def test_the_files_of_the_documentation_are_those_that_are_written(tmp_path):
    docs = (Path(__file__).parents[2] / "docs/two-halls.md").read_text(encoding="utf-8")
    first, second = (
        prepare_club(tmp_path, 1, [host], None, counting(at))
        for at, host in ((0, "192.168.1.10"), (99, "192.168.2.10"))
    )
    first, second = connect_halls(first, second, counting(500))
    settings = plan_files(second, counting())[f"broker/{BRIDGE}.conf"].content.decode()
    shown = settings.replace(second.other.password, "…")
    assert f"```bridge\n{shown}```" in docs
    rights = plan_files(first, counting())["broker/acl"].content.decode()
    assert rights.endswith(re.search(r"```acl-of-the-bridge\n(.*?)```", docs, re.DOTALL)[1])
    assert "--other-hall" in plan_files(first, counting())["README.txt"].content.decode()
