"""The documents under a table's topics."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Literal

from referee.club.letters import can_be_shown
from referee.club.protocol.facts import (
    SEATS,
    Count,
    Draw,
    Fact,
    FaultTold,
    Notices,
    Points,
    Seat,
    Seats,
    Short,
    Text,
    Tiles,
)
from referee.club.protocol.told import Told
from referee.errors import BadInput
from referee.game.match.phases import Phase
from referee.journal.codec import Limits

WALL = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)"
Wall = Annotated[str, Limits(most=40, pattern=WALL)]
"""A time of day in UTC by the table's own clock, which may be wrong."""
Epoch = Annotated[str, Limits(most=36, pattern="[0-9a-f-]{8,36}")]
"""Names the outbox that sequence numbers count in; a new journal has another one."""
Seq = int


@dataclass(frozen=True, slots=True)
class Online:
    """Whether the table is connected. `epoch` and `since` are missing in the broker's last word for it."""

    online: bool
    epoch: Epoch | None = None
    since: Wall | None = None
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Player:
    """A seat of the match; `name` is None unless names are told."""

    name: Text | None
    points: Annotated[int, Limits(least=-(10**6), largest=10**6)]
    hand: Count
    opened: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """The turn clock: seconds left at the `wall` of the document, counting down from there while it runs.

    `left` is None for a turn without a clock.
    """

    left: Annotated[float, Limits(largest=10**6)] | None
    running: bool


