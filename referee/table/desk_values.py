"""Values of the director's desk at a table: what may be asked of it, what it shows, and how a call is kept."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

REASONS = ("rules", "dispute", "equipment", "late", "other")
"""Why somebody may call the director."""


class CallState(enum.StrEnum):
    """What is known of the table's own call."""

    SENT = "sent"
    """The hall has not confirmed it yet."""
    WAITING = "waiting"
    COMING = "coming"


@dataclass(frozen=True, slots=True)
class HallClock:
    """The clock of the round: `left` seconds while it stands; it runs until the moment `ends` of the loop's clock."""

    number: int
    """Changes whenever the director sets another time."""
    left: float
    ends: float | None = None
    warn: float = 0.0
    """How many seconds before the end the players are warned; 0: they are not."""
    started: bool = True
    """Whether it has run since it was set."""

    def left_at(self, now: float) -> float:
        """Return the seconds left, at least 0."""
        return max(0.0, self.left if self.ends is None else self.ends - now)


@dataclass(frozen=True, slots=True)
class OwnCall:
    """The call of this table; `id` distinguishes it from all others, and `reason` is one of `REASONS`."""

    id: str
    reason: str | None = None
    text: str = ""
    stopped: bool = False
    """Whether the turn clock was stopped for it."""


@dataclass(frozen=True, slots=True)
class CallHeard:
    """What the hall has answered to the call `id`; `is_over` once the director has closed it."""

    id: str
    state: CallState = CallState.WAITING
    place: int | None = None
    who: str = ""
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class HearHall:
    """A request of the club's side: whether a hall listens, and what it has told this table last."""

    listens: bool
    clock: HallClock | None = None
    answer: CallHeard | None = None


@dataclass(frozen=True, slots=True)
class CallDirector:
    """Call the director; `stops`: stop the turn clock until the players press start."""

    reason: str | None = None
    text: str = ""
    stops: bool = False


@dataclass(frozen=True, slots=True)
class WithdrawCall:
    """Withdraw the call, because the players have settled it themselves."""


@dataclass(frozen=True, slots=True)
class DismissAnnouncement:
    """Remove an announcement from the screens of this table."""

    number: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement that is shown; later ones have higher numbers."""

    number: int
    text: str
    until: float


@dataclass(frozen=True, slots=True)
class DeskShown:
    """All that screens show of the desk, and what the club's side sends to the hall."""

    is_told: bool = False
    """Whether the loop has told anything yet: before that, nobody knows whether the table calls."""
    in_club: bool = False
    """Whether the table belongs to a club, so that it can call a director at all."""
    listens: bool = False
    """Whether a hall listens."""
    clock: HallClock | None = None
    call: OwnCall | None = None
    state: CallState = CallState.SENT
    place: int | None = None
    """The place among the calls that wait, from 1."""
    who: str = ""
    """Who is coming, if they have said so."""
    announcement: Announcement | None = None


class CallKeeper(Protocol):
    """Keeps the call of the table, so that it survives the end of the program."""

    def load(self) -> OwnCall | None:
        """Return the stored call; None if there is none."""

    def keep(self, call: OwnCall | None) -> None:
        """Store a call, or with None that there is none; raises BadInput if that fails."""
