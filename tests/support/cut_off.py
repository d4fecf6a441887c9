"""Tables cut off at random: an unsteady line to the broker, and an evening of several tables with a real hall behind.

While the tables play their lines are cut, stall, deliver half of what was sent, and are refused for a while; and
broker and hall are killed and come back. At the end what the hall keeps is held against the journals of the tables.
"""

import contextlib
import os
import random
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from club_table import ClubTable
from mosquitto import Mosquitto, Proxy, answers, free_port, until
from played import SETUPS, match, short

from referee.club.hall.store import HallStore
from referee.club.mqtt.line import Patience
from referee.club.mqtt.mqtt import MqttBroker
from referee.club.protocol import Kind, decode_document
from referee.game.match.phases import Phase
from referee.journal.opening import FILE
from referee.journal.outbox import read_outgoing
from referee.journal.reading import rows_of
from referee.journal.replay import replay

QUICK = Patience(keepalive_s=2, connect_s=3.0, first_s=0.02, longest_s=0.3, stable_s=1.0)
FATES = {"cut": 0.008, "half": 0.008, "stall": 0.01}
"""How likely each is for a piece of what is sent."""
REFUSED = 0.3
"""So many cuts are followed by a while in which nobody is let in."""
TABLES, EVENTS = 6, 120
BROKER_KILLS, HALL_KILLS = 3, 2
STEP_S = 0.08
"""Between two events at each table."""
PATIENCE_S = 240.0


