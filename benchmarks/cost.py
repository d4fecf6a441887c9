"""The cost of reading: time relative to a fixed piece of work, multiplications of the networks, threads, memory."""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np

from benchmarks import macs, virtual
from benchmarks.report import Figures, Row
from referee.cli.parts.readers import build_reader, in_a_match
from referee.cli.programs.virtual_table import VirtualCamera
from referee.devices.onnx import OnnxModel
from referee.game.tiles import TileSet, tile_set
from referee.sim.table import Setting, VirtualTable
from referee.table.looking.table_watcher import TableWatcher
from referee.vision.pipeline import TableReader
from referee.vision.sighting import Image, Reader

REPEATS = 25
WARM = 3
"""The number of reads before timing starts."""
MOST_MS, MOST_RATIO, MOST_GMAC, LOOK_MS, MEMORY_MB = 80.0, 3.0, 3.0, 35.0, 170.0
THREADS = (1, 2, 4)
CHANGED, FULL = 14, 91
"""The most tiles that a turn adds to the table, and how many tiles the table then has."""
VARIANTS = 5
PREVIEW_PX = 576
TABLE_MM = (900.0, 600.0)


def measure(models: Path) -> Figures:
    """Measure all costs of reading on this machine."""
    reader = build_reader(models)
    rows = [speed(reader), multiplications(models), *(_threads(models, n) for n in THREADS),
            _look(in_a_match(reader))]  # fmt: skip
    return Figures([*rows, _memory(models)])


def speed(reader: Reader) -> Row:
    """Compare the median time of a whole read, warm, with that of a fixed piece of OpenCV work on the same picture."""
    picture, tiles = virtual.full_table()
    cv2.setNumThreads(2)
    times, peer = [], []
    for _ in range(REPEATS + WARM):
        times.append(_read_ms(reader, picture))
        start = time.perf_counter()
        cv2.bilateralFilter(picture, 5, 40, 40)
        peer.append(1e3 * (time.perf_counter() - start))
    median = statistics.median(times[WARM:])
    ratio = median / statistics.median(peer[WARM:])
    return Row("one 2304x1296 picture read", f"virtual table of {tiles} tiles, warm",
               f"{median:.0f} ms median; {ratio:.2f} x one 5-pixel bilateral filter of it", f"{REPEATS} reads",
               f"≤ {MOST_MS:g} ms, ≤ {MOST_RATIO:g} x", median <= MOST_MS and ratio <= MOST_RATIO)  # fmt: skip


def _read_ms(reader: Reader, picture: Image) -> float:
    start = time.perf_counter()
    reader.read(picture, tile_set("rummikub"), TABLE_MM)
    return 1e3 * (time.perf_counter() - start)


class Counting(OnnxModel):
    """A network that counts its runs by the shape of the input."""

    made: list[Counting]

    def __init__(self, path: Path, *arguments: Any, **named: Any) -> None:
        super().__init__(path, *arguments, **named)
        self.path = path
        self.runs: Counter[tuple[int, ...]] = Counter()
        self._counting = threading.Lock()
        self.made.append(self)

    def __call__(self, array: Any) -> tuple[Any, ...]:
        """Run the network, and count the run by the shape of its input."""
        with self._counting:  # several threads read crops
            self.runs[array.shape] += 1
        return super().__call__(array)


@contextmanager
def counting() -> Iterator[list[Counting]]:
    """Let readers that are built meanwhile count the runs of their networks; yield these networks."""
    made: list[Counting] = []
    with mock.patch("referee.cli.parts.readers.OnnxModel", type("Counting", (Counting,), {"made": made})):
        yield made


