"""A table from its settings to the end of its match: opened, run, closed; everything but the page is built for it."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_profiles
from referee.cli.parts.box_knowledge import AtTheTable
from referee.cli.parts.lens_profiles import LensKeeper, Optics
from referee.cli.parts.readers import Parts
from referee.cli.programs.console import Screen
from referee.cli.programs.going_on import begin_anew, for_virtual_people, tell_differences, under_way
from referee.cli.programs.opening import behind_the_lens, inspector
from referee.cli.programs.pace import Pace, PacedLoop
from referee.cli.programs.picture_keeper import PictureKeeper
from referee.cli.programs.table import MatchParts, Outlets, ReadingParts, Tabletop
from referee.cli.terminal.chosen_box import usual_box, with_box
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.common import Code, complain
from referee.cli.terminal.output import tell
from referee.devices.thread import OneThread
from referee.devices.voice import Voice
from referee.devices.wiring.header import has_header
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.tiles import tile_set
from referee.i18n import Wording
from referee.journal.errors import JournalError
from referee.journal.journal import Journal
from referee.journal.opening import Opened, open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.settings import file
from referee.settings.settings import Settings, VoiceSettings
from referee.table.input.requests import Unfinished
from referee.table.lobby import Plan

if TYPE_CHECKING:  # a table without a page loads nothing of it, nor of a club
    from referee.cli.page.page import Page
    from referee.club.table_side.club import Club


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for besides the settings."""

    parts: Parts
    keys: bool = False
    speed: float = 1.0
    seed: int = 1
    new: bool = False
    unfinished: Unfinished | None = None
    """What becomes of a match of virtual people that was cut off; None where nobody has said."""
    again: bool = False
    """Whether the same table is tried once more without anybody's help: what it told at first is not told again."""
    sure: bool = False
    """Whether the match under way is ended without asking, where a new one is to begin."""


def with_a_panel(settings: Settings, *, page: bool) -> Settings:
    """The settings, with a panel of the kind that is there where they name none; `page`: whether there is a page."""
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
    """The match to come; players without names are called so in their language."""
    return build.plan_of(settings, pins, lambda seat: words(Notice("words.player_name", number=seat)))


def one_table(settings: Settings, asked: Asked, words: Wording, page: Page | None) -> Code:
    """Referee at one table, to the end of the match or until told to stop, or to build it anew."""
    settings = with_a_panel(settings, page=page is not None)
    pins = build.pins_of(settings)
    folder = journal_folder(settings)
    settings, enrolled = with_box(settings, asked.parts, folder)
    plan = plan_of(settings, pins, words)
    opened, screen = open_journal(folder, thread=OneThread("journal"), club=settings.club.on), Screen()
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
    """The parts of a table whose camera is not open yet."""

    plan: Plan
    pins: PinMap
    opened: Opened
    screen: Screen
    known: AtTheTable
    folder: Path


def _run(settings: Settings, asked: Asked, built: _Built, words: Wording, page: Page | None) -> None:
    """Open the camera, and referee."""
    virtual, known, screen = settings.camera.kind == "virtual", built.known, built.screen
    sleep: Callable[[float], None] = time.sleep if page is None else page.sleep

    def tell(notice: Notice) -> None:
        if not asked.again or notice.key != "camera.waiting":
            screen.tell(words(notice))
        if page is not None and notice.key == "camera.waiting":
            page.announce(notice)

    def report_missing(notice: Notice) -> None:
        screen.tell(words(notice))
        if page is not None:
            page.follower.on_notice(notice)

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
    ):
        optician = _optician(settings, built.folder, cameras) if page is not None else None
        match = MatchParts(built.plan, built.pins, built.opened)
        reading = ReadingParts(reader, known.taught, teach, inspect, optician)
        table = Tabletop(settings, match, reading, Outlets(screen, words, page, voice, club), pace)
        # Whoever chose virtual players on the page sets up the rest of their match there, too.
        waits = page is not None and file.chosen(built.folder).get("camera", {}).get("kind") == "virtual"
        people = table.seat_people(asked.seed, waits=waits) if virtual else None
        pictures = Pictures(built.folder / FOLDER, settings.storage.pictures_mb * 1_000_000)
        paced = None if pace is None else partial(PacedLoop, pace)
        keeper = PictureKeeper(pictures, lambda notice: screen.tell(words(notice)))
        with closing(keeper), asyncio.Runner(loop_factory=paced) as runner:
            runner.run(table.run(keeper, seeing, keys=asked.keys, people=people))


def _optician(settings: Settings, folder: Path, cameras: list[Optics]) -> LensKeeper | None:
    """Who learns the lens of the camera; None where there is no real one."""
    if not cameras:
        return None
    place = lens_profiles.place(settings, folder)
    return LensKeeper(place, cameras[-1], lambda: str(dt.datetime.now(tz=dt.UTC).date()))


@contextmanager
def voice_beside(settings: VoiceSettings, words: Wording, lacks: Callable[[Notice], None]) -> Iterator[Voice | None]:
    """What speaks; None where nothing shall, or where a program is missing for it: the game goes on without."""
    voice = None
    if settings.on:
        try:
            voice = Voice(words.language, settings.words_a_minute, settings.device)
        except BadInput as error:
            lacks(told_by(error))
    with nullcontext() if voice is None else closing(voice):
        yield voice


@contextmanager
def club_beside(
    settings: Settings, folder: Path, words: Wording, now: Callable[[], float], lacks: Callable[[Notice], None]
) -> Iterator[Club | None]:
    """What tells a club of the match; None where nothing shall, or it cannot: the game goes on without."""
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
    """Close the journal at the end; what ended the game says more about it than what the disk did not take."""
    try:
        yield
    except BaseException:  # also Ctrl-C, and whatever else ends the program on purpose
        try:
            _close(journal, words)
        except JournalError as error:
            complain(error)
        raise
    _close(journal, words)


def _close(journal: Journal, words: Wording) -> None:
    # The loop tells them with a lamp and a tone; without it they would not be told at all.
    for notice in journal.take_notices():
        tell(words(notice))
    journal.close()
