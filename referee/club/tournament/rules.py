"""The rules of a tournament: number of rounds, sizes of tables, points for places, and tie-breaks."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.errors import BadInput
from referee.game.rulebooks.model import Ruleset

SMALLEST_GROUP, LARGEST_GROUP = 3, 8
LARGEST_TEAM = 4


class Drawing(enum.StrEnum):
    """How the rounds of a tournament are drawn."""

    PLANNED = "planned"
    """All rounds are planned ahead, so that as few players as possible meet again."""
    SWISS = "swiss"
    """Round by round: players who are near each other in the standings meet, and nobody meets again if avoidable."""
    GROUPS = "groups"
    """Everybody meets everybody in groups; then the first of each group play a final."""


class Counting(enum.StrEnum):
    """What decides the order of the standings before any tie-break."""

    POINTS = "points"
    """The points of all rounds."""
    STRENGTH = "strength"
    """The points of all rounds, and the mean points that the opponents have in their other rounds.

    That is the first step of Massey's ratings ("Statistical Models Applied to the Rating of Sports Teams", 1997), with
    points for places instead of margins: whoever meets stronger players gets fewer points, and as much more for their
    strength. As in the rating percentage index of American college sports, the rounds against the player do not count.
    """


class TieBreak(enum.StrEnum):
    """The criteria that decide between players with equal points."""

    WINS = "wins"
    """Tables won; a shared win counts its share."""
    OPPONENTS = "opponents"
    """The mean points of the player's opponents."""
    BEST_ROUNDS = "best-rounds"
    """The points of the best round, then of the second best, and so on."""
    MARGIN = "margin"
    """By how much the player's total was ahead of the mean of the others at the table, summed over the rounds."""
    DIRECT = "direct"
    """Who was ahead of whom at shared tables, among the players who are still equal."""
    LOTS = "lots"
    """Lots; they are computed from the tournament's seed, and so are always the same."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """The points for the places at a table, by its size, the first place first. Equal players share their points.

    With the default values the mean is 6 at every table, and a bye is worth 6, so that no size of table is an
    advantage. All shares are whole numbers.
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
        """Return the points for the places at a table with this number of players."""
        return {2: self.two, 3: self.three, 4: self.four}[players]


@dataclass(frozen=True, slots=True)
class GroupStage:
    """The groups of a tournament, and the final after them."""

    size: int
    """About how many players a group has; the groups are as even as possible."""
    final_rounds: int
    """The number of rounds of the final."""
    final: Drawing = Drawing.PLANNED
    """How the rounds of the final are drawn."""
    carried: bool = True
    """Whether the points of the groups count in the final; otherwise it begins from zero."""

    def __post_init__(self) -> None:
        if not SMALLEST_GROUP <= self.size <= LARGEST_GROUP or self.final_rounds < 1:
            raise BadInput(
                f"expected groups of {SMALLEST_GROUP} to {LARGEST_GROUP} players and at least 1 round of the final, "
                f"got {self.size} and {self.final_rounds}"
            )
        if self.final is Drawing.GROUPS:
            raise BadInput("expected a final that is planned or drawn by the standings, got groups")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a tournament, agreed before it begins."""

    rounds: int
    seed: int = 0
    """The seed for seats and lots."""
    smallest: int = SMALLEST
    largest: int = LARGEST
    highest_wins: bool = True
    """Whether the highest total wins at a table; this follows from the rule book."""
    scheme: Scheme = Scheme()
    tie_breaks: tuple[TieBreak, ...] = (TieBreak.WINS, TieBreak.OPPONENTS, TieBreak.MARGIN, TieBreak.LOTS)
    book: str | None = None
    """The name of the rule book. None, as in tournaments of earlier releases: each table uses its own."""
    match_rounds: int | None = None
    """The number of rounds of each match; None if each table uses its own."""
    drawing: Drawing = Drawing.PLANNED
    """How the rounds are drawn; tournaments of earlier releases are planned."""
    counting: Counting = Counting.POINTS
    """What decides the order of the standings; in tournaments of earlier releases, the points."""
    groups: GroupStage | None = None
    """The groups and the final if `drawing` is by groups, otherwise None. `rounds` are then those of the groups, until
    the final begins; at tables of two they follow from the sizes of the groups."""
    team_counts: int | None = None
    """How many members of each team count in the standings of the teams, the best ones; None: all."""

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.seed < 0:
            raise BadInput(f"expected at least 1 round and a seed from 0, got {self.rounds} and {self.seed}")
        if self.match_rounds is not None and self.match_rounds < 1:
            raise BadInput(f"expected matches of at least 1 round, got {self.match_rounds}")
        if not SMALLEST <= self.smallest <= self.largest <= LARGEST:
            raise BadInput(
                f"expected tables of {SMALLEST} to {LARGEST} players, got {self.smallest} to {self.largest}"
            )
        if (self.drawing is Drawing.GROUPS) != (self.groups is not None):
            raise BadInput(f"expected groups if these are the way of drawing, got {self.drawing} and {self.groups}")
        if self.team_counts is not None and not 1 <= self.team_counts <= LARGEST_TEAM:
            raise BadInput(f"expected 1 to {LARGEST_TEAM} members of a team that count, got {self.team_counts}")
        if len(set(self.tie_breaks)) < len(self.tie_breaks):
            raise BadInput(f"expected every tie-break once, got {', '.join(self.tie_breaks)}")

    @classmethod
    def by_book(cls, book: Ruleset, rounds: int, seed: int) -> Rules:
        """Return rules for a rule book, which decides the permitted sizes of tables and whether high totals win."""
        fewest, most = book.players
        sizes = max(fewest, SMALLEST), min(most, LARGEST)
        return cls(rounds, seed, *sizes, book.scoring.highest_wins, book=book.name)
