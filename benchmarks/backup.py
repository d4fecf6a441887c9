"""How long a backup of 200 matches with pictures takes, how large it is, and whether events or players wait."""

from __future__ import annotations

import datetime as dt
import itertools
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks import press
from benchmarks.journal import timed
from benchmarks.progress import folder_on_disk, tell
from benchmarks.report import Row
from referee.backup.apart import make_backup_apart
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.restoring import restore
from referee.backup.writing import Stopped, save_stream, size_of, stream_backup
from referee.cli.programs.picture_keeper import JPEG_QUALITY
from referee.game.match.events import Event, Seen, Started
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.journal.journal import Journal
from referee.journal.opening import open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.journal.rows import Setup
from referee.sim.match import FLAWLESS, VirtualMatch

MATCHES, DIFFERENT = 200, 8
"""How many matches are saved, and how many different ones they repeat."""
DRAWN = 24
"""How many different pictures there are."""
PICTURES_MB = 500
"""The default of `[storage] pictures_mb`; 200 matches use all of it."""
LONGEST_S, MOST_TIMES = 30.0, 2.0
APPENDS, WAIT_MS = 300, 50.0
"""How many events are appended, and how long one may wait: as long as a whole verdict may take."""
P95, DRAWS = 0.95, 2000
"""The percentile of which a ratio is given, and how often presses are drawn anew for its interval."""
BESIDE = "in a process of the lowest priority that rests"
ON = f"{MATCHES} virtual matches of 3 rounds, rendered pictures until {PICTURES_MB} MB are full, this disk"
NOW = dt.datetime(2026, 11, 26, 4, 5, tzinfo=dt.UTC)


def measure() -> list[Row]:
    """Save and restore a large table, then append events and press beside backups that are made all the time."""
    with folder_on_disk("backup-") as folder:
        places = Places(folder / "table")
        events = _play_matches(places.state)
        tell(f"backup: {events} events, {size_of(places) / 1e6:.0f} MB")
        backups = [_save(places, folder / "with.zip", pictures=True), _save(places, folder / "no.zip", pictures=False)]
        return [
            *backups,
            _restore(folder / "with.zip", Places(folder / "fresh")),
            _appends(places, folder / "beside.zip"),
            measure_presses(places, folder / "pressed.zip", folder / "presses"),
        ]


def _play_matches(folder: Path) -> int:
    """Fill a journal and its pictures; return the number of events."""
    journal, events = open_journal(folder).journal, 0
    setup = Setup.now("rummikub", {})
    drawn: list[bytes] = []
    played = [list(_match(setup, seed, drawn)) for seed in range(DIFFERENT)]
    budget = PICTURES_MB * 1_000_000
    pictures, more, kept = Pictures(folder / FOLDER, budget), itertools.cycle(drawn), 0
    for number in range(1, MATCHES + 1):
        for event, state in played[number % DIFFERENT]:
            _write(journal, setup, event, state)
            events += 1
            if isinstance(event, Seen) and kept < budget:  # from then on, old ones would only be replaced
                picture = next(more)
                kept += len(picture)
                pictures.keep(number, journal.number, picture)
        if number % 20 == 0:
            tell(f"backup: {number} of {MATCHES} matches played")
    journal.close()
    return events


