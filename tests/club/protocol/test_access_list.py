"""The access list of docs/club.md, with a real Mosquitto: a table writes its own topics only, the hall alone asks."""

import re
import shutil
import subprocess
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from mosquitto import MISSING, PATIENCE_S, PROGRAM, Mosquitto, Reader, until

from referee.club.protocol import Kind, topic
from referee.club.protocol.topics import HALL

pytestmark = pytest.mark.club

DOCS = Path(__file__).parents[3] / "docs" / "club.md"
USERS = ("table-7", "table-8", "hall", "table-1")


@pytest.fixture
def guarded_broker(tmp_path):
    if PROGRAM is None or shutil.which("mosquitto_passwd") is None:
        pytest.skip(MISSING)
    rights, passwords = tmp_path / "acl", tmp_path / "passwords"
    rights.write_text(re.search(r"```acl\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[1])
    passwords.touch()
    for user in USERS:
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), user, user], check=True)  # noqa: S603, S607
    for file in (rights, passwords):
        file.chmod(0o644)
    broker = Mosquitto(tmp_path / "guarded", f"password_file {passwords}", f"acl_file {rights}", anonymous=False)
    yield broker
    broker.close()


class Writer:
    """Tries to write under a topic, as one user."""

    def __init__(self, port, user):
        self.answers, self.client = {}, paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self.client.username_pw_set(user, user)
        self.client.on_publish = lambda _client, _data, number, code, _more: self.answers.update({number: code})
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def may(self, where):
        sent = self.client.publish(where, b"x", 1)
        sent.wait_for_publish(PATIENCE_S)
        until(lambda: sent.mid in self.answers)
        return not self.answers[sent.mid].is_failure

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def may(guarded_broker):
    writers = {user: Writer(guarded_broker.port, user) for user in USERS}
    yield lambda user, table, kind, match=None: writers[user].may(topic("referee", table, kind, match))
    for writer in writers.values():
        writer.close()


def test_a_table_writes_its_own_topics_and_no_others(may):
    own = [kind for kind in Kind if not kind.is_from_hall]
    assert all(may("table-7", "table-7", kind) for kind in own)
    assert not any(may("table-7", "table-8", kind) for kind in Kind)
    assert may("table-7", "table-7", Kind.RESULT, 41)
    assert not may("table-7", "table-8", Kind.RESULT, 41)
    assert not may("table-7", "table-7", Kind.STATE, 41)


def test_only_the_hall_asks_a_table_for_something_and_it_writes_nothing_else(may):
    asks = [kind for kind in Kind if kind.is_from_hall]
    assert all(may("hall", "table-7", kind) for kind in asks)
    assert not any(may(user, "table-7", kind) for user in ("table-8", "table-7") for kind in asks)
    assert not any(may("hall", "table-7", kind) for kind in Kind if not kind.is_from_hall)


def test_the_hall_alone_says_that_it_is_there_and_every_table_hears_it(guarded_broker, may):
    assert may("hall", HALL, Kind.ONLINE)
    assert not may("table-7", HALL, Kind.ONLINE)
    reader = Reader(guarded_broker.port, "referee/1/_hall/online", user="table-1", password="table-1")  # noqa: S106
    may("hall", HALL, Kind.ONLINE)
    until(lambda: reader.under("_hall/online"))
    reader.close()


def test_a_table_hears_what_it_is_asked_and_not_what_others_tell(guarded_broker, may):
    readers = {user: Reader(guarded_broker.port, "referee/1/#", user=user, password=user) for user in USERS}
    may("table-8", "table-8", Kind.EVENT)
    may("hall", "table-7", Kind.DO)
    until(lambda: readers["table-7"].under("table-7/do") and readers["hall"].under("table-8/event"))
    assert not readers["table-7"].under("table-8/event")
    assert not readers["table-8"].under("table-7/do")
    for reader in readers.values():
        reader.close()
