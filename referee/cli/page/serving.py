"""`referee play` with its page: builds one table after the other with the current settings, while the page stays."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from referee.cli.page.page import Anew, Page, tell_where
from referee.cli.page.settings_changes import Load, SettingsChanges, told_on_page
from referee.cli.parts import from_settings as build
from referee.cli.programs.going_on import MatchUnderWay
from referee.cli.programs.help_bundle import bundle_beside_match
from referee.cli.programs.last_failure import keep_failure
from referee.cli.programs.machine_care import care_of
from referee.cli.programs.one_table import Asked, one_table, plan_of, with_a_panel
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.common import PRINTED, Code, code_of, complain
from referee.cli.terminal.output import tell
from referee.devices.panel.display import fits
from referee.devices.service import WITHOUT_TABLE
from referee.devices.system.safe_mode import SafeMode
from referee.errors import RefereeError
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.journal.in_use import in_use
from referee.pages.qr import in_letters, modules
from referee.settings.settings import Settings

AGAIN_S = 20.0
"""Seconds until a missing camera is tried again, so that a match goes on without anybody's help."""


def serve_tables(first: Settings, load: Load, wording: Callable[[Settings], Wording], asked: Asked) -> Code:
    """Referee with the page, beginning with the settings `first`; `load` reads them again for every table.

    If a table lacks something, the page shows it, and the table waits until it is there. If the last starts have
    failed, the tables have the settings of safe mode.
    """
    with in_use(journal_folder(first)):
        page, code = _serve(first, load, wording, asked)
    if page.afterwards is not None:
        page.afterwards()
    return code


def _serve(first: Settings, load: Load, wording: Callable[[Settings], Wording], asked: Asked) -> tuple[Page, Code]:
    """Serve the page until the program ends; return it, closed, and the exit code."""
    words, safe = wording(first), SafeMode(journal_folder(first), os.environ)
    safe.begin()

    def plans(settings: Settings) -> object:
        settings = with_a_panel(settings, page=True)
        return plan_of(settings, build.pins_of(settings), words)

    def report_opening(told: Notice | None) -> None:
        if told is None:
            _tell_where(page, first, words)
        else:
            tell(words(told))

    changes = SettingsChanges(load, plans, asked.parts)
    page = Page(first, load, changes, words.language, report_opening, safe)
    page.offer_help(
        lambda: bundle_beside_match(asked.parts, with_a_panel(page.chosen_settings, page=True), page.safe_mode)
    )
    care = care_of(lambda: page.settings, lambda: page.elsewhere, safe, lambda: page.submit_settings(None))
    page.look_after(replace(care, reset=page.submit_reset))
    try:
        if page.listens:
            _tell_where(page, first, words)
        page.starts()
        code = run_tables(page, wording, asked)
        safe.end()
        return page, code
    except Exception as error:
        keep_failure(page.chosen_settings, error, tuple(PRINTED))
        raise
    finally:
        page.close()


def run_tables(page: Page, wording: Callable[[Settings], Wording], asked: Asked) -> Code:
    """Run one table after the other; return the exit code of the last one."""
    told: RefereeError | None = None
    while True:
        if page.afterwards is not None:
            return Code.DONE
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
            decision = isinstance(error, MatchUnderWay)
            # A camera may be switched off, and a decision is up to people. All else may be the fault of this version.
            is_fault = math.isinf(seconds) and not decision
            status = f"{WITHOUT_TABLE} {error}" if is_fault else str(error)
            page.waits(told_on_page(error), seconds, decision=decision, status=status)
        asked = replace(asked, new=False, again=told is not None and not page.anew)


def _tell_where(page: Page, first: Settings, words: Wording) -> None:
    tell_where(page.address, page.access, words)
    if first.panel.get("display") == "oled" and page.elsewhere and not fits(modules(page.elsewhere)):
        tell(words(Notice("setup.qr_too_long")))
    if page.elsewhere and sys.stdout is not None and sys.stdout.isatty():
        tell(in_letters(page.elsewhere))
