"""The cost of `referee play`: press to verdict, watching the table, memory over a long evening, start to ready."""

from __future__ import annotations

import os
import signal
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks import press
from benchmarks.fire_process import Referee, show
from benchmarks.progress import folder_on_disk
from benchmarks.report import Row
from benchmarks.virtual import full_table, random_sets
from referee.game.table import tiles_on
from referee.game.tiles import tile_set
from referee.sim.table import Setting, VirtualTable
from referee.vision.sighting import Image

STARTS, READY_S = 10, 3.0
WATCHED_S, IDLE_SHARE = 20.0, 0.15
PI_4 = 5.0
"""How many times longer a core of a Pi 4 is assumed to need for the same work; an estimate, not measured yet."""
TURNS, MEMORY_MB, GROWTH_MB = 500, 205.0, 10.0
TABLES, MOST = 24, 90
CONSOLE = '[panel]\nkind = "console"\n'


def measure() -> list[Row]:
    """Measure all of this on this machine."""
    with folder_on_disk("table-") as folder:
        return [
            press.measure(folder / "ahead", ahead=True),
            press.measure(folder / "not-ahead", ahead=False),
            *_watching(folder / "idle"),
            *_memory(folder / "long"),
            _starts(folder / "starts"),
        ]


@contextmanager
def _process(folder: Path, picture: Image) -> Iterator[tuple[Referee, Path]]:
    """Run `referee play` with a folder of one picture as its camera; yield the process and the folder."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True)
    show(pictures, picture)
    (folder / "referee.toml").write_text(CONSOLE, encoding="utf-8")
    settings = (
        "camera.kind=folder", f"camera.source={pictures}", f"storage.state={folder / 'state'}",
        'game.players=["Anna","Ben"]', f"game.handicaps=[{press.PATIENT_S},{press.PATIENT_S}]",
    )  # fmt: skip
    referee = Referee([word for setting in settings for word in ("--set", setting)], folder)
    try:
        if not referee.until(lambda: referee.told("[")):
            raise AssertionError(f"the referee did not start: {referee.end(signal.SIGKILL)}")
        yield referee, pictures
    finally:
        referee.end(signal.SIGTERM)


def _watching(folder: Path) -> Iterator[Row]:
    """Measure the share of one core that is used for watching a table at which nothing happens."""
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
    """Measure the memory of the process during a long evening."""
    pictures = _growing_table()
    held: list[float] = []
    with _process(folder, pictures[0]) as (referee, camera):
        referee.press("s")
        referee.until(lambda: referee.told("it is your turn"))
        for turn in range(TURNS):
            show(camera, pictures[turn % TABLES])  # the first turn is accepted, the others are not
            heard = len(referee.lines)
            referee.press(_whose_turn(referee))
            if not referee.until(lambda heard=heard: is_answered(referee, heard)):  # type: ignore[misc]
                raise AssertionError(f"turn {turn} was not answered: {referee.lines[-3:]}")
            held.append(_resident_mb(referee.pid))
    growth = 100 * float(np.polyfit(np.arange(TURNS // 5, TURNS), held[TURNS // 5 :], 1)[0])
    on = f"one match, {TABLES} tables in turn, most of them refused"
    yield Row("resident memory of `play`, last turn", on, f"{held[-1]:.0f} MB, {max(held):.0f} MB at most",
              f"{TURNS} turns", f"≤ {MEMORY_MB:g} MB", max(held) <= MEMORY_MB)  # fmt: skip
    yield Row("growth of that memory", f"{on}, fitted from turn {TURNS // 5} on", f"{growth:+.2f} MB in 100 turns",
              f"{TURNS} turns", f"≤ {GROWTH_MB:g} MB in 500 turns", 5 * growth <= GROWTH_MB)  # fmt: skip


def _whose_turn(referee: Referee) -> str:
    """Return the button of the player who was called last."""
    called = next(line for _, line in reversed(referee.lines) if "it is your turn" in line)
    return "1" if "Anna, it is your turn" in called else "2"


def is_answered(referee: Referee, heard: int) -> bool:
    """Return whether an answer (green, red or a question) came after the amber lamp."""
    lines = [line for _, line in referee.lines[heard:]]
    amber = next((number for number, line in enumerate(lines) if line.startswith("[") and "amber" in line), None)
    return amber is not None and any(
        line.startswith("I cannot see") or (line.startswith("[") and ("green" in line or "red" in line))
        for line in lines[amber + 1 :]
    )


def _growing_table() -> list[Image]:
    """Return pictures of a table that fills up set by set; all but the first have two tiles that are not a set."""
    rng, box = np.random.default_rng(7), tile_set("rummikub")
    sets = random_sets(box, rng, MOST)
    left = Counter(box.inventory()) - tiles_on(sets)
    apart = tuple({tile.number: tile for tile in left if not tile.is_joker}.values())[:2]
    table = VirtualTable(Setting.usual(box), rng)
    pictures = []
    for k in range(TABLES):
        laid = tuple(sets[: 1 + k * len(sets) // TABLES])
        table.lay((*laid, apart) if k else laid)
        pictures.append(table.picture())
    return pictures


def _starts(folder: Path) -> Row:
    """Measure the time from the start of the process to the first lamp."""
    picture, times = full_table()[0], []
    for number in range(STARTS):
        with _process(folder / str(number), picture) as (referee, _):
            times.append(referee.lines[0][0] - referee.started)
    figure = f"{statistics.median(times):.2f} s median, {max(times):.2f} s worst"
    return Row("process start to ready", "`referee play`, folder camera, files in the page cache", figure,
               f"{STARTS} starts", f"≤ {READY_S:g} s", max(times) <= READY_S)  # fmt: skip


def _cpu_s(pid: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
