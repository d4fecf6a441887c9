"""Begins a match and its rounds, pauses and ends it: sitting down, start, who begins, the tile set aside."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import Event, Light, Paused, Resumed, RoundStarted
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice, told_by
from referee.game.table import Table
from referee.journal.rows import Setup
from referee.table.input.buttons import HOLD_MORE, Buttons, Meaning, StartButton, not_now
from referee.table.input.requests import BeginDraw
from referee.table.lobby import Lobby, Plan, check_box, make_plan, tile_set_aside_on
from referee.table.output.notices import READY, sat_down
from referee.table.output.signals import Cue
from referee.table.preparation.enrolment import Enrolment
from referee.table.running_match import MatchObserver, RunningMatch
from referee.table.session import Players
from referee.table.who_begins import WhoBegins

NOT_OVER = Notice("play.not_now")


class Starting(MatchObserver):
    """Begins matches and rounds at the table, by the plan that was set last."""

    def __init__(
        self, match: RunningMatch, plan: Plan, pins: PinMap, buttons: Buttons, enrolment: Enrolment
    ) -> None:  # fmt: skip
        """`plan` is set for the next match, `pins` are the panel's contacts, `buttons` turns them into commands."""
        self._match, self._plan, self._pins = match, plan, pins
        self._buttons, self._enrolment = buttons, enrolment
        self._presenter, self._out = match.presenter, match.out
        self._dealing, self._button = Dealing.for_plan(plan), StartButton()
        self.who_begins = WhoBegins(pins, match.out.lot, match.presenter, self._begin_with)

    @property
    def lobby(self) -> Lobby:
        """The players who have sat down."""
        return self._dealing.lobby

    @property
    def looks_for_aside(self) -> bool:
        """Whether the look that is under way is for the tile set aside."""
        return self._dealing.for_aside

    def say_ready(self) -> None:
        """Say what to press, before a match that people at the table begin."""
        if self._match.state.phase is Phase.LOBBY and self._match.session.setup.draw is None:
            self._presenter.say(READY)
            self._presenter.display(None if self._out.pin is None else self._out.pin.on_display())

    def sit_down(self, button: int, *, long: bool) -> None:
        """Let somebody join or leave."""
        if (why := self._dealing.keeps_out(button)) is not None:
            self._presenter.not_now(why)
            return
        self._presenter.show_aside(None)
        self._presenter.play(self._dealing.sit_down(button, long=long))
        self._presenter.say(sat_down(self._plan.names, button, self._dealing.lobby.joined, long=long))

    def press_start(self, t: float, *, long: bool, has_pin: bool) -> Notice | None:
        """Handle a press of the start/pause button at `t` (monotonic seconds); return why nothing can begin.

        `has_pin`: the page has a PIN, so holding start may also be for a new one.
        """
        phase, now = self._match.state.phase, self._out.monotonic()
        enrols = self._enrolment.possible
        match self._button.means(phase, now, long=long, cut=self._match.cut, enrols=enrols, has_pin=has_pin):
            case Meaning.DEAL:
                return self._choose_and_deal(t)
            case Meaning.PAUSE:
                self._match.apply_event(Paused(self._match.time.time_at(t)))
            case Meaning.GO_ON:
                self._match.apply_event(Resumed(self._match.time.time_at(t)), after=t)
            case Meaning.NEXT:
                self.put_match_away()
            case meaning if meaning in HOLD_MORE:
                self._presenter.say(HOLD_MORE[meaning])
                self._presenter.play(Cue.LONG)
            case Meaning.ENROL:
                self._enrolment.begin(lobby=True)
            case Meaning.END:
                self.discard_match()
            case Meaning.NOT_NOW:
                self._presenter.not_now(not_now(phase))
        return None

    def begin_match(self) -> Notice | None:
        """Begin, like a short press of start; return why that is impossible."""
        return self.press_start(self._out.monotonic(), long=False, has_pin=False)

    def put_match_away(self) -> Notice | None:
        """Put away the match that is over; return why that is impossible."""
        if self._match.state.phase is not Phase.OVER:
            return NOT_OVER
        self.wait_for_match(self._plan, Notice("play.next_match"))
        return None

    def discard_match(self) -> None:
        """Put away the match under way, and wait for the next one."""
        self.wait_for_match(self._plan, Notice("play.match_ends"))
        self._presenter.play(Cue.READY)

    def wait_for_match(self, plan: Plan, notice: Notice) -> None:
        """Put away the match and wait for the next one, by this plan; say `notice`."""
        self._match.session.clear(plan.setup)
        self._dealing = Dealing.for_plan(plan)
        self._buttons.players = self._dealing.players
        self.who_begins.stop()
        self._match.forget()
        self._presenter.say(notice)
        self.say_ready()

    def plan_of_draw(self, request: BeginDraw) -> Plan:
        """Return the plan of a drawn match; raises BadInput if it cannot be played at this table.

        Season and options are those of the table; a book other than the one set at the table has its usual options.
        """
        own = self._plan
        same = request.rules is None or request.rules == own.setup.rules
        setup = own.setup if same else Setup.now(request.rules or "", {}, own.setup.season)
        rules = setup.ruleset()
        rules.hand_size(len(request.players))
        check_box(own.box or own.rules.box, rules)
        names = tuple(
            self._out.words(Notice("words.player_name", number=seat)) if name is None else name
            for seat, name in enumerate(request.players, 1)
        )
        buttons = len(self._pins.turn_buttons)
        plan = make_plan(replace(setup, draw=request.draw), names, buttons, request.rounds or own.rounds, ())
        return replace(plan, box=own.box)

    def deal(self, t: float, table: Table = (), doubts: tuple[Doubt, ...] = ()) -> Notice | None:
        """Deal at the match time `t`; return why that is impossible.

        `table` and `doubts` are what a look at the tile set aside has shown, if the rules have such a tile.
        """
        why: Notice | None = None
        try:
            event = self._dealing.event(self._match.state, t, table, doubts)
        except BadInput as error:
            self._presenter.show_aside(Light.ASKING if self._dealing.for_aside else None)
            self._presenter.not_now(why := told_by(error))
        else:
            self._presenter.show_aside(None)
            if self._match.state.phase is Phase.LOBBY:
                self._buttons.players = self._dealing.players
            why = self._match.apply_event(event)
        self._dealing.for_aside = False
        return why

    def begin_round(self) -> None:
        """Forget who was chosen to begin; the next match or round needs a new choice."""
        self._dealing.chosen = None
        self.who_begins.stop()

    def _choose_and_deal(self, t: float) -> Notice | None:
        """Begin a match or round, but first choose who begins and look for the tile set aside, if either is needed."""
        state = self._match.state
        players = self._dealing.players if state.phase is Phase.LOBBY else self._buttons.players
        if self._dealing.open(state) and self.who_begins.choose(state, players, self._out.monotonic()):
            return None
        if state.rules.finish.last_tile:
            self._dealing.for_aside = True
            self._presenter.show_aside(Light.LOOKING)
            self._match.worker.want(t)
            return None
        return self.deal(self._match.time.time_at(t))

    def _begin_with(self, seat: int, t: float) -> None:
        """Deal after `seat` was chosen to begin."""
        self._dealing.chosen = seat
        self._choose_and_deal(t)
        state = self._match.state
        if state.phase is Phase.TURN and state.current != seat:
            self._presenter.say(Notice("start.begins", player=state.seats[seat].name))


