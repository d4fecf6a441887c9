"""The trial of a new version: what is known of it, and whether it stays.

1. It stays once all of its services have been ready for CONFIRM_S without a break.
2. It goes if a service has given up, or has stopped twice, or if one was not ready for READY_S. A service that only
   shows on its page why it cannot open a table is not ready.
3. It goes if the machine has started four times without 1: it may be the version that brings the machine down.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

CONFIRM_S = 300.0
READY_S = 150.0
"""Longer than two starts that hang until systemd ends them (TimeoutStartSec=60), so that those count as two stops."""
STOPS = 2
BOOTS = 3


class Phase(enum.StrEnum):
    """How far a change of versions has come."""

    SWITCHING = "switching"
    TRYING = "trying"
    BACK = "back"


class Reason(enum.StrEnum):
    """Why a version was taken back."""

    NOT_READY = "not_ready"
    STOPPED = "stopped"
    GAVE_UP = "gave_up"
    BOOTS = "boots"


@dataclass(frozen=True, slots=True)
class Trial:
    """The version in `slot` is on trial; `back` is the slot to go back to, `units` are the services to watch."""

    slot: str
    back: str
    units: tuple[str, ...]
    phase: Phase
    copy: str = ""
    """The copy of the journal from before; empty if there was no journal."""
    schema: int = 0
    """The version of the journal's tables before."""
    stops: int = 0
    """How often services had stopped by themselves before the machine was started last."""
    seen: int = 0
    """How often they have since."""
    boots: int = 0
    reason: Reason | None = None
    hall_copy: str = ""
    hall_schema: int = 0
    """The same of the hall's file."""
    played: bool = True
    """Whether the version before could open a table, and had not given up; if not, the new one need not either."""

    def record(self) -> dict[str, Any]:
        """Return the form in which it is written."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Trial | None:
        """Return what was written; None for anything else."""
        known = {one.name: record[one.name] for one in fields(cls) if one.name in record}
        try:
            reason = known.get("reason")
            return cls(**{**known, "units": tuple(known["units"]), "phase": Phase(known["phase"]),
                          "reason": None if reason is None else Reason(reason)})  # fmt: skip
        except (KeyError, TypeError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class Health:
    """What systemd says of a service: whether it is ready, has given up, and how often it was started anew."""

    ready: bool
    failed: bool
    restarts: int
    plays: bool = True
    """Whether a table is open, as far as the service says: with its page, it is ready without one, too."""


@dataclass(slots=True)
class Watch:
    """What was seen of the version on trial since the watching began, at `start` (monotonic seconds)."""

    start: float
    ready_since: float | None = None
    not_ready_since: float = field(init=False)
    seen: int = 0

    def __post_init__(self) -> None:
        self.not_ready_since = self.start

    def judge(self, now: float, health: Mapping[str, Health], stops_before: int) -> Reason | bool | None:
        """Return why the version must go, True if it stays, or None while nobody knows.

        `stops_before` is how often its services had stopped by themselves before the last start of the machine.
        """
        stops = sum(one.restarts for one in health.values())
        fresh = stops > self.seen
        self.seen = stops
        if all(one.ready and one.plays for one in health.values()) and not fresh:
            if self.ready_since is None:
                self.ready_since = now
        elif self.ready_since is not None:
            self.ready_since, self.not_ready_since = None, now
        if any(one.failed for one in health.values()):
            return Reason.GAVE_UP
        if stops_before + stops >= STOPS:
            return Reason.STOPPED
        if self.ready_since is None and now - self.not_ready_since >= READY_S:
            return Reason.NOT_READY
        return True if self.ready_since is not None and now - self.ready_since >= CONFIRM_S else None
