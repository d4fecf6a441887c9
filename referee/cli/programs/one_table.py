"""One table, from its settings to the end of its match: everything except the page is built, run and closed here."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_profiles
from referee.cli.parts.backup_places import places_of
from referee.cli.parts.box_knowledge import AtTheTable
from referee.cli.parts.lens_profiles import LensKeeper, Optics
from referee.cli.parts.readers import Parts
from referee.cli.programs.console import Screen
from referee.cli.programs.fresh_start import take_refused
from referee.cli.programs.going_on import begin_anew, for_virtual_people, tell_differences, under_way
from referee.cli.programs.nightly_backup import backups_beside
from referee.cli.programs.opening import LATE_S, behind_the_lens, inspector
from referee.cli.programs.pace import Pace, PacedLoop
from referee.cli.programs.picture_keeper import PictureKeeper
from referee.cli.programs.table import MatchParts, Outlets, ReadingParts, Tabletop
from referee.cli.terminal.chosen_box import usual_box, with_box
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.common import Code, complain
from referee.cli.terminal.output import tell
from referee.devices.camera.network.address import place_of
from referee.devices.hook import WAITING, Hook
from referee.devices.system.clock import SystemClock
from referee.devices.thread import OneThread
from referee.devices.update_result import take_news
from referee.devices.voice import Voice
from referee.devices.wiring.header import has_header
from referee.devices.wiring.pins import PinMap
from referee.doctor.storage import is_lost_at_power_off
from referee.errors import BadInput
from referee.game.notice import Notice, as_notice, told_by
from referee.game.tiles import tile_set
from referee.i18n import Wording
from referee.journal.errors import JournalError
from referee.journal.journal import Journal
from referee.journal.opening import Opened, open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.settings import file
from referee.settings.settings import HookSettings, Settings, VoiceSettings
from referee.table.input.requests import Unfinished
from referee.table.lobby import Plan
from referee.table.output.events_for_hooks import Fact, wled_state

if TYPE_CHECKING:  # a table without a page or a club does not load their modules
    from referee.cli.page.page import Page
    from referee.club.table_side.club import Club

WLED_PATH = "/json/state"
"""Where a WLED lamp takes its state."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line requests besides the settings."""

    parts: Parts
    keys: bool = False
    speed: float = 1.0
    seed: int = 1
    new: bool = False
    unfinished: Unfinished | None = None
    """What to do with an interrupted match of virtual people; None if nobody has decided."""
    again: bool = False
    """Whether the same table is tried again automatically; then messages of the first try are not repeated."""
    sure: bool = False
    """Whether a match under way is ended without asking if a new one is to begin."""


def with_a_panel(settings: Settings, *, page: bool) -> Settings:
    """Return the settings, with the available kind of panel if they name none; `page`: whether there is a page."""
    if "kind" in settings.panel:
        return settings
    if settings.camera.kind == "virtual":
        kind = "console"
    elif page and not has_header():
        kind = "page"
    else:
        return settings
    return replace(settings, panel={**settings.panel, "kind": kind})


def plan_of(settings: Settings, pins: PinMap, words: Wording) -> Plan:
    """Return the plan of the next match; players without names get one in their language."""
    return build.plan_of(settings, pins, lambda seat: words(Notice("words.player_name", number=seat)))


