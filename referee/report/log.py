"""The last lines of the service's log: when, how grave, and the message without anything private."""

from __future__ import annotations

import json
import math
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


def log_lines(ask: Ask, privacy: Privacy, since: float = -math.inf) -> list[str]:
    """Return the last lines of the log, without anything private; empty if there is no log that may be read.

    `since`: when the names of players began to be known, in seconds since 1970. Of lines up to the last one that is
    not later, only time and gravity are left.
    """
    entries = [entry for text in (ask(COMMAND) or "").splitlines() if (entry := _entry(text)) is not None]
    moments = [_moment(entry) for entry in entries]
    # In the order of the log, because a clock that was wrong may have given a later time to an earlier line.
    first = max((number for number, at in enumerate(moments, 1) if at is not None and at <= since), default=0)
    return [
        f"{' '.join(_head(entry, at))}  {_message(entry, privacy) if number >= first else GONE}"
        for number, (entry, at) in enumerate(zip(entries, moments, strict=True))
    ]


def own_lines(printed: Sequence[Printed], privacy: Privacy, since: float = -math.inf) -> list[str]:
    """Return what this program itself has printed, without anything private; `since` is that of `log_lines`."""
    return [
        f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} printed  {privacy.clean(text) if at > since else GONE}"
        for at, text in printed
    ]


def _entry(text: str) -> dict[str, Any] | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _message(entry: dict[str, Any], privacy: Privacy) -> str:
    message = entry.get("MESSAGE")
    return privacy.clean(message) if isinstance(message, str) else GONE


def _moment(entry: dict[str, Any]) -> float | None:
    """Return when a line was written, in seconds since 1970; None if it does not say that."""
    try:
        at = int(entry["__REALTIME_TIMESTAMP"]) / 1e6
        datetime.fromtimestamp(at, UTC)
    except (KeyError, ValueError, TypeError, OverflowError, OSError):
        return None
    return at


def _head(entry: dict[str, Any], at: float | None) -> Iterator[str]:
    """Yield time and gravity of a line, from numbers only."""
    yield "unknown time" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S}"
    try:
        yield GRAVITIES[int(entry["PRIORITY"])]
    except (KeyError, ValueError, TypeError, IndexError):
        yield "unknown"
