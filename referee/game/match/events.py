"""What happens in a match (events) and what the match wants done about it (effects)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.judge.verdict import Verdict
from referee.game.notice import Notice
from referee.game.scoring import RoundScore
from referee.game.table import Table
from referee.game.tiles import Tile


class OutOfOrder(BadInput):
    """Raised for an event that cannot happen now; the state stays as it was."""


@dataclass(frozen=True, slots=True)
class Started:
    """A match begins; the names are in the order of the seats, and `first` is the seat that begins."""

    players: tuple[str, ...]
    t: float
    rounds: int = 1
    """The agreed number of rounds; ignored if the book plays up to a number of points."""
    first: int = 0
    aside: Tile | None = None
    """The tile that lies open aside, if the rules have one; never a joker."""
    handicaps: tuple[float, ...] = ()
    """Seconds added to every turn of each seat, or taken off if negative; empty if nobody has a handicap."""
    coach: bool = False
    """Whether all players have agreed that anybody may ask what can be laid; older journals do not say."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A player pressed their button at `t`; a long press has a special meaning only in some books."""

    player: int
    t: float
    long: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """The current player said what every joker in a set of jokers stands for; this is valid for the present turn."""

    player: int
    t: float


class About(enum.StrEnum):
    """What the referee had read in the place of a word of players."""

    DOUBT = "doubt"
    """A tile in doubt."""
    MISREAD = "misread"
    """Another tile, beyond doubt; what players said applies only while the same tile is read there."""
    UNSEEN = "unseen"
    """Nothing: the tile was not found."""


@dataclass(frozen=True, slots=True)
class Word:
    """What players said that a tile is; it is valid as long as that tile lies there.

    `x_mm`, `y_mm` and `angle_deg` say where it lies. `tile` is None for a face-down tile, or for no tile at all.
    """

    tile: Tile | None
    x_mm: float
    y_mm: float
    angle_deg: float
    offered: tuple[Tile | None, ...] = ()
    """What it had been read as when players were asked, the likeliest first."""
    about: About = About.DOUBT


@dataclass(frozen=True, slots=True)
class Unsure:
    """A tile in doubt that nobody needs to be asked about.

    `set` and `index` say where it is in the table as read, `tiles` what it may be, and `doubt` is the question that
    would have been asked.
    """

    set: int
    index: int
    tiles: tuple[Tile | None, ...]
    """The likeliest first, which is the one in the table; None: face down, so that it is no tile of a set."""
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A look has ended: the table as read, and what players must be asked first."""

    table: Table
    t: float
    doubts: tuple[Doubt, ...] = ()
    words: tuple[Word, ...] = ()
    """The tiles of this table that are known only from the players, where they lie now."""
    unsure: tuple[Unsure, ...] = ()
    """Tiles in doubt that need no answer, because the verdict is the same whatever they are."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Somebody named a tile that the referee could not read, or had misread; `by`: with buttons, console or page."""

    player: int | None
    """None if it is not known who said it. Older journals have the player whose turn it was instead."""
    t: float
    word: Word
    by: str = "buttons"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Players have said that the last refusal was due to a misread tile; the same look is judged again."""

    player: int
    t: float


@dataclass(frozen=True, slots=True)
class Agreed:
    """All agree that a refused turn counts as it lies: `table` as it was seen, `by` the seats that said so."""

    table: Table
    t: float
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A player takes back their last press."""

    player: int
    t: float


@dataclass(frozen=True, slots=True)
class Called:
    """A player says that their last press was for the last tile: "Rummy!"."""

    player: int
    t: float


@dataclass(frozen=True, slots=True)
class Insisted:
    """A player whose tiles do not agree with the referee's count says that no more are on the rack."""

    player: int
    t: float


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The turn clock has run out."""

    t: float


@dataclass(frozen=True, slots=True)
class MatchTimeUp:
    """The time in which rounds of the match may begin is over."""

    t: float


@dataclass(frozen=True, slots=True)
class RebuildBegun:
    """A set of the table has been changed: if the rules limit only the time for rebuilding, the clock starts now."""

    t: float


@dataclass(frozen=True, slots=True)
class Paused:
    """The game pauses, by request or after a power cut."""

    t: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game goes on."""

    t: float


@dataclass(frozen=True, slots=True)
class HandShown:
    """A player's remaining tiles, entered instead of shown to the camera."""

    player: int
    tiles: tuple[Tile, ...]
    t: float


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The tiles are mixed and dealt for the next round, in which seat `first` begins.

    If `first` is None, it follows from the rules: the winner of the last round, or the next player clockwise.
    """

    t: float
    first: int | None = None
    aside: Tile | None = None
    """The tile that lies open aside, if the rules have one; never a joker."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of a round: the right points left in the hands.

    `round` counts from 1 as on the score sheet. `winner` laid the last tile; None: nobody did. If the rule book gives
    points for a round directly, they are in `scores`.
    """

    round: int
    hands: tuple[int, ...]
    t: float
    winner: int | None = None
    in_one_turn: bool = False
    """Whether the winner laid the whole hand in the first turn of laying."""
    scores: tuple[int, ...] | None = None
    who: str = ""
    """Who made the correction, and why; older journals do not say."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Coached:
    """Somebody asked what can be laid; `laid` is how many tiles of the hand that was told can be laid at most."""

    laid: int
    t: float
    player: int | None = None
    """The seat whose turn it was; None between two rounds."""


Event = (
    Started
    | Pressed
    | Withdrawn
    | Declared
    | Called
    | Insisted
    | Seen
    | Settled
    | Reviewed
    | Agreed
    | TimeUp
    | MatchTimeUp
    | RebuildBegun
    | Paused
    | Resumed
    | HandShown
    | RoundStarted
    | Corrected
    | Coached
)


class Light(enum.StrEnum):
    """What a lamp shows."""

    TURN = "turn"
    LOOKING = "looking"
    ASKING = "asking"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    DRAW = "draw"
    OFF = "off"


class Sound(enum.StrEnum):
    """What the buzzer plays."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    TIME_UP = "time-up"
    ROUND_OVER = "round-over"


@dataclass(frozen=True, slots=True)
class Lamp:
    """Set the lamp of a player."""

    player: int
    light: Light


@dataclass(frozen=True, slots=True)
class Tone:
    """Play a sound."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the players something."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class TakeLook:
    """Look at the table; the answer is the event Seen."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Show the places in doubt and let the players help."""

    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Show a verdict: mark the tiles and say why."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class DrawTile:
    """The player draws from the stock."""

    player: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class PutRight:
    """The player must change the table until it is `target`; `steps` are the instructions, which are spoken."""

    player: int
    target: Table
    steps: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class ScoreRound:
    """Write a round on the score sheet, or correct it; rounds count from 1."""

    score: RoundScore
    round: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over; several winners share it."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


Effect = Lamp | Tone | Say | TakeLook | Ask | Show | DrawTile | PutRight | ScoreRound | MatchOver
