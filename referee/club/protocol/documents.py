"""The documents under a table's topics."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Literal

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
from referee.letters import NAME_CHARACTERS, NAME_LETTERS, can_be_shown, is_too_long

WALL = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)"
Wall = Annotated[str, Limits(most=40, pattern=WALL)]
"""A time of day in UTC by the table's own clock, which may be wrong."""
Epoch = Annotated[str, Limits(most=36, pattern="[0-9a-f-]{8,36}")]
"""Identifies the journal in whose outbox sequence numbers count; a new journal has another epoch."""
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
    """A seat of the match; `name` is None if the table does not send names."""

    name: Text | None
    points: Annotated[int, Limits(least=-(10**6), largest=10**6)]
    hand: Count
    opened: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """The turn clock: the seconds left at the time `wall` of the document. While `running`, it counts down from there.

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
    """A command that was refused, by its id, and the reason."""

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
    """The number of the match that this state belongs to; None if no match is under way or shown."""
    cut: bool = False
    """Whether a match waits to be continued after a power cut."""
    round: Count = 0
    """The number of the round under way, or of the next one; once the match is over, how many were played."""
    rounds: Count = 0
    players: Annotated[tuple[Player, ...], Limits(most=8)] = ()
    current: Seat | None = None
    """The seat whose turn it is, or whose hand is being shown."""
    stock: Count | None = None
    table: Annotated[str, Limits(most=2000)] = ""
    """The table as it was last confirmed, in notation."""
    clock: Clock | None = None
    scores: Annotated[tuple[Points, ...], Limits(most=1000)] = ()
    """The points of every round on the score sheet, by seat."""
    question: Notices = ()
    """The open questions of the referee."""
    verdict: VerdictTold | None = None
    due: Notices = ()
    """The steps by which a player must put the table right."""
    troubles: Notices = ()
    winners: Seats = ()
    draw: Draw | None = None
    """The draw of the hall that the match belongs to; in the lobby, the draw of the match that is about to begin."""
    refused: CommandRefused | None = None
    """The last command with an id that was refused."""
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Event:
    """What one row of the journal came to; `seq` has no holes, so that `facts` may be empty.

    `match` and `number` are those of the row. A match that continues in another journal gets other numbers.
    """

    epoch: Epoch
    seq: Seq
    match: int
    number: int
    wall: Wall
    facts: Annotated[tuple[Fact, ...], Limits(most=40)] = ()
    begun: Wall | None = None
    """When the match began. It stays the same if the match continues in another epoch."""
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The result of a round as the score sheet has it now; `corrected` is how often it was corrected."""

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

    Of two results of a match, the later one has all `revisions` of the earlier one, and more. If each has some that
    the other lacks, the journal was restored from a backup in between.
    """

    epoch: Epoch
    match: int
    begun: Wall
    """When the match began; if the clock was not set then, the time of the first row when it was."""
    rules: Short
    players: Annotated[tuple[Text | None, ...], Limits(most=SEATS)]
    """Names in the order of the seats; all None if the table does not send names."""
    planned: Count = 0
    """How many rounds are to be played."""
    rounds: Annotated[tuple[RoundResult, ...], Limits(most=MOST_RESULT_ROUNDS)] = ()
    winners: Seats = ()
    """The seats of the winners, several if they share the victory; empty until the match is over."""
    over: bool = False
    given_up: bool = False
    ended: Wall | None = None
    """When the match was over, or was given up."""
    draw: Draw | None = None
    """The draw of the hall that the match belongs to; None if the table began it by itself."""
    revisions: Annotated[tuple[Revision, ...], Limits(most=MOST_REVISIONS)] = ()
    """The events that changed the result: the beginning, each round, each correction and the end."""
    begun_is_guess: bool = False
    """Whether the clock of the table was not set during the whole match, so that `begun` may be any day."""
    version: Literal[1] = 1

    @property
    def seq(self) -> int:
        """The number of the last event that changed the result; 0 if none is known."""
        return self.revisions[-1].seq if self.revisions else 0

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of the points of all rounds, by seat."""
        seats = max((len(one.points) for one in self.rounds), default=len(self.players))
        return tuple(sum(one.points[seat] for one in self.rounds if seat < len(one.points)) for seat in range(seats))


@dataclass(frozen=True, slots=True)
class Health:
    """How the box itself is."""

    epoch: Epoch
    wall: Wall
    program: Short
    """The version of the program."""
    uptime_s: Annotated[float, Limits(largest=1e12)]
    disk_free_mb: Count | None = None
    unsent: Count = 0
    """Events that the broker has not confirmed yet."""
    troubles: Notices = ()
    version: Literal[1] = 1


