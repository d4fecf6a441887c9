"""`referee play`: a real match at a real table.

With its page it plays at one table after the other, each by the settings as they are then, while the page stays.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.page.page import Anew, Page, tell_where
from referee.cli.page.settings_changes import Load, SettingsChanges, told_on_page
from referee.cli.parts import from_settings as build
from referee.cli.programs.going_on import MatchUnderWay
from referee.cli.programs.one_table import Asked, one_table, plan_of, with_a_panel
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, LANGUAGE, SETTING, flags_of, settings_of, wording
from referee.cli.terminal.common import Code, code_of, complain
from referee.cli.terminal.output import tell
from referee.devices.heap import keep_little
from referee.devices.panel.display import fits
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.table.setup.qr import in_letters, modules
from referee.settings.file import settings_file
from referee.settings.settings import Settings, load

AGAIN_S = 20.0
"""A camera that is not there is tried again this long after it was given up: a match goes on without help."""


def serve_tables(first: Settings, load: Load, wording: Callable[[Settings], Wording], asked: Asked) -> Code:
    """Referee with the page, which begins by the settings `first`; `load` reads them again for every table.

    What a table lacks is told on the page, and waited for.
    """
    words = wording(first)

    def plans(settings: Settings) -> object:
        settings = with_a_panel(settings, page=True)
        return plan_of(settings, build.pins_of(settings), words)

    def report_opening(told: Notice | None) -> None:
        if told is None:
            _tell_where(page, first, words)
        else:
            tell(words(told))

    page = Page(first, load, SettingsChanges(load, plans, asked.parts), words.language, report_opening)
    try:
        if page.listens:
            _tell_where(page, first, words)
        page.starts()
        return _tables(page, wording, asked)
    finally:
        page.close()


def _tables(page: Page, wording: Callable[[Settings], Wording], asked: Asked) -> Code:
    """One table after the other; gives how the last one ended."""
    told: RefereeError | None = None
    while True:
        try:
            settings = page.loads()
            words = wording(settings)
            missing = told_on_page(told) if told is not None and asked.again else None
            page.announce_building(with_a_panel(settings, page=True), words, missing)
            code = one_table(settings, replace(asked, unfinished=page.take_decision()), words, page)
            if not page.anew:
                return code
            told = None
        except Anew:
            told = None
        except RefereeError as error:
            if not asked.again or str(error) != str(told):
                complain(error)
            told = error
            seconds = AGAIN_S if code_of(error) is Code.NO_CAMERA else math.inf
            page.waits(told_on_page(error), seconds, decision=isinstance(error, MatchUnderWay))
        asked = replace(asked, new=False, again=told is not None and not page.anew)


def _tell_where(page: Page, first: Settings, words: Wording) -> None:
    tell_where(page.address, page.access, words)
    if first.panel.get("display") == "oled" and page.elsewhere and not fits(modules(page.elsewhere)):
        tell(words(Notice("setup.qr_too_long")))
    if page.elsewhere and sys.stdout is not None and sys.stdout.isatty():
        tell(in_letters(page.elsewhere))


KEYS = typer.Option("--keys", help="Press buttons from standard input: 1, 1! (held), s (start or pause), q.")
SPEED = typer.Option(
    "--speed", min=0.01, max=1000, metavar="N", help="At the virtual table: how fast people think, and time runs."
)
SEED = typer.Option("--seed", min=0, metavar="N", help="At the virtual table: another seed, another match.")

YES = typer.Option("--yes", help="With --new: end the match under way without asking.")
PAGE = typer.Option("--page", help="Serve the page: see the table in a browser, answer questions with a tap.")
NEW = typer.Option("--new", help="Begin a new match; asks before one that is under way is ended.")


def play(
    context: typer.Context,
    *,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    box: Annotated[str | None, common.BOX] = None,
    keys: Annotated[bool, KEYS] = False,
    speed: Annotated[float | None, SPEED] = None,
    seed: Annotated[int | None, SEED] = None,
    new: Annotated[bool, NEW] = False,
    yes: Annotated[bool, YES] = False,
    page: Annotated[bool, PAGE] = False,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Referee a real match: camera, panel, clock, journal."""
    if yes and not new:
        raise BadInput("play: expected --yes together with --new only")
    keep_little()
    flags = [*(setting or []), *([] if box is None else [f"table.box={box}"])]

    def load_settings(page: str | None = None) -> Settings:
        return settings_of(config, flags, page)

    def make_wording(settings: Settings) -> Wording:
        return wording(language, settings.game.language)

    try:
        first = load_settings()
    except BadInput:
        # What was chosen on the page may be at fault: then the page serves to put it right.
        first = load(settings_file(config, os.environ), os.environ, flags_of(flags))
        if not (page or first.web.page):
            raise
    common.check_finite("--speed", speed)
    served_too = page or first.web.page  # there another camera may be chosen
    for option, value in (("--speed", speed), ("--seed", seed)):
        if value is not None and first.camera.kind != "virtual" and not served_too:
            raise BadInput(
                f"{option}: expected the virtual table (camera.kind=virtual), found the camera "
                f"{first.camera.kind}: people think as they like"
            )
    asked = Asked(common.parts_of(context), keys, speed or 1.0, 1 if seed is None else seed, new, sure=yes)
    if served_too:
        return serve_tables(first, load_settings, make_wording, asked)
    return one_table(first, asked, make_wording(first), None)
