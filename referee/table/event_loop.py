"""The event loop that owns the match: presses, looks and the clock come in; lamps, tones and sentences go out.

Looks run in a single worker thread; GPIO callbacks only put their edges into the queue. There is one timer, for the
earliest moment at which anything is due. Everything that happens is passed to the controller.

At regular intervals the running clock is written to the journal, and the service manager is told that the loop runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import traceback
from collections.abc import Callable, Iterator, Sequence

from referee.devices.panel.debounce import Debouncer
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.errors import CameraLost, CannotJudge
from referee.game.match.events import Event, TimeUp
from referee.game.match.match_time import match_deadline
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice, told_by
from referee.table.controller import Controller
from referee.table.input.answers import Answer, Settling
from referee.table.input.requests import PendingRequest, PendingTouch, Sender
from referee.table.input.touches import Edge, Touches
from referee.table.lobby import Plan
from referee.table.looking.hung_job import Hanging
from referee.table.looking.look import Glance, Look
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Done, Job, Watch, Worker
from referee.table.output.presenter import Presenter
from referee.table.preparation.light_and_focus import rest_of
from referee.table.preparation.prepared import Viewed
from referee.table.running_match import RunningMatch
from referee.table.session import MatchTime, Session
from referee.table.surroundings import ReadPicture, Surroundings

BEAT_S = 1.0
"""Seconds between two heartbeats: after a power cut, at most this much of a turn's time is lost."""


class Heartbeat:
    """Sends heartbeats to journal and service; the service gets none while a job hangs, so that its watchdog acts."""

    def __init__(self, session: Session, time: MatchTime, service: Service) -> None:
        self._session, self._time, self._service = session, time, service
        self._beat = self._alive = -math.inf
        self.writes = False
        """Whether a heartbeat is being written to the journal at the moment; nobody waits for that."""

    def beat(self, now: float, *, hangs: bool) -> None:
        """Send the heartbeats due at `now` (monotonic seconds); `hangs`: whether a job of the worker hangs."""
        t = self._time.time_at(now)
        if self._beats() and t - self._beat >= BEAT_S:
            self._beat = t
            self.writes = True
            try:
                self._session.journal.beat(t)
            finally:
                self.writes = False
        self.alive(now, hangs=hangs)

    def alive(self, now: float, *, hangs: bool) -> None:
        """Send the heartbeat to the service only, for instance while the journal waits for its disk."""
        every = self._service.alive_every_s
        if every is not None and not hangs and now - self._alive >= every:
            self._alive = now
            self._service.alive()

    def beats_due(self, *, hangs: bool) -> Iterator[float]:
        """Yield the moments (monotonic seconds) at which `beat` has something to do."""
        if self._beats():
            yield self._time.monotonic(self._beat + BEAT_S)
        if self._service.alive_every_s is not None and not hangs:
            yield self._alive + self._service.alive_every_s

    def _beats(self) -> bool:
        """Return whether the journal must be called every second: to keep a running clock, or to retry the disk."""
        return self._session.state.clock.is_running or self._session.journal.trouble is not None


SHORTEST_WAIT_S = 0.001
"""The shortest wait in seconds, so that moments that differ only by rounding do not keep the loop busy."""
LONGEST_WAIT_S = 5.0
"""The longest wait in seconds: the loop runs at least this often, which the watchdog relies on."""
BEAT_SHOWN_S = 0.5
"""Seconds after which the panel shows that the disk is slow if only a heartbeat waits for it; if an event waits, the
panel shows that at once. Many cards take longer than 0.1 s now and then, and players could not interpret a lamp that
flashes then."""
DISK_TOLD_S = 3.0
"""Seconds after which players are told that the disk does not write, as they see no response. Chosen by hand."""
DISK_HANGS_S = 60.0
"""Seconds of waiting for the disk after which the service gets no heartbeat any more, so that its watchdog acts.
Chosen by hand."""
SLOW_DISK = Notice("play.slow_disk")
STUMBLED = Notice("play.stumbled")


Item = Edge | Done | Answer | PendingRequest | PendingTouch | Event | None
"""What the queue holds; None ends the loop."""


