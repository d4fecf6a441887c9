"""Before a round: who sits down, and the event that deals."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import Event, RoundStarted
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.table import Table
from referee.table.lobby import Lobby, Plan, aside_in
from referee.table.output.signals import Cue
from referee.table.session import Players


@dataclass(slots=True)
class Dealing:
    """Those who have sat down, and whether the tile that lies aside is being looked for."""

    plan: Plan
    lobby: Lobby
    for_aside: bool = False
    chosen: int | None = None
    """The seat that begins the next round, if that was chosen."""

    @classmethod
    def for_plan(cls, plan: Plan) -> Dealing:
        """Before a match by this plan."""
        return cls(plan, Lobby.for_plan(plan))

    def open(self, state: State) -> bool:
        """Whether nobody has told yet who begins, and the rules let so many play."""
        if state.phase is not Phase.LOBBY:
            return self.chosen is None
        fewest, most = self.plan.rules.players
        return self.chosen is self.lobby.first is None and fewest <= len(self.lobby.buttons(self.plan)) <= most

    def keeps_out(self, button: int) -> Notice | None:
        """Why nobody joins or leaves at this button; None where somebody may."""
        if self.plan.setup.draw is not None:
            return Notice("club.seated", playing=self.plan.names)
        return None if button < len(self.plan.names) else Notice("play.nobodys_button")

    def sit_down(self, button: int, *, long: bool) -> Cue:
        """Somebody joins or leaves; how that sounds."""
        # Who begins is chosen anew, and only then is the tile aside looked for.
        self.lobby, self.chosen, self.for_aside = self.lobby.press(button, long), None, False
        if long:
            return Cue.LONG
        return Cue.JOINED if button in self.lobby.joined else Cue.LEFT

    def event(self, state: State, t: float, table: Table = (), doubts: tuple[Doubt, ...] = ()) -> Event:
        """The event that begins the match or its next round; raises BadInput with a notice for the players.

        `table` and `doubts` are what a look at the tile aside has shown, where these rules have one.
        """
        if doubts:
            key = "play.aside_unread_but_say" if doubts[0].offered is not None else "play.aside_unread"
            raise BadInput(Notice(key, doubt=doubts[0].notice))
        aside = aside_in(table) if state.rules.finish.last_tile else None
        if state.phase is Phase.LOBBY:
            return self.lobby.start_event(self.plan, t, aside, self.chosen)
        return RoundStarted(t, self.chosen, aside)

    @property
    def players(self) -> Players:
        """The buttons of those who play before a match."""
        return Players(self.plan.names, self.lobby.buttons(self.plan))
