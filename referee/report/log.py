"""The last lines of the service's log: when, how grave, and the message without anything private."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from referee.report.privacy import GONE, Privacy

UNIT = "referee.service"
LINES = 400
COMMAND = ("journalctl", f"--unit={UNIT}", f"--lines={LINES}", "--output=json", "--no-pager", "--quiet")
"""Prints the last lines of the service, each as a JSON object."""
GRAVITIES = ("emergency", "alert", "critical", "error", "warning", "notice", "info", "debug")
"""What the priorities 0 to 7 of a line mean (syslog)."""

Ask = Callable[[Sequence[str]], str | None]
"""Returns the output of a command; None if there is no such command or it fails."""

Printed = tuple[float, str]
"""A line that this program has printed, and when, in seconds since 1970."""


def log_lines(ask: Ask, privacy: Privacy) -> list[str]:
    """Return the last lines of the log, without anything private; empty if there is no log that may be read."""
    return [line for text in (ask(COMMAND) or "").splitlines() if (line := _line(text, privacy)) is not None]


def own_lines(printed: Sequence[Printed], privacy: Privacy) -> list[str]:
    """Return what this program itself has printed, without anything private."""
    return [
        f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} printed  {privacy.clean(text)}" for at, text in printed
    ]


def _line(text: str, privacy: Privacy) -> str | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    head = " ".join(_head(entry))
    message = entry.get("MESSAGE")
    return f"{head}  {privacy.clean(message) if isinstance(message, str) else GONE}"


def _head(entry: dict[str, Any]) -> Iterator[str]:
    """Yield time and gravity of a line, from numbers only."""
    try:
        moment = datetime.fromtimestamp(int(entry["__REALTIME_TIMESTAMP"]) / 1e6, UTC)
        yield f"{moment:%Y-%m-%d %H:%M:%S}"
    except (KeyError, ValueError, TypeError, OverflowError, OSError):
        yield "unknown time"
    try:
        yield GRAVITIES[int(entry["PRIORITY"])]
    except (KeyError, ValueError, TypeError, IndexError):
        yield "unknown"
