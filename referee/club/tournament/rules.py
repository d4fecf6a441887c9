"""What a tournament is played by: rounds, tables, points of places, tie-breaks."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.errors import BadInput
from referee.game.rulebooks.model import Ruleset


class TieBreak(enum.StrEnum):
    """What decides between players of equal points."""

    WINS = "wins"
    """Tables won; a shared win counts its share."""
    OPPONENTS = "opponents"
    """What the opponents met have, on average over the rounds played."""
    BEST_ROUNDS = "best-rounds"
    """The points of the best round, then of the second best, and so on."""
    MARGIN = "margin"
    """How far one's points at the table were ahead of the others' mean, summed over the rounds."""
    DIRECT = "direct"
    """Who was ahead of whom at common tables, among those who are still equal."""
    LOTS = "lots"
    """Lots, drawn from the tournament's seed: the same at every look."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """What places at a table are worth, the first place first. Equal players share what their places are worth.

    As they stand here the mean is 6 at every table, so that nobody is better off at a larger or a smaller one, and a
    bye is worth as much. All shares are whole numbers.
    """

    two: tuple[int, int] = (12, 0)
    three: tuple[int, int, int] = (12, 6, 0)
    four: tuple[int, int, int, int] = (12, 8, 4, 0)
    bye: int = 6

    def __post_init__(self) -> None:
        for row in (self.two, self.three, self.four):
            if list(row) != sorted(row, reverse=True) or row[0] == row[-1]:
                raise BadInput(f"expected points that fall from the first place to the last, got {row}")

    def places(self, players: int) -> tuple[int, ...]:
        """The points of the places at a table of this many."""
        return {2: self.two, 3: self.three, 4: self.four}[players]


@dataclass(frozen=True, slots=True)
class Rules:
    """What was agreed before a tournament."""

    rounds: int
    seed: int = 0
    """Of the seats and the lots."""
    smallest: int = SMALLEST
    largest: int = LARGEST
    highest_wins: bool = True
    """Whether the higher total wins a table, as the rule book says it."""
    scheme: Scheme = Scheme()
    tie_breaks: tuple[TieBreak, ...] = (TieBreak.WINS, TieBreak.OPPONENTS, TieBreak.MARGIN, TieBreak.LOTS)
    book: str | None = None
    """The name of the rule book; None leaves it to the tables, as tournaments did that were opened before."""
    match_rounds: int | None = None
    """The rounds of each match; None leaves them to the tables."""

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.seed < 0:
            raise BadInput(f"expected at least 1 round and a seed from 0, got {self.rounds} and {self.seed}")
        if self.match_rounds is not None and self.match_rounds < 1:
            raise BadInput(f"expected matches of at least 1 round, got {self.match_rounds}")
        if not SMALLEST <= self.smallest <= self.largest <= LARGEST:
            raise BadInput(
                f"expected tables of {SMALLEST} to {LARGEST} players, got {self.smallest} to {self.largest}"
            )
        if len(set(self.tie_breaks)) < len(self.tie_breaks):
            raise BadInput(f"expected every tie-break once, got {', '.join(self.tie_breaks)}")

    @classmethod
    def by_book(cls, book: Ruleset, rounds: int, seed: int) -> Rules:
        """A tournament by a rule book: it says how many may sit at a table, and whether points are good or bad."""
        fewest, most = book.players
        sizes = max(fewest, SMALLEST), min(most, LARGEST)
        return cls(rounds, seed, *sizes, book.scoring.highest_wins, book=book.name)
