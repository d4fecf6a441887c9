"""The table of `referee play`, with everything on it and around it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from referee.cli.parts import from_settings as build
from referee.cli.programs.console import ConsolePanel, Keys, Screen
from referee.cli.programs.pace import Pace
from referee.cli.programs.picture_keeper import FOLDER, Failures, PictureKeeper
from referee.cli.programs.virtual_table import VirtualCamera, VirtualPeople, virtual_match
from referee.cli.terminal.chosen_settings import journal_folder
from referee.devices.camera.camera import Camera
from referee.devices.panel.gpio import open_panel
from referee.devices.panel.panel import OnEdge, Panel, RecordingPanel
from referee.devices.service import Service
from referee.devices.system.power import Power
from referee.devices.voice import Voice
from referee.devices.wiring.header import has_header
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.tiles import TileSet
from referee.i18n import ENGLISH, Wording
from referee.journal.opening import Opened
from referee.pages.qr import modules
from referee.settings.settings import Settings
from referee.table.event_loop import Loop
from referee.table.lobby import Plan
from referee.table.looking.doubts import is_confirmed, lacks_confirmed
from referee.table.looking.hung_job import kernel_of
from referee.table.looking.look import Earlier
from referee.table.looking.table_watcher import TableWatcher
from referee.table.output.audience import Audience, Audiences
from referee.table.output.events_for_hooks import Fact, HookEvents
from referee.table.output.spoken import Spoken
from referee.table.preparation.enrol_steps import Teacher
from referee.table.preparation.lens_steps import Optician
from referee.table.preparation.prepared import Inspect
from referee.table.preparation.teaching import Taught
from referee.table.session import Session
from referee.table.surroundings import ReadPicture, RealButtons, Surroundings
from referee.vision.sighting import Reader

if TYPE_CHECKING:  # a table without a page or a club does not load their modules
    from referee.club.table_side.club import Club
    from referee.page.access import Access

EARLIER = 8
"""How many pictures from before a power cut are read again, one at a time while nobody waits."""

Tell = Callable[[str], None]
Teach = Callable[[Callable[[], TileSet]], Teacher | None]
"""Returns what enrols the box, given a function that returns the tile set to read."""

Configured = Callable[[Mapping[str, Any] | None], Notice | None]
"""Changes settings; returns why that was refused, None if it was not."""


class Page(Protocol):
    """The page beside the table."""

    @property
    def service(self) -> Service:
        """The connection to systemd, which may outlive the table."""

    @property
    def buttons(self) -> RealButtons:
        """What is told of presses of real buttons."""

    @property
    def follower(self) -> Audience:
        """The audience that shows the match on the page."""

    @property
    def access(self) -> Access:
        """The rules of access, which have the PIN."""

    @property
    def power(self) -> Power | None:
        """What switches the machine off; None if that is not the referee's business."""

    @property
    def elsewhere(self) -> str:
        """The page's address for other machines in the house; empty if they cannot reach it."""

    @property
    def configure(self) -> Configured | None:
        """The function that changes settings, None if they cannot be changed."""

    def serves(self, loop: Loop | None) -> None:
        """Send commands to this loop from now on; None: to no loop."""


@dataclass(frozen=True, slots=True)
class MatchParts:
    """The match to be played, and the journal that it is written to."""

    plan: Plan
    """Rule book, names on the buttons, rounds, handicaps."""
    pins: PinMap
    """The kind of panel, and what is connected to which pin."""
    opened: Opened
    """The open journal and the match in it that continues, if any. The caller who opened the journal closes it."""
    news: tuple[Notice, ...] = ()
    """What players must know from before the start."""


@dataclass(frozen=True, slots=True)
class ReadingParts:
    """The parts that read pictures, and those that learn from them. A part that is None learns nothing."""

    reader: Reader
    taught: Taught | None = None
    """The part of the reader that learns from confirmed tables."""
    teacher: Teach | None = None
    """Returns what enrols boxes, or None; called with a function that returns the tile set in use."""
    inspect: Inspect | None = None
    """Inspects a BGR picture (H, W, 3), and returns what is missing in it. None: pictures cannot be inspected."""
    optician: Optician | None = None
    """Calibrates the camera's lens."""
    read_picture: ReadPicture | None = None
    """Reads pictures for the coach; None: it reads none."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where the match is shown and heard besides the panel, and in which language."""

    screen: Screen
    """The terminal, which shows the sentences for players."""
    words: Wording = ENGLISH
    page: Page | None = None
    """The page beside the table, with the service and the function that changes settings."""
    voice: Voice | None = None
    """Speaks the sentences for players."""
    club: Club | None = None
    """Publishes the match to the club, and carries out the club's commands."""
    hooks: Callable[[Fact], None] | None = None
    """Tells lamps and home servers in the house what happens."""


