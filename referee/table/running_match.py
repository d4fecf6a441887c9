"""The match that is played at the table: applies events and judges looks, and informs all who depend on that.

This is the one place where events reach the rules. The modules that turn presses, requests and looks into events use
it: `starting`, `reviewing`, `tile_answers`, `requests`, and `controller`, which uses all of these.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.errors import BadInput
from referee.game.match.events import (
    Agreed,
    Coached,
    Effect,
    Event,
    Insisted,
    Lamp,
    Light,
    MatchTimeUp,
    Pressed,
    RebuildBegun,
    RoundStarted,
    Seen,
    Started,
    TakeLook,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.table.input.answers import Settling
from referee.table.looking.doubts import Complaints, Questions, spare_question
from referee.table.looking.look import Look, tile_places
from referee.table.looking.vision_worker import Worker
from referee.table.output.notices import SAY_JOKERS, not_now, pause_notice
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.session import MatchTime, Session
from referee.table.surroundings import Surroundings


class MatchObserver:
    """Keeps something about the match that becomes invalid as soon as something else happens.

    Each method does nothing unless a subclass overrides it.
    """

    def forget_look(self) -> None:
        """Forget what belongs to the last look, because another look was requested or the match was put away."""

    def begin_round(self) -> None:
        """Forget what belongs to the last round, because a match or a round has begun."""

    def take_turn_back(self) -> None:
        """Take note that an accepted turn was taken back and goes on."""


class RunningMatch:
    """The match at the table, together with the last look at it."""

    def __init__(
        self, session: Session, time: MatchTime, worker: Worker, presenter: Presenter, settling: Settling,
        out: Surroundings,
    ) -> None:  # fmt: skip
        """`settling` is the dialogue about tiles in doubt, which ends as soon as nothing is asked any more."""
        self.session, self.time, self.worker, self.presenter, self.out = session, time, worker, presenter, out
        self.settling, self.questions, self.complaints = settling, Questions(), Complaints()
        self.seen: Look | None = None
        """The last look that somebody waited for."""
        self.cut = session.state.phase.in_match
        """Whether the match waits to be continued after a power cut."""
        self.observers: tuple[MatchObserver, ...] = ()
        """Those who must know of new looks and rounds, in the order in which they are told."""

    @property
    def state(self) -> State:
        """The state of the match by its rules."""
        return self.session.state

    def apply_event(self, event: Event, after: float | None = None) -> Notice | None:
        """Apply an event by the rules, write it to the journal and carry out its effects.

        If the event asks for a look, its picture is taken after the monotonic moment `after`. Returns why the rules
        refuse the event, which players have then been told; None if they accept it.
        """
        before = self.state
        try:
            effects = self.session.handle(event)  # also writes the event to the journal
        except BadInput as error:
            refused = not_now(event, self.state, error)
            self.presenter.not_now(refused)
            return refused
        self._bring_up_to_date(event, before)
        self._keep_table(event, before, effects)
        self.carry_out(effects, after)
        self._say_more(event, before)
        return None

    def _bring_up_to_date(self, event: Event, before: State) -> None:
        """Let all parts drop what the event has made obsolete."""
        ended = self.state.phase is not before.phase
        if isinstance(event, Coached | MatchTimeUp) and not ended:  # nobody has touched anything
            return
        self.cut = False
        if not isinstance(event, RebuildBegun):  # only a camera saw that; nobody has done anything
            self.presenter.played_on()
        self.worker.set_words(self.state.words)
        self.questions.note_event(event, asked=before.asked)
        if isinstance(event, Withdrawn):
            self.presenter.taken_back()
            if before.current != event.player:
                self.worker.take_back()
            if before.current != event.player and self.state.phase is Phase.TURN:
                for observer in self.observers:
                    observer.take_turn_back()
        if isinstance(event, Started | RoundStarted):
            self.worker.clear()
            for observer in self.observers:
                observer.begin_round()
        if not (self.state.asked or self.state.phase.looks):
            self.settling.answers.clear()
            self.presenter.choice(None)

    def _keep_table(self, event: Event, before: State, effects: tuple[Effect, ...]) -> None:
        """Tell the worker to remember the last look if its table has just become the valid one.

        This includes a table that was put right, and one with a hand beside it, not only an accepted table.
        """
        holds = self.state.table is not before.table or Lamp(before.current, Light.ACCEPTED) in effects
        if holds and self.seen is not None and isinstance(event, Seen | Pressed | Insisted | Agreed):
            self.worker.confirm(self.seen)
            if isinstance(event, Seen):
                self.worker.teach(self.seen, event.table)

    def _say_more(self, event: Event, before: State) -> None:
        """Tell players what they should know about an event but its effects do not say."""
        if (pause := pause_notice(event, before, self.state)) is not None:
            self.presenter.say(pause)
        if self.state.phase is Phase.ASKING and self.state.in_question is not before.in_question:
            self.presenter.play(Cue.LONG)
        if isinstance(event, Seen) and self.session.undeclared:
            self.presenter.say(SAY_JOKERS)

    def carry_out(self, effects: Iterable[Effect], after: float | None = None) -> None:
        """Carry out the effects of an event that was written to the journal; `after` as in `apply_event`."""
        effects = tuple(effects)
        if any(isinstance(effect, TakeLook) for effect in effects):
            self.worker.want(self.out.monotonic() if after is None else after)
            self._forget_look()
        self.presenter.tell(effects, self.state)
        if self.out.heard is not None:
            self.out.heard(effects)

    def judge(self, look: Look, *, again: bool = False) -> None:
        """Judge a look, or ask about it; `again`: it was judged before, and players have said something since."""
        state, t = self.state, self.time.now()
        table = state.table if look.sighting is None else look.sighting.table
        question = self.questions.question_about(look, state, self.out.monotonic())
        doubts = question.doubts
        event = spare_question(look, state, doubts, look.words, t)
        if event is None and question.news:
            doubts, asked = self.settling.ask(look, doubts, again=again)
            self.presenter.choice(self.settling.answers.shown_choice)
            wrong = self.complaints.reason(look)
            self.presenter.say(asked if wrong is None else Notice("play.bad_picture", wrong=wrong, asked=asked))
        if question.insisted:
            self.worker.accustom(look)
        # If nobody has pressed since and the doubts are as before, there is no event.
        if event is not None or question.news or not doubts:
            judged = event is not None or not doubts
            if self.apply_event(event or Seen(table, t, doubts, look.words)) is None and judged:
                self._keep_picture(look)
        self.questions.note_asked(question)

    def forget(self) -> None:
        """Forget the match, because it was put away: stop looking at it, asking about it, and offering anything."""
        self.seen, self.cut = None, False
        self.questions = Questions()
        self.worker.want_nothing()
        self._forget_look()
        self.settling.answers.clear()
        self.presenter.forget()
        if self.out.put_away is not None:
            self.out.put_away()

    def _forget_look(self) -> None:
        for observer in self.observers:
            observer.forget_look()

    def _keep_picture(self, seen: Look) -> None:
        """Keep the picture that was judged, whether it shows a table, a hand, or a table that was put right."""
        place = self.session.journal.place
        if place is not None and seen.picture is not None and self.out.keep is not None:
            self.out.keep(*place, seen.picture, tile_places(seen))
