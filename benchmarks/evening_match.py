"""One match with pictures: the real loop, journal and vision, virtual players, and a watcher that knows the truth."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.fire_process import Step
from benchmarks.fire_truth import GONE, Truth, about, texts
from benchmarks.fire_truth import Tally as Counts
from benchmarks.rooms import Camera, SpoiltMatch, any_room, batches
from referee.cli.parts.readers import in_a_match, known_of
from referee.cli.programs.virtual_table import VirtualCamera, VirtualPeople
from referee.devices.panel.panel import OnEdge, RecordingPanel
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.errors import RefereeError
from referee.game.match.events import Effect, Event, Seen
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rulebooks import ruleset
from referee.game.table import tiles_on
from referee.journal.opening import open_journal
from referee.journal.rows import Setup
from referee.sim.match import NAMES, Habits
from referee.sim.players.gin_mistakes import GinSlip
from referee.sim.players.wrong_turns import Slip
from referee.table.event_loop import Loop
from referee.table.lobby import make_plan
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch
from referee.table.preparation.teaching import Taught
from referee.table.session import Session
from referee.table.surroundings import Surroundings
from referee.vision.boxes.box import Box
from referee.vision.boxes.evening import Evening as BoxEvening
from referee.vision.pipeline import TableReader
from referee.vision.reading.joint import Known
from referee.vision.sighting import Image, Reader

HABITS = Habits(slips=0.27, slips_again=0.35, time_outs=0.0)
"""With these habits, about a quarter of the turns is illegal."""
PATIENT_S = 3600
"""Seconds added to every turn, so that nobody's time runs out."""
MOST_ASKS = 24
"""The number of questions without a verdict after which a match counts as stuck."""
STILL_S = 240.0
"""The seconds without any event after which a match counts as stuck."""
FOREIGN = (Slip.FOREIGN, GinSlip.FOREIGN)
"""Slips about which the referee must ask, because one of the tiles cannot be in the box."""
SPEED = 1e6
PREVIEW_PX = 576


@dataclass
class Tally(Counts):
    """The counts of some evenings; tallies can be added."""

    asked_turns: int = 0
    """Turns and shown hands about which something was asked, apart from tiles of another box."""
    asked_taken: int = 0
    """Those of `asked_turns` in which nothing was asked but where a tile is that somebody had in fact taken away."""
    foreign: int = 0
    """Looks that asked about a tile of another box."""
    questions: list[str] = field(default_factory=list)
    """What was asked at the turns that `asked_turns` counts, question by question."""
    stood_still: int = 0
    not_learnt: int = 0
    """Matches that were not played because their box could not be enrolled."""

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)

    @property
    def judged(self) -> int:
        """The number of turns and hands with a verdict."""
        return self.turns + self.hands


@dataclass(frozen=True)
class Evening:
    """Identifies a match, which ends after `turns` turns at the latest."""

    book: str
    seed: int
    turns: int

    @property
    def name(self) -> str:
        """The name of the match in reports of failures."""
        return f"{self.book} seed {self.seed}"


class Watcher:
    """Compares every event with what actually lies on the table; `done` is set once the match can be ended."""

    def __init__(self, evening: Evening, match: SpoiltMatch, kept: Path) -> None:
        self.tally, self.match, self.done = Tally(matches=1), match, asyncio.Event()
        self.truth = Truth(match, self.tally, self.fail)
        self._evening, self._kept = evening, kept
        self._asks: list[str] = []
        """The questions since the last verdict."""
        self._counts = self._only_taken = False

    def __call__(self, step: Step) -> None:
        """Check an event of the match; events after `done` are ignored."""
        if self.done.is_set():
            return
        judged = self.tally.judged
        self.truth.check(step)
        self.tally.events += 1
        if isinstance(step.event, Seen) and step.after.asked:
            self._asked(step.event, step.before)
        if self.tally.judged > judged:
            self.tally.asked_turns += self._counts
            self.tally.asked_taken += self._counts and self._only_taken
            self._asks, self._counts, self._only_taken = [], False, False
        if self.tally.judged >= self._evening.turns or step.after.phase is Phase.OVER:
            self.done.set()

    def _asked(self, event: Seen, before: State) -> None:
        doing = self.match.last_action
        foreign = doing is not None and doing.slip in FOREIGN
        self.tally.foreign += foreign
        if not foreign:
            taken = tiles_on(before.table) - tiles_on(self.match.table.table)
            rightly = bool(taken) and {about(doubt) for doubt in event.doubts} == {GONE}
            self._only_taken = rightly and (self._only_taken or not self._counts)
            self._counts = True
            told = f"{self._evening.name}, turn {self.tally.judged}: " + "; ".join(texts(event.doubts))
            gone = ", ".join(map(str, taken.elements()))
            self.tally.questions.append(f"{told} (taken away: {gone})" if gone else told)
        self._asks.append("; ".join(texts(event.doubts)))
        if len(self._asks) >= MOST_ASKS:
            self.stands_still(f"asked {MOST_ASKS} times")

    def stands_still(self, how: str) -> None:
        """Report that the match is stuck, with the last questions, and end it."""
        self.tally.stood_still += 1
        self.fail(f"stands still: {how}; asked last: {' / '.join(self._asks[-3:]) or 'nothing'}")
        self.done.set()

    def fail(self, text: str) -> None:
        """Report a failure, and save the picture."""
        if getattr(self.match, "taken", None) is not None:
            self._kept.mkdir(parents=True, exist_ok=True)
            file = self._kept / f"{self._evening.name.replace(' ', '-')}-{self.tally.judged}.jpg"
            cv2.imwrite(str(file), self.match.taken)
            text = f"{text} [{file.name}]"
        self.tally.failures.append(f"{self._evening.name}, turn {self.tally.judged}: {text}")


