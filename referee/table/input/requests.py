"""What somebody may ask of the table from a page or a club: the requests themselves.

`table/requests.py` says who may send each of them, when, and what handles it. Each is answered once, in the loop's own
thread, when it has been handled.
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
from referee.table.input.touches import Touch
from referee.table.looking.look import Look


@dataclass(frozen=True, slots=True)
class TellTile:
    """Say what a tile of a look is; None: no tile of a set lies there."""

    look: Look
    read: int
    tile: Tile | None
    player: int | None = None
    """The seat of whoever says so; None: that was not told."""


@dataclass(frozen=True, slots=True)
class CorrectRound:
    """Correct an earlier round of the match at the table; `who` corrects it, and `why`.

    `points` are those left in the hands, in the order of the seats; where a book gives the points of a round directly,
    those. `since` is how many corrections that match had when this was asked for: another one meanwhile makes it late.
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
        """The correction at the match time `t`, as `check_correction` takes it."""
        return Corrected(self.round, self.points, t, self.winner, self.in_one_turn, who=self.who, why=self.why)


@dataclass(frozen=True, slots=True)
class CorrectOther:
    """Correct a match that is not played on, by these rows, made from what the journal has of it."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Say that a tile lies at a pixel (x, y) of the picture of a look, where none was found."""

    look: Look
    at_px: tuple[float, float]
    tile: Tile
    player: int | None = None


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """Read a tile of a look once more that was misread, as somebody says."""

    look: Look
    read: int


@dataclass(frozen=True, slots=True)
class CountAsItLies:
    """Let the refused turn of a look count as it lies; it does once that was asked for a second time."""

    look: Look
    player: int | None = None


@dataclass(frozen=True, slots=True)
class KeepFailure:
    """Keep the picture, the reads and what players said of a look for training."""

    look: Look


@dataclass(frozen=True, slots=True)
class Configure:
    """Build all of it anew with other settings before a match, by `table.key`; None as in the settings file."""

    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Build all of it anew with the same settings: a camera was plugged in, perhaps."""


class Unfinished(enum.StrEnum):
    """What becomes of a match that virtual people had begun, and that was cut off."""

    GO_ON = "go-on"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Decide:
    """Let virtual people play the match on that was cut off, or discard it: the table waits for that."""

    what: Unfinished


@dataclass(frozen=True, slots=True)
class LookThrough:
    """Show the camera's picture before a match."""


@dataclass(frozen=True, slots=True)
class TryPanel:
    """Light a lamp of the panel, sound its buzzer, or with an empty name see its presses; None ends that."""

    name: str | None


class EnrolStep(enum.StrEnum):
    """What somebody at a screen does of an enrolment."""

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
    """Say that a tile lies at a place (x, y) of a picture of the enrolment, in pixels, whatever was seen there."""

    batch: int
    at_px: tuple[float, float]
    tile: Tile


class LensStep(enum.StrEnum):
    """What somebody at a screen does of a calibration of the lens."""

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
    """Begin, as the start button does before a match."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """Put the match away that is over, as the start button does: the next one can be set up and begun."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Let the clock stand, says somebody who is not at the table."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let the game go on after a pause, says somebody who is not at the table."""


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Look at the table again that the referee asks about."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell the players this."""

    text: str


@dataclass(frozen=True, slots=True)
class BeginDraw:
    """Begin the match of a draw, says the hall.

    `players` sit in this order and the first one starts; None is called as the table calls that seat. What is None of
    `rules` and `rounds` is as it is set at the table.
    """

    players: tuple[str | None, ...]
    draw: str
    rules: str | None = None
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class ClubTrouble:
    """Report what is wrong with the line to the club; None: nothing any more."""

    told: Notice | None


Request = (
    TellTile | PlaceTile | ReadAgain | CountAsItLies | KeepFailure | CorrectRound | CorrectOther
    | Configure | TryAgain | Decide | LookThrough | TryPanel | EnrolBox | NameTile | AddTile | CalibrateLens
    | BeginMatch | NextMatch
    | Pause | GoOn | LookAgain | Announce | BeginDraw | ClubTrouble
)  # fmt: skip
"""Whatever comes from a page or a club; presses are in `commands.py`, lines of the console in `answers.py`."""


class Sender(enum.Enum):
    """From where a request reaches the table."""

    PAGE = enum.auto()
    CLUB = enum.auto()
    """A hall, a smart home, or the line to the broker itself."""
    PANEL = enum.auto()
    CONSOLE = enum.auto()


def _still() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request on its way to the loop, and who is told what came of it: None where it was done, else why not."""

    request: Request
    sender: Sender
    answered: Callable[[Notice | None], None]
    wanted: Callable[[], bool] = _still
    """Whether somebody still waits for the answer; nothing is done that nobody will hear of."""


@dataclass(frozen=True, slots=True)
class PendingTouch:
    """A finger on a screen, and who is told whether it counts."""

    touch: Touch
    answered: Callable[[Notice | None], None]
    wanted: Callable[[], bool] = _still
    """Whether somebody still waits for the answer; without that the touch does not count."""
