"""What begins a match and its rounds, pauses and ends it: sitting down, start, who begins, the tile aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import Light, Paused, Resumed
from referee.game.match.phases import Phase
from referee.game.notice import Notice, told_by
from referee.game.table import Table
from referee.table.dealing import Dealing
from referee.table.input.start_button import HOLD_MORE, Meaning, StartButton, not_now
from referee.table.lobby import Lobby, Plan
from referee.table.looking.vision_worker import Worker
from referee.table.output.notices import sat_down
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.session import MatchTime
from referee.table.surroundings import Surroundings
from referee.table.who_begins import WhoBegins

if TYPE_CHECKING:
    from referee.table.controller import Controller

NOT_OVER = Notice("play.not_now")


class Starting:
    """Begins what is played at the table of one controller, by the plan that was set last."""

    def __init__(
        self, match: Controller, plan: Plan, pins: PinMap, worker: Worker, presenter: Presenter, time: MatchTime,
        out: Surroundings,
    ) -> None:  # fmt: skip
        self._match, self._plan, self._time = match, plan, time
        self._worker, self._presenter, self._out = worker, presenter, out
        self._dealing, self._button = Dealing.of(plan), StartButton()
        self.who_begins = WhoBegins(pins, out.lot, presenter, self._begin_with)

    @property
    def lobby(self) -> Lobby:
        """Those who have sat down."""
        return self._dealing.lobby

    @property
    def for_aside(self) -> bool:
        """Whether the look that is waited for is at the tile that lies aside."""
        return self._dealing.for_aside

    def sit_down(self, button: int, *, long: bool) -> None:
        """Somebody joins or leaves."""
        if (why := self._dealing.keeps_out(button)) is not None:
            self._presenter.not_now(why)
            return
        self._presenter.aside(None)
        self._presenter.play(self._dealing.sit_down(button, long=long))
        self._presenter.say(sat_down(self._plan.names, button, self._dealing.lobby.joined, long=long))

    def pressed(self, t: float, *, long: bool, has_pin: bool) -> Notice | None:
        """The start/pause button: begins, pauses, goes on, ends the match; gives why it cannot begin."""
        phase, now = self._match.session.state.phase, self._out.monotonic()
        enrols = self._match.enrolment.possible
        match self._button.means(phase, now, long=long, cut=self._match.cut, enrols=enrols, has_pin=has_pin):
            case Meaning.DEAL:
                return self._deal(t)
            case Meaning.PAUSE:
                self._match.happened(Paused(self._time.at(t)))
            case Meaning.GO_ON:
                self._match.happened(Resumed(self._time.at(t)), after=t)
            case Meaning.NEXT:
                self.next_match()
            case meaning if meaning in HOLD_MORE:
                self._presenter.say(HOLD_MORE[meaning])
                self._presenter.play(Cue.LONG)
            case Meaning.ENROL:
                self._match.enrolment.begin(lobby=True)
            case Meaning.END:
                self.waits_for(self._plan, Notice("play.match_ends"))
                self._presenter.play(Cue.READY)
            case Meaning.NOT_NOW:
                self._presenter.not_now(not_now(phase))
        return None

    def at_a_screen(self) -> Notice | None:
        """Somebody at a screen presses start, shortly; gives why nothing can begin."""
        return self.pressed(self._out.monotonic(), long=False, has_pin=False)

    def next_match(self) -> Notice | None:
        """Put the match away that is over, where one is; gives why that cannot be."""
        if self._match.session.state.phase is not Phase.OVER:
            return NOT_OVER
        self.waits_for(self._plan, Notice("play.next_match"))
        return None

    def _deal(self, t: float) -> Notice | None:
        """Begin a match or a round, once it is known who begins; where a tile must lie aside, after a look at it."""
        state = self._match.session.state
        players = self._dealing.players if state.phase is Phase.LOBBY else self._match.buttons.players
        if self._dealing.open(state) and self.who_begins.choose(state, players, self._out.monotonic()):
            return None
        if state.rules.finish.last_tile:
            self._dealing.for_aside = True
            self._presenter.aside(Light.LOOKING)
            self._worker.want(t)
            return None
        return self.dealt(self._time.at(t))

    def _begin_with(self, seat: int, t: float) -> None:
        """It was chosen who begins."""
        self._dealing.chosen = seat
        self._deal(t)
        state = self._match.session.state
        if state.phase is Phase.TURN and state.current != seat:
            self._presenter.say(Notice("start.begins", player=state.seats[seat].name))

    def dealt(self, t: float, table: Table = (), doubts: tuple[Doubt, ...] = ()) -> Notice | None:
        """Deal, by what a look at the tile aside has shown where there is one; gives why that cannot be."""
        why: Notice | None = None
        try:
            event = self._dealing.event(self._match.session.state, t, table, doubts)
        except BadInput as error:
            self._presenter.aside(Light.ASKING if self._dealing.for_aside else None)
            self._presenter.not_now(why := told_by(error))
        else:
            self._presenter.aside(None)
            if self._match.session.state.phase is Phase.LOBBY:
                self._match.buttons.players = self._dealing.players
            why = self._match.refusal(event)
        self._dealing.for_aside = False
        return why

    def begun(self) -> None:
        """A match or a round has begun: who begins the next one is chosen anew."""
        self._dealing.chosen = None
        self.who_begins.stop()

    def waits_for(self, plan: Plan, told: Notice) -> None:
        """Put away what was played; the next match is by this plan."""
        self._match.session.clear(plan.setup)
        self._dealing = Dealing.of(plan)
        self._match.buttons.players = self._dealing.players
        self.who_begins.stop()
        self._match.forget_match()
        self._presenter.say(told)
        self._match.ready()