class Unsteady(Proxy):
    """Forwards bytes to a port, as long as chance lets it; the same seed has the same chances in store."""

    def __init__(self, port, seed):
        self.rng, self.told = random.Random(seed), Counter()  # noqa: S311 - chance for tests
        self._refuses_until, self._calm = 0.0, threading.Event()
        super().__init__(port)

    def calm(self):
        """From now on everything goes through."""
        self._calm.set()

    def _serve(self):
        while not self._over:
            with contextlib.suppress(OSError):
                ours, _ = self._door.accept()
                self._open.append(ours)
                if time.monotonic() < self._refuses_until and not self._calm.is_set():
                    self.told["refused"] += 1
                    self._ends(ours)
                    continue
                try:
                    theirs = socket.create_connection(("127.0.0.1", self._to), 5)
                except OSError:  # the broker is away
                    self._ends(ours)
                    continue
                theirs.settimeout(None)
                self._open.append(theirs)
                for pair in ((ours, theirs), (theirs, ours)):
                    self._runs(self._forward, *pair)

    def _forward(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                fate = "none" if self._calm.is_set() else self._fate()
                if fate == "stall":
                    self._calm.wait(self.rng.uniform(0.1, 1.5))
                if fate in ("cut", "half"):
                    target.sendall(data[: len(data) // 2] if fate == "half" else b"")
                    if self.rng.random() < REFUSED:
                        self._refuses_until = time.monotonic() + self.rng.uniform(0.1, 1.0)
                    break
                target.sendall(data)
        self._ends(source, target)

    def _fate(self):
        fate = self.rng.choices(["none", *FATES], [1 - sum(FATES.values()), *FATES.values()])[0]
        if fate != "none":
            self.told[fate] += 1
        return fate

    @staticmethod
    def _ends(*lines):
        for line in lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


class HallProcess:
    """`referee hall` in a process of its own, which may be killed and come back."""

    def __init__(self, folder, port):
        self.folder, self.page = Path(folder), free_port()
        values = {"club.broker": "127.0.0.1", "club.port": port, "web.port": self.page, "storage.state": folder}
        flags = [text for name, value in values.items() for text in ("--set", f"{name}={value}")]
        self._command = [sys.executable, "-m", "referee", "hall", *flags]
        self._log = self.folder / "hall.log"
        self.start()

    @property
    def file(self):
        return self.folder / "hall" / "hall.sqlite"

    def start(self):
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log, env=dict(os.environ))  # noqa: S603
        until(lambda: answers(self.page) or self.process.poll() is not None, PATIENCE_S)
        assert self.process.poll() is None, self.log

    @property
    def log(self):
        """What it has written to the console."""
        return self._log.read_text(encoding="utf-8")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.terminate()
        self.process.wait(60)


@dataclass
class Found:
    """What such an evening came to: how often what was done to it, and in what hall and journals differ."""

    done: Counter = field(default_factory=Counter)
    events: int = 0
    lost: int = 0
    doubled: int = 0
    other: list[str] = field(default_factory=list)
    """What stands otherwise in the hall than in a journal, or in another order."""
    log: str = ""


def evening(folder, seed, tables=TABLES, events=EVENTS, broker_kills=BROKER_KILLS, hall_kills=HALL_KILLS):
    """Play it, let the lines come to rest, and compare."""
    rng = random.Random(seed)  # noqa: S311 - chance for tests
    broker = Mosquitto(folder / "mosquitto")
    lines = [Unsteady(broker.port, f"{seed}-{number}") for number in range(tables)]
    (folder / "hall").mkdir()
    hall = HallProcess(folder / "hall", broker.port)
    playing = [
        ClubTable(folder / f"table-{number}", _opens, broker="127.0.0.1", port=line.port, table=f"table-{number}")
        for number, line in enumerate(lines)
    ]
    found = Found()
    try:
        scripts = [_script(number, seed, events) for number in range(tables)]
        kills = ["broker"] * broker_kills + ["hall"] * hall_kills
        moments = {
            at: kills[n] for n, at in enumerate(rng.sample(range(events // 8, events - events // 8), len(kills)))
        }
        for at in range(max(map(len, scripts))):
            for table, script in zip(playing, scripts, strict=True):
                table.play([step for step, _ in script[at : at + 1]], script[min(at, len(script) - 1)][1])
            if killed := moments.get(at):
                found.done[f"{killed} killed"] += 1
                who = broker if killed == "broker" else hall
                who.kill()
                time.sleep(rng.uniform(0.0, 0.5))
                who.start()
            time.sleep(STEP_S)
        for line in lines:
            line.calm()
            found.done += line.told
        _compare(hall, [table.folder / FILE for table in playing], found)
    finally:
        for table in playing:
            table.close()
        hall.close()
        found.log = hall.log
        for line in lines:
            line.close()
        broker.close()
    _compare_results(hall.file, [table.folder / FILE for table in playing], found)
    return found


def _opens(endpoint, will):
    return MqttBroker(endpoint, will, QUICK)


def _script(number, seed, events):
    """The steps of a table's evening, each with its rules: quick matches, and one in which anything happens."""
    setup = SETUPS[number % len(SETUPS)]
    quick = [(step, SETUPS[0]) for rounds in (1, 3) for step in short(SETUPS[0], rounds)]
    return (quick + [(step, setup) for step in match(setup, seed + number, events, rounds=60)])[:events]


def _compare(hall, journals, found):
    """Wait until the hall has everything, or nobody waits any longer; count what differs."""
    wanted = {f"table-{number}": read_outgoing(path, 0, 10**6) for number, path in enumerate(journals)}
    found.events = sum(one.last for one in wanted.values())
    with contextlib.suppress(AssertionError):
        until(lambda: all(len(kept_of(hall.file, table)) >= one.last for table, one in wanted.items()), PATIENCE_S)
    with contextlib.suppress(AssertionError):
        until(lambda: not made_of_events(hall.file), PATIENCE_S)
    found.other += [f"{table}, match {which}: made of events" for table, which in made_of_events(hall.file)]
    for table, one in wanted.items():
        kept = kept_of(hall.file, table)
        told = [(event.epoch, event.seq, event.match, event.number) for event, _ in kept]
        truth = [(one.epoch, entry.seq, entry.row.match, entry.row.number) for entry in one.entries]
        found.lost += len(set(truth) - set(told))
        found.doubled += len(told) - len(set(told)) + len(set(told) - set(truth))
        found.other += [table] * (told != truth)
        received = [moment for _, moment in kept]
        found.other += [f"{table}: order"] * (received != sorted(received))


def kept_of(path, table):
    """Events of a table and when they came, by their numbers."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT body, received FROM events WHERE tbl = ? ORDER BY seq", (table,)).fetchall()
    return [(decode_document(Kind.EVENT, bytes(body)), received) for body, received in rows]


def made_of_events(path):
    """The matches, by table, whose document the hall does not have."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT tbl, match FROM matches WHERE from_history").fetchall()


def _compare_results(path, journals, found):
    """Hold the rounds of every match in the hall against those that the table's own journal gives."""
    store = HallStore(path)
    results = {(key.table, key.match): result for key, result in store.results.items()}
    store.close()
    for number, journal in enumerate(journals):
        for which in range(1, rows_of(journal, 1)[1] + 1):
            state = replay(rows_of(journal, which)[0]).state
            result = results.pop((f"table-{number}", which), None)
            points = [] if result is None else [one.points for one in result.rounds]
            truth = [line.scores for line in state.sheet.rounds]
            found.done["rounds"] += len(truth)
            if result is None or points != truth or result.over != (state.phase is Phase.OVER):
                found.other.append(f"table-{number}, match {which}: {points} and not {truth}")
    found.other += [f"{table}, match {which}: there was none" for table, which in results]
