"""What the director's commands about a tournament are given, and the limits of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from referee.club.protocol.documents import MOST_ROUNDS as MOST_MATCH_ROUNDS
from referee.club.tournament import TieBreak
from referee.club.tournament.reports import MOST_POINTS
from referee.club.tournament.rules import (
    LARGEST_GROUP,
    LARGEST_TEAM,
    SMALLEST_GROUP,
    Counting,
    Drawing,
    GroupStage,
    Scheme,
)
from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.game.rulebooks import RULESETS
from referee.journal.codec import Codec
from referee.page.command import Malformed, one_line, one_of, read_only, several, text, whole
from referee.pages.hall.orders import LONGEST_TABLE

MOST_PLAYERS, MOST_ROUNDS = 256, 30
GROUP_SIZE, FINAL_ROUNDS = 4, 3
"""What is taken if a tournament with groups is opened without saying so. Chosen by hand."""
MOST_FOR_A_BYE = max(Scheme().four)
"""A bye is worth no more than a won table."""
LONGEST_LIST, LONGEST_REASON, LONGEST_WHO, LONGEST_TYPED = 12_000, 200, 40, 200
LONGEST_LEAGUE = 64
"""The most letters of the id of a league."""

Player = Annotated[int, whole(1, MOST_PLAYERS)]
Table = Annotated[int, whole(1, MOST_PLAYERS)]
Rounds = Annotated[int, whole(1, MOST_ROUNDS)]
Size = Annotated[int | None, whole(SMALLEST, LARGEST)]
Name = Annotated[str, text(0, LONGEST_TYPED)]
Points = Annotated[tuple[int, ...], several(whole(-MOST_POINTS, MOST_POINTS), LARGEST, SMALLEST)]
Who = Annotated[str, text(0, LONGEST_WHO, one_line)]
Why = Annotated[str, text(0, LONGEST_REASON, one_line)]


def _ties() -> Codec:
    some = several(one_of(*TieBreak), len(TieBreak), 0)

    def read(value: Any) -> tuple[TieBreak, ...]:
        found: tuple[TieBreak, ...] = some.read(value)
        if len(set(found)) < len(found):
            raise Malformed(f"expected every tie-break once, found {', '.join(found)}")
        return found

    return read_only(read, {**some.schema, "uniqueItems": True})


@dataclass(frozen=True, slots=True)
class OpenFields:
    """A new tournament. None means: as the rule book or the settings of the hall have it."""

    name: Name
    rounds: Rounds
    ties: Annotated[tuple[TieBreak, ...] | None, _ties()] = None
    players_least: Size = None
    players_most: Size = None
    book: Annotated[str | None, one_of(*RULESETS)] = None
    match_rounds: Annotated[int | None, whole(1, MOST_MATCH_ROUNDS)] = None
    drawing: Annotated[Drawing | None, one_of(*Drawing)] = None
    bye: Annotated[int | None, whole(0, MOST_FOR_A_BYE)] = None
    counting: Annotated[Counting | None, one_of(*Counting)] = None
    league: Annotated[str, text(0, LONGEST_LEAGUE, one_line)] = ""
    """The id of the league of which it is an evening; empty: of none."""
    group_size: Annotated[int | None, whole(SMALLEST_GROUP, LARGEST_GROUP)] = None
    final_rounds: Annotated[int | None, whole(1, MOST_ROUNDS)] = None
    final: Annotated[Drawing | None, one_of(Drawing.PLANNED, Drawing.SWISS)] = None
    carried: bool | None = None
    team_counts: Annotated[int | None, whole(1, LARGEST_TEAM)] = None

    @property
    def groups(self) -> GroupStage | None:
        """The groups and the final, with what is not told filled in; None if the rounds are not drawn in groups."""
        if self.drawing is not Drawing.GROUPS:
            return None
        size = GROUP_SIZE if self.group_size is None else self.group_size
        rounds = FINAL_ROUNDS if self.final_rounds is None else self.final_rounds
        return GroupStage(size, rounds, self.final or Drawing.PLANNED, self.carried is not False)


@dataclass(frozen=True, slots=True)
class EnterFields:
    """The names of players, one per line."""

    names: Annotated[str, text(0, LONGEST_LIST)]


@dataclass(frozen=True, slots=True)
class CheckInFields:
    """A player who is present; None: all are."""

    player: Annotated[int | None, whole(1, MOST_PLAYERS)] = None


@dataclass(frozen=True, slots=True)
class LeaveFields:
    """A player who leaves."""

    player: Player
    why: Why = ""


@dataclass(frozen=True, slots=True)
class RenameFields:
    """The new name of a player."""

    player: Player
    name: Name


@dataclass(frozen=True, slots=True)
class RoundsFields:
    """How many rounds the tournament has."""

    rounds: Rounds


@dataclass(frozen=True, slots=True)
class CutFields:
    """How many players play on, from the first in the standings."""

    players: Annotated[int, whole(SMALLEST, MOST_PLAYERS)]


@dataclass(frozen=True, slots=True)
class FinalFields:
    """How many of each group play the final, and whether the best of the next places fill its tables.

    `players` are those whom the director was asked about; the final is refused if others would be in it by now.
    """

    first: Annotated[int, whole(1, MOST_PLAYERS)]
    fill: bool | None = None
    players: Annotated[tuple[int, ...] | None, several(whole(1, MOST_PLAYERS), MOST_PLAYERS)] = None


@dataclass(frozen=True, slots=True)
class TeamFields:
    """The team of a player; empty: none."""

    player: Player
    team: Annotated[str, text(0, LONGEST_TYPED, one_line)] = ""


@dataclass(frozen=True, slots=True)
class ReasonFields:
    """Who makes a change, and why."""

    who: Who = ""
    why: Why = ""


@dataclass(frozen=True, slots=True)
class SwapFields:
    """Two players who change seats."""

    one: Player
    other: Player
    who: Who = ""
    why: Why = ""


@dataclass(frozen=True, slots=True)
class PlaceFields:
    """A table of the round, and the name of the club's table at which it plays; empty: none."""

    table: Table
    at: Annotated[str, text(0, LONGEST_TABLE, one_line)] = ""


@dataclass(frozen=True, slots=True)
class BeginFields:
    """The table that is to begin; None: all."""

    table: Annotated[int | None, whole(1, MOST_PLAYERS)] = None


@dataclass(frozen=True, slots=True)
class ResultFields:
    """The points of a table of this round, in the order of the seats."""

    table: Table
    points: Points
    sure: bool | None = None
    """Whether the director has been told what is odd about the points, and enters them all the same."""


@dataclass(frozen=True, slots=True)
class CorrectFields:
    """The points of a table of any round."""

    round: Rounds
    table: Table
    points: Points
    who: Who = ""
    why: Why = ""
    sure: bool | None = None
    """As for `ResultFields`."""
