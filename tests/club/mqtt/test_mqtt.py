"""A line to a real Mosquitto: kept up for ever, and told why where it is down."""

import shutil
import subprocess
import threading

import pytest
from dead_addresses import dropping, silent
from mosquitto import MISSING, PROGRAM, Mosquitto, Proxy, Reader, free_port, until
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from referee.club.mqtt import mqtt
from referee.club.mqtt.line import Endpoint, Message, Patience
from referee.club.mqtt.mqtt import MqttBroker, left_by_broker, probe
from referee.game.notice import Notice

QUICK = Patience(keepalive_s=1, connect_s=2.0, first_s=0.02, longest_s=0.1, stable_s=1.0)
GONE = Message("t/online", b"gone", retain=True)


class Talks:
    """Says what it is told to say, and remembers what happens."""

    def __init__(self):
        self.opened_times, self.said, self.heard, self.got, self.refused = 0, [], [], [], []
        self.whys = []
        self._lock = threading.Lock()
        self._next = []

    def on_connect(self, line):
        self.opened_times += 1
        line.subscribe("t/do")
        line.publish(Message("t/online", b"here", retain=True))

    def step(self, line):
        with self._lock:
            due, self._next = self._next, []
        self.said += [line.publish(message) for message in due]
        return 5.0

    def on_message(self, topic, payload, *, retained):
        self.heard.append((topic, payload, retained))

    def on_confirmed(self, number, refused):
        (self.got if refused is None else self.refused).append(number)

    def on_disconnect(self, why):
        self.whys.append(why)

    def before_disconnect(self, line):
        line.publish(Message("t/online", b"bye", retain=True))

    def say(self, broker, *messages):
        with self._lock:
            self._next += messages
        broker.wake()


@pytest.fixture
def lines():
    """Opens lines that are closed at the end."""
    opened = []

    def line(port, client="one", patience=QUICK, **how):
        broker, talks = MqttBroker(Endpoint("127.0.0.1", port, client, **how), GONE, patience), Talks()
        broker.start(talks)
        opened.append(broker)
        return broker, talks

    yield line
    for broker in opened:
        broker.close()


@pytest.fixture
def reader(mosquitto):
    reads = Reader(mosquitto.port, "t/#")
    yield reads
    reads.close()


def test_what_is_said_arrives_in_order_and_is_confirmed(mosquitto, reader, lines):
    broker, talks = lines(mosquitto.port)
    until(lambda: talks.opened_times)
    talks.say(broker, *(Message("t/event", str(number).encode()) for number in range(300)))
    until(lambda: len(reader.under("event")) == 300)
    assert reader.under("event") == [str(number).encode() for number in range(300)]
    until(lambda: set(talks.said) <= set(talks.got))


def test_what_others_say_is_heard(mosquitto, reader, lines):
    _, talks = lines(mosquitto.port)
    until(lambda: talks.opened_times)
    until(lambda: (reader.publish("t/do", b"look"), talks.heard)[1])
    assert talks.heard[0] == ("t/do", b"look", False)


def test_a_broker_that_is_killed_and_back_is_entered_again(mosquitto, lines):
    _, talks = lines(mosquitto.port)
    for times in range(1, 6):
        until(lambda times=times: talks.opened_times >= times)
        mosquitto.kill()
        until(lambda times=times: len(talks.whys) >= times)
        mosquitto.start()
    until(lambda: talks.opened_times >= 6)
    assert {why.key for why in talks.whys} <= {"club.lost", "club.no_broker"}


def test_no_broker_is_told_and_tried_again(lines):
    port = 1  # nobody listens there
    _, talks = lines(port)
    until(lambda: len(talks.whys) >= 3)
    assert {why.key for why in talks.whys} == {"club.no_broker"}
    assert talks.opened_times == 0


def test_an_error_of_the_program_is_told_as_one_and_tried_again(monkeypatch):
    def failing(*_args):
        raise ValueError("no such thing")

    monkeypatch.setattr("referee.club.mqtt.mqtt._Session.connect", failing)
    broker, talks = MqttBroker(Endpoint("127.0.0.1", 1, "one"), GONE, QUICK), Talks()
    broker.start(talks)
    until(lambda: len(talks.whys) >= 2)
    broker.close()
    assert set(talks.whys) == {Notice("club.failed", error="ValueError: no such thing")}


def test_a_host_that_nobody_knows_is_told():
    broker, talks = MqttBroker(Endpoint("nowhere.invalid", 1883, "one"), GONE, QUICK), Talks()
    broker.start(talks)
    until(lambda: talks.whys)
    broker.close()
    assert talks.whys[0].key == "club.no_broker"


