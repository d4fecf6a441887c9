"""A client that sends as much as it can in the name of one table, and what the hall makes of the others meanwhile."""

import json
import threading

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
import paho.mqtt.client as paho
from club_table import ClubTable
from cut_off import QUICK, HallProcess, kept_of
from mosquitto import MISSING, PROGRAM, Mosquitto, until
from played import SETUPS, match

from referee.club.mqtt.mqtt import MqttBroker
from referee.club.protocol import Kind, topic

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]
WALL = "2026-11-20T12:00:00Z"
GROWS_MB = 200.0
"""The most that a hall may need for what somebody floods it with."""


def resident_mb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as told:  # noqa: PTH123 - no file of ours
        return next(int(line.split()[1]) / 1024 for line in told if line.startswith("VmRSS"))


def large(number):
    """A state as long as one may be."""
    rounds = [[-(10**6)] * 8] * 700
    told = {
        "version": 1,
        "epoch": "0123abcd",
        "seq": number,
        "wall": WALL,
        "phase": "turn",
        "rules": "x",
        "title": "x",
    }
    return Kind.STATE, json.dumps({**told, "scores": rounds, "weather": "x" * 5000}).encode()


def epochs(number):
    """An event of an epoch of its own, with a match of its own."""
    facts = [{"kind": "match-started", "rules": "x" * 64, "players": ["y" * 200] * 8, "rounds": 1}] * 10
    told = {"version": 1, "epoch": f"{number:08x}", "seq": 1, "match": number, "number": 0, "wall": WALL}
    return Kind.EVENT, json.dumps({**told, "facts": facts}).encode()


def matches(number):
    """The next event, with a match of its own and many rounds."""
    rounds = [{"kind": "match-started", "rules": "gin", "players": [None], "rounds": 1}]
    rounds += [{"kind": "round", "round": n, "winner": 0, "points": [1] * 8, "hands": [], "ending": "x", "totals": []}
               for n in range(1, 40)]  # fmt: skip
    told = {"version": 1, "epoch": "0123abcd", "seq": number + 1, "match": number, "number": 0, "wall": WALL}
    return Kind.EVENT, json.dumps({**told, "facts": rounds}).encode()


def contradictions(number):
    """The same event over and over, each time another one."""
    told = {"version": 1, "epoch": "0123abcd", "seq": 1, "match": number, "number": 0, "wall": WALL}
    return Kind.EVENT, json.dumps({**told, "facts": []}).encode()


def pictures(_):
    return Kind.PICTURE, b"\xff\xd8\xff" + bytes(2_000_000)


@pytest.mark.parametrize("what", [large, epochs, matches, contradictions, pictures], ids=lambda what: what.__name__)
def test_a_flood_in_one_tables_name_takes_nothing_from_the_others(tmp_path, what):
    broker = Mosquitto(tmp_path / "mosquitto", "max_packet_size 3000000")
    (tmp_path / "hall").mkdir()
    hall = HallProcess(tmp_path / "hall", broker.port)
    good = ClubTable(tmp_path / "good", lambda endpoint, will: MqttBroker(endpoint, will, QUICK),
                     broker="127.0.0.1", port=broker.port, table="good")  # fmt: skip
    flooding, over = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5), threading.Event()
    flooding.connect("127.0.0.1", broker.port)
    flooding.loop_start()
    sent = 0

    def floods():
        nonlocal sent
        while not over.is_set():
            kind, payload = what(sent)
            flooding.publish(topic("referee", "bad", kind), payload, 1).wait_for_publish(5.0)
            sent += 1

    thread = threading.Thread(target=floods, daemon=True)
    try:
        steps = match(SETUPS[0], 5, 60, rounds=60)
        good.play(steps[:1])
        until(lambda: kept_of(hall.file, "good"))
        before = resident_mb(hall.process.pid)
        thread.start()
        for step in steps[1:]:
            good.play([step])
        until(lambda: sent > (30 if what is pictures else 600), 120)
        over.set()  # a slow machine would never catch up with a flood that goes on
        until(lambda: len(kept_of(hall.file, "good")) == len(steps) + 1, 120)
        assert resident_mb(hall.process.pid) - before < GROWS_MB
        assert hall.process.poll() is None
        assert "Traceback" not in hall.log
    finally:
        over.set()
        thread.join(30)
        flooding.loop_stop()
        flooding.disconnect()
        good.close()
        hall.close()
        broker.close()
