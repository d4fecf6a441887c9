"""Requests: what a page or a club may ask of the table.

`table/requests.py` says who may send each of them, when, and what handles it. Each request is answered once, in the
loop's own thread, after it was handled.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.game.match.events import Corrected
from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.journal.rows import Row
from referee.table.desk_values import CallDirector, DismissAnnouncement, HearHall, WithdrawCall
from referee.table.input.touches import Touch
from referee.table.looking.look import Look
from referee.vision.sighting import Image


@dataclass(frozen=True, slots=True)
class TellTile:
    """Say what a tile of a look is; `tile` None: it shows its back, or no tile lies there."""

    look: Look
    read: int
    tile: Tile | None
    player: int | None = None
    """The seat of the player who says so; None if unknown."""


@dataclass(frozen=True, slots=True)
class CorrectRound:
    """Correct an earlier round of the match at the table; `who` made the correction, and `why`.

    `points` are those left in the hands, in the order of the seats; if a book gives the points of a round directly,
    they are those points. `since` is how many corrections the match had when this was sent. If there has been another
    one since, the request is refused as late.
    """

    match: int
    round: int
    points: tuple[int, ...]
    winner: int | None
    who: str
    why: str
    in_one_turn: bool = False
    since: int = 0

    def event(self, t: float) -> Corrected:
        """Return the correction at the match time `t`, in the form that `check_correction` takes."""
        return Corrected(self.round, self.points, t, self.winner, self.in_one_turn, who=self.who, why=self.why)


@dataclass(frozen=True, slots=True)
class CorrectOther:
    """Correct a match that is not at the table, with rows computed from the journal."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Say that a tile lies at the pixel (x, y) of a look's picture, where the referee found none."""

    look: Look
    at_px: tuple[float, float]
    tile: Tile
    player: int | None = None


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """Read a tile of a look once more, because somebody says that it was misread."""

    look: Look
    read: int


@dataclass(frozen=True, slots=True)
class CountAsItLies:
    """Let the refused turn of a look count as it lies; it counts after this was requested twice."""

    look: Look
    player: int | None = None


@dataclass(frozen=True, slots=True)
class KeepFailure:
    """Keep a look for training: its picture, its reads, and what players said about it."""

    look: Look


@dataclass(frozen=True, slots=True)
class LogCoach:
    """Note in the match that somebody asked what can be laid: `laid` tiles. If it is refused, nothing may be told."""

    laid: int


@dataclass(frozen=True, slots=True)
class TakePicture:
    """Take a picture of the still table; `take` gets it in the worker's thread, or why there is none."""

    take: Callable[[Image | Notice], None]


@dataclass(frozen=True, slots=True)
class Configure:
    """Build the table anew before a match, with other settings by `table.key`; None: as in the settings file."""

    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Build the table anew with the same settings, for instance because a camera was plugged in."""


class Unfinished(enum.StrEnum):
    """What to do with a match of virtual players that was interrupted."""

    GO_ON = "go-on"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Decide:
    """Decide what to do with the interrupted match of virtual players; the table waits for this."""

    what: Unfinished


@dataclass(frozen=True, slots=True)
class LookThrough:
    """Take a picture before a match, to show it on the page."""


@dataclass(frozen=True, slots=True)
class TryPanel:
    """Test the panel: operate the lamp or tone of this name, or with an empty name show presses; None ends this."""

    name: str | None


class EnrolStep(enum.StrEnum):
    """A step of an enrolment that somebody takes on a screen."""

    BEGIN = "begin"
    PICTURE = "picture"
    BACK = "back"
    LEARN = "learn"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class EnrolBox:
    """Do one step of an enrolment."""

    step: EnrolStep


@dataclass(frozen=True, slots=True)
class NameTile:
    """Say what a tile in a picture of the enrolment is."""

    batch: int
    read: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class AddTile:
    """Say that a tile lies at the pixel (x, y) of a picture of the enrolment, whatever was read there."""

    batch: int
    at_px: tuple[float, float]
    tile: Tile


class LensStep(enum.StrEnum):
    """A step of a calibration of the lens that somebody takes on a screen."""

    BEGIN = "begin"
    PICTURE = "picture"
    BACK = "back"
    LEARN = "learn"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class CalibrateLens:
    """Do one step of a calibration of the lens."""

    step: LensStep


@dataclass(frozen=True, slots=True)
class BeginMatch:
    """Begin the match, like the start button before a match."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """Put away the match that is over, like the start button, so that the next one can be set up and begun."""


@dataclass(frozen=True, slots=True)
class DiscardMatch:
    """Put away the match under way, which stays in the journal as given up."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the clock, sent by somebody who is not at the table."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Continue after a pause, sent by somebody who is not at the table."""


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Look again at the table that the referee is asking about."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce this text to the players, and show it for so many seconds; None: as long as is usual."""

    text: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class BeginDraw:
    """Begin the match of a draw, sent by the hall.

    `players` are in the order of their seats, and the first one starts; for a None the table's own name of the seat is
    used. If `rules` or `rounds` is None, the value set at the table applies.
    """

    players: tuple[str | None, ...]
    draw: str
    rules: str | None = None
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class ClubTrouble:
    """Report a problem of the connection to the club; None: the connection works again."""

    told: Notice | None


@dataclass(frozen=True, slots=True)
class AskPresence:
    """Ask those at the table to allow something by a press of start; `what` tells them what.

    `answered` is called once, in the loop's thread, with whether they have allowed it.
    """

    what: Notice
    answered: Callable[[bool], None]


@dataclass(frozen=True, slots=True)
class LeavePresence:
    """Whoever has asked with this `answered` no longer wants it."""

    answered: Callable[[bool], None]


@dataclass(frozen=True, slots=True)
class TellNews:
    """Tell the players something that they need not know during a match, such as a new version on a USB stick."""

    told: Notice


Request = (
    TellTile | PlaceTile | ReadAgain | CountAsItLies | KeepFailure | CorrectRound | CorrectOther
    | Configure | TryAgain | Decide | LookThrough | TryPanel | EnrolBox | NameTile | AddTile
    | LogCoach | TakePicture | CalibrateLens | BeginMatch | NextMatch | DiscardMatch
    | Pause | GoOn | LookAgain | Announce | BeginDraw | ClubTrouble | TellNews
    | HearHall | CallDirector | WithdrawCall | DismissAnnouncement
    | AskPresence | LeavePresence
)  # fmt: skip
"""All that a page, a club or the machine itself may request.

Presses are in `commands.py`, lines of the console in `answers.py`.
"""


class Sender(enum.Enum):
    """Where a request comes from."""

    PAGE = enum.auto()
    CLUB = enum.auto()
    """A hall, a smart home, or the connection to the broker itself."""
    MACHINE = enum.auto()
    """What runs beside the table, such as what looks for USB sticks."""
    PANEL = enum.auto()
    CONSOLE = enum.auto()


def _still() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request on its way to the loop; `answered` gets None if it was carried out, otherwise the reason why not."""

    request: Request
    sender: Sender
    answered: Callable[[Notice | None], None]
    wanted: Callable[[], bool] = _still
    """Whether somebody still waits for the answer; if nobody does, the request is dropped."""


@dataclass(frozen=True, slots=True)
class PendingTouch:
    """A touch of a screen on its way to the loop; `answered` is called with None, or why the touch does not count."""

    touch: Touch
    answered: Callable[[Notice | None], None]
    wanted: Callable[[], bool] = _still
    """Whether somebody still waits for the answer; if nobody does, the touch does not count."""
