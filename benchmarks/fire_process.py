"""Controls `referee play` as a process: presses buttons, reads output and journal, kills it, fills its disk."""

from __future__ import annotations

import queue
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import cv2

from referee.game.match.events import Effect, Event
from referee.game.match.machine import apply
from referee.game.match.state import State
from referee.journal.codec import event_from_text, from_text
from referee.journal.opening import FILE
from referee.journal.rows import GIVEN_UP, Row, Setup
from referee.journal.schema import ROWS
from referee.vision.sighting import Image

PATIENCE_S = 240.0
"""The longest wait in seconds; even on a busy machine, only a process that hangs takes longer."""
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 92]


class Referee:
    """One run of the process; `lines` has its output, each line with the time at which it came."""

    def __init__(self, arguments: Sequence[str], cwd: Path) -> None:
        self.started = time.monotonic()
        self.lines: list[tuple[float, str]] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "referee", "play", "--keys", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1, cwd=cwd,
        )  # fmt: skip
        self._queue: queue.Queue[tuple[float, str]] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def press(self, *keys: str) -> None:
        """Press keys; do nothing if the process has ended."""
        if self._process.stdin is not None and self.alive:
            try:
                self._process.stdin.write(" ".join(keys) + "\n")
                self._process.stdin.flush()
            except BrokenPipeError:
                return

    def line(self, seconds: float) -> str | None:
        """Return the next line of output; None if none comes within `seconds`."""
        try:
            self.lines.append(self._queue.get(timeout=max(0.0, seconds)))
        except queue.Empty:
            return None
        return self.lines[-1][1]

    def until(self, true: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
        """Read output until a condition is true, and check it after every line; return False on a timeout."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end or not self.alive:
                return true()
            self.line(min(0.25, end - time.monotonic()))
        return True

    def told(self, words: str, since: int = 0) -> bool:
        """Return whether a line from the number `since` on contains these words."""
        return any(words in line for _, line in self.lines[since:])

    def room(self, size: int) -> None:
        """Limit the size of files that the process can write, in bytes."""
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal and read the remaining output; return the exit code, and the text from standard error."""
        if self.alive:
            self._process.send_signal(number)
        with self._process as process:
            errors = "" if process.stderr is None or process.stderr.closed else process.stderr.read()
            self._reading.join()
        while self.line(0) is not None:
            pass
        return self._process.returncode, errors

    def kill(self) -> None:
        """Kill the process at once with SIGKILL, as a power cut would end it."""
        self.end(signal.SIGKILL)

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._queue.put((time.monotonic(), line.rstrip()))


def show(folder: Path, picture: Image) -> None:
    """Replace the picture in a folder that serves as a camera; the folder always has one."""
    path = folder / f"{time.time_ns()}.jpg"
    path.with_suffix(".part").write_bytes(cv2.imencode(".jpg", picture, QUALITY)[1].tobytes())
    path.with_suffix(".part").rename(path)
    for old in sorted(folder.glob("*.jpg"))[:-1]:
        old.unlink()


@dataclass(frozen=True)
class Step:
    """One event of the journal, with the states before and after it."""

    event: Event
    before: State
    after: State
    effects: tuple[Effect, ...]


class JournalView:
    """The newest match of a journal, read while the process writes it; every event is applied to get the state."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.rows: list[Row] = []
        self.state: State | None = None
        self.broken = 0
        """The number of rows that did not follow the previous one, or changed after they had been read."""

    def news(self) -> list[Step]:
        """Return the events written since the last call."""
        return list(self._steps(self._read(len(self.rows))))

    def again(self) -> None:
        """Read the whole match again, and check that the rows read before have not changed."""
        rows = self._read(0)
        if rows[: len(self.rows)] != self.rows:
            self.broken += 1

    def _read(self, number: int) -> list[Row]:
        if not self._path.exists():
            return []
        with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True, timeout=5)) as connection:
            query = f"{ROWS} WHERE match = (SELECT max(match) FROM events) AND number >= ? ORDER BY number"  # noqa: S608
            try:
                return [Row(*values) for values in connection.execute(query, (number,))]
            except sqlite3.OperationalError:
                return []  # the file was just created, and is still empty

    def _steps(self, rows: Sequence[Row]) -> Iterator[Step]:
        for row in rows:
            if not row.follows(self.rows[-1].sum if self.rows else 0):
                self.broken += 1
            self.rows.append(row)
            if row.number == 0:
                self.state = from_text(row.body, Setup).state()
            elif row.kind != GIVEN_UP and self.state is not None:
                before, event = self.state, event_from_text(row.kind, row.body)
                self.state, effects = apply(before, event)
                yield Step(event, before, self.state, effects)
