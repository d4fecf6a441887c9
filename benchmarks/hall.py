"""Latency, cost and losses of a hall: simulated tables, a real Mosquitto, a real page."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.page import memory_mb, processor_s
from benchmarks.report import Row, skipped
from referee.club.mqtt.line import BrokerConnection, Endpoint, Message, Patience
from referee.club.mqtt.mqtt import MqttBroker
from referee.club.protocol import (
    Command,
    Do,
    Event,
    Kind,
    Online,
    Player,
    Snapshot,
    decode_document,
    encode_document,
    topic,
)
from referee.game.match.phases import Phase
from referee.game.notice import Notice

TABLES, LESS, MANY = 200, (10, 50), 1000
EVERY_S, SECONDS, SHORT_S = 1.0, 30.0, 15.0
KILLS, BETWEEN_S = 20, 2.0
SOON_MS, MEMORY_MB = 200.0, 300.0
LINEAR = 1.5
"""The cost of a table among 1,000 may be at most this many times that of a table among 200."""
CUT_OFF, CUT_OFF_EVENTS, SEED = 8, 300, 11
EPOCH, ROOT, AT_ONCE = "0123abcd", "referee", 200
WHAT = "hall"


@dataclass(frozen=True)
class Evening:
    """The results of one evening: processor time in percent of a core, memory in MB, milliseconds of each event."""

    tables: int
    cpu: float
    memory: float
    late: list[float]
    events: int
    lost: int
    doubled: int
    holes: int


class Simulated:
    """Many tables over one connection: events are sent until they are confirmed, and again whenever requested."""

    def __init__(self, tables: int) -> None:
        self.names = [f"table-{number:03}" for number in range(tables)]
        self.last = dict.fromkeys(self.names, 0)
        self.sent_at: dict[tuple[str, int], float] = {}
        self._walls: dict[tuple[str, int], str] = {}
        """The time of each event, which must be the same whenever the event is sent."""
        self.up = threading.Event()
        self._due: list[tuple[str, int]] = []
        self._open: dict[int, tuple[str, int]] = {}
        self._guard = threading.Lock()

    def happens(self, name: str) -> None:
        """Add an event at a table; may be called in any thread."""
        with self._guard:
            self.last[name] += 1
            self.sent_at[name, self.last[name]] = time.monotonic()
            self._walls[name, self.last[name]] = wall_of()
            self._due.append((name, self.last[name]))

    def on_connect(self, line: BrokerConnection) -> None:
        """Subscribe to commands, queue again what was not confirmed, and publish that all tables are online."""
        line.subscribe(f"{ROOT}/1/+/{Kind.DO.value}")
        with self._guard:
            self._due = sorted({*self._due, *self._open.values()})
            self._open = {}
        for name in self.names:
            line.publish(
                Message(
                    topic(ROOT, name, Kind.ONLINE), encode_document(Online(True, EPOCH, wall_of())), 1, retain=True
                )
            )
        self.up.set()

    def step(self, line: BrokerConnection) -> float:
        """Publish events that wait, at most `AT_ONCE` unconfirmed ones; return the seconds until the next call."""
        while len(self._open) < AT_ONCE:
            with self._guard:
                if not self._due:
                    break
                name, seq = self._due.pop(0)
            event = Event(EPOCH, seq, 1, seq, self._walls[name, seq])
            self._open[line.publish(Message(topic(ROOT, name, Kind.EVENT), encode_document(event)))] = name, seq
            if seq == self.last[name]:
                players = (Player(None, seq, 5, opened=True), Player(None, -seq, 5, opened=False))
                state = Snapshot(EPOCH, seq, wall_of(), Phase.TURN, "rummikub", "Rummikub", 1, players=players)
                line.publish(Message(topic(ROOT, name, Kind.STATE), encode_document(state), 1, retain=True))
        return 0.01

    def on_message(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """Queue events again that the hall requests."""
        command = decode_document(Kind.DO, payload)
        table = topic.split("/")[2]
        if not retained and isinstance(command, Command) and command.do is Do.AGAIN:
            with self._guard:
                again = {(table, seq) for seq in range(command.start, self.last[table] + 1)}
                self._due = sorted(again | set(self._due))

    def on_confirmed(self, number: int, refused: str | None) -> None:  # noqa: ARG002 - as Talker has it
        """Count the event as delivered, even if it was refused."""
        self._open.pop(number, None)

    def on_disconnect(self, why: Notice) -> None:  # noqa: ARG002 - as Talker has it
        """Note that the connection is down."""
        self.up.clear()

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Do nothing: simulated tables send no last state."""


