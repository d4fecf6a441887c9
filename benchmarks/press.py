"""How long it takes from a press to the verdict lamp; everything is real except the pictures."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.progress import tell
from benchmarks.report import Row
from referee.cli.parts.readers import build_reader
from referee.cli.programs.virtual_table import VirtualCamera, VirtualPeople
from referee.devices.panel.panel import Moment, OnEdge, RecordingPanel
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.journal.opening import open_journal
from referee.journal.rows import Setup
from referee.pages.table.server import Server
from referee.sim.match import NAMES, Habits, VirtualMatch
from referee.table.event_loop import Loop
from referee.table.lobby import make_plan
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch
from referee.table.output.audience import Audience, Audiences
from referee.table.session import Session
from referee.table.surroundings import Surroundings
from referee.vision.sighting import Image, Reader

PRESSES, FEWEST, MOST = 100, 20, 90
AHEAD_MS, NOT_AHEAD_MS = 50.0, 300.0
HABITS = Habits(slips=0.1, slips_again=0.1, time_outs=0.0, draws_anyway=0.0)
PRESS_S = 0.05
"""Edges within this time belong to one press, in seconds."""
READY = 3
"""How many pictures of a still table are rendered in advance."""
GROWS = 0.10
"""The largest relative increase of the waiting time when something follows the match."""
PATIENT_S = 3600
"""Seconds added to every turn, so that nobody's time runs out."""


Joined = Callable[[Path], AbstractContextManager[Audience]]
"""Returns a context with a follower of the match whose journal is in a folder."""


@dataclass(frozen=True, slots=True)
class Followers:
    """What follows the matches: a page, and the follower that `club` makes for each journal."""

    page: Server | None = None
    club: Joined | None = None


Way = Callable[[], AbstractContextManager[Followers]]
"""Returns a context for one match, with followers during which presses are measured."""


@dataclass
class Stopwatch:
    """Measures the time from the first edge of a press until green or red is lit; `answered` has every verdict."""

    answered: list[tuple[float, int, bool]] = field(default_factory=list)
    """For each verdict: milliseconds, tiles on the table, and whether the table had been read ahead."""
    loop: Loop | None = None
    begun: float | None = None
    looked: bool = False
    edge: float = 0.0

    def felt(self, t: float, *, closed: bool) -> None:
        """Note an edge; a closing edge more than `PRESS_S` after the previous edge begins a press."""
        if closed and t - self.edge > PRESS_S:
            self.begun, self.looked = t, False
        self.edge = t

    def lit(self, lamps: frozenset[str], t: float) -> None:
        """Note that the lamps of the panel have changed."""
        self.looked = self.looked or "amber" in lamps
        if self.begun is None or not self.looked or not lamps & {"green", "red"}:
            return
        look = None if self.loop is None else self.loop.controller.match.seen
        if look is not None and look.sighting is not None:
            self.answered.append((1e3 * (t - self.begun), len(look.sighting.reads), look.ahead))
        self.begun = None


class TimedPanel(RecordingPanel):
    """A panel with a stopwatch."""

    def __init__(self, pins: PinMap, on_edge: OnEdge, watch: Stopwatch) -> None:
        super().__init__(pins, time.monotonic, on_edge)
        self._watch = watch

    def edge(self, contact: str, closed: bool, ago_s: float = 0.0) -> None:
        """Close or open a contact."""
        self._watch.felt(time.monotonic() - ago_s, closed=closed)
        super().edge(contact, closed, ago_s)

    def _show_moment(self, before: Moment, now: Moment) -> None:
        super()._show_moment(before, now)
        self._watch.lit(now.lit, time.monotonic())


class ReadyCamera(VirtualCamera):
    """A camera that renders pictures in advance, because a real camera does not use the referee's processor time."""

    def __init__(self, preview_px: int, now: Callable[[], float]) -> None:
        super().__init__(preview_px, now)
        self._ready: deque[Image] = deque()
        self._more: Iterator[Image] = iter(())
        self._one = threading.Lock()

    def show(self, picture: Image, more: Iterable[Image] = ()) -> None:
        """Show a picture from now on, and `more` after it; pictures rendered before are dropped."""
        with self._one:
            self._ready.clear()
            self._more = iter(more)
        super().show(picture, self._pictures())

    def make_ready(self) -> None:
        """Render as many pictures as one look may take."""
        with self._one:
            self._ready.extend(itertools.islice(self._more, READY - len(self._ready)))

    def _pictures(self) -> Iterator[Image]:
        while True:
            with self._one:
                picture = self._ready.popleft() if self._ready else next(self._more, None)
            if picture is None:
                return
            yield picture


