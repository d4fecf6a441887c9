"""Announcements of the director: what is kept of them for the director's page. Pure; times are passed in."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_SENT = 10
"""How many announcements stay known. Chosen by hand: those of an evening, in a list that is still short."""


@dataclass(frozen=True, slots=True)
class SentAnnouncement:
    """An announcement that was sent at a time of day, in seconds since 1970."""

    id: str
    text: str
    wall: float
    tables: int
    """How many tables of the hall it was sent to."""
    for_all: bool = False
    """Whether the pages of all players showed it."""
    withdrawn: bool = False
    until: float | None = None
    """The time of day until which it was to be shown; None in a file of an earlier release."""


def with_sent(sent: tuple[SentAnnouncement, ...], one: SentAnnouncement) -> tuple[SentAnnouncement, ...]:
    """Return the announcements that stay known after another one, the oldest first."""
    return (*sent, one)[-MOST_SENT:]


def with_withdrawal(sent: tuple[SentAnnouncement, ...], announcement: str) -> tuple[SentAnnouncement, ...]:
    """Return the announcements after the one with this id was withdrawn."""
    return tuple(replace(one, withdrawn=True) if one.id == announcement else one for one in sent)
