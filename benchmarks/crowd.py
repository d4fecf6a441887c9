"""A hall with 1,000 tables at 0.2 events/s each, and one with 200 at 1/s: from the event to the wall, and the cost.

Every simulated table has a connection of its own, because connections are what a broker's memory is for. One process
drives them all. Broker, hall and wall are the real ones.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import shutil
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import paho.mqtt.client as paho

from benchmarks.hall import EPOCH, ROOT, broker_process, free_port, hall_of, kept, wait_for, wall_of, watch
from benchmarks.page import memory_mb, processor_s
from benchmarks.report import Row, skipped
from referee.club.protocol import Event, Kind, Online, Player, Snapshot, encode_document, topic
from referee.game.match.phases import Phase

CROWDS = (((200, 1.0, 20.0), 130.0), ((1000, 0.2, 40.0), 300.0))
"""Tables, events a second of each, seconds, and the most memory of the hall in MB."""
SOON_MS, CURRENT_MS, PERCENT = 100.0, 2000.0, 40.0
KEEPALIVE_S, READ_S, SETTLE_S, PATIENT_S = 60, 0.005, 5.0, 30.0
WHAT = "crowd"


@dataclass(frozen=True)
class Load:
    """What was measured with one crowd: processor time in percent of a core, memory in MB, milliseconds of events."""

    tables: int
    late: list[float]
    sent: int
    lost: int
    doubled: int
    hall: float
    hall_mb: float
    broker: float
    broker_mb: float
    kilobytes: float
    """What the tables send in a second."""
    wall: float
    """What one wall receives in a second, in kB."""
    disk_each: float
    """What one event takes in the hall's file, in bytes."""
    busy: float
    """The load average of the machine at the end."""


class Crowd:
    """Tables with a connection each, driven in one thread; `sent_at` has the moment of each event until it is seen."""

    def __init__(self, tables: int, port: int) -> None:
        self.names = [f"table-{number:04}" for number in range(tables)]
        self.last = dict.fromkeys(self.names, 0)
        self.sent_at: dict[tuple[str, int], float] = {}
        self.bytes = 0
        self._selector = selectors.DefaultSelector()
        self._clients = {name: self._connect(name, port) for name in self.names}
        self._pinged_at = time.monotonic()

    def _connect(self, name: str, port: int) -> paho.Client:
        client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5)
        client.will_set(topic(ROOT, name, Kind.ONLINE), encode_document(Online(False)), 1, retain=True)
        client.connect("127.0.0.1", port, KEEPALIVE_S)
        while not client.is_connected():
            client.loop_read()
        self._selector.register(client.socket(), selectors.EVENT_READ, client)
        client.subscribe([(topic(ROOT, name, kind), 1) for kind in (Kind.DO, Kind.DESK)])
        self._send(client, name, Kind.ONLINE, encode_document(Online(True, EPOCH, wall_of())))
        return client

    def _send(self, client: paho.Client, name: str, kind: Kind, payload: bytes) -> None:
        where = topic(ROOT, name, kind)
        self.bytes += len(where) + len(payload)
        client.publish(where, payload, 1, retain=kind.is_retained)

    def happens(self, name: str) -> None:
        """Publish an event of a table and the state after it."""
        client, now, seq = self._clients[name], wall_of(), self.last[name] + 1
        self.last[name] = seq
        self.sent_at[name, seq] = time.monotonic()
        self._send(client, name, Kind.EVENT, encode_document(Event(EPOCH, seq, 1, seq, now)))
        players = (Player(None, seq, 5, opened=True), Player(None, -seq, 5, opened=False))
        state = Snapshot(EPOCH, seq, now, Phase.TURN, "rummikub", "Rummikub", 1, players=players)
        self._send(client, name, Kind.STATE, encode_document(state))

    def read_until(self, end: float) -> None:
        """Read what the broker confirms, at least once, until a moment."""
        while True:
            left = max(0.0, end - time.monotonic())
            for key, _ in self._selector.select(min(left, READ_S)):
                key.data.loop_read()
            if time.monotonic() - self._pinged_at > 1.0:
                self._pinged_at = time.monotonic()
                for client in self._clients.values():
                    client.loop_misc()
            if left <= 0:
                return

    def close(self) -> None:
        """Disconnect all tables."""
        for client in self._clients.values():
            client.disconnect()
        self._selector.close()