def _match(setup: Setup, seed: int, drawn: list[bytes]) -> Iterator[tuple[Event, State]]:
    """Yield the events of a match with the states after them, and draw some pictures of its table."""
    match = VirtualMatch(setup.ruleset(), np.random.default_rng(seed), rounds=3, habits=FLAWLESS)
    event: Event = match.start(0.0)
    state, effects = apply(setup.state(), event)
    yield event, state
    while state.phase is not Phase.OVER:
        match.follow_effects(effects)
        event = Seen(match.table.table, event.t + 0.3) if state.phase.looks else match.act(state, event.t)
        state, effects = apply(state, event)
        if isinstance(event, Seen) and len(drawn) < DRAWN and len(state.table) > len(drawn) // 2:
            picture = cv2.imencode(".jpg", match.table.picture(), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
            drawn.append(picture.tobytes())
        yield event, state


def _write(journal: Journal, setup: Setup, event: Event, state: State) -> None:
    if isinstance(event, Started):
        journal.begin(setup, event, state)
    else:
        journal.append(event, state)


def _save(places: Places, path: Path, *, pictures: bool) -> Row:
    begun = time.perf_counter()
    size = save_stream(path, stream_backup(places, NOW, pictures=pictures), check_backup, lambda: True)
    seconds, data = time.perf_counter() - begun, size_of(places, pictures=pictures)
    what = "backup written and read back, " + ("with pictures" if pictures else "without pictures")
    figure = f"{seconds:.1f} s, {size / 1e6:.1f} MB of {data / 1e6:.1f} MB ({size / data:.2f} times)"
    count = f"{len(check_backup(path).members)} files"
    target = f"≤ {LONGEST_S:g} s, ≤ {MOST_TIMES:g} times"
    return Row(what, ON, figure, count, target, seconds <= LONGEST_S and size <= MOST_TIMES * data)


def _restore(path: Path, places: Places) -> Row:
    begun = time.perf_counter()
    done = restore(path, places, NOW, lambda _: None)
    figure = f"{time.perf_counter() - begun:.1f} s"
    return Row("backup checked and restored to a fresh box", ON, figure, f"{done.manifest.matches} matches", "", None)


def _appends(places: Places, path: Path) -> Row:
    """Measure how long an event takes to be on disk, alone and while one backup after the other is made."""
    setup = Setup.now("rummikub", {})
    events = list(itertools.islice(_match(setup, 0, []), APPENDS))
    alone, beside = list[float](), list[float]()
    opened = open_journal(places.state)
    for times, saving in ((alone, nullcontext()), (beside, _saving(places, path))):
        with saving:
            for event, state in events:
                with timed(times):
                    _write(opened.journal, setup, event, state)
                with timed(times):
                    opened.journal.beat(event.t)
    opened.journal.close()
    before, late = (statistics.quantiles(times, n=20, method="inclusive")[-1] for times in (alone, beside))
    figure = f"{before:.1f} ms p95 without, {late:.1f} ms with; {max(beside):.0f} ms worst"
    what = "event append and heartbeat while backups with pictures are made all the time"
    count = f"{len(alone)} and {len(beside)} writes"
    return Row(what, BESIDE, figure, count, f"p95 ≤ {WAIT_MS:g} ms", late <= WAIT_MS)


def measure_presses(places: Places, path: Path, folder: Path, play: press.PlayMatch = press.play_match) -> Row:
    """Measure how long players wait for a verdict, alone and while one backup after the other is made."""
    ways = {"alone": press.alone, "beside a backup": lambda: _players_beside(places, path)}
    times = press.milliseconds(folder, ways, ahead=True, play=play)
    before, late = (float(np.quantile(times[way], P95)) for way in ways)
    low, high = ratio_interval(times["alone"], times["beside a backup"], np.random.default_rng(0))
    ratio = f"{late / before:.2f} ({low:.2f}-{high:.2f}) times"
    figure = f"{before:.1f} ms p95 without, {late:.1f} ms with: {ratio}"
    what = "press to verdict lamp, table read ahead, while backups with pictures are made all the time"
    count = f"{len(times['alone'])} and {len(times['beside a backup'])} presses, in turn"
    return Row(what, BESIDE, figure, count, f"p95 ≤ {WAIT_MS:g} ms", late <= WAIT_MS)


def ratio_interval(
    without: Sequence[float], beside: Sequence[float], random: np.random.Generator
) -> tuple[float, float]:
    """Return the 95 % interval of the ratio of two 95th percentiles, by drawing the presses anew (bootstrap)."""
    ratios = [
        np.quantile(random.choice(beside, len(beside)), P95) / np.quantile(random.choice(without, len(without)), P95)
        for _ in range(DRAWS)
    ]
    low, high = np.quantile(ratios, (0.025, 0.975))
    return float(low), float(high)


@contextmanager
def _players_beside(places: Places, path: Path) -> Iterator[press.Followers]:
    with _saving(places, path):
        yield press.Followers()


@contextmanager
def _saving(places: Places, path: Path) -> Iterator[None]:
    """Make one backup after the other within this context, as the table does, into the folder of `path`."""
    over, beside = threading.Event(), replace(places, folder=path.parent / "made")

    def save() -> None:
        while not over.is_set():
            try:
                make_backup_apart(beside, NOW, pictures=True, goes_on=lambda: not over.is_set())
            except Stopped:
                return

    thread = threading.Thread(target=save, name="backup")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
