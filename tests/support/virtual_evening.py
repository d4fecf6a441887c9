"""An evening around the loop in virtual time: people, tiles, panel and camera; nothing sleeps, nothing renders."""

import asyncio
import heapq
import itertools
import selectors
from concurrent.futures import Executor, Future
from dataclasses import replace

import numpy as np
from memory_store import MemoryStore

from referee.devices.camera.camera import Frame
from referee.devices.panel.panel import RecordingPanel
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.errors import CameraLost
from referee.game.notation import parse_table
from referee.journal.journal import Journal
from referee.journal.rows import Setup
from referee.table.event_loop import Loop
from referee.table.input.requests import PendingTouch
from referee.table.input.touches import Stroke, Touch
from referee.table.lobby import make_plan
from referee.table.looking.look import Look
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch
from referee.table.output.audience import NOBODY
from referee.table.session import MatchTime, Session
from referee.table.surroundings import Surroundings
from referee.vision.sighting import Read, Sighting

TABLE_MM = (900.0, 600.0)
OPENING = parse_table("R10 B10 K10")
"""A first meld."""
ONE_FOR_ALL = PinMap(turn_buttons=(5,))
NO_START_BUTTON = PinMap(pause_button=None)


class Unhurried(selectors.SelectSelector):
    """Asks the system only where the loop would sleep: all that the tests do at once is known without it."""

    def select(self, timeout=None):
        return super().select() if timeout is None else []


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next timer as soon as nothing else is to be done."""

    def __init__(self):
        super().__init__(Unhurried())
        self.t = 1000.0
        self.jumps = 0
        """How often nothing was to be done before the next timer."""

    def time(self):
        return self.t

    def _run_once(self):
        if not self._ready and self._scheduled:
            while self._scheduled and self._scheduled[0]._cancelled:
                heapq.heappop(self._scheduled)._scheduled = False
                self._timer_cancelled_count -= 1
            if self._scheduled:
                self.jumps += 1
                self.t = max(self.t, self._scheduled[0]._when)
        super()._run_once()


class AtOnce(Executor):
    """Does what it is given on the spot."""

    def submit(self, call, /, *args, **kwargs):
        future = Future()
        try:
            future.set_result(call(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - as every executor
            future.set_exception(error)
        return future


class Slow(Executor):
    """Does what it is given on the spot, but tells of it a while later."""

    def __init__(self, seconds):
        self.seconds = seconds

    def submit(self, call, /, *args, **kwargs):
        done, future = AtOnce().submit(call, *args, **kwargs), Future()
        error = done.exception()
        tell = future.set_exception if error is not None else future.set_result
        asyncio.get_running_loop().call_later(self.seconds, tell, error if error is not None else done.result())
        return future


def squares(table):
    """A picture that another table does not have: 48 bits in one row of squares.

    It is so flat because every picture is made 1152 pixels wide before it is compared.
    """
    bits = np.unpackbits(np.frombuffer((hash(table) & (1 << 48) - 1).to_bytes(6, "big"), np.uint8))
    return np.kron(80 + 120 * bits, np.ones((12, 12), np.uint8))


class TrueSight:
    """Camera and reader of one table: the picture is a number, the sighting is what lies there."""

    def __init__(self, now, table=()):
        self.now, self.table = now, table
        self._drawn, self._grey = None, None
        self.lost = False
        self.doubtful = 0
        self.pictures = 0
        self.closed = False

    def _picture(self):
        """The grey picture of what lies there, drawn once for each table."""
        if self._grey is None or self._drawn is not self.table:
            self._drawn, self._grey = self.table, squares(self.table)
        return self._grey

    def _check(self):
        if self.lost or self.closed:
            raise CameraLost("expected a picture, found none: check the cable")

    def frame(self, after):
        self._check()
        self.pictures += 1
        return Frame(np.dstack([self._picture()] * 3), max(after, self.now()))

    def preview(self, after):  # noqa: ARG002 - it looks the same at any time
        self._check()
        return self._picture()

    def close(self):
        self.closed = True

    def read(self, picture, tileset, table_mm, **_):
        assert picture.ndim == 3
        assert table_mm == TABLE_MM
        reads, sets = [], []
        for tiles in self.table:
            sets.append(tuple(range(len(reads), len(reads) + len(tiles))))
            reads += [Read(tile, 1.0, False, (), np.zeros((4, 2), np.float32), 0.0, 1.0, 1.0) for tile in tiles]
        if self.doubtful and reads:
            self.doubtful -= 1
            reads[0] = Read(reads[0].tile, 0.6, True, (("red-1", 0.4),), np.zeros((4, 2), np.float32), 0.0, 1.0, 1.0)
        return Sighting(tileset.name, "markers", tuple(reads), tuple(sets))


class Evening:
    """The loop with everything around it; tests drive it as coroutines with `wait`, `press` and `lay`."""

    bounces = 3
    """How often a contact that is pressed bounces; in real time never: a busy machine makes presses of bounces."""

    def __init__(self, rules="rummikub", options=None, names=("Anna", "Ben"), *, journal=None, kept=None, watch=None,
                 pins=None, environ=None, rounds=1, thread=None, teacher=None, learn=None, lot=None,
                 touched=False, pin=None, audience=NOBODY, store=None):  # fmt: skip
        """`store` is where a `journal` keeps its rows; without a journal, a journal in memory is made for it."""
        self.time = VirtualTime()
        self.pins = pins or PinMap()
        # Most tests begin with the first seat at once, and with a clock.
        usual = {"starts": "next"} | ({"entry": "timed"} if rules == "rummikub" else {})
        self.setup = Setup.now(rules, usual | (options or {}))
        self.plan = make_plan(self.setup, names, len(self.pins.turn_buttons), rounds, ())
        self.store = MemoryStore() if store is None and journal is None else store
        self.journal = journal or Journal(self.store)
        self.sight = TrueSight(self.time.time)
        self.said = []
        self.kept_pictures, self.kept_places = [], []
        self.ears = None
        self.gone = None
        self.panel = None
        self.watcher = TableWatcher(self.sight, self.sight, self._box, TABLE_MM, self.time.time, learn)
        self.outside = Surroundings(
            monotonic=self.time.time,
            panel=self._panel,
            service=Service(environ or {}, pid=1),
            say=self.said.append,
            keep=self._keep,
            heard=self._hear,
            put_away=self._put_away,
            thread=thread or AtOnce(),
            teacher=teacher,
            lot=lot or (lambda _: 0),
            touched=touched,
            pin=pin,
            audience=audience,
        )
        self.session = Session(self.journal, self.setup, kept)
        self._watch, self._t = watch or Watch(), kept.t if kept else 0.0
        self.match_time = MatchTime(self.time.time, self._t)
        self.replace_parts()

    def replace_parts(self, *, watcher=None, plan=None, **outside):
        """Let the evening have another watcher or plan, or others of its surroundings, before it is played."""
        self.watcher, self.plan = watcher or self.watcher, plan or self.plan
        self.outside = replace(self.outside, **outside)
        self.loop = Loop(self.session, self.watcher, self.plan, self.pins, self._watch, self.outside, self._t)

    @property
    def state(self):
        return self.session.state

    def play(self, script):
        """Run the loop while the coroutine function `script` plays, then stop it."""

        async def both():
            running = asyncio.ensure_future(self.loop.run())
            try:
                await self.wait(0.1)
                await script(self)
            finally:
                self.loop.stop()
                await running

        try:
            self.time.run_until_complete(both())
        finally:
            self.time.close()
        return self

    @property
    def rows(self):
        """Kinds of the rows that the journal in memory has."""
        return [row.kind for row in self.store.rows]

    async def wait(self, seconds):
        await asyncio.sleep(seconds)

    async def until_the_end(self, seconds):
        """Wait until so many seconds before the end of the turn's time; after it, where that is negative."""
        end = self.match_time.monotonic(self.state.clock.deadline)
        await self.wait(end - seconds - self.time.time())

    async def press(self, button, hold=0.1, bounces=None):
        """Press the button of a seat (from 1) or "pause", with bouncing contacts."""
        contact = self.pins.contacts[-1] if button == "pause" else self.pins.contacts[button - 1]
        for closed in (True, False):
            for _ in range(self.bounces if bounces is None else bounces):
                self.panel.edge(contact, closed)
                await self.wait(0.001)
                self.panel.edge(contact, not closed)
                await self.wait(0.001)
            self.panel.edge(contact, closed)
            await self.wait(hold if closed else 0.1)

    async def touch(self, button, stroke, finger="a finger", *, ago=0.0, doubt=0.0):
        """What a screen tells of a finger, as it was a while ago; gives why it does not count, None where it does."""
        contact = self.pins.contacts[-1] if button == "pause" else self.pins.contacts[button - 1]
        now, answers = self.time.time(), []
        touch = Touch(contact, Stroke(stroke), finger, now - ago, now, doubt)
        self.loop.request(PendingTouch(touch, answers.append))
        while not answers:
            await asyncio.sleep(0)
        return answers[0]

    async def hold(self, button, seconds, finger="a finger", *, lost=False):
        """A finger that stays on a button of a screen; with `lost` nothing is heard of it any more at the end."""
        await self.touch(button, "down", finger)
        end = self.time.time() + seconds
        while self.time.time() + 0.15 < end:
            await self.wait(0.15)
            await self.touch(button, "still", finger)
        await self.wait(end - self.time.time())
        if not lost:
            await self.touch(button, "up", finger)

    async def start(self):
        await self.press("pause")

    async def lay(self, table):
        self.sight.table = table
        await self.wait(1.0)

    def count(self, *hands):
        """Let everybody have so many tiles by the referee's count."""
        state = self.state
        seats = tuple(replace(seat, hand=hand) for seat, hand in zip(state.seats, hands, strict=True))
        self.session.state = replace(state, seats=seats)

    def look_anew(self):
        """Let the next press find nothing read ahead."""
        self.watcher.confirm(Look(None, None))

    @property
    def lit(self):
        return self.panel.history[-1][1].lit

    def tones(self, since=0):
        """Hertz of every note that began since then."""
        heard = [None, *(moment.hertz for t, moment in self.panel.history if t >= since)]
        return [note for before, note in itertools.pairwise(heard) if note is not None and note != before]

    def _box(self):
        return self.state.rules.box

    def _keep(self, match, number, picture, places):
        self.kept_pictures.append((match, number, picture.shape))
        self.kept_places.append(places)

    def _hear(self, effects):
        if self.ears is not None:
            self.ears(effects)

    def _put_away(self):
        if self.gone is not None:
            self.gone()

    def _panel(self, on_edge):
        self.panel = RecordingPanel(self.pins, self.time.time, on_edge)
        return self.panel
