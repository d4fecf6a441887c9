"""The referee: what every press and every look means to the match, and what the players are told.

Called by the loop, one thing at a time, in the loop's own thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.devices.panel.debounce import Told
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.match.events import (
    Agreed,
    Called,
    Declared,
    Effect,
    Event,
    Insisted,
    Lamp,
    Light,
    Pressed,
    RebuildBegun,
    Resumed,
    RoundStarted,
    Seen,
    Started,
    TakeLook,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.rebuilding import may_begin
from referee.game.match.rummy_call import may_call
from referee.game.notice import Notice
from referee.table.from_afar import FromAfar
from referee.table.input.answer_buttons import Settling
from referee.table.input.answers import Answer
from referee.table.input.buttons import Buttons
from referee.table.input.commands import Call, Command, EndTurn, Insist, NotNow, SitDown, Start, TakeBack, Trouble
from referee.table.input.requests import Wish
from referee.table.lobby import Plan
from referee.table.looking.complaints import Complaints
from referee.table.looking.doubts import Questions, as_confirmed, reads_in_doubt, rebuilt
from referee.table.looking.immaterial import spare_question
from referee.table.looking.look import Glance, Look
from referee.table.looking.reread import Reread
from referee.table.looking.vision_worker import Worker
from referee.table.output.notices import READY, SAY_JOKERS, back_after_a_cut, pause_notice
from referee.table.output.notices import not_now as not_now_of
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.preparation.another_pin import AnotherPin
from referee.table.preparation.at_a_screen import AtAScreen
from referee.table.preparation.camera_view import Viewed
from referee.table.preparation.enrolment import Enrolment
from referee.table.preparation.lens_steps import LensLearnt, SheetSeen
from referee.table.reviewing import Reviewing
from referee.table.session import MatchTime, Session
from referee.table.starting import Starting
from referee.table.surroundings import Surroundings
from referee.table.tiles_told import TilesTold
from referee.table.wishes import grant_wish


class Controller:
    """What presses and looks mean to the match of one table, which `session` holds, and what people are told."""

    seen: Look | None = None
    """The last look that somebody waited for."""

    def __init__(
        self, session: Session, plan: Plan, pins: PinMap, time: MatchTime, worker: Worker, presenter: Presenter,
        out: Surroundings,
    ) -> None:  # fmt: skip
        self.session, self._time = session, time
        self._worker, self._presenter, self._out = worker, presenter, out
        self.cut = session.state.phase.in_match
        """Whether a match waits to go on after a cut."""
        self._questions, self.settling, self._complaints = Questions(), Settling(pins), Complaints()
        self._pin = AnotherPin(out.pin, presenter, out.monotonic)
        self.enrolment = Enrolment(out.teacher, worker, presenter)
        self.starting = Starting(self, plan, pins, worker, presenter, time, out)
        self.reviewing = Reviewing(self, presenter, worker, time, out)
        self.tiles_told = TilesTold(self, self.settling, presenter, worker, time, out)
        self.from_afar = FromAfar(self, presenter, plan, len(pins.turn_buttons), out.words)
        start = self.starting.at_a_screen
        self.at_a_screen = AtAScreen(pins, worker, presenter, out, self.enrolment, start, plan.names)
        self.buttons = Buttons(pins, session.players(plan.names))

    def begin(self) -> None:
        """Be ready, for a match or to go on with one."""
        if self.cut:
            self._carry_out(self.session.back_after_a_cut(self._time.now()))
            self._presenter.say(back_after_a_cut(self.session.state))
            self._worker.told(self.session.state.words)
        self._presenter.play(Cue.READY)

    def ready(self) -> None:
        """Before a match that people at the table begin: say what to press."""
        if self.session.state.phase is Phase.LOBBY and self.session.setup.draw is None:
            self._presenter.say(READY)
            self._presenter.display(None if self._out.pin is None else self._out.pin.on_display())

    def show(self) -> None:
        """Bring the panel up to date."""
        self.at_a_screen.show(lobby=self.session.state.phase is Phase.LOBBY)
        choosing, lobby = self.starting.who_begins.shown(self._out.monotonic()), self.starting.lobby
        self._presenter.show(*self.session.shown, self.buttons.players, lobby, choosing, cut=self.cut)

    # Buttons

    @property
    def waited(self) -> float | None:
        """The first edge, monotonic, of a press that may still end the turn."""
        return self.buttons.waited

    def told(self, tellings: Iterable[Told]) -> None:
        """The debounced contacts have told something."""
        for told in self.at_a_screen.heard(told for told in tellings if not self._new_pin(told)):
            state, t = self.session.state, self._time.at(told.t)
            choosing, begins = self.settling.choosing, self.starting.who_begins.by_press
            for command in self.buttons.commands(told, state, t, cut=self.cut, choosing=choosing, begins=begins):
                taken = self.enrolment.heard(command, told.t)
                if not (taken or self.starting.who_begins.heard(command) or self.tiles_told.chosen(command)):
                    self._do(command)

    def _new_pin(self, told: Told) -> bool:
        """Whether this gives the page another PIN: whatever somebody had begun there is over then."""
        given = self.session.state.phase is Phase.LOBBY and self._pin.heard(told)
        if given:
            self.enrolment.stop()
            self.at_a_screen.stop()
        return given

    def answered(self, answer: Answer) -> None:
        """Somebody at the console says what a tile is that is asked about."""
        self.tiles_told.answered(answer)

    def wished(self, wish: Wish) -> Notice | None:
        """Somebody at a screen wants something; gives why that cannot be, None where it was done."""
        return grant_wish(self, wish, self._time.now(), self._carry_out)

    def errand_came(self, result: object) -> None:
        """The worker has brought what was asked of it beside its looks."""
        if isinstance(result, Reread):
            self.reviewing.reread(result)
        elif isinstance(result, Viewed):
            self.at_a_screen.viewed(result)
        elif isinstance(result, SheetSeen | LensLearnt):
            self.at_a_screen.lens.came(result)
        else:
            self.enrolment.came(result, self._out.monotonic())

    def _do(self, command: Command) -> None:
        match command:
            case EndTurn(seat=None):
                self._presenter.not_now(Notice("play.nobodys_button"))
            case EndTurn(_, _, t) if self.cut and self.session.state.in_question is not None:
                self.happened(Resumed(self._time.at(t)))  # the question may not have been heard
            case EndTurn(_, seat, t, long):
                state = self.session.state
                if self.session.undeclared and state.phase is Phase.TURN and seat == state.current:
                    self.happened(Declared(seat, self._time.at(t)))  # as it was asked for
                taken = self.happened(Pressed(seat or 0, self._time.at(t), long), after=t)
                (self.buttons.taken if taken else self.buttons.refused)(command)
            case SitDown(button, long):
                self.starting.sit_down(button, long=long)
            case Start(t, long):
                self.buttons.taken(command)
                self.starting.pressed(t, long=long, has_pin=self._pin.possible)
            case TakeBack(seat, t):
                self.happened(Withdrawn(seat, self._time.at(t)))
            case Call(seat):
                now = self._time.now()
                # Most presses that are held a little long mean nothing by it.
                if may_call(self.session.state, seat, now):
                    self.happened(Called(seat, now))
            case Insist(seat, t):
                self.happened(Insisted(seat, self._time.at(t)), after=t)
            case NotNow(told):
                self._presenter.not_now(told)
            case Trouble(contact, told):
                self._presenter.trouble(contact, told, self.session.state)

    # The match

    def happened(self, event: Event, after: float | None = None) -> bool:
        """Let the rules take an event; `after`: a look it asks for shall show what lay there after that moment."""
        return self.refusal(event, after) is None

    def refusal(self, event: Event, after: float | None = None) -> Notice | None:
        """The same; gives why they do not take it, which players are told."""
        before = self.session.state
        try:
            effects = self.session.handle(event)
        except BadInput as error:
            self._presenter.not_now(told := not_now_of(event, self.session.state, error))
            return told
        self.cut = False
        if not isinstance(event, RebuildBegun):  # which only a camera has seen
            self._presenter.played_on()
        self._worker.told(self.session.state.words)
        self._questions.taken(event, asked=before.asked)
        if isinstance(event, Withdrawn):
            self._presenter.taken_back()
            if before.current != event.player and self.session.state.phase is Phase.TURN:
                self.reviewing.taken_back()
        if isinstance(event, Started | RoundStarted):
            self._worker.clear()
            self.reviewing.forget()
            self.starting.begun()
        if not (self.session.state.asked or self.session.state.phase.looks):
            self.settling.answers.clear()
            self._presenter.choice(None)
        # Not only an accepted table holds from now on: one that was put right does, and one with a hand beside it.
        holds = self.session.state.table is not before.table or Lamp(before.current, Light.ACCEPTED) in effects
        if holds and self.seen is not None and isinstance(event, Seen | Pressed | Insisted | Agreed):
            self._worker.confirm(self.seen)
            if isinstance(event, Seen):
                self._worker.teach(self.seen, event.table)
        self._carry_out(effects, after)
        if (pause := pause_notice(event, before, self.session.state)) is not None:
            self._presenter.say(pause)
        if self.session.state.phase is Phase.ASKING and self.session.state.in_question is not before.in_question:
            self._presenter.play(Cue.LONG)
        if isinstance(event, Seen) and self.session.undeclared:
            self._presenter.say(SAY_JOKERS)
        return None

    def _carry_out(self, effects: Iterable[Effect], after: float | None = None) -> None:
        effects = tuple(effects)
        if any(isinstance(effect, TakeLook) for effect in effects):
            self._worker.want(self._out.monotonic() if after is None else after)
            self.reviewing.forget()
            self.tiles_told.forget()
        self._presenter.tell(effects, self.session.state)
        if self._out.heard is not None:
            self._out.heard(effects)

    def forget_match(self) -> None:
        """A match was put away: nothing of it is looked at, asked about or offered any more."""
        self.seen, self.cut = None, False
        self._questions = Questions()
        self._worker.want_nothing()
        self.reviewing.forget()
        self.tiles_told.forget()
        self.settling.answers.clear()
        self._presenter.forget()
        if self._out.put_away is not None:
            self._out.put_away()

    def _keep(self, seen: Look) -> None:
        """Keep the picture that was judged: of a table, a hand, or one that was put right."""
        place = self.session.journal.place
        if place is not None and seen.picture is not None and self._out.keep is not None:
            self._out.keep(*place, seen.picture)

    # Looks

    def glanced(self, glance: Glance) -> None:
        """Nobody waits: read a still table ahead, or look again at one that was straightened after a doubt."""
        self._presenter.moving(not self._worker.still(glance))
        if self.cut or not self._worker.still(glance) or self._worker.waits:
            return
        now = self._out.monotonic()
        if self.session.state.asked:
            if self._questions.again(glance.changes, now):
                self._worker.want(now)
        elif self.session.state.phase is Phase.TURN:
            self._worker.read_ahead(now)

    def looked_ahead(self, look: Look) -> None:
        """Nobody waited: the first look at a table as it was confirmed shows what belongs on and around it."""
        state = self.session.state
        if state.phase is Phase.TURN and not self._worker.accustomed and as_confirmed(look, state):
            self._worker.accustom(look)
        if (told := self._complaints.ahead(look)) is not None:
            self._presenter.say(told)
        if may_begin(state) and rebuilt(look.told(state.words), state):
            self.happened(RebuildBegun(self._time.now()))
        if look.trouble:
            self._worker.ahead_in_vain(self._out.monotonic())

    def looked(self, look: Look) -> None:
        """Somebody waited for this look: judge what it shows, or ask."""
        if self._worker.waits:
            return  # whoever pressed again meanwhile wants a picture from after that press
        state = self.session.state
        if not (state.phase.in_match or self.starting.for_aside):
            return  # the match was ended meanwhile
        look = look.told(state.words)
        if self.reviewing.shows(look):
            return
        self.seen = look
        self._presenter.looked(look)
        if self.starting.for_aside:
            doubts, _ = self.settling.ask(look, reads_in_doubt(look), again=False)
            self.starting.dealt(self._time.now(), () if look.sighting is None else look.sighting.table, doubts)
            return
        if not state.phase.awaits_table or state.in_question is not None:
            return  # the press was taken back meanwhile, or the table was asked about already
        self.judge(look)

    def judge(self, look: Look, *, again: bool = False) -> None:
        """Judge what a look shows, or ask; `again`: with what players have said since."""
        state, t = self.session.state, self._time.now()
        table = state.table if look.sighting is None else look.sighting.table
        question = self._questions.about(look, state, self._out.monotonic())
        doubts = question.doubts
        event = spare_question(look, state, doubts, look.words, t)
        if event is None and question.news:
            doubts, asked = self.settling.ask(look, doubts, again=again)
            self._presenter.choice(self.settling.answers.shown)
            wrong = self._complaints.reason(look)
            self._presenter.say(asked if wrong is None else Notice("play.bad_picture", wrong=wrong, asked=asked))
        if question.insisted:
            self._worker.accustom(look)
        # Where nobody has pressed since, and nothing is better, nothing has happened.
        if event is not None or question.news or not doubts:
            judged = event is not None or not doubts
            if self.happened(event or Seen(table, t, doubts, look.words)) and judged:
                self._keep(look)
        self._questions.stands(question)