def measure() -> list[Row]:
    """Measure all of this on this machine."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        return [skipped(WHAT, "simulated tables", "there is no mosquitto")]
    found = [(load_of(program, *crowd), crowd, most_mb) for crowd, most_mb in CROWDS]
    return [row for load, crowd, most_mb in found for row in rows_of(load, *crowd, most_mb)]


def rows_of(load: Load, tables: int, each_s: float, seconds: float, most_mb: float) -> Iterator[Row]:
    """Yield the rows of one crowd."""
    on = f"{tables} simulated tables with a connection each, {each_s:g} events/s each, real Mosquitto"
    p95, worst = statistics.quantiles(load.late, n=20, method="inclusive")[-1], max(load.late)
    during = f"{seconds:g} s, load average {load.busy:.1f} on {os.cpu_count()} cores"
    told = f"{statistics.median(load.late):.0f} ms median, {p95:.0f} ms p95, {worst:.0f} ms worst"
    whole = not load.lost + load.doubled and len(load.late) == load.sent
    yield Row(f"{WHAT}: an event until the wall has it", on, told, f"{len(load.late)} of {load.sent} events, {during}",
              f"p95 ≤ {SOON_MS:g} ms, all within {CURRENT_MS / 1000:g} s, none lost or doubled",
              p95 <= SOON_MS and worst <= CURRENT_MS and whole)  # fmt: skip
    yield Row(f"{WHAT}: the hall's processor time and memory", on,
              f"{load.hall:.1f} % of a core, {load.hall_mb:.0f} MB; {load.disk_each:.0f} bytes of disk an event; "
              f"a wall receives {load.wall:.0f} kB/s", during,
              f"≤ {PERCENT:g} %, ≤ {most_mb:g} MB", load.hall <= PERCENT and load.hall_mb <= most_mb)  # fmt: skip
    yield Row(f"{WHAT}: the broker's processor time and memory", on,
              f"{load.broker:.1f} % of a core, {load.broker_mb:.1f} MB; the tables send {load.kilobytes:.0f} kB/s",
              during, "", None)  # fmt: skip


def load_of(program: str, tables: int, each_s: float, seconds: float) -> Load:
    """Let a crowd play for some seconds with a broker and a hall, and measure what becomes of it."""
    with _club(program) as (folder, port, page, broker, hall):
        crowd = Crowd(tables, port)
        late: list[float] = []
        sizes: list[int] = []
        threading.Thread(target=lambda: asyncio.run(watch(page, crowd.sent_at, late, sizes)), daemon=True).start()
        crowd.read_until(time.monotonic() + SETTLE_S)
        before, sent, begun = (processor_s(hall), processor_s(broker)), crowd.bytes, time.monotonic()
        number, first = 0, len(sizes)
        while time.monotonic() < begun + seconds:
            crowd.happens(crowd.names[number % tables])
            number += 1
            crowd.read_until(begun + number / (tables * each_s))
        took = time.monotonic() - begun
        used = [100 * (processor_s(pid) - used) / took for pid, used in zip((hall, broker), before, strict=True)]
        kilobytes = (crowd.bytes - sent) / took / 1000
        wall = sum(sizes[first:]) / took / 1000
        memory = memory_mb(hall), memory_mb(broker)
        end = time.monotonic() + PATIENT_S
        while crowd.sent_at and time.monotonic() < end:
            crowd.read_until(time.monotonic() + READ_S)
        found = kept(folder, crowd.last, PATIENT_S)
        crowd.close()
        disk = _size(folder / "hall" / "hall.sqlite") / number
    lost = sum(max(0, seq - found[name]) for name, seq in crowd.last.items())
    doubled = sum(max(0, found[name] - seq) for name, seq in crowd.last.items())
    return Load(tables, late, number, lost, doubled, used[0], memory[0], used[1], memory[1], kilobytes, wall, disk,
                os.getloadavg()[0])  # fmt: skip


def _size(path: Path) -> int:
    """Return the bytes that a database takes, without its write-ahead log."""
    with closing(sqlite3.connect(path)) as connection:
        pages, each = (connection.execute(f"PRAGMA page_{what}").fetchone()[0] for what in ("count", "size"))
    return int(pages) * int(each)


@contextmanager
def _club(program: str) -> Iterator[tuple[Path, int, int, int, int]]:
    """A broker and a hall; yields the folder, both ports, and the processes' ids."""
    with tempfile.TemporaryDirectory(prefix="crowd-") as place:
        folder, port, page = Path(place), free_port(), free_port()
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\nmax_queued_messages 20000\n")
        broker = broker_process(program, config, port)
        try:
            with hall_of(folder, port, page) as halls:
                wait_for(page)
                yield folder, port, page, broker.pid, halls[-1].pid
        finally:
            broker.kill()
            broker.wait()
