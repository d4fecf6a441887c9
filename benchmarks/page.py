"""The cost of the page: latency for screens, delay at the table, bytes, memory, processor time."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from benchmarks import press
from benchmarks.report import Row, skipped
from referee.devices.panel.lights import Lights
from referee.game.match.events import Started
from referee.game.match.machine import apply, new_match
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.page import stream
from referee.pages.table.server import Server
from referee.table.output.audience import DisplayState
from referee.table.session import Players

SCREENS, CHANGES, EVERY_S = 50, 100, 0.1
SOON_MS, KILOBYTES, REQUESTS, PAINT_S, MEMORY_MB, IDLE = 100.0, 120, 6, 0.5, 25.0, 0.005
SPECTATORS, CROWD = 10, 1000
WARM_S, IDLE_S = 15.0, 30.0
CONNECT_S = 3.0
NAMES = ("Ann", "Ben", "Cleo", "Dan")

stream.MOST_EACH = SCREENS  # all of these screens have one address


def measure() -> list[Row]:
    """Measure all of this on this machine."""
    with tempfile.TemporaryDirectory(prefix="page-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        return [
            _news(),
            *_press(folder),
            *_first_paint(),
            *_beside_play(folder),
        ]


@contextmanager
def _served() -> Iterator[Server]:
    """Run a page that shows a match."""
    server = Server("localhost", 0, time.monotonic, "en", (900.0, 600.0))
    server.start()
    state, effects = apply(new_match(ruleset("rummikub")), Started(NAMES, 0.0))
    server.follower.on_event(tuple(effects), state)
    players = Players(NAMES, tuple(range(len(NAMES))))
    server.follower.on_update(DisplayState(state, Lights(()), players, frozenset(), time.monotonic()))
    try:
        yield server
    finally:
        server.close()


def _spectators(port: int, screens: int, seconds: float, *how: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.spectators", str(port), str(screens), str(seconds), *how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _news() -> Row:
    """Measure the time from a change in the loop until each of fifty screens has it."""
    seconds = 6 + CHANGES * EVERY_S
    with _served() as server, _spectators(server.port, SCREENS, seconds) as screens:
        time.sleep(4)
        said: dict[int, float] = {}
        for number in range(1, CHANGES + 1):
            said[server.follower.sentences + 1] = time.monotonic()
            server.follower.on_notice(Notice("play.score", player="Ann", points=number))
            time.sleep(EVERY_S)
        told = screens.communicate()[0]
    heard: defaultdict[int, list[float]] = defaultdict(list)
    for line in told.splitlines():
        sentence, at = line.split()
        if int(sentence) in said:
            heard[int(sentence)].append(1e3 * (float(at) - said[int(sentence)]))
    late = [ms for each in heard.values() for ms in each]
    p95 = statistics.quantiles(late, n=20, method="inclusive")[-1]
    figure = f"{statistics.median(late):.1f} ms median, {p95:.1f} ms p95, {max(late):.0f} ms worst"
    return Row("page: a change until screens know", f"{SCREENS} screens in a process beside it", figure,
               f"{len(late)} of {CHANGES * SCREENS}", f"p95 ≤ {SOON_MS:g} ms", p95 <= SOON_MS)  # fmt: skip


def _press(folder: Path) -> list[Row]:
    """Measure press to lamp without screens, with fifty screens, and with a crowd of screens that come and go."""
    ways = {
        "alone": press.alone,
        f"{SCREENS} screens": lambda: _following(SCREENS),
        f"{CROWD} screens a match that come and go": lambda: _following(CROWD, "come-and-go"),
    }
    times = press.milliseconds(folder, ways, ahead=True)
    without = times.pop("alone")
    what, on = "page: press to verdict lamp beside {}", "virtual camera, table read ahead"
    return [press.beside(what.format(who), on, without, each) for who, each in times.items()]


@contextmanager
def _following(screens: int, *how: str) -> Iterator[press.Followers]:
    """Run a page for the next match, and screens that follow it."""
    server = Server("localhost", 0, time.monotonic, "en", (900.0, 600.0))
    server.start()
    crowd = _spectators(server.port, screens, 600, *how)
    try:
        time.sleep(CONNECT_S)
        yield press.Followers(page=server)
    finally:
        crowd.kill()
        crowd.communicate()
        server.close()


def _first_paint() -> list[Row]:
    """Measure what a browser fetches before it shows something, and how soon it does."""
    what, on = "page: first paint", "the table, Chromium, this machine, nothing cached"
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        return [skipped(what, on, "selenium is not installed")]
    driver = shutil.which("chromedriver")
    if driver is None:
        return [skipped(what, on, "there is no Chromium with its driver")]
    options = Options()
    for name in ("headless=new", "no-sandbox", "disable-gpu", "disable-background-networking", "disable-sync"):
        options.add_argument(f"--{name}")
    paints, told = [], {"requests": 0.0, "bytes": 0.0}
    with _served() as server:
        for _ in range(5):
            chrome = webdriver.Chrome(options=options, service=Service(driver))
            try:
                chrome.get(f"http://localhost:{server.port}/")
                time.sleep(1.5)
                told = chrome.execute_script(_TOLD)
            finally:
                chrome.quit()
            paints.append(told["paint"] / 1e3)
    paint, kilobytes = statistics.median(paints), told["bytes"] / 1000
    figure = f"{paint:.2f} s median, {max(paints):.2f} s worst; {told['requests']:.0f} requests, {kilobytes:.0f} kB"
    reached = paint <= PAINT_S and told["requests"] <= REQUESTS and kilobytes <= KILOBYTES
    return [Row(what, on, figure, f"{len(paints)} starts of a browser",
                f"≤ {PAINT_S:g} s, ≤ {REQUESTS} requests, ≤ {KILOBYTES} kB", reached)]  # fmt: skip


_TOLD = """
const paint = performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint').startTime;
const page = performance.getEntriesByType('navigation')[0];
const files = performance.getEntriesByType('resource').filter(one => !one.name.includes('/api/'));
const all = files.reduce((sum, one) => sum + one.transferSize, page.transferSize);
return {paint: paint, requests: 1 + files.filter(one => one.startTime <= paint).length, bytes: all};
"""


def _beside_play(folder: Path) -> list[Row]:
    """Compare memory and processor time of `play` with the page and ten screens with those of `play` without."""
    picture = folder / "table"
    picture.mkdir()
    cv2.imwrite(str(picture / "1.png"), np.full((1296, 2304, 3), 120, np.uint8))
    without, with_page = (_idle(folder / str(page), picture, page=page) for page in (False, True))
    memory, cpu = (with_page[name] - without[name] for name in ("memory", "cpu"))
    on = f"`play` before a match, {SPECTATORS} screens"
    grown = f"+{memory:.1f} MB, {without['memory']:.0f} MB without"
    busy = f"{100 * cpu:+.2f} % of a core, {100 * without['cpu']:.1f} % without"
    return [
        Row("page: memory", on, grown, "1 process", f"≤ +{MEMORY_MB:g} MB", memory <= MEMORY_MB),
        Row("page: processor time, nothing happens", on, busy, f"{IDLE_S:g} s", f"≤ +{100 * IDLE:g} %", cpu <= IDLE),
    ]


def _idle(folder: Path, pictures: Path, *, page: bool) -> dict[str, float]:
    folder.mkdir()
    port = 18_765
    settings = {"camera.kind": "folder", "camera.source": str(pictures), "storage.state": str(folder),
                "web.port": str(port), "panel.kind": "none"}  # fmt: skip
    flags = [text for name, value in settings.items() for text in ("--set", f"{name}={value}")]
    command = [sys.executable, "-m", "referee", "play", *flags, *(["--page"] if page else [])]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as play:
        try:
            time.sleep(WARM_S)
            screens = _spectators(port, SPECTATORS, WARM_S + IDLE_S + 5) if page else None
            time.sleep(WARM_S)
            before = processor_s(play.pid)
            time.sleep(IDLE_S)
            cpu = (processor_s(play.pid) - before) / IDLE_S
            told = {"cpu": cpu, "memory": memory_mb(play.pid)}
            if screens is not None:
                screens.kill()
                screens.communicate()
        finally:
            play.terminate()
    return told


def processor_s(pid: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process in MB, including what it shares with other processes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Rss:")) / 1000
