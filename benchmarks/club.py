"""What the club costs the table: press to lamp with a broker that is there, that hangs, or that is gone."""

from __future__ import annotations

import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from benchmarks import press
from benchmarks.report import Row, skipped
from referee.app.club.club import club_of
from referee.messages import ENGLISH
from referee.runtime.output.audience import Audience
from referee.settings.settings import ClubSettings, Settings

GROWS = 0.10
PATIENCE_S = 30.0
WHAT, ON = "club: press to verdict lamp, broker {}", "virtual camera, table read ahead"


def measure() -> list[Row]:
    """All of it, on this machine."""
    if shutil.which("mosquitto") is None:
        return [skipped(WHAT.format("there"), ON, "there is no mosquitto")]
    with tempfile.TemporaryDirectory(prefix="club-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        alone = press.milliseconds(folder / "alone", ahead=True)
        rows = []
        with _mosquitto(folder) as (broker, port):
            rows.append(_row("there", alone, folder, port))
            broker.send_signal(signal.SIGSTOP)
            rows.append(_row("that hangs", alone, folder, port))
            broker.send_signal(signal.SIGCONT)
        rows.append(_row("gone", alone, folder, port))
        return rows


def _row(broker: str, alone: list[float], folder: Path, port: int) -> Row:
    @contextmanager
    def joined(journal: Path) -> Iterator[Audience]:
        club = ClubSettings(on=True, broker="127.0.0.1", port=port, table="bench")
        with closing(club_of(replace(Settings(), club=club), journal, ENGLISH)) as one:
            yield one.audience

    times = press.milliseconds(folder / broker, ahead=True, club=joined)
    before, now = statistics.median(alone), statistics.median(times)
    figure = f"{before:.1f} ms median without, {now:.1f} ms with: {100 * (now / before - 1):+.0f} %"
    count = f"{len(alone)} and {len(times)} presses"
    return Row(WHAT.format(broker), ON, figure, count, f"≤ +{100 * GROWS:.0f} %", now <= before * (1 + GROWS))


@contextmanager
def _mosquitto(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A broker of our own on a port that is free."""
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        port = door.getsockname()[1]
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n", encoding="ascii")
    program = shutil.which("mosquitto") or ""
    process = subprocess.Popen([program, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
                break
        yield process, port
    finally:
        process.kill()
        process.wait()
