"""How fast events are written to disk, and how fast a match is restored after a power cut."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from benchmarks.progress import folder_on_disk
from benchmarks.report import Row
from referee.game.match.events import Event, Seen
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.journal.journal import Journal
from referee.journal.opening import FILE, open_journal
from referee.journal.rows import Setup
from referee.journal.scores import read_scores
from referee.sim.match import FLAWLESS, VirtualMatch

EVENTS = 1000
STARTS = 10
APPEND_MS = 5.0
READY_MS = 1000.0
FRAMES = 2 * 4120
"""The bytes that an ordinary append writes to SQLite's log: a page of events, and a page of their index."""


def measure() -> list[Row]:
    """Append the events of virtual matches to a journal on this disk, then open it as after a cut."""
    with folder_on_disk("journal-") as folder:
        times = Times()
        journal = open_journal(folder).journal
        with (folder / "scratch").open("wb") as scratch:
            _play(journal, times, scratch.fileno())
        events = journal.number
        journal.close()
        for _ in range(STARTS):
            with timed(times.starts):
                opened = open_journal(folder)
            opened.journal.close()
            with timed(times.sheets):
                read_scores(folder / FILE)
    on = "virtual matches, this disk, synchronised"
    return [
        _spread("event append", on, times.appends, APPEND_MS),
        _spread("heartbeat", on, times.beats, APPEND_MS),
        _spread("the disk alone", "as many bytes, beside each append", times.disk, None),
        _spread("journal opened, match replayed", f"{events} events in it", times.starts, READY_MS),
        _spread("score sheets read", "the same journal", times.sheets, None),
    ]


@dataclass
class Times:
    """The measured times, in milliseconds."""

    appends: list[float] = field(default_factory=list)
    beats: list[float] = field(default_factory=list)
    disk: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    sheets: list[float] = field(default_factory=list)


def _play(journal: Journal, times: Times, scratch: int) -> None:
    """Play whole matches of flawless players, and append them event by event."""
    setup, seed = Setup.now("rummikub", {}), 0
    while len(times.appends) < EVENTS:
        match = VirtualMatch(setup.ruleset(), np.random.default_rng(seed), rounds=3, habits=FLAWLESS)
        start = match.start(0.0)
        event: Event = start
        state, effects = apply(setup.state(), start)
        with timed(times.appends):
            journal.begin(setup, start, state)
        while state.phase is not Phase.OVER and len(times.appends) < EVENTS:
            match.follow_effects(effects)
            event = Seen(match.table.table, event.t + 0.3) if state.phase.looks else match.act(state, event.t)
            state, effects = apply(state, event)
            with timed(times.appends):
                journal.append(event, state)
            with timed(times.beats):
                journal.beat(event.t)
            with timed(times.disk):
                os.write(scratch, bytes(FRAMES))
                os.fdatasync(scratch)
        seed += 1


@contextmanager
def timed(times: list[float]) -> Iterator[None]:
    """Append the time that the block takes to `times`, in milliseconds."""
    start = time.perf_counter()
    yield
    times.append(1e3 * (time.perf_counter() - start))


def _spread(what: str, on: str, times: list[float], target: float | None) -> Row:
    late = statistics.quantiles(times, n=20, method="inclusive")[-1]
    figure = f"{statistics.median(times):.2f} ms median, {late:.2f} ms p95, {max(times):.1f} ms worst"
    wanted, reached = ("", None) if target is None else (f"p95 ≤ {target:g} ms", late <= target)
    return Row(what, on, figure, f"{len(times)} times", wanted, reached)
