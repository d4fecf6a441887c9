"""How much the club slows down a table: press to lamp with a broker that is connected, slow, hanging, or gone."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import press
from benchmarks.report import Row, skipped
from referee.club.table_side.club import club_of
from referee.i18n import ENGLISH
from referee.settings.settings import ClubSettings, Settings
from referee.table.output.audience import Audience

PATIENCE_S, CONNECT_S = 30.0, 3.0
ASLEEP_S, AWAKE_S = 0.5, 0.02
SLOW, HANGS, GONE = "that is slow", "that hangs", "gone"
WHAT, ON = "club: press to verdict lamp, broker {}", "virtual camera, table read ahead"


def measure() -> list[Row]:
    """Measure all of this on this machine."""
    if shutil.which("mosquitto") is None:
        return [skipped(WHAT.format("there"), ON, "there is no mosquitto")]
    with tempfile.TemporaryDirectory(prefix="club-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        ways = {how: partial(_beside, folder, how) for how in ("there", SLOW, HANGS, GONE)}
        times = press.milliseconds(folder, {"alone": press.alone, **ways}, ahead=True)
        without = times.pop("alone")
        return [press.beside(WHAT.format(broker), ON, without, each) for broker, each in times.items()]


@contextmanager
def _beside(folder: Path, broker: str) -> Iterator[press.Followers]:
    """For one match, let the table publish to a broker that is connected, slow, hanging, or gone."""
    with _mosquitto(folder) as (process, port):

        @contextmanager
        def joined(journal: Path) -> Iterator[Audience]:
            club = ClubSettings(on=True, broker="127.0.0.1", port=port, table="bench")
            with closing(club_of(replace(Settings(), club=club), journal, ENGLISH)) as one:
                time.sleep(CONNECT_S)
                if broker == HANGS:
                    process.send_signal(signal.SIGSTOP)
                with _slow(process) if broker == SLOW else nullcontext():
                    yield one.audience

        if broker == GONE:
            process.kill()
        yield press.Followers(club=joined)


@contextmanager
def _slow(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Let the broker sleep most of the time."""
    over = threading.Event()

    def sleeps() -> None:
        while not over.wait(AWAKE_S):
            process.send_signal(signal.SIGSTOP)
            over.wait(ASLEEP_S)
            process.send_signal(signal.SIGCONT)

    thread = threading.Thread(target=sleeps)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _mosquitto(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a broker on a free port; yield its process and the port."""
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
