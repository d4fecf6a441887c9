"""The last lines of the service's log: when, how grave, and the message without anything private."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from referee.report.privacy import GONE, Privacy
from referee.report.told_names import without_announcement

UNIT = "referee.service"
LINES = 400
COMMAND = ("journalctl", f"--unit={UNIT}", f"--lines={LINES}", "--output=json", "--no-pager", "--quiet")
"""Prints the last lines of the service, each as a JSON object."""
GRAVITIES = ("emergency", "alert", "critical", "error", "warning", "notice", "info", "debug")
"""What the priorities 0 to 7 of a line mean (syslog)."""

Ask = Callable[[Sequence[str]], str | None]
"""Returns the output of a command; None if there is no such command or it fails."""

Entry = dict[str, Any]
"""A line of the log as journald gives it."""

Printed = tuple[float, str]
"""A line that this program has printed, and when, in seconds since 1970."""


def read_log(ask: Ask) -> list[Entry]:
    """Return the last lines of the service's log as journald gives them; empty if there is none that may be read."""
    return [entry for text in (ask(COMMAND) or "").splitlines() if (entry := _entry(text)) is not None]


def messages_of(entries: Sequence[Entry]) -> list[str]:
    """Return the texts of lines, as they were printed."""
    return [message for entry in entries if isinstance(message := entry.get("MESSAGE"), str)]


def log_lines(entries: Sequence[Entry], privacy: Privacy, since: float = -math.inf) -> list[str]:
    """Return the lines of the log without anything private.

    `since`: when the names of players began to be known, in seconds since 1970. Of lines up to the last one that is
    not later, only time and gravity are left.
    """
    moments = [_moment(entry) for entry in entries]
    # In the order of the log, because a clock that was wrong may have given a later time to an earlier line.
    first = max((number for number, at in enumerate(moments, 1) if at is not None and at <= since), default=0)
    return [
        f"{' '.join(_head(entry, at))}  {_message(entry, privacy) if number >= first else GONE}"
        for number, (entry, at) in enumerate(zip(entries, moments, strict=True))
    ]


def heads_of(entries: Sequence[Entry]) -> list[str]:
    """Return time and gravity of the lines of the log."""
    return [f"{' '.join(_head(entry, _moment(entry)))}  {GONE}" for entry in entries]


def own_lines(printed: Sequence[Printed], privacy: Privacy, since: float = -math.inf) -> list[str]:
    """Return what this program itself has printed, without anything private; `since` is that of `log_lines`."""
    return [
        f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} printed  {_clean(text, privacy) if at > since else GONE}"
        for at, text in printed
    ]


def _entry(text: str) -> Entry | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _message(entry: Entry, privacy: Privacy) -> str:
    message = entry.get("MESSAGE")
    return _clean(message, privacy) if isinstance(message, str) else GONE


def _clean(text: str, privacy: Privacy) -> str:
    """Return a line without anything private; nothing of what a hall has announced is the referee's own."""
    own, is_announcement = without_announcement(text)
    cleaned = privacy.clean(own)
    return f"{cleaned} {GONE}" if is_announcement and cleaned != GONE else cleaned


def _moment(entry: Entry) -> float | None:
    """Return when a line was written, in seconds since 1970; None if it does not say that."""
    try:
        at = int(entry["__REALTIME_TIMESTAMP"]) / 1e6
        datetime.fromtimestamp(at, UTC)
    except (KeyError, ValueError, TypeError, OverflowError, OSError):
        return None
    return at


def _head(entry: Entry, at: float | None) -> Iterator[str]:
    """Yield time and gravity of a line, from numbers only."""
    yield "unknown time" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S}"
    try:
        yield GRAVITIES[int(entry["PRIORITY"])]
    except (KeyError, ValueError, TypeError, IndexError):
        yield "unknown"
