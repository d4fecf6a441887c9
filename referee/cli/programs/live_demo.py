"""`referee demo --page`: a match at the virtual table at a human pace, with its page."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.page import server_of, tell_where
from referee.cli.parts import from_settings as build
from referee.cli.parts.box_knowledge import AtTheTable
from referee.cli.parts.readers import Parts
from referee.cli.programs.console import Screen
from referee.cli.programs.one_table import club_beside
from referee.cli.programs.pace import Pace, PacedLoop
from referee.cli.programs.picture_keeper import PictureKeeper
from referee.cli.programs.table import Configured, MatchParts, Outlets, ReadingParts, Tabletop
from referee.cli.terminal.output import tell
from referee.devices.heap import keep_little
from referee.devices.service import Service
from referee.devices.system.power import Power
from referee.devices.thread import OneThread
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.journal.opening import open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.settings.settings import Settings
from referee.table.lobby import Plan
from referee.table.output.audience import Audience
from referee.table.preparation.values import SetUp

Ended = Callable[[State], None]

PATIENCE_S = 20.0
"""Seconds that virtual players wait for an answer on the page; after that they answer themselves."""

MIRRORED = 2
"""Every second time that tiles are laid, a lamp is mirrored in one, so that the referee cannot read it, and asks."""


class DemoPage:
    """The page of a demo: it has only one table, whose settings do not change."""

    configure: Configured | None = None

    def __init__(self, settings: Settings, folder: Path, pace: Pace, words: Wording) -> None:
        """Start the server, and print its address."""
        self._server = server_of(settings, pace.now, words.language, folder)
        setup = SetUp(values={"camera.kind": "virtual"})
        table_mm = (settings.table.width_mm, settings.table.height_mm)
        self._server.sets_up(setup, pace.now, words.language, table_mm)
        self._server.start()
        listen, port = settings.web.listen, self._server.port
        self.elsewhere = on_lan(listen, port)
        self.service, self.access = Service({}), self._server.access
        self.power: Power | None = None
        self.buttons = self._server.buttons
        self.follower: Audience = self._server.follower
        self.serves, self.close = self._server.serves, self._server.close
        tell_where(self.elsewhere or here(listen, port), self.access, words)


def play_live(
    settings: Settings, plan: Plan, parts: Parts, words: Wording, seed: int, speed: float, ended: Ended
) -> None:
    """Play the match to its end, or until it is stopped; its journal is deleted afterwards.

    After a whole match, the scores stay on the page until the program is stopped, if it runs at a terminal.

    `settings`: the settings of the table and of the page.
    `plan`: the match to play.
    `parts`: the reader and the networks.
    `words`: the language of the players.
    `seed`: the seed of everything that virtual players do.
    `speed`: how many times as fast as a real clock their clock runs while they think.
    `ended`: called with the state of the match at the end.
    """
    keep_little()
    pins, screen, pace = build.pins_of(settings), Screen(), Pace(time.monotonic, speed)
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as name:
        folder = Path(name)
        opened = open_journal(folder, thread=OneThread("journal"), club=settings.club.on)
        with (
            closing(opened.journal),
            closing(DemoPage(settings, folder, pace, words)) as page,
            club_beside(settings, folder, words, pace.now, lambda told: screen.tell(words(told))) as club,
        ):
            known = AtTheTable(parts, settings, folder, None)
            match, reading = MatchParts(plan, pins, opened), ReadingParts(known.reader(None), known.taught)
            table = Tabletop(settings, match, reading, Outlets(screen, words, page, club=club), pace)
            people = table.seat_people(seed, PATIENCE_S, MIRRORED)
            keeping = PictureKeeper(Pictures(folder / FOLDER, settings.storage.pictures_mb * 1_000_000),
                                    lambda told: screen.tell(words(told)))  # fmt: skip
            with closing(keeping) as keeper, asyncio.Runner(loop_factory=partial(PacedLoop, pace)) as runner:
                runner.run(table.run(keeper, None, keys=False, people=people))
            ended(table.state)
            if table.state.phase is Phase.OVER and sys.stdout.isatty():
                tell(words(Notice("console.page_stays")))
                until_stopped()


def until_stopped() -> None:
    """Wait until Ctrl-C or SIGTERM asks the program to end."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
    finally:
        signal.signal(signal.SIGTERM, before)
