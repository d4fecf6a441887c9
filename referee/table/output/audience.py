"""The audience: those who follow the match beside the panel, such as a page or a voice.

The presenter passes on what it shows, from the same state and the same effects as lamps and tones, so that they never
disagree. Every method is called in the loop's own thread and must return at once: it keeps a value and wakes another
thread.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.game.match.events import Effect
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.table.desk_values import DeskShown
from referee.table.looking.look import Look, Reread
from referee.table.looking.pictures_before import PictureBefore
from referee.table.preparation.prepared import Prepared
from referee.table.session import Players


class Way(enum.Enum):
    """How the starting player is chosen."""

    LOT = "lot"
    """By lot: the lamps light up in turn and stop at one."""
    PRESS = "press"
    """The starting player presses first."""
    ASK = "ask"
    """With one button for all: the referee asks about one player after another."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """The choice of the starting player that is under way: its way, the lamps by button, and who is asked about."""

    way: Way
    glows: Mapping[int, Glow]
    about: str = ""
    """With `Way.ASK`: the name of the player who is asked about."""
    held: bool = False
    """Whether a long press says yes, because there is no start button to say no with."""


@dataclass(frozen=True, slots=True)
class DisplayState:
    """What the panel shows, and the values that follows from.

    `lights` are the lamps, those of the players by button; `joined` are the buttons of those who have sat down before
    a match. `zero` is the moment of the monotonic clock at which the match time was 0.
    """

    state: State
    lights: Lights
    players: Players
    joined: frozenset[int]
    zero: float
    cut: bool = False
    """Whether a match waits to be continued after a power cut."""
    place: tuple[int, int] | None = None
    """The match and number of the last event in the journal; None without a match, or while that is not certain."""
    draw: str | None = None
    """The draw of the hall that the match belongs to, or the one that is about to begin."""
    choosing: Choosing | None = None
    """The choice of the starting player; None if the player is known, or nothing is being chosen yet."""
    waiting: bool = False
    """Whether the loop waits for the disk. The clock may have been stopped already by the event that is written."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What players may do about the last verdict.

    `reread` has alternatives for a tile that somebody says was misread. `agreement` is the look of a turn that
    somebody wants to count as it lies; a second request must confirm that.
    """

    reread: Reread | None = None
    agreement: Look | None = None
    taken_back: bool = False
    """Whether the turn was accepted and taken back: until the next press, players may say what was misread in it."""


NO_OFFERS = Offers()


class Audience(Protocol):
    """Those who follow the match beside the panel."""

    def on_update(self, scene: DisplayState) -> None:
        """The panel was brought up to date; called in every turn of the loop, even if nothing has changed."""

    def on_notice(self, told: Notice) -> None:
        """The players were told this."""

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """An event has led to `state`, with these effects."""

    def on_taken_back(self) -> None:
        """A press was taken back: whatever followed from it is void."""

    def on_look(self, look: Look) -> None:
        """A look that somebody waited for has come; it includes what players have said until now."""

    def on_before(self, pictures: tuple[PictureBefore, ...]) -> None:
        """These small pictures were taken in the last seconds before the press that led to the last look."""

    def on_offers(self, offers: Offers) -> None:
        """What players may do about the last verdict has changed."""

    def show_movement(self, moves: bool) -> None:
        """Whether anything moves over the table at the moment."""

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """The troubles of the equipment, all of them."""

    def on_tune(self, tune: Tune, t: float) -> None:
        """The panel plays a tune that began at the monotonic moment `t`, in seconds."""

    def prepares(self, what: Prepared) -> None:
        """What somebody on a screen has asked to see of the preparations before a match."""

    def on_desk(self, shown: DeskShown) -> None:
        """What is known of the hall has changed: the time of the round, this table's call, an announcement."""


class Audiences:
    """Several audiences, which get everything in order."""

    def __init__(self, audiences: Iterable[Audience] = ()) -> None:
        self._all = tuple(audiences)

    def on_update(self, scene: DisplayState) -> None:
        """Pass on what the panel shows to each audience."""
        for one in self._all:
            one.on_update(scene)

    def on_notice(self, told: Notice) -> None:
        """Pass on a notice to each audience."""
        for one in self._all:
            one.on_notice(told)

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Pass on the effects of an event, and the state that it led to, to each audience."""
        for one in self._all:
            one.on_event(effects, state)

    def on_taken_back(self) -> None:
        """Tell each audience that a press was taken back."""
        for one in self._all:
            one.on_taken_back()

    def on_look(self, look: Look) -> None:
        """Pass on a look that somebody waited for to each audience."""
        for one in self._all:
            one.on_look(look)

    def on_before(self, pictures: tuple[PictureBefore, ...]) -> None:
        """Pass on what was seen before a press to each audience."""
        for one in self._all:
            one.on_before(pictures)

    def on_offers(self, offers: Offers) -> None:
        """Pass on what players may do about the last verdict to each audience."""
        for one in self._all:
            one.on_offers(offers)

    def show_movement(self, moves: bool) -> None:
        """Tell each audience whether anything moves over the table."""
        for one in self._all:
            one.show_movement(moves)

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """Pass on the troubles of the equipment to each audience."""
        for one in self._all:
            one.troubles(told)

    def on_tune(self, tune: Tune, t: float) -> None:
        """Pass on a tune, and the monotonic moment (seconds) at which it began, to each audience."""
        for one in self._all:
            one.on_tune(tune, t)

    def prepares(self, what: Prepared) -> None:
        """Pass on what is shown of the preparations before a match to each audience."""
        for one in self._all:
            one.prepares(what)

    def on_desk(self, shown: DeskShown) -> None:
        """Pass on what is known of the hall to each audience."""
        for one in self._all:
            one.on_desk(shown)


NOBODY = Audiences()


class PartialAudience:
    """An audience to whom nothing matters; those who follow only a part of the match are derived from it."""

    def on_update(self, scene: DisplayState) -> None:
        """Do nothing."""

    def on_notice(self, told: Notice) -> None:
        """Do nothing."""

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Do nothing."""

    def on_taken_back(self) -> None:
        """Do nothing."""

    def on_look(self, look: Look) -> None:
        """Do nothing."""

    def on_before(self, pictures: tuple[PictureBefore, ...]) -> None:
        """Do nothing."""

    def on_offers(self, offers: Offers) -> None:
        """Do nothing."""

    def show_movement(self, moves: bool) -> None:
        """Do nothing."""

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """Do nothing."""

    def on_tune(self, tune: Tune, t: float) -> None:
        """Do nothing."""

    def prepares(self, what: Prepared) -> None:
        """Do nothing."""

    def on_desk(self, shown: DeskShown) -> None:
        """Do nothing."""