class WatchedSession(Session):
    """A session that passes every event to a watcher."""

    watcher: Watcher

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Handle the event, and pass it to the watcher with the states before and after it."""
        before = self.state
        effects = super().handle(event)
        self.watcher(Step(event, before, self.state, effects))
        return effects


class WatchedPeople(VirtualPeople):
    """Virtual players whose tables are all recorded."""

    def __init__(self, match: SpoiltMatch, camera: VirtualCamera, watcher: Watcher) -> None:
        super().__init__(match, camera, SPEED, lambda _: None)
        self._watcher = watcher

    async def show(self) -> None:
        """Record which tiles actually lie on the table, then show it to the camera."""
        self._watcher.truth.shown.append(self._watcher.match.table.table)
        await super().show()


class Learning:
    """Makes readers that know what was learnt of a box during an evening, as at a real table."""

    def __init__(self, reader: TableReader) -> None:
        self._reader, self._known = reader, Known(reader.known.priors, reader.known.styles)

    def reader_for(self, box: Box | None, evening: BoxEvening | None = None) -> Reader:
        """Return a reader of successive pictures that knows a box, and what was learnt of it this evening."""
        return in_a_match(self._reader.reader_with(known_of(self._known, box, evening)))


def taught(reader: TableReader) -> Taught:
    """Return a reader that learns during the evening, beginning with what `reader` knows of the box."""
    return Taught(Learning(reader), reader.known.box, BoxEvening(), key=lambda _: "", store=lambda _: None,
                  now=time.monotonic, wall=time.time)  # fmt: skip


class Seats:
    """The room, the players and the camera of an evening; the same evening always has the same ones."""

    def __init__(self, evening: Evening) -> None:
        book = ruleset(evening.book)
        self.rng = np.random.default_rng([evening.seed, sum(map(ord, evening.book))])
        self.setting = any_room(book.box, self.rng)
        self.lens = Camera.any(self.rng)
        most = min(book.players[1], len(NAMES))
        self.players = NAMES[: int(self.rng.integers(book.players[0], most + 1))]
        self.match = SpoiltMatch(book, self.rng, players=self.players, habits=HABITS, setting=self.setting)
        self.match.lens = self.lens

    def whole_box(self) -> list[Image]:
        """Return pictures of the whole box in this room, to enrol it from."""
        return batches(self.setting, self.lens, np.random.default_rng(self.rng.integers(1 << 30)))


def play(evening: Evening, seats: Seats, reader: Reader, folder: Path, kept: Path) -> Tally:
    """Play one match; `folder` is for its journal, `kept` for pictures of failures. A reader that can learn does."""
    return asyncio.run(_play(evening, seats, reader, folder, kept))


async def _play(evening: Evening, seats: Seats, reader: Reader, folder: Path, kept: Path) -> Tally:
    watcher = Watcher(evening, seats.match, kept)
    pins, setup = PinMap(), Setup.now(evening.book, {"starts": "next"})
    plan = make_plan(setup, seats.players, len(pins.turn_buttons), 1, (PATIENT_S,) * len(seats.players))
    opened = open_journal(folder)
    camera = VirtualCamera(PREVIEW_PX, time.monotonic)
    people = WatchedPeople(seats.match, camera, watcher)
    session = WatchedSession(opened.journal, setup)
    session.watcher = watcher
    looking = TableWatcher(camera, reader, lambda: plan.rules.box, seats.setting.table_mm, time.monotonic,
                           reader.teach if isinstance(reader, Taught) else None)  # fmt: skip
    panels: list[RecordingPanel] = []

    def panel(on_edge: OnEdge) -> RecordingPanel:
        panels.append(RecordingPanel(pins, time.monotonic, on_edge))
        return panels[0]

    outside = Surroundings(time.monotonic, panel, Service({}), lambda _: None, None, people.follow_effects)
    loop = Loop(session, looking, plan, pins, Watch(read_ahead=False), outside, 0.0)
    await people.show()
    await asyncio.to_thread(looking.read_ahead)  # as usual while the first player still sorts the rack
    running = asyncio.ensure_future(loop.run())
    await asyncio.sleep(0)
    try:
        await _until_done(watcher, running, asyncio.ensure_future(people.play(loop, panels[0], pins)))
    finally:
        loop.stop()
        await asyncio.wait({running})
        opened.journal.close()
    return watcher.tally


async def _until_done(watcher: Watcher, running: asyncio.Future[Any], playing: asyncio.Future[Any]) -> None:
    """Wait until the match ends, is ended early, or is stopped by an error in the simulation."""
    done = asyncio.ensure_future(watcher.done.wait())
    happened = -1
    while not any(task.done() for task in (running, playing, done)):
        if happened == watcher.tally.events:
            watcher.stands_still(f"nothing happens for {STILL_S:g} s")
            break
        happened = watcher.tally.events
        await asyncio.wait({running, playing, done}, timeout=STILL_S, return_when=asyncio.FIRST_COMPLETED)
    for task in (playing, done):
        task.cancel()
    await asyncio.wait({playing, done})
    for task in (running, playing):
        error = None if not task.done() or task.cancelled() else task.exception()
        if isinstance(error, RefereeError | ValueError | LookupError):
            watcher.fail(f"stopped: {error!r}")
        elif error is not None:
            raise error
