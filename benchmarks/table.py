"""What `referee play` costs at the table: press to verdict, watching, memory over a long evening, start to ready."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.fire_process import Referee, show
from benchmarks.report import Row
from benchmarks.virtual import full_table, random_sets
from referee.app import Reader, build_reader
from referee.commands.virtual import VirtualCamera, VirtualPeople
from referee.devices.panel import Moment, OnEdge, RecordingPanel
from referee.devices.pins import PinMap
from referee.devices.service import Service
from referee.game.state import Phase
from referee.game.tiles import tile_set
from referee.journal.opening import open_journal
from referee.journal.rows import Setup
from referee.loop.desk import Desk
from referee.loop.looking import Looker
from referee.loop.loop import Loop
from referee.loop.outside import Outside
from referee.loop.plan import planned
from referee.loop.worker import Watch
from referee.sim.match import NAMES, Habits, VirtualMatch
from referee.sim.table import Setting, VirtualTable
from referee.vision.sighting import Image

HERE = Path(__file__).resolve().parent.parent
PRESSES, FEWEST, MOST = 100, 20, 90
AHEAD_MS, NOT_AHEAD_MS = 50.0, 300.0
STARTS, READY_S = 10, 3.0
WATCHED_S, IDLE_SHARE = 20.0, 0.15
PI_4 = 5.0
"""How many times as long a Pi 4's core is taken to need for the same work; an estimate until one has been measured."""
TURNS, MEMORY_MB, GROWTH_MB = 500, 300.0, 10.0
TABLES = 24
PRESS_S = 0.05
PATIENT_S = 3600
"""Seconds added to every turn: nobody's time runs out here."""
HABITS = Habits(slips=0.1, slips_again=0.1, time_outs=0.0, draws_anyway=0.0)
CONSOLE = '[panel]\nkind = "console"\nturn_buttons = [5]\n'


def measure() -> list[Row]:
    """Everything that is to be known of `play` on this machine."""
    with tempfile.TemporaryDirectory(dir=HERE, prefix=".table-") as place:
        folder = Path(place)
        return [
            _latency(folder / "ahead", ahead=True),
            _latency(folder / "then", ahead=False),
            *_watching(folder / "idle"),
            *_memory(folder / "long"),
            _starts(folder / "starts"),
        ]


# Press to verdict ---------------------------------------------------------------------------------------------------


@dataclass
class Stopwatch:
    """From the first edge of a press to the moment at which green or red is on; `answered` has every verdict."""

    answered: list[tuple[float, int, bool]] = field(default_factory=list)
    """Milliseconds, tiles on the table, whether it had been read ahead."""
    loop: Loop | None = None
    begun: float | None = None
    looked: bool = False
    edge: float = 0.0

    def felt(self, t: float) -> None:
        """An edge; the first after a while begins a press."""
        if t - self.edge > PRESS_S:
            self.begun, self.looked = t, False
        self.edge = t

    def lit(self, lamps: frozenset[str], t: float) -> None:
        """The panel has changed."""
        self.looked = self.looked or "amber" in lamps
        look = None if self.loop is None else self.loop._seen
        if self.begun is None or not self.looked or not lamps & {"green", "red"}:
            return
        if look is not None and look.sighting is not None:
            self.answered.append((1e3 * (t - self.begun), len(look.sighting.reads), look.ahead))
        self.begun = None


class TimedPanel(RecordingPanel):
    """A panel with a stopwatch."""

    def __init__(self, pins: PinMap, on_edge: OnEdge, watch: Stopwatch) -> None:
        super().__init__(pins, time.monotonic, on_edge)
        self._watch = watch

    def edge(self, contact: str, closed: bool) -> None:
        """Close or open a contact."""
        self._watch.felt(time.monotonic())
        super().edge(contact, closed)

    def _put(self, before: Moment, now: Moment) -> None:
        super()._put(before, now)
        self._watch.lit(now.lit, time.monotonic())


