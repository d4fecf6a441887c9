"""Tells systemd the state of the service, as in sd_notify(3): ready, alive, stopping, and a line of status."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

PAUSED = "WATCHDOG_USEC_PAUSED"
"""The variable by which a program that starts again in the same process knows the limit of the watchdog."""
WITHOUT_TABLE = "no-table:"
"""The beginning of the line of status while the page is served, but no table can be opened.

The updater looks for it: a new version with which nobody can play is taken back (`systemd/updater/services.py`).
"""
LONGEST_US = 3_600_000_000
"""Microseconds for the largest backup on the slowest card. Chosen by hand."""


class Service:
    """The connection to systemd. If systemd did not start this process, every call does nothing."""

    def __init__(self, environ: Mapping[str, str], pid: int | None = None) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the NUL of an abstract socket.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.alive_every_s = _alive_every(environ, os.getpid() if pid is None else pid)

    def ready(self) -> None:
        """Report that the referee is ready for the players. From now on the watchdog counts again, if it did not."""
        self._tell("READY=1")
        if (usec := os.environ.pop(PAUSED, "")) != "":
            self._tell(f"WATCHDOG_USEC={usec}")

    def pause_watchdog(self) -> None:
        """Report that this process does something long, and then starts its program again: until that is ready.

        It must not say that it is stopping: systemd would then kill it after TimeoutStopSec, in the middle of that.
        """
        if self.alive_every_s is not None:
            os.environ[PAUSED] = str(round(self.alive_every_s * 2e6))
            self._tell(f"WATCHDOG_USEC={LONGEST_US}")

    def alive(self) -> None:
        """Report that the event loop is running; to be called every `alive_every_s` seconds."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Report that the referee is about to end."""
        self._tell("STOPPING=1")

    def status(self, text: str) -> None:
        """Set the line that `systemctl status` shows."""
        self._tell("STATUS=" + " ".join(text.split()))

    def _tell(self, message: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as door:
            door.setblocking(False)
            try:
                door.sendto(message.encode(), self._address)
            except OSError:  # systemd may be restarting: the next message will reach it
                return


def _alive_every(environ: Mapping[str, str], pid: int) -> float | None:
    """Return the seconds between two calls of `alive`: half of the watchdog's limit. None without a watchdog."""
    try:
        allowed_us = int(environ.get("WATCHDOG_USEC", "0"))
        meant = int(environ.get("WATCHDOG_PID", str(pid)))
    except ValueError:
        return None
    return allowed_us / 2e6 if allowed_us > 0 and meant == pid else None