@pytest.mark.parametrize("where", [silent, dropping])
def test_a_broker_that_says_nothing_is_asked_for_encryption_only_shortly(monkeypatch, where):
    asked = []
    monkeypatch.setattr(mqtt, "TLS_S", 0.125)
    monkeypatch.setattr(mqtt, "speaks_tls", lambda _, timeout_s: asked.append(timeout_s))
    with where() as port:
        told = probe(Endpoint("127.0.0.1", port, "one"), Patience(connect_s=0.5))
    assert told == Notice("club.silent", address=f"127.0.0.1:{port}")
    assert asked == ([0.125] if where is silent else [])


def test_a_broker_that_hangs_is_noticed_and_left(mosquitto, lines):
    _, talks = lines(mosquitto.port)
    until(lambda: talks.opened_times)
    mosquitto.freeze()
    until(lambda: any(why.key == "club.lost" for why in talks.whys))
    until(lambda: any(why.key == "club.silent" for why in talks.whys))
    mosquitto.thaw()
    until(lambda: talks.opened_times >= 2)


def test_whoever_wakes_it_never_waits_for_a_broker_that_hangs(mosquitto, lines):
    broker, talks = lines(mosquitto.port)
    until(lambda: talks.opened_times)
    mosquitto.freeze()
    for _ in range(200_000):  # more than any buffer holds
        broker.wake()


def test_a_proxy_that_stops_forwarding_is_noticed(mosquitto, lines):
    proxy = Proxy(mosquitto.port)
    _, talks = lines(proxy.port)
    until(lambda: talks.opened_times)
    proxy.flows.clear()
    until(lambda: talks.whys)
    proxy.cut()
    proxy.flows.set()
    until(lambda: talks.opened_times >= 2)
    proxy.close()


def test_the_last_word_of_one_that_vanishes_is_the_brokers(mosquitto, reader, lines):
    proxy = Proxy(mosquitto.port)
    lines(proxy.port, patience=Patience(keepalive_s=1, first_s=30.0, stable_s=99.0))
    until(lambda: b"here" in reader.under("online"))
    proxy.cut()
    until(lambda: b"gone" in reader.under("online"))
    proxy.close()


def test_one_that_leaves_says_so_itself(mosquitto, reader, lines):
    broker, talks = lines(mosquitto.port)
    until(lambda: talks.opened_times)
    broker.close()
    until(lambda: b"bye" in reader.under("online"))
    assert b"gone" not in reader.under("online")


class TalkedToAtTheEnd(Talks):
    """Leaves with a message unread, while the broker has not read its last ones yet."""

    def __init__(self, mosquitto, reader):
        super().__init__()
        self._mosquitto, self._reader = mosquitto, reader

    def before_disconnect(self, line):
        self._reader.publish("t/do", b"look")
        until(lambda: self._reader.under("do"))
        self._mosquitto.freeze()
        threading.Timer(0.05, self._mosquitto.thaw).start()
        line.publish(Message("t/event", b"played"))
        super().before_disconnect(line)


def test_one_that_is_talked_to_while_it_leaves_says_so_itself(mosquitto, reader):
    broker = MqttBroker(Endpoint("127.0.0.1", mosquitto.port, "one"), GONE, QUICK)
    talks = TalkedToAtTheEnd(mosquitto, reader)
    broker.start(talks)
    until(lambda: talks.opened_times)
    until(lambda: b"here" in reader.under("online"))
    broker.close()
    until(lambda: {b"bye", b"gone"} & set(reader.under("online")))
    assert (reader.under("event"), reader.under("online")) == ([b"played"], [b"here", b"bye"])


def test_another_client_of_our_name_takes_the_line_and_the_two_do_not_fight_over_it_all_the_time(mosquitto, lines):
    calm = Patience(keepalive_s=5, first_s=60.0, stable_s=99.0)
    _, first = lines(mosquitto.port, "table-1", calm)
    until(lambda: first.opened_times)
    _, second = lines(mosquitto.port, "table-1", calm)
    until(lambda: first.whys and second.opened_times)
    assert (first.opened_times, second.whys) == (1, [])


def test_a_broker_that_says_why_it_leaves_us_is_believed():
    endpoint = Endpoint("box", 1883, "table-1")
    told = {code: left_by_broker(endpoint, ReasonCode(PacketTypes.DISCONNECT, identifier=code)) for code in (142, 139)}
    assert [why.key for why in told.values()] == ["club.taken_over", "club.lost"]


def test_a_wrong_password_is_told_and_the_right_one_enters(guarded_broker, lines):
    _, wrong = lines(guarded_broker.port, user="table-1", password="no")  # noqa: S106
    _, none = lines(guarded_broker.port, "two")
    _, right = lines(guarded_broker.port, "three", user="table-1", password="secret")  # noqa: S106
    until(lambda: wrong.whys and none.whys and right.opened_times)
    assert {why.key for why in (*wrong.whys, *none.whys)} == {"club.wrong_password"}
    assert dict(wrong.whys[0].fields)["user"] == "table-1"