def one_table(settings: Settings, asked: Asked, words: Wording, page: Page | None) -> Code:
    """Referee at one table until the match ends, the program is stopped, or a new table is to be built."""
    settings = with_a_panel(settings, page=page is not None)
    pins = build.pins_of(settings)
    folder = journal_folder(settings)
    settings, enrolled = with_box(settings, asked.parts, folder)
    plan = plan_of(settings, pins, words)
    clock, screen = SystemClock(folder), Screen()
    opened = open_journal(folder, thread=OneThread("journal"), club=settings.club.on, is_known=lambda: clock.is_known)
    with _close_at_end(opened.journal, words):
        begun = begin_anew(opened, folder, words, sure=asked.sure) if asked.new else opened
        if begun is None:
            tell(words(Notice("console.nothing_changed")))
            return Code.REFUSED
        if settings.camera.kind == "virtual":
            begun = for_virtual_people(begun, folder, asked.unfinished)
        opened, going_on = begun, under_way(begun)
        of_the_hall = going_on is not None and going_on.setup.draw is not None
        rules = plan.rules if going_on is None or of_the_hall else going_on.setup.ruleset()
        words = words.of_faces((tile_set(settings.table.tileset) if settings.table.tileset else rules.box).faces)
        if not asked.again:
            tell_differences(opened, plan, lambda told: tell(words(told)), named=bool(settings.game.players))
            for advice in pins.advice():
                tell(advice)
        if opened.journal.clock_back is not None:
            tell(words(opened.journal.clock_back))
        if enrolled is None and settings.camera.kind != "virtual":
            tiles = tile_set(settings.table.tileset or plan.rules.box.name)
            enrolled = usual_box(tiles, asked.parts, folder, lambda told: tell(words(told)))
        known = AtTheTable(asked.parts, settings, folder, enrolled)
        _run(settings, asked, _Built(plan, pins, opened, screen, known, folder), words, page)
    return Code.DONE


@dataclass(frozen=True, slots=True)
class _Built:
    """The parts of a table before its camera is opened."""

    plan: Plan
    pins: PinMap
    opened: Opened
    screen: Screen
    known: AtTheTable
    folder: Path


def _run(settings: Settings, asked: Asked, built: _Built, words: Wording, page: Page | None) -> None:
    """Open the camera and referee the match."""
    virtual, known, screen = settings.camera.kind == "virtual", built.known, built.screen
    sleep: Callable[[float], None] = time.sleep if page is None else page.sleep

    def tell(notice: Notice) -> None:
        if not asked.again or notice.key != "camera.waiting":
            screen.tell(words(notice))
        if page is not None and notice.key == "camera.waiting":
            page.announce(notice, LATE_S)

    def report_missing(notice: Notice) -> None:
        screen.tell(words(notice))
        if page is not None:
            page.follower.on_notice(notice)

    if page is not None and settings.camera.kind == "network":
        page.announce(Notice("page.camera_opening", place=place_of(settings.camera.source)), LATE_S)
    cameras: list[Optics] = []
    seeing, reader = (
        (None, known.reader(None))
        if virtual
        else behind_the_lens(settings, built.folder, known.reader, tell, sleep, cameras.append)
    )
    teach = None if virtual else known.teacher
    pace = Pace(time.monotonic, asked.speed) if virtual else None
    if page is not None:
        page.clock(time.monotonic if pace is None else pace.now)
    inspect = None if page is None else inspector((settings.table.width_mm, settings.table.height_mm), reader)
    now = time.monotonic if pace is None else pace.now
    with (
        voice_beside(settings.voice, words, report_missing) as voice,
        club_beside(settings, built.folder, words, now, report_missing) as club,
        hooks_beside(settings.hooks, report_missing) as hooks,
        backups_beside(
            # Also in safe mode, whose settings name no lens and no voice.
            places_of(settings if page is None else page.chosen_settings),
            settings.backup,
            lambda told: screen.tell(words(told)),
            (lambda _: None) if page is None else page.backups.show,
        ),
    ):
        optician = _optician(settings, built.folder, cameras) if page is not None else None
        news = () if virtual or asked.again else (*take_news(built.folder), *take_refused(built.folder))
        if page is not None and page.safe_mode is not None:
            news = (*news, page.safe_mode)
        if not virtual and is_lost_at_power_off(built.folder):
            news = (*news, Notice("system.vanishes"))
        match = MatchParts(built.plan, built.pins, built.opened, news)
        photos = None if page is None else known.read_picture
        reading = ReadingParts(reader, known.taught, teach, inspect, optician, photos)
        table = Tabletop(settings, match, reading, Outlets(screen, words, page, voice, club, hooks), pace)
        # If virtual players were chosen on the page, the rest of their match is set up there too.
        waits = page is not None and file.chosen(built.folder).get("camera", {}).get("kind") == "virtual"
        people = table.seat_people(asked.seed, waits=waits) if virtual else None
        pictures = Pictures(built.folder / FOLDER, settings.storage.pictures_mb * 1_000_000)
        paced = None if pace is None else partial(PacedLoop, pace)
        keeper = PictureKeeper(pictures, lambda notice: screen.tell(words(notice)))
        with closing(keeper), asyncio.Runner(loop_factory=paced) as runner:
            runner.run(table.run(keeper, seeing, keys=asked.keys, people=people))