class Reason(enum.StrEnum):
    """Why a table calls the director."""

    RULES = "rules"
    """A question about the rules."""
    DISPUTE = "dispute"
    """The players disagree."""
    EQUIPMENT = "equipment"
    """Something does not work."""
    LATE = "late"
    """A player is missing."""
    OTHER = "other"


LONGEST_CALL_TEXT = 100


@dataclass(frozen=True, slots=True)
class Calling:
    """A call for the director; `id` distinguishes it from all others."""

    id: Short
    reason: Reason | None = None
    text: Annotated[str, Limits(most=LONGEST_CALL_TEXT)] = ""
    """What the players have added."""
    stopped: bool = False
    """Whether the turn clock was stopped for the call."""


@dataclass(frozen=True, slots=True)
class DirectorCall:
    """Whether a table calls the director. `call` is None if it does not, or no longer does."""

    wall: Wall
    call: Calling | None = None
    version: Literal[1] = 1


LONGEST_CLOCK_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class RoundTime:
    """The time left for the round: seconds at the time `wall` of the document. While `running`, it counts down.

    `number` changes when the director sets another time, and stays the same during a pause.
    """

    number: int
    left: Annotated[float, Limits(largest=LONGEST_CLOCK_S)]
    running: bool
    warn: Annotated[float, Limits(largest=LONGEST_CLOCK_S)] = 0.0
    """How many seconds before the end the players are warned; 0: they are not."""
    started: bool = True
    """Whether it has run since it was set; True from a hall that does not say so."""


class CallState(enum.StrEnum):
    """What became of a call."""

    WAITING = "waiting"
    COMING = "coming"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """The answer of the hall to the call `id`."""

    id: Short
    state: CallState
    place: Annotated[int, Limits(least=1, largest=10_000)] | None = None
    """The place among the calls that wait, the first being 1; None unless it waits."""
    who: Annotated[str, Limits(most=40)] = ""
    """Who is coming, if they have said so."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the director's desk of the hall tells one table."""

    wall: Wall
    """The time of day by the hall's clock."""
    clock: RoundTime | None = None
    """The time left for the round; None if the director has set none."""
    call: CallAnswer | None = None
    """The answer to the last call of this table; None if the hall knows of none."""
    version: Literal[1] = 1


class Do(enum.StrEnum):
    """What a table can be asked to do."""

    AGAIN = "again"
    """Send the events from `start` on again; every table accepts this."""
    PAUSE = "pause"
    RESUME = "resume"
    LOOK = "look"
    """Look at the table again."""
    ANNOUNCE = "announce"
    """Show `text` at the table."""
    PICTURE = "picture"
    """Send a picture of the table."""
    BEGIN = "begin"
    """Begin the match of `draw` with `players`; the first one starts."""


LONGEST_SHOWN_S = 24 * 3600
Name = Annotated[str, Limits(most=NAME_CHARACTERS, pattern=r"\S(.*\S)?")]
"""What a player is called at the table, with at most `NAME_LETTERS` letters as people count them."""
MOST_PLAYERS = 4
MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody asks of one table. `id` tells a command from others: it is done once."""

    do: Do
    id: Short = ""
    start: Seq = 0
    """For `again`: the number of the first event to send."""
    text: Text = ""
    """For `announce`: the text to show."""
    seconds: Annotated[int, Limits(least=1, largest=LONGEST_SHOWN_S)] | None = None
    """For `announce`: how long the text stays on screens unless somebody dismisses it; None: ten minutes."""
    players: Annotated[tuple[Name | None, ...], Limits(most=MOST_PLAYERS)] = ()
    """For `begin`: the names in the order of the seats; for None the table uses its own name of the seat."""
    draw: Draw | None = None
    """For `begin`: the id of the draw."""
    rules: Short | None = None
    """For `begin`: the name of a rule book; None for the one that is set at the table."""
    rounds: Annotated[int, Limits(least=1, largest=MOST_ROUNDS)] | None = None
    """For `begin`: the number of rounds; None for the one that is set at the table."""
    version: Literal[1] = 1

    def __post_init__(self) -> None:
        if self.do is Do.BEGIN and not (self.players and self.draw):
            raise BadInput(f"expected players and a draw to begin, got {self.players!r:.60} and {self.draw!r:.60}")
        if not all(name is None or can_be_shown(name) for name in self.players):
            raise BadInput(f"expected names that can be printed, got {self.players!r:.60}")
        if any(name is not None and is_too_long(name) for name in self.players):
            raise BadInput(f"expected names of at most {NAME_LETTERS} letters, got {self.players!r:.60}")


Document = Online | Snapshot | Event | MatchResult | Health | Command | Desk | DirectorCall