class Hasty(VirtualPeople):
    """Virtual people who think no longer than it takes to read the table ahead, or not at all."""

    def __init__(self, match: VirtualMatch, camera: VirtualCamera, *, ahead: bool) -> None:
        super().__init__(match, camera, 1e6, lambda _: None)
        self._ahead = ahead
        self.loop: Loop | None = None

    async def show(self) -> None:
        """Let the camera see the table, and wait until it has been read, if it is to be."""
        await super().show()
        while self._ahead and self.loop is not None and self.loop.desk.state.phase is Phase.TURN:
            await asyncio.sleep(0.02)
            if self.loop._looker.ready:
                return


async def _match(folder: Path, seed: int, watch: Stopwatch, reader: Reader, *, ahead: bool) -> None:
    """One match with everything real but the light."""
    pins, setup = PinMap(), Setup("rummikub")
    plan = planned(setup, NAMES, len(pins.turn_buttons), 1, (PATIENT_S,) * len(NAMES))
    opened = open_journal(folder)
    desk, camera = Desk(opened.journal, setup), VirtualCamera(576, time.monotonic)
    match = VirtualMatch(plan.rules, np.random.default_rng(seed), players=NAMES, habits=HABITS)
    people = Hasty(match, camera, ahead=ahead)
    await people.show()
    looker = Looker(camera, reader, lambda: plan.rules.box, match.table.setting.table_mm, time.monotonic)
    panels: list[RecordingPanel] = []

    def panel(on_edge: OnEdge) -> RecordingPanel:
        panels.append(TimedPanel(pins, on_edge, watch))
        return panels[0]

    outside = Outside(time.monotonic, panel, Service({}), lambda _: None, None, people.heard)
    watch.loop = people.loop = loop = Loop(desk, looker, plan, pins, Watch(read_ahead=ahead), outside, 0.0)
    running = asyncio.ensure_future(loop.run())
    await asyncio.sleep(0)
    await people.play(loop, panels[0], pins)
    loop.stop()
    await running
    opened.journal.close()


def _latency(folder: Path, *, ahead: bool) -> Row:
    """Matches at the virtual table until enough presses at full enough tables were answered."""
    watch, reader, seed = Stopwatch(), build_reader(), 0
    kept: list[float] = []
    while len(kept) < PRESSES:
        asyncio.run(_match(folder / str(seed), seed, watch, reader, ahead=ahead))
        kept = [ms for ms, tiles, was in watch.answered if FEWEST <= tiles <= MOST and was == ahead]
        seed += 1
    late, target = _p95(kept), AHEAD_MS if ahead else NOT_AHEAD_MS
    figure = f"{statistics.median(kept):.0f} ms median, {late:.0f} ms p95, {max(kept):.0f} ms worst"
    on = f"virtual camera, bouncing contacts, journal on this disk, {FEWEST}-{MOST} tiles"
    how = "read ahead" if ahead else "not read ahead"
    return Row(f"press to verdict lamp, table {how}", on, figure, f"{len(kept)} presses", f"p95 ≤ {target:g} ms",
               late <= target)  # fmt: skip


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


# The process --------------------------------------------------------------------------------------------------------


