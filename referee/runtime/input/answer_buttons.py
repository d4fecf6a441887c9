"""Players tell what a tile is that the referee has asked about in vain: which buttons mean what, and what is said.

With a start button: a tap of start shows what the tile may be, one reading after the other. The button of whoever's
turn it is says yes; held, it takes the press back as ever. Without a start button that button held begins, taps go on,
and held again it says yes.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.wiring.pins import PinMap
from referee.game.match.state import State
from referee.game.tiles import Tile
from referee.runtime.input.answers import Answers, Open, in_words
from referee.runtime.input.commands import Call, Command, EndTurn, Start, TakeBack
from referee.runtime.looking.doubts import Doubt
from referee.runtime.looking.look import Look


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer came to: a sentence for the players, and in `chosen` the tile, once there is one."""

    text: str = ""
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

    def ask(self, look: Look, doubts: tuple[Doubt, ...], *, again: bool) -> tuple[tuple[Doubt, ...], str]:
        """These doubts are asked about: with what can be told of them, and in words; `again`: not by a new look."""
        doubts = self.answers.asked(look.sighting, doubts, again=again)
        text = "I cannot see: " + "; ".join(str(doubt["text"]) for doubt in doubts)
        about = self.answers.open
        if about is None:
            return doubts, text
        how = "tap start" if self._start else "hold the button"
        return doubts, f"{text}. {in_words(about)} ({how} to choose)."

    def heard(self, command: Command, state: State) -> Reply | None:
        """What a command means to a dialogue; None where it means something else."""
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
        return Reply(self._shown(how=begun))

    def _yes(self) -> Reply:
        about, chosen = self.answers.open, self.answers.yes()
        if chosen is not None:
            return Reply(about=about, chosen=chosen)
        return Reply(self._shown(how=False) or "The referee looks again once you press.")

    def _shown(self, *, how: bool) -> str:
        """The line of the dialogue; at its beginning how to answer."""
        if not how:
            return self.answers.shown
        yes = "press for yes, start for the next" if self._start else "hold for yes, tap for the next"
        return f"Is it {self.answers.shown[:-1]}? {yes[0].upper()}{yes[1:]}."