class Hasty(VirtualPeople):
    """Virtual players who think only until the table has been read ahead, or not at all."""

    def __init__(self, match: VirtualMatch, camera: ReadyCamera, *, ahead: bool) -> None:
        super().__init__(match, camera, 1e6, lambda _: None)
        self._sight, self._ahead = camera, ahead
        self.loop: Loop | None = None

    async def show(self) -> None:
        """Show the table to the camera, and wait until it has been read ahead, if that is wanted."""
        await super().show()
        await asyncio.to_thread(self._sight.make_ready)
        while self._ahead and self.loop is not None and self.loop.session.state.phase is Phase.TURN:
            await asyncio.sleep(0.02)
            if self.loop._watcher.ready:
                await asyncio.to_thread(self._sight.make_ready)
                return


PlayMatch = Callable[..., Coroutine[Any, Any, None]]
"""Plays one match, like `play_match`."""


async def play_match(
    folder: Path, seed: int, watch: Stopwatch, reader: Reader, *, ahead: bool, followers: Followers
) -> None:
    """Play one match in which everything is real except the pictures."""
    page, club = followers.page, followers.club
    pins, setup = PinMap(), Setup.now("rummikub", {"starts": "next"})
    plan = make_plan(setup, NAMES, len(pins.turn_buttons), 1, (PATIENT_S,) * len(NAMES))
    opened = open_journal(folder, club=club is not None)
    session, camera = Session(opened.journal, setup), ReadyCamera(576, time.monotonic)
    match = VirtualMatch(plan.rules, np.random.default_rng(seed), players=NAMES, habits=HABITS)
    people = Hasty(match, camera, ahead=ahead)
    await people.show()
    watcher = TableWatcher(camera, reader, lambda: plan.rules.box, match.table.setting.table_mm, time.monotonic)
    panels: list[RecordingPanel] = []

    def panel(on_edge: OnEdge) -> RecordingPanel:
        panels.append(TimedPanel(pins, on_edge, watch))
        return panels[0]

    with nullcontext() if club is None else club(folder) as told:
        audience = Audiences([one for one in (None if page is None else page.follower, told) if one is not None])
        outside = Surroundings(
            time.monotonic, panel, Service({}), lambda _: None, None, people.follow_effects, audience=audience
        )
        watch.loop = people.loop = loop = Loop(session, watcher, plan, pins, Watch(read_ahead=ahead), outside, 0.0)
        running = asyncio.ensure_future(loop.run())
        await asyncio.sleep(0)
        await people.play(loop, panels[0], pins)
        loop.stop()
        await running
    opened.journal.close()


def milliseconds(
    folder: Path, ways: Mapping[str, Way], *, ahead: bool, play: PlayMatch = play_match
) -> dict[str, list[float]]:
    """Measure presses in each of the `ways`, until enough were answered at fuller tables; return times by way.

    Each match is played in all ways, one after the other, before the next match. So if the machine is slower for a
    while, this affects all ways. Raises RuntimeError if a match brings no verdict, since then none ever would.
    """
    watches, reader = {name: Stopwatch() for name in ways}, build_reader()
    names = deque(ways)
    kept: dict[str, list[float]] = {name: [] for name in ways}
    for seed in itertools.count():
        for name in names:
            with ways[name]() as followers:
                place = folder / name.replace(" ", "-") / str(seed)
                asyncio.run(play(place, seed, watches[name], reader, ahead=ahead, followers=followers))
            presses = watches[name].answered
            if not presses:
                raise RuntimeError(f"expected verdicts in a whole match ({name}), found none")
            kept[name] = [ms for ms, tiles, was in presses if FEWEST <= tiles <= MOST and was == ahead]
        names.rotate()
        answered = min(map(len, kept.values()))
        tell(f"presses {'' if ahead else 'not '}read ahead: {min(answered, PRESSES)} of {PRESSES}")
        if answered >= PRESSES:
            break
    return kept


def alone() -> AbstractContextManager[Followers]:
    """Return a way without followers."""
    return nullcontext(Followers())


def beside(what: str, on: str, without: list[float], times: list[float]) -> Row:
    """Return the row that says how much longer players wait for a verdict with followers than without."""
    before, now = statistics.median(without), statistics.median(times)
    figure = f"{before:.1f} ms median without, {now:.1f} ms with: {100 * (now / before - 1):+.0f} %"
    count = f"{len(without)} and {len(times)} presses, in turn"
    return Row(what, on, figure, count, f"≤ +{100 * GROWS:.0f} %", now <= before * (1 + GROWS))


def measure(folder: Path, *, ahead: bool) -> Row:
    """Measure how long players wait for a verdict."""
    kept = milliseconds(folder, {"alone": alone}, ahead=ahead)["alone"]
    late, target = statistics.quantiles(kept, n=20, method="inclusive")[-1], AHEAD_MS if ahead else NOT_AHEAD_MS
    figure = f"{statistics.median(kept):.0f} ms median, {late:.0f} ms p95, {max(kept):.0f} ms worst"
    on = f"virtual camera, bouncing contacts, journal on this disk, {FEWEST}-{MOST} tiles"
    how = "read ahead" if ahead else "not read ahead"
    return Row(f"press to verdict lamp, table {how}", on, figure, f"{len(kept)} presses", f"p95 ≤ {target:g} ms",
               late <= target)  # fmt: skip