@dataclass(slots=True)
class Dealing:
    """What is known before a deal: who has sat down, and whether a look for the tile set aside is under way."""

    plan: Plan
    lobby: Lobby
    for_aside: bool = False
    chosen: int | None = None
    """The seat that begins the next round, if one was chosen."""

    @classmethod
    def for_plan(cls, plan: Plan) -> Dealing:
        """Return the state before a match by this plan."""
        return cls(plan, Lobby.for_plan(plan))

    def open(self, state: State) -> bool:
        """Return whether it is not known yet who begins, and the rules allow this number of players."""
        if state.phase is not Phase.LOBBY:
            return self.chosen is None
        fewest, most = self.plan.rules.players
        return self.chosen is self.lobby.first is None and fewest <= len(self.lobby.buttons(self.plan)) <= most

    def keeps_out(self, button: int) -> Notice | None:
        """Return why nobody can join or leave at this button; None if somebody can."""
        if self.plan.setup.draw is not None:
            return Notice("club.seated", playing=self.plan.names)
        return None if button < len(self.plan.names) else Notice("play.nobodys_button")

    def sit_down(self, button: int, *, long: bool) -> Cue:
        """Let somebody join or leave; return the cue for that."""
        # The choice of who begins must be made again, and only then is the tile set aside looked for.
        self.lobby, self.chosen, self.for_aside = self.lobby.press(button, long), None, False
        if long:
            return Cue.LONG
        return Cue.JOINED if button in self.lobby.joined else Cue.LEFT

    def event(self, state: State, t: float, table: Table = (), doubts: tuple[Doubt, ...] = ()) -> Event:
        """Return the event that begins the match or its next round; raises BadInput with a notice for the players.

        `table` and `doubts` are what a look at the tile set aside has shown, if the rules have such a tile.
        """
        if doubts:
            key = "play.aside_unread_but_say" if doubts[0].offered is not None else "play.aside_unread"
            raise BadInput(Notice(key, doubt=doubts[0].notice))
        aside = tile_set_aside_on(table) if state.rules.finish.last_tile else None
        if state.phase is Phase.LOBBY:
            return self.lobby.start_event(self.plan, t, aside, self.chosen)
        return RoundStarted(t, self.chosen, aside)

    @property
    def players(self) -> Players:
        """The names at all buttons, and the buttons of those who will play."""
        return Players(self.plan.names, self.lobby.buttons(self.plan))