@contextmanager
def _process(folder: Path, picture: Image) -> Iterator[tuple[Referee, Path]]:
    """`referee play` before a folder with one picture, and the folder."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True)
    show(pictures, picture)
    (folder / "referee.toml").write_text(CONSOLE, encoding="utf-8")
    settings = (
        "camera.kind=folder", f"camera.source={pictures}", f"storage.state={folder / 'state'}",
        'game.players=["Anna","Ben"]', f"game.handicaps=[{PATIENT_S},{PATIENT_S}]",
    )  # fmt: skip
    referee = Referee([word for setting in settings for word in ("--set", setting)], folder)
    try:
        if not referee.until(lambda: referee.told("[")):
            raise AssertionError(f"the referee did not start: {referee.end(signal.SIGKILL)}")
        yield referee, pictures
    finally:
        referee.end(signal.SIGTERM)


def _watching(folder: Path) -> Iterator[Row]:
    """The share of one core that goes into watching a table at which nothing happens."""
    picture, tiles = full_table()
    with _process(folder, picture) as (referee, _):
        referee.until(lambda: False, 3.0)
        yield _share("before the match", tiles, referee)
        referee.press("s")
        referee.until(lambda: referee.told("it is your turn"))
        referee.until(lambda: False, 3.0)
        yield _share("a turn, its clock running", tiles, referee)


def _share(when: str, tiles: int, referee: Referee) -> Row:
    before, begun = _cpu_s(referee.pid), time.monotonic()
    referee.until(lambda: False, WATCHED_S)
    share = (_cpu_s(referee.pid) - before) / (time.monotonic() - begun)
    figure = f"{100 * share:.1f} %; a Pi 4 is expected to need about {100 * PI_4 * share:.0f} % of one of its four"
    on = f"still picture of {tiles} tiles, 4 small pictures a second, {when}"
    return Row("share of one core for watching", on, figure, f"{WATCHED_S:.0f} s", f"≤ {100 * IDLE_SHARE:.0f} %",
               share <= IDLE_SHARE)  # fmt: skip


def _memory(folder: Path) -> Iterator[Row]:
    """What the process holds in memory while it referees for a long evening."""
    pictures = _growing_table()
    held: list[float] = []
    with _process(folder, pictures[0]) as (referee, camera):
        referee.press("s")
        referee.until(lambda: referee.told("it is your turn"))
        for turn in range(TURNS):
            show(camera, pictures[turn % TABLES])
            heard = len(referee.lines)
            referee.press("1")
            if not referee.until(lambda heard=heard: _answered(referee, heard)):  # type: ignore[misc]
                raise AssertionError(f"turn {turn} was not answered: {referee.lines[-3:]}")
            held.append(_resident_mb(referee.pid))
    growth = 100 * float(np.polyfit(np.arange(TURNS // 5, TURNS), held[TURNS // 5 :], 1)[0])
    on = f"one match, {TABLES} tables in turn, every look read anew"
    yield Row("resident memory of `play`, last turn", on, f"{held[-1]:.0f} MB, {max(held):.0f} MB at most",
              f"{TURNS} turns", f"≤ {MEMORY_MB:g} MB", max(held) <= MEMORY_MB)  # fmt: skip
    yield Row("growth of that memory", f"{on}, fitted from turn {TURNS // 5} on", f"{growth:+.2f} MB in 100 turns",
              f"{TURNS} turns", f"≤ {GROWTH_MB:g} MB in 500 turns", 5 * growth <= GROWTH_MB)  # fmt: skip


def _answered(referee: Referee, heard: int) -> bool:
    """Whether an answer came after the amber lamp: green, red or a question."""
    lines = [line for _, line in referee.lines[heard:]]
    amber = next((number for number, line in enumerate(lines) if line.startswith("[") and "amber" in line), None)
    return amber is not None and any(
        line.startswith("I cannot see") or (line.startswith("[") and ("green" in line or "red" in line))
        for line in lines[amber + 1 :]
    )


def _growing_table() -> list[Image]:
    """Pictures of a table that fills up set by set."""
    rng = np.random.default_rng(7)
    sets = random_sets(tile_set("rummikub"), rng, MOST)
    table = VirtualTable(Setting.usual(tile_set("rummikub")), rng)
    pictures = []
    for number in range(TABLES):
        table.lay(tuple(sets[: 1 + number * len(sets) // TABLES]))
        pictures.append(table.picture())
    return pictures


def _starts(folder: Path) -> Row:
    """From the start of the process to the first lamp."""
    picture, times = full_table()[0], []
    for number in range(STARTS):
        with _process(folder / str(number), picture) as (referee, _):
            times.append(referee.lines[0][0] - referee.started)
    figure = f"{statistics.median(times):.2f} s median, {max(times):.2f} s worst"
    return Row("process start to ready", "`referee play`, folder camera, files in the page cache", figure,
               f"{STARTS} starts", f"≤ {READY_S:g} s", max(times) <= READY_S)  # fmt: skip


def _cpu_s(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    """What a process has in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
