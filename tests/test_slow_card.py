"""`referee play` on a card that stalls while it writes: a real process, a real disk, and a watchdog that listens.

The stall lasts until the watchdog was heard of often enough to outlast any; so nothing here depends on how fast
the machine is.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.journal.opening import FILE, open_journal
from referee.journal.reading import log_of

COMPILER = shutil.which("cc")
SOURCE = Path(__file__).with_name("slow_card.c")
LONGEST_S = 60
SIGNS = 8
"""Twice as many signs of life as fit into a stall of 8 s with a watchdog of 10 s, and then some."""

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C compiler (cc) to make a card that stalls")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """What is loaded into a process so that its disk can be stalled."""
    library = tmp_path / "slow_card.so"
    command = [str(COMPILER), "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, timeout=LONGEST_S)  # noqa: S603
    return library


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """Where the referee's signs of life arrive."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(str(tmp_path / "notify"))
        door.settimeout(LONGEST_S)
        yield door


@pytest.fixture
def process(tmp_path: Path, card: Path, systemd: socket.socket) -> Iterator[subprocess.Popen[str]]:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), np.full((360, 640, 3), 90, np.uint8))
    settings = ["panel.kind=console", f"storage.state={tmp_path / 'state'}", "camera.kind=folder",
                f"camera.source={pictures}", 'game.players=["Anna","Ben"]',
                'game.options=["starts=next","entry=timed"]']  # fmt: skip
    command = [sys.executable, "-m", "referee", "play", "--keys", *(w for s in settings for w in ("--set", s))]
    environ = {
        **os.environ,
        "LD_PRELOAD": str(card),
        "STALL": str(tmp_path / "stall"),
        "NOTIFY_SOCKET": str(systemd.getsockname()),
        "WATCHDOG_USEC": "200000",
    }
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environ
    ) as running:
        at_last = threading.Timer(5 * LONGEST_S, running.kill)  # nobody waits for a line for ever
        at_last.start()
        yield running
        at_last.cancel()
        (tmp_path / "stall").unlink(missing_ok=True)
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)


def line(process: subprocess.Popen[str], text: str) -> None:
    for said in process.stdout or ():
        if text in said:
            return
    raise AssertionError(f"never said: {text}")


def press(process: subprocess.Popen[str], key: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{key}\n")
    process.stdin.flush()


def test_the_watchdog_hears_of_a_stalled_writer_and_the_press_is_not_lost(
    tmp_path: Path, process: subprocess.Popen[str], systemd: socket.socket
) -> None:
    line(process, "dark")
    press(process, "s")
    line(process, "Anna, it is your turn")
    stall = tmp_path / "stall"
    stall.touch()
    while not Path(f"{stall}.begun").exists():
        systemd.recv(1000)
    press(process, "1")
    heard = 0
    while heard < SIGNS:
        heard += systemd.recv(1000) == b"WATCHDOG=1"
    stall.unlink()
    line(process, "cannot")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONGEST_S)
    assert process.returncode == 0
    assert not log_of(tmp_path / "state" / FILE).exists()
    opened = open_journal(tmp_path / "state")
    opened.journal.close()
    assert opened.kept is not None
    assert opened.kept.state.phase.value in ("asking", "looking")