class Inbox:
    """The loop's only queue. After a delay, the loop finds everything in it that happened in the meantime."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._queue: asyncio.Queue[Item] = asyncio.Queue()

    def put(self, item: Item) -> None:
        """Add an item; must be called in the loop's own thread."""
        self._queue.put_nowait(item)

    async def take(self, wait: float) -> tuple[list[Item], float]:
        """Wait at most `wait` seconds; return all items, and the moment up to which no edge can be missing.

        Whether a press has become a long one, or time is up, must be decided for that moment, not for a later one:
        edges from in between may still be on their way.
        """
        items: list[Item] = []
        if self._queue.empty():
            with contextlib.suppress(TimeoutError):
                items.append(await asyncio.wait_for(self._queue.get(), wait))
        until = self._now()
        await asyncio.sleep(0)  # lets items that other threads have passed on by now enter the queue
        while not self._queue.empty():
            items.append(self._queue.get_nowait())
        return in_order(items), until


def in_order(items: Sequence[Item]) -> list[Item]:
    """Return the items with the presses sorted, edges by time, touches by arrival; all others stay in place."""
    presses = iter(sorted((item for item in items if isinstance(item, Edge | PendingTouch)), key=_time_of_press))
    return [next(presses) if isinstance(item, Edge | PendingTouch) else item for item in items]


def _time_of_press(press: Edge | PendingTouch) -> float:
    return press.t if isinstance(press, Edge) else press.touch.came


