"""The services of the referee, through systemctl."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from updater.journal import HALL_SETTINGS
from updater.slots import HALL_UNIT, UNITS
from updater.trial import Health

WITHOUT_TABLE = "no-table:"
"""The beginning of what the service says of itself while it cannot open a table (`referee/devices/service.py`)."""
SYSTEMCTL_S = 120.0
"""Stopping may take 20 s, starting 60 s."""


class Services:
    """The services on this machine."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._hall_settings = root / HALL_SETTINGS

    def enabled(self) -> tuple[str, ...]:
        """Return those that are started with the machine."""
        # Without settings systemd does not start the hall, which could never be ready then.
        names = [name for name in UNITS if name != HALL_UNIT or self._hall_settings.exists()]
        return tuple(name for name in names if self._ask("is-enabled", "--quiet", f"{name}.service") == 0)

    def stop(self, names: Sequence[str]) -> None:
        """Stop services; returns once they have ended."""
        if names:
            self._ask("stop", *(f"{name}.service" for name in names))

    def start(self, names: Sequence[str]) -> None:
        """Start services, also those that had given up, without waiting until they are ready."""
        if names:
            units = [f"{name}.service" for name in names]
            self._ask("reset-failed", *units)
            self._ask("start", "--no-block", *units)

    def reload(self) -> None:
        """Let systemd read the services again."""
        self._ask("daemon-reload")

    def health(self, name: str) -> Health:
        """Return what systemd says of a service."""
        command = ["systemctl", "show", f"{name}.service", "--property=ActiveState,NRestarts,StatusText"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SYSTEMCTL_S)  # noqa: S603
        said = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        restarts = said.get("NRestarts", "")
        return Health(
            said.get("ActiveState") == "active",
            said.get("ActiveState") == "failed",
            int(restarts) if restarts.isdecimal() else 0,
            plays=not said.get("StatusText", "").startswith(WITHOUT_TABLE),
        )

    def _ask(self, *words: str) -> int:
        command = ["systemctl", *words]
        try:
            return subprocess.run(command, capture_output=True, check=False, timeout=SYSTEMCTL_S).returncode  # noqa: S603
        except subprocess.TimeoutExpired:
            return 1
