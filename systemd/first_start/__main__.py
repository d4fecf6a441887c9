"""What referee-card.service runs: `python3 first-start.pyz [--root FOLDER]`; 1 if nothing could be installed."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

from updater.journal import state_folder
from updater.services import Services
from updater.slots import Slots

from first_start.lamps import BoardLamp, Lamps
from first_start.steps import Attempt, Card, FirstStart
from first_start.tones import Buzzer

BOOT = "boot/firmware"
MESSAGES_S = 20.0


class Referee:
    """The service of the referee on this machine."""

    def is_ready(self) -> bool:
        """Return whether it says that it is ready."""
        return Services().health("referee").ready

    def last_messages(self) -> str:
        """Return the last of its messages, in one line."""
        command = ["journalctl", "--unit", "referee", "--lines", "4", "--output", "cat", "--quiet"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MESSAGES_S)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        return " / ".join(done.stdout.splitlines()) or "no messages"


def find_address() -> str:
    """Return the IPv4 address of this machine in the house; empty if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            door.connect(("192.0.2.1", 9))  # an address for documentation: only its route is looked up
            return str(door.getsockname()[0])
        except OSError:
            return ""


def main(words: list[str]) -> int:
    """Run the first start of the system below a folder, by default this one."""
    root = Path(words[1]) if words[:1] == ["--root"] else Path("/")
    card = Card(root, root / BOOT)
    attempt = Attempt(Slots(root), Services(root), state_folder(root))
    panel = card.panel()
    lamps = Lamps(panel, BoardLamp(root), sound=Buzzer(panel, time.sleep).play, address=find_address)
    return 0 if FirstStart(card, attempt, Referee(), lamps, time.sleep).run() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
