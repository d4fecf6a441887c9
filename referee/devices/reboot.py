"""Rebooting the Pi, for the one fault that nothing else cures without hands: a camera that hangs in the kernel."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

COMMAND = ("systemctl", "--no-block", "--no-ask-password", "reboot")
WITHIN_S = 10.0


def reboot(run: Callable[..., Any] = subprocess.run) -> str | None:
    """Ask systemd for a reboot; return None if it will, else why not."""
    try:
        done = run(COMMAND, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return " ".join((done.stderr or f"exit code {done.returncode}").split())
