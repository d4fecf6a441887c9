"""What somebody wants of the match who is not at the table: a hall, or a smart home, where the settings allow it.

None of it ends a turn that its player has not ended, or answers for anybody. What cannot be done just now is refused,
without a word at the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.errors import BadInput
from referee.game.match.events import Paused, Resumed
from referee.game.match.phases import Phase
from referee.game.notice import Notice, told_by
from referee.i18n import Wording
from referee.journal.rows import Setup
from referee.table.input.requests import Announce, BeginDrawn, BeginMatch, ClubTrouble, GoOn, LookAgain, Pause
from referee.table.lobby import Plan, check_box, make_plan
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.preparation.at_a_screen import ENROLLING

if TYPE_CHECKING:
    from referee.table.controller import Controller

CLUB = "club"
"""The part of the box that the line to the broker is."""
NOT_NOW = Notice("play.not_now")
MATCH_UNDER_WAY = Notice("club.match_under_way")

Wish = Pause | GoOn | LookAgain | Announce | BeginDrawn | ClubTrouble


class FromAfar:
    """Grants wishes that come over the line of the club."""

    def __init__(self, match: Controller, presenter: Presenter, plan: Plan, buttons: int, words: Wording) -> None:
        """`plan` is what is set at the table, which has this many end-turn buttons."""
        self._match, self._presenter = match, presenter
        self._plan, self._buttons, self._words = plan, buttons, words

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
            case BeginDrawn():
                return MATCH_UNDER_WAY if state.phase.in_match else self._begin(wish)
            case _:
                return NOT_NOW
        return None

    def _begin(self, wish: BeginDrawn) -> Notice | None:
        """Begin as somebody at a screen does, with other players; all that may be wrong is found out before."""
        if self._match.enrolment.under_way:
            return ENROLLING
        try:
            plan = self._plan_of_draw(wish)
        except BadInput as error:
            return told_by(error)
        self._match.starting.waits_for(plan, Notice("club.begun", playing=plan.names))
        self._presenter.play(Cue.LONG)
        return self._match.at_a_screen.wished(BeginMatch(), lobby=True)

    def _plan_of_draw(self, wish: BeginDrawn) -> Plan:
        """The match of a draw; raises BadInput where it cannot be played at this table.

        The options and the season are those of the table; a book that is not set there has its usual options.
        """
        own = self._plan
        same = wish.rules is None or wish.rules == own.setup.rules
        setup = own.setup if same else Setup.now(wish.rules or "", {}, own.setup.season)
        rules = setup.ruleset()
        rules.hand_size(len(wish.players))
        check_box(own.box or own.rules.box, rules)
        names = tuple(
            self._words(Notice("words.player_name", number=seat)) if name is None else name
            for seat, name in enumerate(wish.players, 1)
        )
        plan = make_plan(replace(setup, draw=wish.draw), names, self._buttons, wish.rounds or own.rounds, ())
        return replace(plan, box=own.box)
