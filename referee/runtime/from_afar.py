"""What somebody wants of the match who is not at the table: a hall, or a smart home, where the settings allow it.

None of it ends a turn that its player has not ended, or answers for anybody. What cannot be done just now is refused,
without a word at the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.game.match.events import Paused, Resumed
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.runtime.input.requests import Announce, ClubTrouble, GoOn, LookAgain, Pause
from referee.runtime.output.presenter import Presenter

if TYPE_CHECKING:
    from referee.runtime.controller import Controller

CLUB = "club"
"""The part of the box that the line to the broker is."""
NOT_NOW = Notice("play.not_now")

Wish = Pause | GoOn | LookAgain | Announce | ClubTrouble


class FromAfar:
    """Grants wishes that come over the line of the club."""

    def __init__(self, match: Controller, presenter: Presenter) -> None:
        self._match, self._presenter = match, presenter

    def wished(self, wish: Wish, t: float) -> Notice | None:
        """Do it at the match time `t`; gives why that cannot be, None where it was done."""
        state = self._match.session.state
        match wish:
            case Announce(text):
                self._presenter.say(Notice("club.announced", text=text))
            case ClubTrouble(told):
                self._presenter.trouble(CLUB, told, state, quiet=True)
            case Pause() if state.phase is Phase.TURN:
                self._match.happened(Paused(t))
            case GoOn() if state.phase is Phase.PAUSED and not self._match.cut:
                self._match.happened(Resumed(t))
            case LookAgain() if state.asked and state.phase.awaits_table and state.in_question is None:
                self._match.happened(Resumed(t))
            case _:
                return NOT_NOW
        return None
