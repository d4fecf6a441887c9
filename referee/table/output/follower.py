"""What the page shows of the match: a frozen value, replaced in the loop's thread and read in the server's."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from referee.devices.panel.lights import Tune
from referee.game.doubt import Doubt
from referee.game.judge.verdict import Verdict
from referee.game.match.events import Ask, DrawTile, Effect, Lamp, Light, MatchOver, PutRight, Say, Show, TakeLook
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.table import Table
from referee.journal.errors import NOT_WRITTEN
from referee.table.desk_values import DeskShown
from referee.table.looking.look import Look
from referee.table.looking.pictures_before import PictureBefore
from referee.table.output.audience import NO_OFFERS, DisplayState, Offers
from referee.table.preparation.prepared import Prepared
from referee.table.preparation.values import SetUp

REMEMBERED = 20
"""How many sentences the page keeps."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with its number; later ones have higher numbers.

    `first` is the number of the first sentence in the same turn of the loop: those with the same are said together.
    """

    number: int
    told: Notice
    first: int


@dataclass(frozen=True, slots=True)
class NumberedLook:
    """A look that somebody waited for, with its number; it keeps the number when players say something about it."""

    number: int
    look: Look
    t: float = 0.0
    """When the look came, by the clock of the loop (seconds)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The last verdict, whose turn it was about (a seat), and the number of the look that was judged."""

    verdict: Verdict
    player: int
    look: int


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why something was refused other than by a verdict, such as a hand laid open: whose it is, and the reasons."""

    player: int
    reasons: tuple[Notice, ...]
    look: int


@dataclass(frozen=True, slots=True)
class Due:
    """What a player must put right after the time was up."""

    player: int
    target: Table
    steps: tuple[Notice, ...]
    look: int


@dataclass(frozen=True, slots=True)
class Sounded:
    """A tune, since when the panel plays it (monotonic seconds), and its number; later ones have higher numbers."""

    number: int
    tune: Tune
    t: float