@dataclass(frozen=True, slots=True)
class VerdictTold:
    """The last verdict of the turn."""

    seat: Seat
    accepted: bool
    laid: Tiles
    points: Count
    faults: Annotated[tuple[FaultTold, ...], Limits(most=40)]


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command, by its id, that could not be done or may not be, and why."""

    id: Short
    why: Told


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of a table as it stood after the event `seq` (0: before the first)."""

    epoch: Epoch
    seq: Seq
    wall: Wall
    phase: Phase
    rules: Short
    title: Text
    match: int | None = None
    """The match that the events of this state belong to; None where none is under way or shown."""
    cut: bool = False
    """Whether a match waits to go on after a power cut."""
    round: Count = 0
    """The round under way, or the one to come; as many as were played once the match is over."""
    rounds: Count = 0
    players: Annotated[tuple[Player, ...], Limits(most=8)] = ()
    current: Seat | None = None
    """Whose turn it is, or who shows the hand."""
    stock: Count | None = None
    table: Annotated[str, Limits(most=2000)] = ""
    """The table as it was confirmed last, in notation."""
    clock: Clock | None = None
    scores: Annotated[tuple[Points, ...], Limits(most=1000)] = ()
    """The points of every round written down, by seat."""
    question: Notices = ()
    """What the referee asks about."""
    verdict: VerdictTold | None = None
    due: Notices = ()
    """What must be put right, step by step."""
    troubles: Notices = ()
    winners: Seats = ()
    draw: Draw | None = None
    """Which draw of the hall the match under way or over belongs to; in the lobby the one that is about to begin."""
    refused: CommandRefused | None = None
    """The last command that was refused, of those with an id."""
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Event:
    """What one row of the journal came to; `seq` has no holes, so that `facts` may be empty.

    `match` and `number` are those of the row. A match that goes on in another journal has other ones.
    """

    epoch: Epoch
    seq: Seq
    match: int
    number: int
    wall: Wall
    facts: Annotated[tuple[Fact, ...], Limits(most=40)] = ()
    begun: Wall | None = None
    """When the match began; where an epoch ends and its match goes on in the next one, that stays the same."""
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round brought every seat, as the score sheet has it now. `corrected`: how often it was written anew."""

    points: Points
    winner: Seat | None = None
    corrected: Count = 0


@dataclass(frozen=True, slots=True)
class Revision:
    """An event that changed a result: its number in the epoch, and the time of day of its row in the journal."""

    seq: Seq
    wall: Wall


MOST_RESULT_ROUNDS, MOST_REVISIONS = 200, 500


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one match, as its score sheet stands. It replaces every one that has fewer of its revisions.

    A result and a later one of the same match are told apart by `revisions`: the later one has those of the earlier
    and more. Where each has some that the other has not, the journal was put back in between.
    """

    epoch: Epoch
    match: int
    begun: Wall
    """When the match began, by the first row that a clock which had been set has dated."""
    rules: Short
    players: Annotated[tuple[Text | None, ...], Limits(most=SEATS)]
    """Names in the order of the seats, each None unless names are told."""
    planned: Count = 0
    """How many rounds are to be played."""
    rounds: Annotated[tuple[RoundResult, ...], Limits(most=MOST_RESULT_ROUNDS)] = ()
    winners: Seats = ()
    """Several where they share it; none before the match is over."""
    over: bool = False
    given_up: bool = False
    ended: Wall | None = None
    """When the match was over, or was given up."""
    draw: Draw | None = None
    """Which draw of the hall the match belongs to; None where the table began it by itself."""
    revisions: Annotated[tuple[Revision, ...], Limits(most=MOST_REVISIONS)] = ()
    """The beginning, each round, each correction and the end."""
    version: Literal[1] = 1

    @property
    def seq(self) -> int:
        """The last event that the result reflects; 0 where none is known."""
        return self.revisions[-1].seq if self.revisions else 0

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all rounds, by seat."""
        seats = max((len(one.points) for one in self.rounds), default=len(self.players))
        return tuple(sum(one.points[seat] for one in self.rounds if seat < len(one.points)) for seat in range(seats))


@dataclass(frozen=True, slots=True)
class Health:
    """How the box itself is."""

    epoch: Epoch
    wall: Wall
    program: Short
    """Its version."""
    uptime_s: Annotated[float, Limits(largest=1e12)]
    disk_free_mb: Count | None = None
    unsent: Count = 0
    """Events that the broker has not confirmed yet."""
    troubles: Notices = ()
    version: Literal[1] = 1


class Do(enum.StrEnum):
    """What a table can be asked to do."""

    AGAIN = "again"
    """Send the events from `start` on once more; every table does that."""
    PAUSE = "pause"
    RESUME = "resume"
    LOOK = "look"
    """Look at the table again."""
    ANNOUNCE = "announce"
    """Show `text` at the table."""
    PICTURE = "picture"
    """Send a picture of the table."""
    BEGIN = "begin"
    """Begin the match of `draw` with `players`, of whom the first starts."""


Name = Annotated[str, Limits(most=40, pattern=r"\S(.*\S)?")]
"""What a player is called at the table."""
MOST_PLAYERS = 4
MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody asks of one table. `id` tells a command from others: it is done once."""

    do: Do
    id: Short = ""
    start: Seq = 0
    """Of `again`: the first event that is wanted."""
    text: Text = ""
    """Of `announce`."""
    players: Annotated[tuple[Name | None, ...], Limits(most=MOST_PLAYERS)] = ()
    """Of `begin`: who plays, in the order of the seats; None is called as the table calls that seat."""
    draw: Draw | None = None
    """Of `begin`."""
    rules: Short | None = None
    """Of `begin`: the name of a rule book; None: what is set at the table."""
    rounds: Annotated[int, Limits(least=1, largest=MOST_ROUNDS)] | None = None
    """Of `begin`; None: as many as are set at the table."""
    version: Literal[1] = 1

    def __post_init__(self) -> None:
        if self.do is Do.BEGIN and not (self.players and self.draw):
            raise BadInput(f"expected players and a draw to begin, got {self.players!r:.60} and {self.draw!r:.60}")
        if not all(name is None or can_be_shown(name) for name in self.players):
            raise BadInput(f"expected names that can be printed, got {self.players!r:.60}")


Document = Online | Snapshot | Event | MatchResult | Health | Command
