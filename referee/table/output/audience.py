"""Whoever follows the match beside the panel: a page, a voice.

The presenter tells them what it shows, from the same state and the same effects as lamps and tones, so that they never
disagree. Everything is called in the loop's own thread and must take no time: to keep a value and wake somebody else.

What a voice says aloud is the sentences of one turn of the loop as one utterance.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.game.match.events import Effect
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.looking.look import Look, Reread
from referee.table.preparation.prepared import Prepared
from referee.table.session import Players


class Way(enum.Enum):
    """How it is chosen who begins."""

    LOT = "lot"
    """Lamps run round and stop."""
    PRESS = "press"
    """Whoever begins presses first."""
    ASK = "ask"
    """One button serves all: the referee asks about one player after the other."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """Who begins is being chosen: how, what the players' lamps show by button, and who is asked about."""

    way: Way
    glows: Mapping[int, Glow]
    about: str = ""
    """With `Way.ASK` the name of the player who is asked about."""
    held: bool = False
    """Whether yes takes a long press, because there is no start button for no."""


@dataclass(frozen=True, slots=True)
class DisplayState:
    """What the panel shows, and what it is made of.

    `lights` are the players' lamps by button, `joined` the buttons of those who have sat down before a match. `zero`
    is the moment of the monotonic clock at which the match time was 0.
    """

    state: State
    lights: Lights
    players: Players
    joined: frozenset[int]
    zero: float
    cut: bool = False
    """Whether a match waits to go on after a cut."""
    place: tuple[int, int] | None = None
    """Match and number of the last event in the journal; None without a match, or while that is not certain."""
    draw: str | None = None
    """The draw of the hall that the match belongs to, or the one that is about to begin."""
    choosing: Choosing | None = None
    """Who begins is being chosen; None where that is known, or is not the question yet."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What players may do about the last verdict: what a tile may be instead, and what only a second one must confirm.

    `agreement` is the look of a turn that somebody wants to count as it lies.
    """

    reread: Reread | None = None
    agreement: Look | None = None
    taken_back: bool = False
    """Whether the turn was accepted and taken back: what was misread in it can be told before the next press."""


NO_OFFERS = Offers()


class Audience(Protocol):
    """Whoever follows the match."""

    def on_update(self, scene: DisplayState) -> None:
        """The panel was brought up to date; called whenever the loop turns, also where nothing is new."""

    def on_notice(self, told: Notice) -> None:
        """The players were told something."""

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """An event has led to `state`, and came to this."""

    def on_taken_back(self) -> None:
        """A press was taken back: nothing that it had led to holds any more."""

    def on_look(self, look: Look) -> None:
        """Somebody waited for this look; what players have said by now is in it."""

    def on_offers(self, offers: Offers) -> None:
        """What players may do about the last verdict has changed."""

    def show_movement(self, moves: bool) -> None:
        """Whether anything moves over the table just now."""

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """All that is wrong with the box itself."""

    def on_tune(self, tune: Tune, t: float) -> None:
        """The panel plays a tune since the monotonic moment `t`."""

    def prepares(self, what: Prepared) -> None:
        """What somebody at a screen has asked to see of the preparations before a match."""


class Audiences:
    """Several of them."""

    def __init__(self, audiences: Iterable[Audience] = ()) -> None:
        self._all = tuple(audiences)

    def on_update(self, scene: DisplayState) -> None:
        """Pass on to each what the panel shows."""
        for one in self._all:
            one.on_update(scene)

    def on_notice(self, told: Notice) -> None:
        """Pass on to each what the players were told."""
        for one in self._all:
            one.on_notice(told)

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Pass on to each the effects of an event and the state that it led to."""
        for one in self._all:
            one.on_event(effects, state)

    def on_taken_back(self) -> None:
        """Pass on to each that a press was taken back."""
        for one in self._all:
            one.on_taken_back()

    def on_look(self, look: Look) -> None:
        """Pass on to each a look that somebody waited for."""
        for one in self._all:
            one.on_look(look)

    def on_offers(self, offers: Offers) -> None:
        """Pass on to each what players may do about the last verdict."""
        for one in self._all:
            one.on_offers(offers)

    def show_movement(self, moves: bool) -> None:
        """Pass on to each whether anything moves over the table."""
        for one in self._all:
            one.show_movement(moves)

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """Pass on to each all that is wrong with the box itself."""
        for one in self._all:
            one.troubles(told)

    def on_tune(self, tune: Tune, t: float) -> None:
        """Pass on to each the tune that plays since the monotonic moment `t`, in seconds."""
        for one in self._all:
            one.on_tune(tune, t)

    def prepares(self, what: Prepared) -> None:
        """Pass on to each what is shown of the preparations before a match."""
        for one in self._all:
            one.prepares(what)


NOBODY = Audiences()


class Spoken:
    """An audience that hands utterances to a voice, which must not wait."""

    def __init__(self, say: Callable[[str], None], words: Wording) -> None:
        self._say, self._words = say, words
        self._told: list[Notice] = []

    def on_notice(self, told: Notice) -> None:
        """Keep the sentence; it is spoken with those that follow, at the next call of `on_update()`."""
        self._told.append(told)

    def on_update(self, scene: DisplayState) -> None:
        """Speak the sentences kept since the last call together: the loop has handled all that was to be handled."""
        if self._told:
            words = self._words.of_faces(scene.state.rules.box.faces)
            self._say(words.all(self._told))
            self._told = []

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Do nothing: whatever of the effects is to be spoken also comes to `on_notice()`."""

    def on_taken_back(self) -> None:
        """Do nothing: that the turn goes on also comes to `on_notice()`."""

    def on_look(self, look: Look) -> None:
        """Do nothing: looks are not spoken."""

    def on_offers(self, offers: Offers) -> None:
        """Do nothing: offers are not spoken."""

    def show_movement(self, moves: bool) -> None:
        """Do nothing: movement is not spoken."""

    def troubles(self, told: tuple[Notice, ...]) -> None:
        """Do nothing: new ones also come to `on_notice()`."""

    def on_tune(self, tune: Tune, t: float) -> None:
        """Do nothing: the panel itself plays tunes."""

    def prepares(self, what: Prepared) -> None:
        """Do nothing: preparations are followed on a screen."""
