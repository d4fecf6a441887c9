"""The one loop that owns the match: presses, looks and the clock come in, lamps, tones and sentences go out.

Looks run in a single worker thread; GPIO callbacks only put their edges into the queue. There is one timer: the
earliest moment at which anything falls due by itself.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterable

from referee.devices.debounce import Debouncer, Told
from referee.devices.pins import PinMap
from referee.errors import BadInput, CameraLost
from referee.game.events import (
    Declared,
    Effect,
    Event,
    Light,
    Look,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    Seen,
    Show,
    Started,
    TimeUp,
    Withdrawn,
)
from referee.game.state import Phase
from referee.game.table import Table
from referee.loop.again import Again
from referee.loop.asking import NOTHING, Doubt, as_confirmed, doubts_of, reads_in_doubt
from referee.loop.buttons import Buttons, Command, EndTurn, NotNow, SitDown, Start, TakeBack, Trouble
from referee.loop.dealing import Dealing
from referee.loop.desk import Desk, MatchTime, Players
from referee.loop.front import NOTICE, Front
from referee.loop.inbox import Edge, Inbox
from referee.loop.looking import Glance, Looker
from referee.loop.looking import Look as Answer
from referee.loop.outside import Outside
from referee.loop.plan import Plan
from referee.loop.pulse import Pulse
from referee.loop.signals import LOOKS, Cue
from referee.loop.starting import ONCE_MORE, Meaning, StartButton, not_now
from referee.loop.words import SAY_JOKERS, back_in_words, not_now_in_words
from referee.loop.worker import Done, Job, Watch, Worker

SHORTEST_WAIT_S = 0.001
"""What is due has just been seen to; moments that differ by rounding alone must not keep the loop busy."""
LONGEST_WAIT_S = 5.0
"""The loop turns at least so often, whatever happens."""
HANGS = "The camera gives no answer; if nothing changes in a moment, restart the referee."
STUMBLED = "The referee has stumbled over this picture; move the tiles a little, or press again."


class Loop:
    """One table, from ready to stop."""

    def __init__(
        self, desk: Desk, looker: Looker, plan: Plan, pins: PinMap, watch: Watch, outside: Outside, t: float
    ) -> None:
        """`t` is the match time from which the match goes on; 0 for a new one."""
        self.desk, self._looker, self._plan, self._pins, self._watch = desk, looker, plan, pins, watch
        self._out = outside
        self._time = MatchTime(outside.monotonic, t)
        self._inbox = Inbox(outside.monotonic)
        self._seen: Answer | None = None
        self._again = Again()
        self._suspected = self._waived = NOTHING
        """What was asked about last, and what of it somebody has insisted on by pressing again."""
        self._dealing, self._start = Dealing(plan), StartButton()
        self._pulse = Pulse(desk, self._time, outside.service)
        self._cut = desk.state.phase not in (Phase.LOBBY, Phase.OVER)
        self._buttons = Buttons(pins, Players.of(plan.names, tuple(seat.name for seat in desk.state.seats)))

    async def run(self) -> None:
        """Referee until `stop` is called."""
        loop = asyncio.get_running_loop()

        def on_edge(contact: str, closed: bool, t: float) -> None:
            loop.call_soon_threadsafe(self._inbox.put, Edge(contact, closed, t))

        def deliver(done: Done) -> None:
            loop.call_soon_threadsafe(self._inbox.put, done)

        self._worker = Worker(self._looker, self._watch, deliver, self._out.monotonic(), self._out.thread)
        try:
            self._front = Front(self._out, self._time, on_edge)
        except BaseException:
            self._worker.close()
            raise
        try:
            self._debouncer = Debouncer(self._pins.contacts, self._front.panel.closed(), self._out.monotonic())
            self._begin()
            while await self._turn():
                pass
        finally:
            self._out.service.stopping()
            self._front.close()
            self._worker.close()

    def stop(self) -> None:
        """End after what is being done; to be called in the loop's own thread."""
        self._inbox.put(None)

    @property
    def t(self) -> float:
        """Match time now."""
        return self._time.now()

    def happen(self, event: Event) -> None:
        """Let the rules take an event from elsewhere than the panel; to be called in the loop's own thread."""
        self._inbox.put(event)

    # What happens

    def _begin(self) -> None:
        if self._cut:
            self._carry_out(self.desk.back_after_a_cut(self._time.now()))
            self._front.say(back_in_words(self.desk.state))
        self._front.play(Cue.READY)
        self._trouble("journal", self.desk.journal.trouble)
        self._show()
        self._out.service.ready()
        self._front.status(self.desk.state)

    async def _turn(self) -> bool:
        """One turn of the loop: wait for what happens or falls due, and see to it; False when it is to end."""
        wait = max(SHORTEST_WAIT_S, self._due() - self._out.monotonic())
        items, until = await self._inbox.take(wait)
        for item in items:
            if item is None:
                return False
            self._take(item)
        self._see_to_it(until)
        return True

    def _take(self, item: Edge | Done | Event) -> None:
        match item:
            case Edge(contact, closed, t):
                self._told(self._debouncer.edge(contact, closed, t))
            case Done():
                self._done(item)
            case _:
                self._happened(item)

    def _done(self, done: Done) -> None:
        self._worker.free(done)
        match done.result:
            case CameraLost() as error:
                self._worker.lost(done, self._out.monotonic())
                self._trouble("camera", str(error))
            case Exception() as error:
                self._failed(done, error)
            case BaseException() as error:
                raise error
            case Glance() as glance:
                self._trouble("camera", None)
                self._glanced(glance)
            case Answer() as answer:
                self._trouble("camera", None)
                self._trouble("reading", None)
                # Whoever pressed again meanwhile wants a picture from after that press.
                if done.asked and not self._worker.waits:
                    self._answered(answer)
                elif not done.asked:
                    self._seen_ahead(answer)
                    if answer.trouble:
                        self._worker.ahead_in_vain(self._out.monotonic())

    def _failed(self, done: Done, error: Exception) -> None:
        """A job stumbled: a look that was waited for is then one that cannot be judged."""
        self._worker.failed(done.job, error, self._out.monotonic())
        part = "camera" if done.job is Job.GLANCE else "reading"
        if self._trouble(part, f"The referee has stumbled over a picture ({type(error).__name__}: {error})."):
            traceback.print_exception(error)  # for whoever has to mend it; players are told in one sentence
        if done.asked and not self._worker.waits:
            self._answered(Answer(None, None, trouble=STUMBLED))

    def _see_to_it(self, until: float) -> None:
        """Whatever is due by now; what time alone makes of a press or of a turn only `until` where all is known."""
        self._told(self._debouncer.at(until))
        if self._time_is_up(self._time.at(until)):
            self._happened(TimeUp(self._time.at(until)))
        now = self._out.monotonic()
        self._worker.work(now)
        hangs = self._worker.overdue(now)
        if hangs:
            self._trouble("camera", HANGS)
        self._pulse.beat(now, hangs=hangs)
        self._trouble("journal", self.desk.journal.trouble)
        for notice in self.desk.journal.take_notices():
            self._trouble(NOTICE, notice)
        self._show()

    def _time_is_up(self, t: float) -> bool:
        """Whether the turn's time is up at `t`, and no press is under way that began before the end."""
        state = self.desk.state
        if state.phase is not Phase.TURN or not state.clock.expired(t):
            return False
        begun = self._pressing()
        return begun is None or state.clock.expired(self._time.at(begun))

    def _pressing(self) -> float | None:
        """The first edge of a press that may still end the turn or stop its clock; soon it is decided."""
        return min((t for t in (self._debouncer.closing, self._buttons.waited) if t is not None), default=None)

    def _due(self) -> float:
        """The next moment, monotonic, at which something falls due by itself."""
        now, state = self._out.monotonic(), self.desk.state
        moments = [now + LONGEST_WAIT_S, self._debouncer.due(), self._worker.due(now), *self._front.due(state)]
        if state.clock.deadline is not None and self._pressing() is None:
            moments.append(self._time.monotonic(state.clock.deadline))
        moments += self._pulse.due(hangs=self._worker.overdue(now))
        return min(moment for moment in moments if moment is not None)

    # Buttons

    def _told(self, tellings: Iterable[Told]) -> None:
        for told in tellings:
            for command in self._buttons.commands(told, self.desk.state, self._time.at(told.t), cut=self._cut):
                self._do(command)

    def _do(self, command: Command) -> None:
        match command:
            case EndTurn(seat=None):
                self._front.not_now("That button belongs to nobody in this match.")
            case EndTurn(_, seat, t, long):
                state = self.desk.state
                if self.desk.undeclared and state.phase is Phase.TURN and seat == state.current:
                    self._happened(Declared(seat, self._time.at(t)))  # as it was asked for
                taken = self._happened(Pressed(seat or 0, self._time.at(t), long), after=t)
                (self._buttons.taken if taken else self._buttons.refused)(command)
            case SitDown(button, long):
                self._front.play(self._dealing.sit_down(button, long=long))
            case Start(t, long):
                self._buttons.taken(command)
                self._start_or_pause(t, long=long)
            case TakeBack(seat, t):
                self._happened(Withdrawn(seat, self._time.at(t)))
            case NotNow(text):
                self._front.not_now(text)
            case Trouble(contact, text):
                self._trouble(contact, text)

    def _start_or_pause(self, t: float, *, long: bool) -> None:
        """The start/pause button: begins, pauses, goes on, ends the match."""
        phase = self.desk.state.phase
        match self._start.means(phase, self._out.monotonic(), long=long, cut=self._cut):
            case Meaning.DEAL:
                self._deal(t)
            case Meaning.PAUSE:
                self._happened(Paused(self._time.at(t)))
            case Meaning.GO_ON:
                self._happened(Resumed(self._time.at(t)), after=t)
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
            self._happened(event)
        self._dealing.for_aside = False

    def _clear(self, text: str) -> None:
        self.desk.clear(self._plan.setup)
        self._dealing = Dealing(self._plan)
        self._front.forget()
        self._front.say(text)

    # The match

    def _happened(self, event: Event, after: float | None = None) -> bool:
        """Let the rules take an event; `after`: a look it asks for shall show what lay there after that moment."""
        asked = self.desk.state.asked
        try:
            effects = self.desk.handle(event)
        except BadInput as error:
            self._front.not_now(not_now_in_words(event, self.desk.state, error))
            return False
        self._cut = False
        self._front.played_on()
        self._waived = self._suspected if asked and isinstance(event, Pressed) else NOTHING
        self._suspected = NOTHING
        if isinstance(event, Withdrawn):
            self._front.taken_back()
        if isinstance(event, Started | RoundStarted):
            self._worker.clear()
        self._carry_out(effects, after)
        if isinstance(event, Seen) and self.desk.undeclared:
            self._front.say(SAY_JOKERS)
        return True

    def _carry_out(self, effects: Iterable[Effect], after: float | None = None) -> None:
        effects = tuple(effects)
        for effect in effects:
            match effect:
                case Look():
                    self._worker.want(self._out.monotonic() if after is None else after)
                case Show(verdict):
                    self._verdict(verdict.accepted)
        self._front.tell(effects, self.desk.state)
        if self._out.heard is not None:
            self._out.heard(effects)

    def _verdict(self, accepted: bool) -> None:
        if accepted and self._seen is not None:
            self._worker.confirm(self._seen)

    def _keep(self, seen: Answer) -> None:
        """Keep the picture that was judged: of a table, a hand, or one that was put right."""
        place = self.desk.journal.place
        if place is not None and seen.picture is not None and self._out.keep is not None:
            self._out.keep(*place, seen.picture)

    # Looks

    def _glanced(self, glance: Glance) -> None:
        """Nobody waits: read a still table ahead, or look again at one that was straightened after a doubt."""
        if self._cut or not self._worker.still(glance) or self._worker.waits:
            return
        now = self._out.monotonic()
        if self.desk.state.asked:
            if self._again.wanted(glance.changes, now):
                self._worker.want(now)
        elif self.desk.state.phase is Phase.TURN:
            self._worker.read_ahead(now)

    def _seen_ahead(self, answer: Answer) -> None:
        """The first look at a table as it was confirmed shows what belongs on and around it."""
        state = self.desk.state
        if state.phase is Phase.TURN and not self._worker.accustomed and as_confirmed(answer, state):
            self._worker.accustom(answer)

    def _answered(self, answer: Answer) -> None:
        self._seen, state = answer, self.desk.state
        table = state.table if answer.sighting is None else answer.sighting.table
        if self._dealing.for_aside:
            self._dealt(self._time.now(), table, reads_in_doubt(answer))
            return
        if state.phase not in (*LOOKS, Phase.ASKING):
            return  # the press was taken back meanwhile
        waived, self._waived = self._waived, NOTHING
        doubts, suspected = doubts_of(answer, state, waived)
        if doubts:
            news = self._again.asked(answer, self._out.monotonic())
            if not news and state.asked:
                self._suspected = suspected
                return  # nobody has pressed since, and nothing is better
            self._front.say("I cannot see: " + "; ".join(str(doubt["text"]) for doubt in doubts))
        elif waived.cover or waived.marker:
            self._worker.accustom(answer)
        if self._happened(Seen(table, self._time.now(), doubts)) and not doubts:
            self._keep(answer)
        self._suspected = suspected

    # What the players see

    def _trouble(self, part: str, text: str | None) -> bool:
        return self._front.trouble(part, text, self.desk.state)

    def _show(self) -> None:
        self._front.show(self.desk.state, self._buttons.players, self._dealing.lobby)