class Loop:
    """The event loop of one table."""

    controller: Controller
    """Set once the loop runs."""

    def __init__(
        self,
        session: Session,
        watcher: TableWatcher,
        plan: Plan,
        pins: PinMap,
        watch: Watch,
        outside: Surroundings,
        t: float,
    ) -> None:
        """`t` is the match time from which the match goes on; 0 for a new one."""
        self.session, self._watcher, self._plan, self._pins, self._watch = session, watcher, plan, pins, watch
        self._out = outside
        self._time = MatchTime(outside.monotonic, t)
        self._inbox = Inbox(outside.monotonic)
        self._heartbeat = Heartbeat(session, self._time, outside.service)
        self._hanging = Hanging(outside.kernel)

    async def run(self) -> None:
        """Run the loop until `stop` is called."""
        self._running = loop = asyncio.get_running_loop()

        def on_edge(contact: str, closed: bool, t: float) -> None:
            loop.call_soon_threadsafe(self._inbox.put, Edge(contact, closed, t))

        def deliver(done: Done) -> None:
            loop.call_soon_threadsafe(self._inbox.put, done)

        self._worker = Worker(self._watcher, self._watch, deliver, self._out.monotonic(), self._out.thread)
        try:
            self._presenter = Presenter(self._out, self._time, on_edge)
        except BaseException:  # also Ctrl-C: closing the worker releases the camera
            self._worker.close()
            raise
        try:
            held = self._presenter.panel.closed_contacts()
            self._debouncer = Debouncer(self._pins.contacts, held, self._out.monotonic())
            self._touches = Touches(self.contacts if self.touchable else (), held)
            self.session.journal.meanwhile(self._disk_writes)
            settling = Settling(self._pins)
            match = RunningMatch(self.session, self._time, self._worker, self._presenter, settling, self._out)
            self.controller = Controller(match, self._plan, self._pins)
            self._begin()
            while await self._turn():
                pass
            self.controller.presence.close()
            if self._out.power is not None and self._out.power.going is not None:
                await self._presenter.go_dark()
        finally:
            self._out.service.stopping()
            self.session.journal.meanwhile(None)
            self._presenter.close()
            self._worker.close()

    def stop(self) -> None:
        """End the loop after the turn in progress; must be called in the loop's own thread."""
        self._inbox.put(None)

    @property
    def t(self) -> float:
        """The present match time in seconds."""
        return self._time.now()

    @property
    def now(self) -> float:
        """The present moment of the monotonic clock by which presses are dated; may be read in any thread."""
        return self._out.monotonic()

    @property
    def contacts(self) -> tuple[str, ...]:
        """The names of the buttons of the panel."""
        return self._pins.contacts

    @property
    def reads_pictures(self) -> ReadPicture | None:
        """What reads pictures that do not belong to the match; may be called in any thread. None: nothing does."""
        return self._out.read_picture

    @property
    def touchable(self) -> bool:
        """Whether the buttons may also be pressed on screens."""
        return self._out.touched

    def happen(self, event: Event) -> None:
        """Queue an event that does not come from the panel; must be called in the loop's own thread."""
        self._inbox.put(event)

    def answer(self, answer: Answer) -> None:
        """Queue an answer about a tile; must be called in the loop's own thread."""
        self._inbox.put(answer)

    def request(self, request: PendingRequest | PendingTouch) -> None:
        """Queue a request or a touch from a screen; may be called in any thread."""
        self._running.call_soon_threadsafe(self._inbox.put, request)

    # Turns of the loop

    def _begin(self) -> None:
        self.controller.begin()
        self._trouble("journal", self.session.journal.trouble)
        self.controller.starting.say_ready()
        for notice in self._out.news:
            self._presenter.warn(notice, self.session.state)
        self.controller.show()
        self._out.service.ready()
        self._presenter.status(self.session.state)

    async def _turn(self) -> bool:
        """Run one turn of the loop: wait until something happens or is due, and handle it; False ends the loop."""
        wait = max(SHORTEST_WAIT_S, self._next_due() - self._out.monotonic())
        items, until = await self._inbox.take(wait)
        for item in items:
            if item is None:
                return False
            before = self.session.state
            self._take(item)
            self._drop_old_presses(before)
        before = self.session.state
        self._see_to_it(until)
        self._drop_old_presses(before)
        return True

    def _drop_old_presses(self, before: State) -> None:
        """If the match has changed since `before`, ignore presses on screens that are dated before the change.

        That somebody has asked the coach changes nothing that a press could be meant for.
        """
        state = self.session.state
        if state is not before and len(state.coached) <= len(before.coached):
            self._touches.set_earliest(self._out.monotonic())

    def _take(self, item: Edge | Done | Answer | PendingRequest | PendingTouch | Event) -> None:
        if isinstance(item, PendingRequest | PendingTouch) and not item.wanted():
            return
        match item:
            case Edge():
                self.controller.presence.note_edge(item)
                self._edge(self._touches.real(item))
            case Done():
                self._finish_job(item)
            case Answer():
                self.controller.handle_request(item, Sender.CONSOLE)
            case PendingTouch(touch, answered, _):
                edges, refused = self._touches.touch(touch)
                for edge in edges:
                    self._edge(edge)
                answered(refused)
            case PendingRequest(request, sender, answered, _):
                answered(self.controller.handle_request(request, sender))
            case _:
                self.controller.apply_event(item)

    def _edge(self, edge: Edge) -> None:
        self.controller.handle_contacts(self._debouncer.edge(edge.contact, edge.closed, edge.t, edge.known))

    def _finish_job(self, done: Done) -> None:
        self._worker.free(done)
        self._hanging.clear()
        if done.job is Job.ERRAND and isinstance(done.result, Exception):
            self.controller.handle_errand(done.result)
        match done.result:
            case CameraLost() as error:
                self._worker.note_lost_picture(done, self._out.monotonic())
                self._trouble("camera", told_by(error))
            case CannotJudge() if done.job is Job.ERRAND:
                pass  # passed on above
            case Exception() as error:
                self._fail_job(done, error)
            case BaseException() as error:
                raise error
            case Glance() as glance:
                self._trouble("camera", None)
                for told in glance.told:
                    self._presenter.say(told)
                self.controller.handle_glance(glance)
            case _ if done.job is Job.ERRAND:
                result: object = done.result
                if not isinstance(result, Viewed):  # a view of the camera may report that there was no picture
                    self._trouble("camera", None)
                self.controller.handle_errand(result)
            case Look() as look:
                self._trouble("camera", None)
                self._trouble("reading", None)
                if done.is_awaited:
                    self.controller.handle_look(look)
                else:
                    self.controller.handle_look_ahead(look)

    def _fail_job(self, done: Done, error: Exception) -> None:
        """Handle an unexpected error of a job. If somebody waits for a look, they get one that cannot be judged."""
        self._worker.note_failure(done.job, error, self._out.monotonic())
        part = "camera" if done.job is Job.GLANCE else "reading"
        if self._trouble(part, Notice("play.stumbled_over", error=f"{type(error).__name__}: {error}")):
            traceback.print_exception(error)  # for developers; players are told in one sentence
        if done.is_awaited:
            self.controller.handle_look(Look(None, None, trouble=STUMBLED))

    def _see_to_it(self, until: float) -> None:
        """Do whatever is due. Long presses and the end of a turn's time are decided only up to `until`.

        Edges from after that moment may still be on their way.
        """
        for edge in self._touches.release_expired(until):
            self._edge(edge)
        self.controller.handle_contacts(self._debouncer.poll(until, self._closed_buttons))
        self.controller.held_pair.watch(until, self._closed_buttons)
        self.controller.call_pair.watch(until, self._closed_buttons)
        self.controller.desk.watch(until)
        self.controller.presence.watch(until, self.session.state.phase)
        if self._time_is_up(self._time.time_at(until)):
            self.controller.apply_event(TimeUp(self._time.time_at(until)))
        self.controller.end_match_time(self._time.time_at(until))
        now = self._out.monotonic()
        self.controller.starting.who_begins.deal_if_due(now)
        phase = self.session.state.phase
        self._worker.set_rest(rest_of(phase))
        self._worker.keep_pictures(phase.in_round and phase is not Phase.PAUSED)
        self._worker.work(now)
        if self._worker.is_overdue(now):
            self._trouble("camera", self._hanging.notice_at(now))
        self._heartbeat.beat(now, hangs=self._hanging.ends)
        self._trouble("journal", self.session.journal.trouble)
        for notice in self.session.journal.take_notices():
            self._presenter.warn(notice, self.session.state)
        self.controller.show()

    def _closed_buttons(self) -> frozenset[str]:
        """Return the buttons that are closed now, even if their edge has not arrived yet."""
        return self._presenter.panel.closed_contacts() | self._touches.held_contacts

    def _disk_writes(self, waited_s: float) -> None:
        """Do what cannot wait while the loop is blocked by a slow disk; `waited_s` is the time so far."""
        self._heartbeat.alive(self._out.monotonic(), hangs=waited_s >= DISK_HANGS_S)
        if waited_s >= DISK_TOLD_S:
            self._trouble("journal", SLOW_DISK)
        if waited_s >= BEAT_SHOWN_S or not self._heartbeat.writes:
            self._presenter.show_waiting()
        self._presenter.panel.tick()

    def _time_is_up(self, t: float) -> bool:
        """Return whether the turn's time is up at `t`; False while a press is undecided that began before the end."""
        state = self.session.state
        if state.phase is not Phase.TURN or not state.clock.is_expired(t):
            return False
        begun = self._first_open_edge()
        return begun is None or state.clock.is_expired(self._time.time_at(begun))

    def _first_open_edge(self) -> float | None:
        """Return the first edge (monotonic) of a press that may still end the turn or stop its clock; None if none."""
        return min(
            (t for t in (self._debouncer.undecided_since, self.controller.undecided_since) if t is not None),
            default=None,
        )

    def _next_due(self) -> float:
        """Return the next moment (monotonic seconds) at which something is due."""
        now, state = self._out.monotonic(), self.session.state
        moments = [
            now + LONGEST_WAIT_S,
            self._debouncer.next_due(),
            self._touches.next_due(),
            self._worker.next_due(now),
        ]
        moments += self._presenter.moments_due(state)
        if state.clock.deadline is not None and self._first_open_edge() is None:
            moments.append(self._time.monotonic(state.clock.deadline))
        if (end := match_deadline(state)) is not None:
            moments.append(self._time.monotonic(end))
        moments.append(self.controller.starting.who_begins.next_due(now))
        moments += [self.controller.held_pair.next_due(), self.controller.call_pair.next_due()]
        moments += [self.controller.desk.next_due(), self.controller.presence.next_due()]
        moments += [*self._heartbeat.beats_due(hangs=self._hanging.ends), self._hanging.next_due()]
        return min(moment for moment in moments if moment is not None)

    def _trouble(self, part: str, told: Notice | None) -> bool:
        return self._presenter.trouble(part, told, self.session.state)