class Tabletop:
    """A match and its journal, and everything around them."""

    def __init__(
        self,
        settings: Settings,
        match: MatchParts,
        reading: ReadingParts,
        outlets: Outlets,
        pace: Pace | None = None,
    ) -> None:
        """Build the match. Nothing is opened before `run()`, which must be called only once.

        `pace` is the clock of a virtual table; the running event loop must then be a `PacedLoop` of the same pace.
        None: the monotonic clock.
        """
        self._settings, self._plan, self._pins, self._news = settings, match.plan, match.pins, match.news
        kept = match.opened.kept
        self._kept = None if kept is None or kept.is_over else kept
        self._session = Session(match.opened.journal, match.plan.setup, self._kept)
        self._reading = reading
        self._screen, self._tell, self._words = outlets.screen, outlets.screen.tell, outlets.words
        self._page, self._voice, self._club = outlets.page, outlets.voice, outlets.club
        self._hooks = outlets.hooks
        self._pace, self._now = pace, time.monotonic if pace is None else pace.now
        self._virtual: VirtualCamera | None = None
        self._panel: Panel | None = None

    def _tell_notice(self, notice: Notice) -> None:
        self._tell(self._words(notice))

    @property
    def state(self) -> State:
        """The current state of the match."""
        return self._session.state

    def seat_people(
        self, seed: int, patience_s: float = 0.0, mirrored: int = 0, *, waits: bool = False
    ) -> VirtualPeople:
        """Seat virtual people at the table, in front of a camera that shows it.

        For `patience_s` seconds they leave questions to people on the page; for the other arguments see VirtualPeople.
        """
        if self._pins.kind == "gpio":
            raise BadInput('[panel] kind: expected "console" or "none" for virtual people, found "gpio"')
        self._virtual = VirtualCamera(self._settings.camera.preview_px, self._now)
        match = virtual_match(self._settings, self._plan, seed, self._kept)
        hurry = nullcontext if self._pace is None else self._pace.hurry
        people = VirtualPeople(match, self._virtual, 1.0, self._tell_notice, hurry, patience_s, mirrored, waits=waits)
        if self._kept is not None:
            people.take_up(self._kept.state)
        return people

    async def run(
        self, keeper: PictureKeeper, camera: Camera | None, *, keys: bool, people: VirtualPeople | None
    ) -> None:
        """Referee until a signal or a key stops it, or until virtual people have played their match.

        If `camera` is None, `seat_people()` must have been called before.
        """
        running = asyncio.get_running_loop()
        if people is not None:
            await people.show()
        loop = self._loop(keeper, camera, people)
        for number in _ending_signals():
            running.add_signal_handler(number, loop.stop)
        task = asyncio.ensure_future(loop.run())
        await asyncio.sleep(0)
        self._serve(loop)
        if self._panel is not None and keys and not task.done():
            Keys(loop, self._panel, self._pins, self._tell_notice).listen()
        playing = None if people is None or task.done() else asyncio.ensure_future(self._play(people, loop))
        try:
            await task
        finally:
            self._serve(None)
            self._screen.close()
            if self._reading.taught is not None:
                self._reading.taught.keep()
        if playing is not None and not playing.cancel():
            playing.result()

    def _serve(self, loop: Loop | None) -> None:
        """Let page and club send their requests to this loop from now on; None: to no loop."""
        for one in (self._page, self._club):
            if one is not None:
                one.serves(loop)

    async def _play(self, people: VirtualPeople, loop: Loop) -> None:
        try:
            if isinstance(self._panel, RecordingPanel):
                await people.play(loop, self._panel, self._pins)
            if people.lasting and self._page is not None and self._page.configure is not None:
                await people.until_next(loop)
                self._page.configure(None)  # a table for the next match
        finally:
            loop.stop()

    def _loop(self, keeper: PictureKeeper, camera: Camera | None, people: VirtualPeople | None) -> Loop:
        settings, now = self._settings, self._now
        table_mm = (settings.table.width_mm, settings.table.height_mm)
        looks = camera or self._virtual
        if looks is None:
            raise BadInput("camera.kind: expected a camera or virtual people, found neither")
        tiles = build.box_of(self._plan, self._session)
        reading = self._reading
        learn = None if reading.taught is None else reading.taught.teach
        watcher = TableWatcher(looks, reading.reader, tiles, table_mm, now, learn, self._earlier(keeper))
        teacher = None if reading.teacher is None else reading.teacher(tiles)
        page = self._page
        service = Service(os.environ) if page is None else page.service
        audience, failures = self._audience(), Failures(journal_folder(settings) / FOLDER)
        keep_failure = partial(keeper.keep_failure, failures, make_teller(self._tell_notice, audience))
        outside = Surroundings(now, self._opened_panel, service, self._tell, keeper.keep,
                          None if people is None else people.follow_effects, None if people is None else people.get_up,
                          keep_failure=keep_failure, teacher=teacher,
                          optician=reading.optician,
                          kernel=kernel_of(reboots=settings.camera.reboot,
                                           network=settings.camera.kind == "network"),
                          words=self._words, audience=audience, pin=None if page is None else page.access,
                          buttons=None if page is None else page.buttons,
                          touched=self._has_buttons_on_page, inspect=reading.inspect,
                          read_picture=reading.read_picture,
                          configure=None if page is None else page.configure, news=self._news,
                          power=self._power(),
                          calls=None if self._club is None else self._club.calls)  # fmt: skip
        t = 0.0 if self._kept is None else self._kept.t
        watch = build.watch_of(settings)
        if self._pace is not None:  # networks read no faster in a hurry
            watch = replace(watch, deadline_s=watch.deadline_s * max(1.0, self._pace.speed))
        return Loop(self._session, watcher, self._plan, self._pins, watch, outside, t)

    def _power(self) -> Power | None:
        """Return what switches the machine off, page and panel alike; None if people are virtual, or on no Pi."""
        if self._virtual is not None:
            return None
        return self._page.power if self._page is not None else Power() if has_header() else None

    def _audience(self) -> Audience:
        following: list[Audience] = [] if self._page is None else [self._page.follower]
        if self._club is not None:
            following.append(self._club.audience)
        if self._voice is not None:
            following.append(Spoken(self._voice.say, self._words, self._now, self._settings.voice.level))
        if self._hooks is not None:
            following.append(HookEvents(self._hooks, self._now))
        return Audiences(following)

    def _earlier(self, keeper: PictureKeeper) -> Earlier | None:
        """Return how the table looked before a power cut, if a match continues."""
        if self._kept is None:
            return None
        pictures = keeper.latest(self._kept.match, EARLIER)
        session = self._session
        return Earlier(
            pictures,
            confirmed=lambda table: is_confirmed(table, session.state),
            lacks=lambda table: lacks_confirmed(table, session.state),
        )

    @property
    def _has_buttons_on_page(self) -> bool:
        """Whether the page has buttons that may be pressed."""
        return self._page is not None and (self._pins.kind == "page" or self._settings.web.buttons)

    def _opened_panel(self, on_edge: OnEdge) -> Panel:
        if self._pins.kind == "console":
            self._panel = ConsolePanel(self._pins, self._now, on_edge, self._screen.status, self._words)
        else:
            code = () if self._page is None else modules(self._page.elsewhere)
            self._panel = open_panel(self._pins, self._now, on_edge, self._tell_notice, at_rest=code)
        return self._panel


def make_teller(tell: Callable[[Notice], None], audience: Audience) -> Callable[[Notice], None]:
    """Return a function that passes a notice to `tell` and to the audience; it may be called in any thread.

    This function itself must be called in the loop's thread, because the audience is called there.
    """
    running = asyncio.get_running_loop()

    def tell_all(notice: Notice) -> None:
        tell(notice)
        with suppress(RuntimeError):  # the loop has just ended
            running.call_soon_threadsafe(audience.on_notice, notice)

    return tell_all


def _ending_signals() -> Iterator[signal.Signals]:
    """Yield the signals that end a match; SIGHUP (closed terminal) only if it is not ignored, as it is after nohup."""
    yield from (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        yield signal.SIGHUP