def _optician(settings: Settings, folder: Path, cameras: list[Optics]) -> LensKeeper | None:
    """Return what calibrates the lens; None if there is no real camera."""
    if not cameras:
        return None
    place = lens_profiles.place(settings, folder)
    return LensKeeper(place, cameras[-1], lambda: str(dt.datetime.now(tz=dt.UTC).date()))


@contextmanager
def voice_beside(settings: VoiceSettings, words: Wording, lacks: Callable[[Notice], None]) -> Iterator[Voice | None]:
    """Provide the voice; None if it is off, or if a program for it is missing. The game goes on without it."""
    voice = None
    if settings.on and settings.level != "silent":
        try:
            pack = Path(settings.pack).expanduser() if settings.pack else None
            voice = Voice(words.language, settings.words_a_minute, settings.device, pack=pack)
        except BadInput as error:
            lacks(told_by(error))
    with nullcontext() if voice is None else closing(voice):
        yield voice


@contextmanager
def hooks_beside(settings: HookSettings, lacks: Callable[[Notice], None]) -> Iterator[Callable[[Fact], None] | None]:
    """Provide what tells lamps and home servers what happens; None if there are none.

    An address in the settings that is none is told, and left out; the game goes on without it.
    """
    with ExitStack() as stack:

        def open_hooks(key: str, urls: Iterable[str], waiting: int) -> list[Hook]:
            found = []
            for url in urls:
                try:
                    found.append(stack.enter_context(closing(Hook(url, waiting))))
                except BadInput as error:
                    lacks(as_notice(f"[hooks] {key}: {error}"))
            return found

        servers = open_hooks("urls", settings.urls, WAITING)
        lamps = open_hooks("wled", (url.rstrip("/") + WLED_PATH for url in settings.wled), 1)

        def send(fact: Fact) -> None:
            for server in servers:
                server.send(fact)
            for lamp in lamps:
                lamp.send(wled_state(fact))

        yield send if servers or lamps else None


@contextmanager
def club_beside(
    settings: Settings, folder: Path, words: Wording, now: Callable[[], float], lacks: Callable[[Notice], None]
) -> Iterator[Club | None]:
    """Provide the connection to the club; None if it is off or impossible. The game goes on without it."""
    club = None
    if settings.club.on:
        from referee.club.table_side.club import club_of

        try:
            club = club_of(settings, folder, words, now)
        except BadInput as error:
            lacks(told_by(error))
    with nullcontext() if club is None else closing(club):
        yield club


@contextmanager
def _close_at_end(journal: Journal, words: Wording) -> Iterator[None]:
    """Close the journal at the end. The error that ended the game takes precedence over an error in closing."""
    try:
        yield
    except BaseException:  # also Ctrl-C and other ways to end the program
        try:
            _close(journal, words)
        except JournalError as error:
            complain(error)
        raise
    _close(journal, words)


def _close(journal: Journal, words: Wording) -> None:
    # The loop shows notices with a lamp and a tone; after its end, these would not be shown at all.
    for notice in journal.take_notices():
        tell(words(notice))
    journal.close()
