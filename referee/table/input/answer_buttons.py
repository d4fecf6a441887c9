"""Players tell what a tile is that the referee has asked about in vain: which buttons mean what, and what is said.

With a start button: a tap of start shows what the tile may be, one reading after the other. The button of whoever's
turn it is says yes; held, it takes the press back as ever. Without a start button that button held begins, taps go on,
and held again it says yes.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.wiring.pins import PinMap
from referee.game.doubt import Doubt
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.table.input.answers import Answers, Open, told_of
from referee.table.input.commands import Call, Command, EndTurn, Start, TakeBack
from referee.table.looking.doubts import notices_of
from referee.table.looking.look import Look


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer came to: what players are told, and in `chosen` the tile, once there is one."""

    told: Notice | None = None
    about: Open | None = None
    chosen: tuple[Tile | None, ...] = ()


class Settling:
    """What can be told just now, and the dialogue about it."""

    def __init__(self, pins: PinMap) -> None:
        self.answers = Answers()
        self._start = pins.pause_button is not None

    @property
    def choosing(self) -> bool:
        """Whether a dialogue is under way in which a button that is held says yes."""
        return self.answers.choosing and not self._start

    def ask(self, look: Look, doubts: tuple[Doubt, ...], *, again: bool) -> tuple[tuple[Doubt, ...], Notice]:
        """These doubts are asked about: what can be told of them, and what is said; `again`: not by a new look."""
        doubts = self.answers.ask(look.sighting, doubts, again=again)
        about, unseen = self.answers.open, notices_of(doubts)
        if about is None:
            return doubts, Notice("play.cannot_see", doubts=unseen)
        return doubts, Notice("play.cannot_see_but_say", doubts=unseen, how=told_of(about, start=self._start))

    def reply_to(self, command: Command, state: State) -> Reply | None:
        """Go on with the dialogue, and return what came of it; None where the command is not part of one."""
        if self.answers.open is None or not (state.asked or state.phase.awaits_table):
            return None
        choosing = self.answers.choosing
        match command:
            case Start(long=False) if self._start:
                return self._next()
            case Start(long=False) if choosing:
                return self._yes()
            case EndTurn(_, seat, _, False) if choosing and seat == state.current:
                return self._yes() if self._start else self._next()
            case TakeBack() | Call() | EndTurn(long=True) if not (self._start or choosing):
                return self._next()
        return None

    def _next(self) -> Reply:
        begun = not self.answers.choosing
        self.answers.next()
        return Reply(self._line_shown(how=begun))

    def _yes(self) -> Reply:
        about, chosen = self.answers.open, self.answers.yes()
        if chosen is not None:
            return Reply(about=about, chosen=chosen)
        return Reply(self._line_shown(how=False) or Notice("play.looks_again"))

    def _line_shown(self, *, how: bool) -> Notice | None:
        """The line of the dialogue; at its beginning how to answer."""
        shown = self.answers.shown
        if shown is None or not how:
            return None if shown is None else Notice("play.choice", what=shown)
        return Notice("play.is_it" if self._start else "play.is_it_holding", what=shown)
