"""A loop that really runs beside its page, before a camera that is rendered and a reader that a test lets err."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from memory_store import MemoryStore
from page import TABLE_MM

from referee.cli.parts.readers import build_reader
from referee.cli.programs.virtual_table import VirtualCamera
from referee.devices.panel.panel import RecordingPanel
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.game.notation import parse_table
from referee.game.tiles import TILE_SETS, Tile
from referee.journal.codec import event_from_text
from referee.journal.journal import Journal
from referee.journal.rows import Setup
from referee.pages.table.server import Server
from referee.sim.table import Setting, VirtualTable
from referee.table.event_loop import Loop
from referee.table.lobby import make_plan
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch
from referee.table.session import Session
from referee.table.surroundings import Surroundings

PATIENCE_S = 90.0
BOX = TILE_SETS["rummikub"]


class Erring:
    """Reads pictures, and errs about tiles by name: in doubt between others, as another one, or not at all."""

    def __init__(self) -> None:
        self._reader = build_reader()
        self.doubts: dict[str, tuple[str, ...]] = {}
        self.wrong: dict[str, str] = {}
        self.blind: set[str] = set()

    def read(self, picture, tileset, table_mm, **how):
        seen = self._reader.read(picture, tileset, table_mm, **how)
        stay = [i for i, read in enumerate(seen.reads) if read.name not in self.blind]
        reads = tuple(self._erred(seen.reads[i]) for i in stay)
        sets = tuple(tuple(stay.index(i) for i in one if i in stay) for one in seen.sets)
        return replace(seen, reads=reads, sets=tuple(filter(None, sets)))

    def _erred(self, read):
        if read.name in self.wrong:
            return replace(read, tile=Tile.from_name(self.wrong[read.name]), alternatives=((read.name, 0.0001),))
        if read.name not in self.doubts:
            return read
        first, *others = self.doubts[read.name]
        likely = tuple((name, 0.3) for name in others)
        return replace(read, tile=Tile.from_name(first), confidence=0.6, doubtful=True, alternatives=likely)


class Live:
    """A match of Anna and Ben."""

    def __init__(self, **options: str) -> None:
        self.setup = Setup.now("rummikub", {"starts": "next", **options})
        self.pins, self.eyes, self.said = PinMap(), Erring(), []
        self.failures: list = []
        self.read_for_coach: list[bool] = []
        self.store = MemoryStore()
        self.journal = Journal(self.store)
        self.table = VirtualTable(Setting.usual(BOX), np.random.default_rng(5))
        self.camera = VirtualCamera(640, time.monotonic)
        self.camera.show(self.table.picture([14, 14]))
        self.server = Server("localhost", 0, time.monotonic, "en", TABLE_MM)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._ready = threading.Event()

    def begin(self) -> "Live":
        self.server.start()
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        self.server.serves(self.loop)
        return self

    async def _run(self) -> None:
        self._asyncio = asyncio.get_running_loop()
        plan = make_plan(self.setup, ("Anna", "Ben"), len(self.pins.turn_buttons), 1, ())
        watcher = TableWatcher(self.camera, self.eyes, lambda: BOX, TABLE_MM, time.monotonic)
        outside = Surroundings(time.monotonic, self._panel, Service({}, pid=1), self.said.append,
                               keep_failure=self.failures.append, audience=self.server.follower,
                               read_picture=self._read_picture)  # fmt: skip
        self.loop = Loop(Session(self.journal, self.setup), watcher, plan, self.pins, Watch(), outside, 0.0)
        running = asyncio.ensure_future(self.loop.run())
        await asyncio.sleep(0)
        self._ready.set()
        await running

    def _read_picture(self, picture, box, own):
        """Read a picture for the coach, and note whether it came from the table's camera."""
        self.read_for_coach.append(own)
        return self.eyes.read(picture, box, TABLE_MM)

    def _panel(self, on_edge):
        self.panel = RecordingPanel(self.pins, time.monotonic, on_edge)
        return self.panel

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server.port}"

    @property
    def state(self):
        return self.loop.session.state

    @property
    def events(self) -> list:
        return [event_from_text(row.kind, row.body) for row in self.store.rows[1:]]

    def wait(self, holds, what="") -> None:
        until = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < until, f"waited for {what}: {self.state.phase} {self.said[-5:]}"
            time.sleep(0.02)

    def press(self, button: int) -> None:
        """Press the button of a seat, from 1; 0: start."""
        contact = self.pins.contacts[-1] if button == 0 else self.pins.contacts[button - 1]
        for closed in (True, False):
            self._asyncio.call_soon_threadsafe(self.panel.edge, contact, closed)
            time.sleep(0.15)

    def start(self) -> None:
        self.press(0)
        self.wait(lambda: self.state.phase.value == "turn", "the first turn")

    def lay(self, table: str) -> None:
        self.table.lay(parse_table(table))
        self.camera.show(self.table.picture([14, 14]))

    def turn(self, table: str, phase: str) -> None:
        """Lay a table, press, and wait for the phase that this comes to."""
        self.lay(table)
        number = len(self.store.rows)
        self.press(self.state.current + 1)
        self.wait(lambda: len(self.store.rows) > number + 1 and self.state.phase.value == phase, phase)

    def close(self) -> None:
        self._asyncio.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE_S)
        self.server.close()


@contextmanager
def live(**options: str) -> Iterator[Live]:
    table = Live(**options).begin()
    try:
        yield table
    finally:
        table.close()
