"""Two halls on two real brokers with TLS, access lists and a bridge as `--setup` writes them; the bridge is cut."""

import re
import shutil
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import paho.mqtt.client as paho
import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from club_table import until
from mosquitto import MISSING, PATIENCE_S, PROGRAM, Mosquitto
from played import SETUPS, match, short
from two_halls import LONGEST_S, both, counting, two_halls

from referee.club.bridge_setup import BRIDGE
from referee.club.broker_setup import connect_halls, plan_files, prepare_club, read_accounts, write_files
from referee.club.hall.tournaments.beginning import in_order
from referee.club.protocol import Kind, topic
from referee.errors import BadInput

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
LONG, SHORT = match(SETUPS[0], 3, 120, rounds=5), short()


def set_up(folder, *arguments):
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "referee", "hall", "--setup", str(folder), *arguments],
        capture_output=True, text=True, check=False, timeout=LONGEST_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture
def club():
    if PROGRAM is None or shutil.which("openssl") is None:
        pytest.skip(MISSING)
    with two_halls() as made:
        yield made


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
        until(lambda hall=hall: hall.snapshot_seq("table-1") > len(LONG))
    before = {hall: hall.connections(name) for hall, name in ((club.a, "b-table-1"), (club.b, "a-table-1"))}
    club.restore()
    club.is_current()
    for hall, name in ((club.a, "b-table-1"), (club.b, "a-table-1")):  # so that a lost `begin` is sent again
        until(lambda hall=hall, name=name: hall.connections(name) > before[hall])
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


def test_tables_of_the_other_hall_are_used_after_those_of_this_one():
    names = ["b-table-1", "table-10", "b-table-10", "table-9", "b-table-9"]
    assert in_order(names) == ["table-9", "table-10", "b-table-1", "b-table-9", "b-table-10"]


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