def test_what_the_access_list_forbids_is_told_with_its_message(guarded_broker, lines):
    broker, talks = lines(guarded_broker.port, user="table-1", password="secret")  # noqa: S106
    until(lambda: talks.opened_times)
    talks.say(broker, Message("referee/1/table-1/event", b"ours"), Message("referee/1/table-2/event", b"theirs"))
    until(lambda: len(talks.said) == 2 and talks.said[1] in talks.refused)
    assert talks.said[0] in talks.got


@pytest.fixture
def guarded_broker(tmp_path):
    """One that lets in only table-1, to its own topics; TLS on another port."""
    if PROGRAM is None or shutil.which("mosquitto_passwd") is None or shutil.which("openssl") is None:
        pytest.skip(MISSING)
    folder = tmp_path / "guarded"
    folder.mkdir()
    folder.chmod(0o777)
    passwords, rights = folder / "passwords", folder / "acl"
    run("mosquitto_passwd", "-c", "-b", str(passwords), "table-1", "secret")
    passwords.chmod(0o644)
    rights.write_text("pattern write referee/1/%u/#\npattern read referee/1/%u/do\n")
    certificates(folder)
    port = free_port()
    lines = (
        f"password_file {passwords}", f"acl_file {rights}", f"listener {port} 127.0.0.1", f"cafile {folder}/ca.pem",
        f"certfile {folder}/server.pem", f"keyfile {folder}/server.key",
    )  # fmt: skip
    secure = Mosquitto(folder, *lines, anonymous=False)
    secure.tls_port = port
    yield secure
    secure.close()


def run(*command):
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603


def certificates(folder):
    """An authority of our own, and a server that it vouches for; and another authority."""
    for name in ("ca", "other"):
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/{name}.key", "-out",
            f"{folder}/{name}.pem", "-days", "9", "-subj", f"/CN={name}")  # fmt: skip
    run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/server.key", "-out",
        f"{folder}/server.csr", "-subj", "/CN=localhost")  # fmt: skip
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    run("openssl", "x509", "-req", "-in", f"{folder}/server.csr", "-CA", f"{folder}/ca.pem", "-CAkey",
        f"{folder}/ca.key", "-CAcreateserial", "-days", "9", "-extfile", f"{folder}/names", "-out",
        f"{folder}/server.pem")  # fmt: skip
    for one in folder.glob("*.key"):
        one.chmod(0o644)


def test_a_certificate_that_is_not_trusted_is_told_and_ours_is_entered(guarded_broker, lines):
    folder, port = guarded_broker.folder, guarded_broker.tls_port
    how = {"tls": True, "user": "table-1", "password": "secret"}
    _, wrong = lines(port, "one", ca=folder / "other.pem", **how)
    _, right = lines(port, "two", ca=folder / "ca.pem", **how)
    _, none = lines(port, "three", ca=folder / "missing.pem", **how)
    _, plain = lines(port, "four", user="table-1", password="secret")  # noqa: S106
    _, eager = lines(guarded_broker.port, "five", ca=folder / "ca.pem", **how)
    until(lambda: right.opened_times and all(talks.whys for talks in (wrong, none, plain, eager)))
    found = [talks.whys[0].key for talks in (wrong, none, eager)]
    assert found == ["club.wrong_certificate", "club.no_ca", "club.no_tls"]
    assert plain.whys[0].key == "club.expects_tls"


def test_the_doctor_enters_and_leaves_and_no_table_is_disturbed(guarded_broker, lines):
    how = {"user": "table-1", "password": "secret"}
    _, table = lines(guarded_broker.port, "table-1", **how)
    until(lambda: table.opened_times)
    assert probe(Endpoint("127.0.0.1", guarded_broker.port, "table-1-doctor", **how), QUICK) is None
    wrong = probe(Endpoint("127.0.0.1", guarded_broker.port, "table-1-doctor"), QUICK)
    assert wrong.key == "club.wrong_password"
    assert (table.opened_times, table.whys) == (1, [])


def test_a_talker_that_stumbles_over_the_end_of_a_line_as_well_is_given_another_one(mosquitto, lines, capsys):
    _, talks = lines(mosquitto.port)
    until(lambda: talks.opened_times)

    def stumbles(why):
        talks.whys.append(why)
        raise KeyError("nobody has thought of it")

    talks.on_disconnect = stumbles
    mosquitto.kill()
    until(lambda: talks.whys)
    mosquitto.start()
    until(lambda: talks.opened_times >= 2)
    assert "nobody has thought of it" in capsys.readouterr().err