def measure() -> list[Row]:
    """Measure all of this on this machine."""
    on = "simulated tables in a process beside it, 1 event/s each, real Mosquitto"
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        return [skipped(WHAT, on, "there is no mosquitto")]
    few = [_evening(program, tables, SHORT_S) for tables in LESS]
    many = _evening(program, TABLES, SECONDS)
    club = _evening(program, MANY, SHORT_S)
    killed = _evening(program, TABLES, KILLS * BETWEEN_S, kills=KILLS)
    late, p95 = many.late, statistics.quantiles(many.late, n=20, method="inclusive")[-1]
    costs = ", ".join(f"{one.cpu:.1f} % of a core with {one.tables}" for one in (*few, many, club))
    each = club.cpu / club.tables / (many.cpu / many.tables)
    return [
        Row("hall: an event until the page has it", f"{TABLES} {on}",
            f"{statistics.median(late):.0f} ms median, {p95:.0f} ms p95, {max(late):.0f} ms worst",
            f"{len(late)} events", f"p95 ≤ {SOON_MS:g} ms", p95 <= SOON_MS),
        Row("hall: resident memory", f"{TABLES} {on}", f"{many.memory:.0f} MB", "1 process",
            f"≤ {MEMORY_MB:g} MB", many.memory <= MEMORY_MB),
        Row("hall: processor time", on, costs, f"{len(few) + 2} runs", "", None),
        Row(f"hall: cost of a table among {MANY} beside one among {TABLES}", on,
            f"{each:.2f} times the processor time, {club.memory:.0f} MB in all, "
            f"{club.lost} events lost, {club.doubled} doubled",
            f"{club.events} events", f"≤ {LINEAR:g} times: linear; 0, 0",
            each <= LINEAR and not club.lost + club.doubled + club.holes),
        Row(f"hall: events lost and doubled, broker killed {KILLS} times, hall once", f"{TABLES} {on}",
            f"{killed.lost} lost, {killed.doubled} doubled, {killed.holes} tables with holes",
            f"{killed.events} events", "0, 0", not killed.lost + killed.doubled + killed.holes),
        _cut_off(),
    ]  # fmt: skip


def _cut_off() -> Row:
    """Measure losses of real publishers whose connections fail at random, while broker and hall are killed."""
    sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
    from cut_off import evening

    with tempfile.TemporaryDirectory(prefix="cut-off-") as place:
        found = evening(Path(place), SEED, CUT_OFF, CUT_OFF_EVENTS)
    done = ", ".join(f"{what}: {count}" for what, count in sorted(found.done.items()))
    return Row("hall: tables cut off at random", f"{CUT_OFF} real publishers with their journals, real Mosquitto",
               f"{found.lost} lost, {found.doubled} doubled, {len(found.other)} otherwise than in the journals",
               f"{found.events} events; {done}", "0, 0, 0",
               not found.lost + found.doubled + len(found.other))  # fmt: skip