def multiplications(models: Path) -> Row:
    """Count the multiply-add operations of all runs of the networks for one full table."""
    picture, tiles = virtual.full_table()
    with counting() as networks:
        reader = build_reader(models)
        reader.read(picture, tile_set("rummikub"), TABLE_MM)
    parts = [
        (net.path.stem, sum(net.runs.values()), sum(n * macs.of(net.path, shape) for shape, n in net.runs.items()))
        for net in networks
    ]
    total = sum(number for _, _, number in parts) / 1e9
    told = ", ".join(f"{name} {number / 1e9:.2f} in {runs} runs" for name, runs, number in parts)
    return Row("multiplications for one picture", f"virtual table of {tiles} tiles, convolutions and products",
               f"{total:.2f} GMAC: {told}", "1 read", f"≤ {MOST_GMAC:g} GMAC", total <= MOST_GMAC)  # fmt: skip


def reader_with(models: Path, threads: int) -> TableReader:
    """Return a reader whose networks use `threads` threads."""
    with mock.patch("referee.cli.parts.readers.serving_threads", return_value=threads):
        return build_reader(models)


def _threads(models: Path, number: int) -> Row:
    picture, tiles = virtual.full_table()
    reader = reader_with(models, number)
    times = [_read_ms(reader, picture) for _ in range(REPEATS + WARM)][WARM:]
    return Row("one 2304x1296 picture read, threads of the networks", f"{number} threads, {tiles} tiles",
               f"{statistics.median(times):.0f} ms median, {max(times):.0f} ms worst", f"{REPEATS} reads", "",
               None)  # fmt: skip


def _look(reader: Reader) -> Row:
    """Measure a look in a match, at a nearly full table, most of which was confirmed in the turn before."""
    before, after = tables_of_a_turn(tile_set("rummikub"))
    camera = VirtualCamera(PREVIEW_PX, time.monotonic)
    watcher = TableWatcher(camera, reader, lambda: tile_set("rummikub"), TABLE_MM, time.monotonic)
    times = []
    for number in range(REPEATS + WARM):
        camera.show(before)
        watcher.confirm(watcher.look(time.monotonic()))
        watcher.glance()  # as the loop does continually between two turns
        camera.show(after[number % len(after)])
        start = time.perf_counter()
        watcher.look(time.monotonic())
        times.append(1e3 * (time.perf_counter() - start))
    median = statistics.median(times[WARM:])
    return Row("a look in a match", f"virtual table of {FULL} tiles, at most {CHANGED} of them new, not read ahead",
               f"{median:.0f} ms median, {max(times[WARM:]):.0f} ms worst", f"{REPEATS} looks", f"≤ {LOOK_MS:g} ms",
               median <= LOOK_MS)  # fmt: skip


def tables_of_a_turn(box: TileSet) -> tuple[Image, list[Image]]:
    """Return a picture of a confirmed table, and pictures of it after turns that each add at most CHANGED tiles."""
    rng = np.random.default_rng(11)
    sets = virtual.random_sets(box, rng, FULL)
    held = len(sets)
    while sum(map(len, sets[held - 1 :])) <= CHANGED:
        held -= 1
    table = VirtualTable(Setting.usual(box), rng)
    table.lay(tuple(sets[:held]))
    before, lying = table.picture(), table.layout
    after = []
    for _ in range(VARIANTS):
        table.layout = lying
        table.lay(tuple(sets), side=90.0 * int(rng.integers(4)))
        after.append(table.picture())
    return before, after


_MEMORY = """
import re, sys
from pathlib import Path
from referee.cli.main import main
try:
    main()
except SystemExit:
    pass
status = Path("/proc/self/status").read_text()
print(int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1024, file=sys.stderr)
"""


def _memory(models: Path) -> Row:
    """Measure the peak resident memory of `referee read` in a process of its own."""
    picture, _ = virtual.full_table()
    file = models.parent / "build" / "memory.png"
    file.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(file), picture)
    done = subprocess.run([sys.executable, "-c", _MEMORY, "read", str(file), "--json"], capture_output=True, text=True,
                          check=True, timeout=120)  # fmt: skip
    megabytes = float(done.stderr.strip().splitlines()[-1])
    return Row("peak resident memory of `read`", "2304x1296 picture", f"{megabytes:.0f} MB", "1 run",
               f"≤ {MEMORY_MB:g} MB", megabytes <= MEMORY_MB)  # fmt: skip
