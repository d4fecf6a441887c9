"""The referee: what every press and every look means to the match, and what the players are told.

Called by the loop, one thing at a time, in the loop's own thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.devices.debounce import Told
from referee.devices.pins import PinMap
from referee.errors import BadInput
from referee.game.calling import may_call
from referee.game.events import (
    Called,
    Declared,
    Effect,
    Event,
    Insisted,
    Lamp,
    Light,
    Look,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    Seen,
    Started,
    Withdrawn,
)
from referee.game.state import Phase
from referee.game.table import Table
from referee.loop.asking import Doubt, Questions, as_confirmed, reads_in_doubt
from referee.loop.buttons import Buttons
from referee.loop.command import Call, Command, EndTurn, Insist, NotNow, SitDown, Start, TakeBack, Trouble
from referee.loop.complaining import Complaints
from referee.loop.dealing import Dealing
from referee.loop.desk import Desk, MatchTime, Players
from referee.loop.front import Front
from referee.loop.looking import Glance
from referee.loop.looking import Look as Answer
from referee.loop.outside import Outside
from referee.loop.plan import Plan
from referee.loop.signals import LOOKS, Cue
from referee.loop.starting import ONCE_MORE, Meaning, StartButton, not_now
from referee.loop.words import SAY_JOKERS, back_in_words, not_now_in_words
from referee.loop.worker import Worker


class Referee:
    """One table's referee, at its desk."""

    seen: Answer | None = None
    """The last look that somebody waited for."""

    def __init__(
        self, desk: Desk, plan: Plan, pins: PinMap, time: MatchTime, worker: Worker, front: Front, out: Outside
    ) -> None:
        self.desk, self._plan, self._time, self._worker, self._front, self._out = desk, plan, time, worker, front, out
        self.cut = desk.state.phase not in (Phase.LOBBY, Phase.OVER)
        """Whether a match waits to go on after a cut."""
        self._questions, self._complaints = Questions(), Complaints()
        self._dealing, self._start = Dealing(plan), StartButton()
        self._buttons = Buttons(pins, Players.of(plan.names, tuple(seat.name for seat in desk.state.seats)))

    def begin(self) -> None:
        """Be ready, for a match or to go on with one."""
        if self.cut:
            self._carry_out(self.desk.back_after_a_cut(self._time.now()))
            self._front.say(back_in_words(self.desk.state))
        self._front.play(Cue.READY)

    def show(self) -> None:
        """Bring the panel up to date."""
        self._front.show(self.desk.state, self._buttons.players, self._dealing.lobby)

    # Buttons

    @property
    def waited(self) -> float | None:
        """The first edge, monotonic, of a press that may still end the turn."""
        return self._buttons.waited

    def told(self, tellings: Iterable[Told]) -> None:
        """The debounced contacts have told something."""
        for told in tellings:
            for command in self._buttons.commands(told, self.desk.state, self._time.at(told.t), cut=self.cut):
                self._do(command)

    def _do(self, command: Command) -> None:
        match command:
            case EndTurn(seat=None):
                self._front.not_now("That button belongs to nobody in this match.")
            case EndTurn(_, _, t) if self.cut and self.desk.state.in_question is not None:
                self.happened(Resumed(self._time.at(t)))  # the question may not have been heard
            case EndTurn(_, seat, t, long):
                state = self.desk.state
                if self.desk.undeclared and state.phase is Phase.TURN and seat == state.current:
                    self.happened(Declared(seat, self._time.at(t)))  # as it was asked for
                taken = self.happened(Pressed(seat or 0, self._time.at(t), long), after=t)
                (self._buttons.taken if taken else self._buttons.refused)(command)
            case SitDown(button, long):
                self._front.play(self._dealing.sit_down(button, long=long))
            case Start(t, long):
                self._buttons.taken(command)
                self._start_or_pause(t, long=long)
            case TakeBack(seat, t):
                self.happened(Withdrawn(seat, self._time.at(t)))
            case Call(seat):
                now = self._time.now()
                # Most presses that are held a little long mean nothing by it.
                if may_call(self.desk.state, seat, now):
                    self.happened(Called(seat, now))
            case Insist(seat, t):
                self.happened(Insisted(seat, self._time.at(t)), after=t)
            case NotNow(text):
                self._front.not_now(text)
            case Trouble(contact, text):
                self._front.trouble(contact, text, self.desk.state)

    def _start_or_pause(self, t: float, *, long: bool) -> None:
        """The start/pause button: begins, pauses, goes on, ends the match."""
        phase = self.desk.state.phase
        match self._start.means(phase, self._out.monotonic(), long=long, cut=self.cut):
            case Meaning.DEAL:
                self._deal(t)
            case Meaning.PAUSE:
                self.happened(Paused(self._time.at(t)))
            case Meaning.GO_ON:
                self.happened(Resumed(self._time.at(t)), after=t)
            case Meaning.NEXT:
                self._clear("The next match.")
            case Meaning.ONCE_MORE:
                self._front.say(ONCE_MORE)
                self._front.play(Cue.LONG)
            case Meaning.END:
                self._clear("The match ends here.")
                self._front.play(Cue.READY)
            case Meaning.NOT_NOW:
                self._front.not_now(not_now(phase))

    def _deal(self, t: float) -> None:
        """Begin a match or a round; where a tile must lie aside, after a look at it."""
        if self.desk.state.rules.finish.last_tile:
            self._dealing.for_aside = True
            self._front.aside(Light.LOOKING)
            self._worker.want(t)
        else:
            self._dealt(self._time.at(t))

    def _dealt(self, t: float, table: Table = (), doubts: tuple[Doubt, ...] = ()) -> None:
        try:
            event = self._dealing.event(self.desk.state, t, table, doubts)
        except BadInput as error:
            self._front.aside(Light.ASKING if self._dealing.for_aside else None)
            self._front.not_now(str(error))
        else:
            self._front.aside(None)
            if self.desk.state.phase is Phase.LOBBY:
                self._buttons.players = self._dealing.players
            self.happened(event)
        self._dealing.for_aside = False

    def _clear(self, text: str) -> None:
        self.desk.clear(self._plan.setup)
        self._dealing = Dealing(self._plan)
        self._front.forget()
        self._front.say(text)

    # The match

    def happened(self, event: Event, after: float | None = None) -> bool:
        """Let the rules take an event; `after`: a look it asks for shall show what lay there after that moment."""
        before = self.desk.state
        try:
            effects = self.desk.handle(event)
        except BadInput as error:
            self._front.not_now(not_now_in_words(event, self.desk.state, error))
            return False
        self.cut = False
        self._front.played_on()
        self._questions.taken(event, asked=before.asked)
        if isinstance(event, Withdrawn):
            self._front.taken_back()
        if isinstance(event, Started | RoundStarted):
            self._worker.clear()
        # Not only an accepted table holds from now on: one that was put right does, and one with a hand beside it.
        holds = self.desk.state.table is not before.table or Lamp(before.current, Light.ACCEPTED) in effects
        if holds and self.seen is not None and isinstance(event, Seen | Pressed | Insisted):
            self._worker.confirm(self.seen)
        self._carry_out(effects, after)
        if self.desk.state.phase is Phase.ASKING and self.desk.state.in_question is not before.in_question:
            self._front.play(Cue.LONG)
        if isinstance(event, Seen) and self.desk.undeclared:
            self._front.say(SAY_JOKERS)
        return True

    def _carry_out(self, effects: Iterable[Effect], after: float | None = None) -> None:
        effects = tuple(effects)
        if any(isinstance(effect, Look) for effect in effects):
            self._worker.want(self._out.monotonic() if after is None else after)
        self._front.tell(effects, self.desk.state)
        if self._out.heard is not None:
            self._out.heard(effects)

    def _keep(self, seen: Answer) -> None:
        """Keep the picture that was judged: of a table, a hand, or one that was put right."""
        place = self.desk.journal.place
        if place is not None and seen.picture is not None and self._out.keep is not None:
            self._out.keep(*place, seen.picture)

    # Looks

    def glanced(self, glance: Glance) -> None:
        """Nobody waits: read a still table ahead, or look again at one that was straightened after a doubt."""
        if self.cut or not self._worker.still(glance) or self._worker.waits:
            return
        now = self._out.monotonic()
        if self.desk.state.asked:
            if self._questions.again(glance.changes, now):
                self._worker.want(now)
        elif self.desk.state.phase is Phase.TURN:
            self._worker.read_ahead(now)

    def looked_ahead(self, answer: Answer) -> None:
        """Nobody waited: the first look at a table as it was confirmed shows what belongs on and around it."""
        state = self.desk.state
        if state.phase is Phase.TURN and not self._worker.accustomed and as_confirmed(answer, state):
            self._worker.accustom(answer)
        if (text := self._complaints.ahead(answer)) is not None:
            self._front.say(text)
        if answer.trouble:
            self._worker.ahead_in_vain(self._out.monotonic())

    def looked(self, answer: Answer) -> None:
        """Somebody waited for this look: judge what it shows, or ask."""
        if self._worker.waits:
            return  # whoever pressed again meanwhile wants a picture from after that press
        self.seen, state = answer, self.desk.state
        table = state.table if answer.sighting is None else answer.sighting.table
        if self._dealing.for_aside:
            self._dealt(self._time.now(), table, reads_in_doubt(answer))
            return
        if state.phase not in (*LOOKS, Phase.ASKING) or state.in_question is not None:
            return  # the press was taken back meanwhile, or the table was asked about already
        question = self._questions.about(answer, state, self._out.monotonic())
        if question.news:
            self._front.say(
                self._complaints.reason(answer)
                + "I cannot see: "
                + "; ".join(str(doubt["text"]) for doubt in question.doubts)
            )
        if question.insisted:
            self._worker.accustom(answer)
        doubts = question.doubts
        # Where nobody has pressed since, and nothing is better, nothing has happened.
        if (question.news or not doubts) and self.happened(Seen(table, self._time.now(), doubts)) and not doubts:
            self._keep(answer)
        self._questions.stands(question)