def _evening(program: str, tables: int, seconds: float, kills: int = 0) -> Evening:
    with tempfile.TemporaryDirectory(prefix="hall-") as place:
        folder, port, page = Path(place), free_port(), free_port()
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\nmax_queued_messages 0\n")
        broker = broker_process(program, config, port)
        simulated = Simulated(tables)
        patience = Patience(first_s=0.2, longest_s=1.0)
        line = MqttBroker(Endpoint("127.0.0.1", port, "tables"), None, patience)
        heard: list[float] = []
        with hall_of(folder, port, page) as halls:
            line.start(simulated)
            wait_for(page)
            spectator = threading.Thread(
                target=lambda: asyncio.run(watch(page, simulated.sent_at, heard)), daemon=True
            )
            spectator.start()
            simulated.up.wait(30)
            time.sleep(3)
            before, begun = processor_s(halls[-1].pid), time.monotonic()
            killed, number = 0, 0
            while time.monotonic() < begun + seconds:
                simulated.happens(simulated.names[number % tables])
                line.wake()
                number += 1
                if kills and time.monotonic() > begun + (killed + 0.5) * seconds / kills and killed < kills:
                    killed += 1
                    broker.kill()
                    broker.wait()
                    broker = broker_process(program, config, port)
                    if killed == kills // 2:
                        halls[-1].kill()
                        halls[-1].wait()
                        halls.append(_hall_process(folder, port, page))
                        before = 0.0
                time.sleep(max(0.0, begun + number * EVERY_S / tables - time.monotonic()))
            wanted = dict(simulated.last)
            found = kept(folder, wanted, patient_s=90 if kills else 20)
            cpu, memory = 100 * (processor_s(halls[-1].pid) - before) / seconds, memory_mb(halls[-1].pid)
        line.close()
        broker.kill()
        broker.wait()
    lost = sum(max(0, seq - found[name]) for name, seq in wanted.items())
    more = sum(max(0, found[name] - seq) for name, seq in wanted.items())
    return Evening(tables, cpu, memory, heard, sum(wanted.values()), lost, more, found["holes"])


def kept(folder: Path, wanted: dict[str, int], patient_s: float) -> Counter[str]:
    """Wait until all events are stored, or for `patient_s` seconds; return the number of stored events by table.

    `holes` is the number of tables with gaps.
    """
    end = time.monotonic() + patient_s
    while True:
        with closing(sqlite3.connect(folder / "hall" / "hall.sqlite")) as connection:
            rows = connection.execute("SELECT tbl, count(*), max(seq) FROM events GROUP BY tbl").fetchall()
        found = Counter({name: count for name, count, _ in rows})
        found["holes"] = sum(count != last for _, count, last in rows)
        if all(found[name] == seq for name, seq in wanted.items()) or time.monotonic() > end:
            return found
        time.sleep(0.5)


async def watch(
    page: int, sent_at: dict[tuple[str, int], float], heard: list[float], sizes: list[int] | None = None
) -> None:
    """Follow the page, and connect again after a cut; the points of the first player show which event has come.

    `sizes` gets the number of bytes of every message of the page.
    """
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", page, limit=1 << 24)
            writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await writer.drain()
            while line := await reader.readline():
                if line.startswith(b"data: {"):
                    at = time.monotonic()
                    if sizes is not None:
                        sizes.append(len(line))
                    for name, told in json.loads(line[6:])["parts"].items():
                        seq = told["players"][0]["points"] if name.startswith("table:") and told["players"] else 0
                        sent = sent_at.pop((name[6:], seq), None)
                        if sent is not None:
                            heard.append(1e3 * (at - sent))
        except OSError:
            pass
        await asyncio.sleep(0.5)


@contextmanager
def hall_of(folder: Path, port: int, page: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A hall whose file is in `folder`; one that takes its place after a kill is added to the list."""
    halls = [_hall_process(folder, port, page)]
    try:
        yield halls
    finally:
        halls[-1].terminate()
        halls[-1].wait(20)


def _hall_process(folder: Path, port: int, page: int) -> subprocess.Popen[bytes]:
    values = {"club.broker": "127.0.0.1", "club.port": port, "web.port": page, "storage.state": folder}
    flags = [text for name, value in values.items() for text in ("--set", f"{name}={value}")]
    return subprocess.Popen(
        [sys.executable, "-m", "referee", "hall", *flags], stdout=subprocess.DEVNULL, env={**os.environ}
    )


def broker_process(program: str, config: Path, port: int) -> subprocess.Popen[bytes]:
    """Start Mosquitto, and return it once it answers."""
    made = subprocess.Popen([program, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(port)
    return made


def wait_for(port: int) -> None:
    """Wait until somebody answers at a port."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nobody answers at port {port}")


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def wall_of() -> str:
    """Return the time of day as documents have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