@dataclass(frozen=True, slots=True)
class Beforehand:
    """The small pictures of the last seconds before a press, and the number of the first look after it."""

    number: int
    pictures: tuple[PictureBefore, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the page shows of the match; a field is always replaced as a whole."""

    table_mm: tuple[float, float] = (900.0, 600.0)
    """Width and depth of the play area in millimetres, between the centres of the markers."""
    scene: DisplayState | None = None
    said: tuple[Said, ...] = ()
    seen: NumberedLook | None = None
    pictured: NumberedLook | None = None
    """The last look that shows the table, even if a later one does not; until there is one, any with a picture."""
    accepted: NumberedLook | None = None
    """The look that showed the table as it was confirmed last."""
    accepted_before: NumberedLook | None = None
    """The look that showed the confirmed table before that; it is valid again if the last turn is taken back."""
    before: Beforehand | None = None
    """What was seen before the last press; kept until the next one."""
    judged: Judged | None = None
    complaint: Complaint | None = None
    """What was wrong at the last look, if that is not a verdict."""
    doubts: tuple[Doubt, ...] = ()
    due: Due | None = None
    offers: Offers = NO_OFFERS
    """What players may do about the last verdict."""
    draws: tuple[int, int] | None = None
    """Who draws, and how many tiles."""
    winners: tuple[int, ...] = ()
    troubles: tuple[Notice, ...] = ()
    moves: bool = False
    contacts: tuple[str, ...] = ()
    """The buttons of the panel."""
    touchable: bool = False
    """Whether the buttons may be pressed on the page."""
    attended: bool = False
    """Whether an event loop is running that takes commands."""
    sounded: Sounded | None = None
    prepared: Prepared = field(default_factory=Prepared)
    setup: SetUp = field(default_factory=SetUp)
    desk: DeskShown = field(default_factory=DeskShown)
    """What is known of the hall."""

    @property
    def is_unwritten(self) -> bool:
        """Whether the disk takes nothing, so that the newest events of the match are in memory only."""
        return any(told.key in NOT_WRITTEN for told in self.troubles)


class Follower:
    """An audience that keeps the facts, and calls `news` whenever they have changed."""

    def __init__(
        self,
        news: Callable[[], None],
        table_mm: tuple[float, float] = (900.0, 600.0),
        looks: int = 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Number the looks from `looks` + 1; browsers keep pictures under these numbers.

        `now` is the clock of the loop, in monotonic seconds.
        """
        self.facts = Facts(table_mm)
        self._news, self._clock = news, now
        self.sentences, self._looks = 0, looks
        self._first_told: int | None = None
        """The number of the first sentence in this turn of the loop; None if nothing has been told in it yet."""

    def on_update(self, scene: DisplayState) -> None:
        """Publish what the panel shows, if that, or anything that follows from it, has changed."""
        if not scene.waiting:
            self._first_told = None
        facts = _without_what_is_over(self.facts, scene.state)
        asking = scene.state.asked or scene.state.phase.awaits_table or scene.state.phase.deals
        doubts = facts.doubts if asking else ()
        due = _pending_rebuilding(facts, scene.state)
        if facts is not self.facts or facts.scene != scene or doubts != facts.doubts or due != facts.due:
            self._now(replace(facts, scene=scene, doubts=doubts, due=due))

    def on_notice(self, told: Notice) -> None:
        """Publish the sentence with its number; only the last `REMEMBERED` sentences are kept."""
        self.sentences += 1
        self._first_told = self._first_told or self.sentences
        said = Said(self.sentences, told, self._first_told)
        self._now(replace(self.facts, said=(*self.facts.said, said)[-REMEMBERED:]))

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Publish what the effects of an event change: verdict, doubts, tiles to draw, winners and the like."""
        facts = _before_what_begins(self.facts, state)
        before = facts.scene
        for effect in effects:
            match effect:
                case TakeLook():
                    facts = replace(facts, judged=None, complaint=None, doubts=(), draws=None, before=None)
                case Ask(doubts):
                    facts = replace(facts, doubts=doubts)
                case Show(verdict):
                    seen = facts.seen
                    judged = Judged(verdict, state.current, 0 if seen is None else seen.number)
                    judged = judged if before is None else replace(judged, player=before.state.current)
                    facts = replace(facts, judged=judged, doubts=())
                    facts = _with_accepted(facts, seen) if verdict.accepted else facts
                case PutRight(player, target, steps):
                    facts = replace(facts, due=Due(player, target, steps, self._looks), doubts=())
                case DrawTile(player, count):
                    facts = replace(facts, draws=(player, count))
                case MatchOver(winners):
                    facts = replace(facts, winners=winners)
                case Lamp(player, Light.REFUSED) if not any(isinstance(other, Show) for other in effects):
                    reasons = tuple(other.notice for other in effects if isinstance(other, Say))
                    facts = replace(facts, judged=None, complaint=Complaint(player, reasons, self._looks))
        if not state.phase.in_match and facts.winners and not any(isinstance(e, MatchOver) for e in effects):
            facts = replace(facts, winners=())
        if facts is not self.facts:
            self._now(facts)

    def on_taken_back(self) -> None:
        """Withdraw the verdict, the draw and the confirmed table that followed from the press that was taken back."""
        facts = self.facts
        holds = facts.judged is None or not facts.judged.verdict.accepted
        accepted = facts.accepted if holds else facts.accepted_before
        self._now(
            replace(
                facts, judged=None, complaint=None, draws=None, doubts=(), accepted=accepted, accepted_before=None,
                before=None,
            )
        )  # fmt: skip

    def on_look(self, look: Look) -> None:
        """Publish the look under a new number, unless its picture is that of the look before.

        The picture of the accepted look is dropped, because it takes as much memory as one of the camera.
        """
        before = self.facts.seen
        same = before is not None and before.look.picture is look.picture
        self._looks += not same
        accepted = self.facts.accepted
        if accepted is not None and accepted.number != self._looks:
            # Only the places of its tiles are still needed; its picture takes as much memory as one of the camera.
            accepted = _without_picture(accepted)
        seen = NumberedLook(self._looks, look, before.t if same and before is not None else self._clock())
        facts = replace(self.facts, seen=seen, accepted=accepted)
        last = facts.pictured
        shows_table = look.sighting is not None and look.picture is not None
        if shows_table or last is None or last.look.sighting is None:
            facts = replace(facts, pictured=seen if look.picture is not None else last)
        self._now(facts)

    def on_before(self, pictures: tuple[PictureBefore, ...]) -> None:
        """Publish what was seen before the last press; of several looks for one press, the first tells it."""
        if self.facts.before is None:
            self._now(replace(self.facts, before=Beforehand(self._looks, pictures)))

    def on_offers(self, offers: Offers) -> None:
        """Publish what players may do about the last verdict."""
        self._now(replace(self.facts, offers=offers))

    def show_movement(self, moves: bool) -> None:
        """Publish whether anything moves over the table, if that has changed."""
        if moves is not self.facts.moves:
            self._now(replace(self.facts, moves=moves))

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """Publish the troubles of the equipment."""
        self._now(replace(self.facts, troubles=told))

    def on_tune(self, tune: Tune, t: float) -> None:
        """Publish the tune under a new number, and the monotonic moment `t` (seconds) at which it began."""
        number = 1 if self.facts.sounded is None else self.facts.sounded.number + 1
        self._now(replace(self.facts, sounded=Sounded(number, tune, t)))

    def follows(self, contacts: tuple[str, ...], *, touchable: bool, attended: bool = True) -> None:
        """Publish the buttons of the panel, whether the page may press them, and whether there is a loop at all."""
        self._now(replace(self.facts, contacts=contacts, touchable=touchable, attended=attended))

    def prepares(self, what: Prepared) -> None:
        """Publish what is shown of the preparations before a match."""
        self._now(replace(self.facts, prepared=what))

    def on_desk(self, shown: DeskShown) -> None:
        """Publish what is known of the hall."""
        self._now(replace(self.facts, desk=shown))

    def sets_up(self, setup: SetUp, table_mm: tuple[float, float]) -> None:
        """Publish that the table is being built, or what is missing for that; forget all about an earlier one."""
        self._now(Facts(table_mm, setup=setup))

    def _now(self, facts: Facts) -> None:
        self.facts = facts
        self._news()


def _before_what_begins(facts: Facts, state: State) -> Facts:
    """Return the facts; if another match or round begins with `state`, without those of the one before."""
    before = None if facts.scene is None else facts.scene.state.phase
    if before is None or not state.phase.in_match:
        return facts
    # The tiles of the round before have been cleared away. If the hall begins a match right after another one,
    # nothing of the former is shown in between.
    if before is Phase.OVER or (before is Phase.BETWEEN and state.phase.in_round):
        return _without_the_match(facts)
    return facts if before.in_match else replace(facts, winners=())


def _with_accepted(facts: Facts, seen: NumberedLook | None) -> Facts:
    last = None if facts.accepted is None else _without_picture(facts.accepted)
    return replace(facts, accepted=seen, accepted_before=last)


def _without_picture(seen: NumberedLook) -> NumberedLook:
    return seen if seen.look.picture is None else replace(seen, look=replace(seen.look, picture=None))


def _pending_rebuilding(facts: Facts, state: State) -> Due | None:
    """Return what must be put right; after a power cut no effect says so, but the state of the match may."""
    if state.phase not in (Phase.PUTTING_RIGHT, Phase.CHECKING):
        return None
    if facts.due is not None or state.due is None:
        return facts.due
    return Due(state.current, state.due.target, state.due.steps, 0)


def _without_what_is_over(facts: Facts, state: State) -> Facts:
    """Return the facts without those of a round or match that is over; the same object if nothing has to go."""
    phase = state.phase
    if facts.complaint is not None and not (phase.in_round and facts.complaint.player == state.current):
        facts = replace(facts, complaint=None)  # the hand was entered instead
    if not phase.in_round and facts.draws is not None:
        facts = replace(facts, draws=None)
    if phase is Phase.LOBBY and facts.scene is not None and facts.scene.state.phase is not Phase.LOBBY:
        facts = _without_the_match(facts)
    return facts


def _without_the_match(facts: Facts) -> Facts:
    """Return the facts without all that belongs to a match or round, such as the verdict and the pictures."""
    return replace(
        facts, judged=None, complaint=None, seen=None, pictured=None, accepted=None, accepted_before=None, doubts=(),
        due=None, offers=NO_OFFERS, draws=None, winners=(), before=None,
    )  # fmt: skip
