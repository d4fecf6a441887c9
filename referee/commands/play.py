"""`referee play`: a real match at a real table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.app.console import Screen
from referee.app.going_on import alone, begin_anew, tell_differences, under_way
from referee.app.pace import Pace, PacedLoop
from referee.app.table import PictureKeeper, Tabletop
from referee.devices.camera.camera import Camera, awaited
from referee.devices.reboot import reboot
from referee.devices.thread import OneThread
from referee.errors import BadInput, CameraLost, Loss, RefereeError
from referee.factories import from_settings as build
from referee.factories import lens_choice
from referee.factories import lens_profiles as optics
from referee.factories.box_knowledge import AtTheTable
from referee.factories.lens_profiles import Optics
from referee.game.notice import Notice, told_by
from referee.game.tiles import tile_set
from referee.journal.errors import JournalError
from referee.journal.files.pictures import FOLDER, Pictures
from referee.journal.journal import Journal
from referee.journal.opening import open_journal
from referee.messages import ENGLISH, Wording
from referee.settings.settings import CameraSettings, Settings
from referee.terminal import common
from referee.terminal.chosen_box import usual_box, with_box
from referee.terminal.chosen_settings import CONFIG, SETTING, journal_folder, settings_of
from referee.terminal.common import Code, complain
from referee.terminal.language import LANGUAGE, wording
from referee.terminal.output import tell
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Reader

DEVICES = ("pi", "usb", "network")
SIZED = ("pi", "usb")
"""Cameras that give pictures of the size they are told."""
LATE_S = 20.0
"""How long a camera that is not there at the start is waited for."""
KEYS = typer.Option("--keys", help="Press buttons from standard input: 1, 1! (held), s (start or pause), q.")
SPEED = typer.Option(
    "--speed", min=0.01, metavar="N", help="At the virtual table: how fast people think, and time runs."
)
SEED = typer.Option("--seed", min=0, metavar="N", help="At the virtual table: another seed, another match.")

NEW = typer.Option("--new", help="Begin a new match; asks before one that is under way is ended.")


def play(
    context: typer.Context,
    *,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    box: Annotated[str | None, common.BOX] = None,
    keys: Annotated[bool, KEYS] = False,
    speed: Annotated[float, SPEED] = 1.0,
    seed: Annotated[int, SEED] = 1,
    new: Annotated[bool, NEW] = False,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Referee a real match: camera, panel, clock, journal."""
    settings = settings_of(config, [*(setting or []), *([] if box is None else [f"table.box={box}"])])
    virtual = settings.camera.kind == "virtual"
    if virtual and "kind" not in settings.panel:
        settings = replace(settings, panel={**settings.panel, "kind": "console"})
    pins = build.pins_of(settings)
    folder, parts = journal_folder(settings), common.parts_of(context)
    settings, enrolled = with_box(settings, parts, folder)
    words = wording(language, settings.game.language)
    plan = build.plan_of(settings, pins, lambda seat: words(Notice("words.player_name", number=seat)))
    opened, screen = open_journal(folder, thread=OneThread("journal")), Screen()
    with _closing(opened.journal, words):
        begun = begin_anew(opened, folder, words) if new else opened
        if begun is None:
            tell(words(Notice("console.nothing_changed")))
            return Code.REFUSED
        opened, going_on = begun, under_way(begun)
        rules = plan.rules if going_on is None else going_on.setup.ruleset()
        words = words.of_faces((tile_set(settings.table.tileset) if settings.table.tileset else rules.box).faces)
        if virtual:
            alone(opened, folder)
        tell_differences(opened, plan, lambda told: tell(words(told)), named=bool(settings.game.players))
        for advice in pins.advice():
            tell(advice)
        if opened.journal.clock_back is not None:
            tell(words(opened.journal.clock_back))
        if enrolled is None and not virtual:
            tiles = tile_set(settings.table.tileset or plan.rules.box.name)
            enrolled = usual_box(tiles, parts, folder, lambda told: tell(words(told)))
        known = AtTheTable(parts, settings, folder, enrolled)
        seeing, reader = (
            (None, known.reader(None))
            if virtual
            else _behind_the_lens(settings, folder, known.reader, lambda told: screen.tell(words(told)))
        )
        teach = None if virtual else known.teacher
        pace = Pace(time.monotonic, speed) if virtual else None
        table = Tabletop(settings, plan, pins, opened, reader, screen, pace, known.taught, teach, words)
        people = table.seat_people(seed) if virtual else None
        pictures = Pictures(folder / FOLDER, settings.storage.pictures_mb * 1_000_000)
        keeper = PictureKeeper(pictures, lambda told: screen.tell(words(told)))
        try:
            with asyncio.Runner(loop_factory=None if pace is None else partial(PacedLoop, pace)) as runner:
                runner.run(table.run(keeper, seeing, keys=keys, people=people))
        finally:
            keeper.close()
    return Code.DONE


def _behind_the_lens(
    settings: Settings, folder: Path, build_reader: Callable[[Lens | None], Reader], tell: Callable[[Notice], None]
) -> tuple[Camera, Reader]:
    """The camera, opened, and a reader that knows its lens; BadInput where the lens profile does not fit it."""
    known: list[Optics] = []
    size = settings.camera.width_px, settings.camera.height_px
    found = lens_choice.chosen(settings, folder)  # a file that cannot be used is told before a camera is waited for
    looks = camera(lens_choice.focused(settings, found), lambda one: known.append(build.optics_of(one, size)), tell)
    try:
        facts = known[0] if settings.camera.kind in SIZED else Optics(sensor=known[0].sensor)
        lens, found = lens_choice.fitting(settings, folder, facts)
        reader = build_reader(lens)
    except RefereeError:
        looks.close()
        raise
    return looks, reader if found is None else optics.Through(reader, found[0], str(found[1]))


@contextmanager
def _closing(journal: Journal, words: Wording) -> Iterator[None]:
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


def camera(
    settings: CameraSettings,
    seen: Callable[[Camera], None] = lambda _: None,
    said: Callable[[Notice], None] | None = None,
) -> Camera:
    """The camera; one that is absent or busy is waited for: USB cameras may come late after the machine's start."""
    say = said or (lambda told: tell(ENGLISH(told)))

    def opened() -> Camera:
        return build.camera_of(settings, time.monotonic, say, seen)

    if settings.kind in DEVICES:
        try:
            return awaited(opened, LATE_S, say, time.monotonic, time.sleep)
        except CameraLost as error:
            if error.kind is Loss.STUCK and settings.reboot and (refused := reboot()) is not None:
                say(Notice("camera.no_reboot", reason=refused))
            raise
    try:
        return opened()
    except CameraLost as error:  # a file or folder that is not there is a mistake in the settings
        raise BadInput(told_by(error)) from error
