"""A real loop in a thread of its own, and the real page beside it: what a browser does reaches the match."""

import asyncio
import json
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

from memory_store import MemoryStore
from page import Stream
from virtual_evening import TABLE_MM, TrueSight

from referee.devices.panel.panel import RecordingPanel
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.journal.journal import Journal
from referee.journal.rows import Setup
from referee.pages.table.server import Server
from referee.table.event_loop import Loop
from referee.table.lobby import make_plan
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch
from referee.table.preparation.values import SetUp
from referee.table.session import Session
from referee.table.surroundings import Surroundings

PATIENCE_S = 60.0


class Playing:
    """The loop, its panel and its page; `table` is what lies there."""

    def __init__(
        self, rules="rummikub", names=("Anna", "Ben"), pins=None, options=None, touched=True, panel=None, chosen=None,
        coach=False, reads=None, calls=None,
    ):  # fmt: skip
        """`chosen` are settings that the page was told of while the table was built; `reads` reads pictures;
        `calls` keeps the call of a table in a club."""
        self.pins = pins or PinMap(kind="page")
        setup = Setup.now(rules, {"starts": "next", "entry": "timed"} | (options or {}))
        plan = replace(make_plan(setup, names, len(self.pins.turn_buttons), 1, ()), coach=coach)
        self.sight, self.said = TrueSight(time.monotonic), []
        self.server = Server("localhost", 0, time.monotonic, "en", TABLE_MM)
        if chosen is not None:
            self.server.sets_up(SetUp(values=chosen), time.monotonic, "en", TABLE_MM)
        self.server.start()
        self.panel = None
        self._make = panel or RecordingPanel
        watcher = TableWatcher(self.sight, self.sight, lambda: self.state.rules.box, TABLE_MM, time.monotonic)
        outside = Surroundings(
            time.monotonic, self._panel, Service({}, pid=1), self.said.append,
            audience=self.server.follower, touched=touched, read_picture=reads, calls=calls,
        )  # fmt: skip
        self.store = MemoryStore()
        self.loop = Loop(Session(Journal(self.store), setup), watcher, plan, self.pins, Watch(), outside, 0.0)
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._up.wait(PATIENCE_S)

    @property
    def address(self):
        return f"http://localhost:{self.server.port}"

    @property
    def state(self):
        return self.loop.session.state

    @property
    def events(self):
        """Kinds of what the rules have taken."""
        return [row.kind for row in self.store.rows]

    def happen(self, event):
        """Let the rules take an event in the loop's thread."""
        self._running.call_soon_threadsafe(self.loop.happen, event)

    def press(self, contact):
        """A button of the table is pressed and let go, as far apart as contacts need to come to rest."""
        for closed in (True, False):
            self._running.call_soon_threadsafe(self.panel.edge, contact, closed)
            time.sleep(0.15)

    def post(self, **fields):
        import http.client

        body = {"command": "press", "id": f"test-{time.monotonic_ns()}", **fields}
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=PATIENCE_S)
        try:
            headers = {"Content-Type": "application/json", "Origin": self.address}
            connection.request("POST", "/api/command", json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def stream(self):
        return Stream(self)

    def until(self, holds, what="it"):
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"waited for {what}: {self.said[-5:]} {self.state.phase}"
            time.sleep(0.01)

    def close(self):
        self._running.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE_S)
        self.server.close()

    def _panel(self, on_edge):
        self.panel = self._make(self.pins, time.monotonic, on_edge)
        return self.panel

    async def _run(self):
        self._running = asyncio.get_running_loop()
        task = asyncio.ensure_future(self.loop.run())
        await asyncio.sleep(0)
        self.server.serves(self.loop)
        self._up.set()
        await task
        self.server.serves(None)


@contextmanager
def playing(*args, **how):
    table = Playing(*args, **how)
    try:
        yield table
    finally:
        table.close()
