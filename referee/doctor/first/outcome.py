"""Findings of the first evening, in English sentences: for the person who builds, and for the record to be sent."""

from __future__ import annotations

from typing import Any

from referee.doctor import finding
from referee.doctor.finding import Finding
from referee.game.notice import Notice, as_notice


def ok(check: str, found: str | Notice, **figures: Any) -> Finding:
    """Return a finding that all is well."""
    return finding.ok(check, as_notice(found), **figures)


def skip_step(check: str, found: str, do: str | Notice = "") -> Finding:
    """Return a finding that this was not measured, and why."""
    return finding.skip_check(check, as_notice(found), as_notice(do) if do else None)


def attention(check: str, found: str, do: str | Notice, **figures: Any) -> Finding:
    """Return a finding that it works, but not as well as it could."""
    return finding.attention(check, as_notice(found), as_notice(do), **figures)


def wrong(check: str, found: str, do: str | Notice, **figures: Any) -> Finding:
    """Return a finding that the referee will not work well, or not at all."""
    return finding.wrong(check, as_notice(found), as_notice(do), **figures)
