"""`play` with its page: one table after the other, each by the settings as they are then, while the page stays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

from referee.app.one_table import Asked, one_table, plan_of, with_a_panel
from referee.app.page import Anew, Page, tell_where, told_on_page
from referee.devices.panel.oled import fits
from referee.errors import RefereeError
from referee.factories import from_settings as build
from referee.game.notice import Notice
from referee.messages import Wording
from referee.settings.settings import Settings
from referee.terminal.common import Code, complain
from referee.terminal.output import tell
from referee.web.setup.qr import in_letters, modules


def served(
    first: Settings, load: Callable[[], Settings], wording: Callable[[Settings], Wording], asked: Asked
) -> Code:
    """Referee with the page, which begins by the settings `first`; `load` reads them again for every table.

    What a table lacks is told on the page, and waited for.
    """
    words = wording(first)

    def plans(settings: Settings) -> object:
        settings = with_a_panel(settings, page=True)
        return plan_of(settings, build.pins_of(settings), words)

    page = Page(first, load, plans, asked.parts, words.language)
    try:
        _tell_where(page, first, words)
        while True:
            try:
                settings = load()
                words = wording(settings)
                page.begins(settings, words)
                code = one_table(settings, asked, words, page)
                if not page.anew:
                    return code
            except Anew:
                pass
            except RefereeError as error:
                complain(error)
                page.waits(told_on_page(error))
            asked = replace(asked, new=False)
    finally:
        page.close()


def _tell_where(page: Page, first: Settings, words: Wording) -> None:
    tell_where(page.address, page.access, words)
    if first.panel.get("display") == "oled" and page.elsewhere and not fits(modules(page.elsewhere)):
        tell(words(Notice("setup.qr_too_long")))
    if page.elsewhere and sys.stdout is not None and sys.stdout.isatty():
        tell(in_letters(page.elsewhere))
