"""All that the page shows of tournaments: one frozen value, made anew whenever something has changed."""

from __future__ import annotations

from dataclasses import dataclass

from referee.club.hall.tournaments.results import Found
from referee.club.hall.tournaments.state import Hosted
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class SeatSearch:
    """How far the search for the seats of a round has come, or that for better seats in the rounds after it."""

    round: int
    percent: int = 0
    repeats: int | None = None
    """Of the best seats so far; None before there are any."""
    bound: int = 0
    """No seats have fewer."""
    offered: bool = False
    """Whether the director may take the best seats so far."""
    later: bool = False
    """Whether it is about the rounds after the one that is drawn."""


@dataclass(frozen=True, slots=True)
class TournamentFacts:
    """The tournaments of a hall; `current` is the one that was opened last."""

    all: tuple[Hosted, ...] = ()
    """In the order in which they were opened."""
    found: tuple[Found, ...] = ()
    """What the tables' matches are for the rounds of the current one."""
    late: frozenset[int] = frozenset()
    """Tables of the round under way that were asked to begin and have not."""
    troubles: tuple[Notice, ...] = ()
    """What could not be kept or read."""
    search: SeatSearch | None = None
    """While seats are being found."""
    not_drawn: Notice | None = None
    """Why the last search for seats came to nothing."""

    @property
    def current(self) -> Hosted | None:
        """The tournament that the hall plays, or played last."""
        return self.all[-1] if self.all else None

    @property
    def draws(self) -> bool:
        """Whether seats for the next round are being found."""
        return self.search is not None and not self.search.later

    def at(self, round_: int, table: int) -> Found | None:
        """What was found for a table of a round."""
        return next((one for one in self.found if (one.round, one.table) == (round_, table)), None)
