"""The page of this machine: it lives as long as the program, while tables are built, and built anew by other settings.

Where a table cannot be built, for a camera that is not there perhaps, the page goes on: it says what is missing, and
`WithoutTable` answers what can be asked meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.settings_changes import Load, SettingsChanges, shown_values
from referee.cli.parts import carried
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.output import tell
from referee.devices.service import Service
from referee.devices.thread import OneThread
from referee.devices.wiring.pins import PANELS, PinMap
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.page.access import Access, Policy, is_local
from referee.page.thread import Opened
from referee.pages.table.server import Server
from referee.pages.table.setup.qr import wifi_text
from referee.settings.settings import SETTINGS, Settings
from referee.table.event_loop import Loop
from referee.table.input.requests import Configure, Decide, Request, TryAgain, Unfinished
from referee.table.input.touches import Touch
from referee.table.output.audience import Audience
from referee.table.preparation.values import SetUp, SetupStage

Taken = Callable[[Mapping[str, Any] | None], Future[Notice | None]]
"""Gives, once that is known, why settings cannot be had."""
Decided = Callable[[Unfinished], Future[Notice | None]]
"""Takes what is to become of a match that was cut off."""


class WithoutTable:
    """Takes what can be done while no table is there."""

    journal: Path | None = None
    """The folder of the journal; None, because nobody writes it now."""

    def __init__(self, taken: Taken, decided: Decided) -> None:
        """`taken` takes other settings, or with None the same ones."""
        self._taken, self._decided = taken, decided

    def now(self) -> float:
        """Return the monotonic time in seconds: there is no loop whose clock would count."""
        return time.monotonic()

    async def touch(self, touch: Touch) -> Notice | None:  # noqa: ARG002 - no button is there
        """Answer that the table is not ready: no button is there."""
        return Notice("page.not_ready")

    async def send(self, request: Request) -> Notice | None:
        """Change the settings, decide about an unfinished match, or try again; nothing else can be done yet."""
        match request:
            case Configure(changes):
                return await asyncio.wrap_future(self._taken(changes))
            case Decide(what):
                return await asyncio.wrap_future(self._decided(what))
            case TryAgain():
                return await asyncio.wrap_future(self._taken(None))
        return Notice("page.not_ready")


EVERY_S = 1.0
"""So often somebody who waits looks whether the watchdog is to be told."""
DISK_HANGS_S = 60.0
"""A disk that has not written for this long is left to the watchdog, as the journal's is."""


class Anew(Exception):
    """Somebody at the page wants all of it built anew, with the settings as they are now."""


class LongerService(Service):
    """A service that does not stop when one table does."""

    def stopping(self) -> None:
        """The program itself tells that."""


def server_of(
    settings: Settings, now: Callable[[], float], language: str, folder: Path, opened: Opened | None = None
) -> Server:
    """The server that these settings ask for; `folder` holds journal and PIN.

    `opened` as Server has it.
    """
    web, table_mm = settings.web, (settings.table.width_mm, settings.table.height_mm)
    policy = Policy(is_local(web.listen), web.reading, web.writing, web.hosts)
    return Server(web.listen, web.port, now, language, table_mm, policy, folder, opened)


def tell_where(address: str, access: Access, words: Wording) -> None:
    """Tell on the console where the page is, and its PIN where one is needed, now or later."""
    tell(words(Notice("console.page_at", address=address)))
    for told in (access.pin(), access.trouble()):
        if told is not None:
            tell(words(told))
    access.on_secret(lambda told: tell(words(told)))


class Page:
    """The server, and what it needs of the program around it."""

    def __init__(
        self, settings: Settings, load: Load, changes: SettingsChanges, language: str, opened: Opened
    ) -> None:
        """`load` reads the settings again; `opened` as Server has it."""
        self._load, self._changes = load, changes
        self._settings, self._language = settings, language
        self._run = 0
        self._missing: Notice | None = None
        self._waits_for_decision = False
        self._decided: Unfinished | None = None
        self._anew = threading.Event()
        self._stop: Callable[[], None] | None = None
        self._thread = OneThread("settings")
        self.service: Service = LongerService(os.environ)
        self._web = settings.web
        self._server = server_of(settings, time.monotonic, language, journal_folder(settings), opened)

    def starts(self) -> None:
        """Begin to answer, as soon as that can be."""
        self._server.start()

    @property
    def listens(self) -> bool:
        """Whether browsers can get here."""
        return self._server.listens

    @property
    def follower(self) -> Audience:
        """Follows the match."""
        return self._server.follower

    @property
    def access(self) -> Access:
        """Knows the PIN."""
        return self._server.access

    @property
    def address(self) -> str:
        """Where a browser in the house finds the page, or one on this machine where it is served to that alone."""
        return self.elsewhere or here(self._web.listen, self._server.port)

    @property
    def elsewhere(self) -> str:
        """The page's address for other machines in the house; empty where it is served to none."""
        return on_lan(self._web.listen, self._server.port)

    def loads(self) -> Settings:
        """The settings as they are now; whoever changes them from now on has the table built once more."""
        self._anew.clear()
        return self._load()

    def announce_building(self, settings: Settings, words: Wording, missing: Notice | None = None) -> None:
        """A table is being built by these settings; whoever asks for others meanwhile is heard.

        Where it is only tried again what is `missing` stays on the page: it must not come and go before readers.
        """
        self._settings, self._language = settings, words.language
        self._run += 1
        self._missing, self._waits_for_decision = missing, False
        self._shows(SetupStage.BUILDING if missing is None else SetupStage.MISSING, missing, time.monotonic)
        self._server.attends(WithoutTable(self.submit_settings, self.decide_unfinished))

    def announce(self, told: Notice) -> None:
        """Something is waited for while the table is being built."""
        if self._missing is None:
            self._shows(SetupStage.BUILDING, told, time.monotonic)

    def clock(self, now: Callable[[], float]) -> None:
        """The table goes by this clock."""
        self._shows(SetupStage.READY, None, now)

    def serves(self, loop: Loop | None) -> None:
        """Commands go to this loop from now on, with None to none; to be called in the loop's own thread."""
        self._stop = None if loop is None else _stopping(loop, asyncio.get_running_loop())
        self._server.serves(loop)
        if loop is not None and self._anew.is_set():
            loop.stop()

    def sleep(self, seconds: float) -> None:
        """Wait this long; raises Anew once somebody wants other settings."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.service.alive()
            if self._anew.wait(min(left, EVERY_S)):
                raise Anew

    def waits(self, missing: Notice, seconds: float = math.inf, *, decision: bool = False) -> None:
        """Serve the page without a table until somebody has seen to what is missing, or this long at most.

        `decision`: somebody must say what becomes of a match that was cut off.
        """
        self._waits_for_decision = decision
        self._server.attends(WithoutTable(self.submit_settings, self.decide_unfinished))
        self._shows(SetupStage.MISSING, missing, time.monotonic)
        self.service.ready()
        with contextlib.suppress(Anew):
            self.sleep(seconds)

    @property
    def anew(self) -> bool:
        """Whether another table is to be built, or the same one again."""
        return self._anew.is_set()

    def configure(self, changes: Mapping[str, Any] | None) -> Notice | None:
        """Take other settings, with None the same ones; gives why they cannot be had: then nothing has changed.

        Called in the loop's thread, which waits for the disk as it does for the journal's: alive for a while.
        """
        taken, until = self.submit_settings(changes), time.monotonic() + DISK_HANGS_S
        while True:
            with contextlib.suppress(TimeoutError):
                return taken.result(EVERY_S)
            if time.monotonic() < until:
                self.service.alive()

    def submit_settings(self, changes: Mapping[str, Any] | None) -> Future[Notice | None]:
        """Like `configure()`, but without waiting; changes are applied one after the other."""
        return self._thread.submit(self._take, changes)

    def decide_unfinished(self, what: Unfinished) -> Future[Notice | None]:
        """Take what becomes of the match that was cut off; gives why that cannot be."""
        return self._thread.submit(self._decide, what)

    def take_decision(self) -> Unfinished | None:
        """What was decided since the last time, for one table."""
        decided, self._decided = self._decided, None
        return decided

    def close(self) -> None:
        """End all streams."""
        Service(os.environ).stopping()
        self._server.close()
        self._thread.shutdown()

    def _take(self, changes: Mapping[str, Any] | None) -> Notice | None:
        if changes is not None and (refused := self._changes.take(self._settings, changes)) is not None:
            return refused
        self._anew.set()
        if (stop := self._stop) is not None:
            stop()
        return None

    def _decide(self, what: Unfinished) -> Notice | None:
        if not self._waits_for_decision:
            return Notice("page.late")
        self._decided = what
        self._anew.set()
        return None

    def _shows(self, stage: SetupStage, missing: Notice | None, now: Callable[[], float]) -> None:
        settings = self._settings
        setup = SetUp(
            self._run, stage, missing, shown_values(settings), PANELS, SETTINGS["camera.kind"].one_of,
            LANGUAGES, _buttons(settings), lambda: self.elsewhere, carried.places("calibration"),
            lambda: self._changes.boxes(settings),
            wifi_text(self._web.wifi_name, self._web.wifi_password), self._waits_for_decision,
        )  # fmt: skip
        table_mm = (settings.table.width_mm, settings.table.height_mm)
        self._server.sets_up(setup, now, self._language, table_mm)


def _stopping(loop: Loop, running: asyncio.AbstractEventLoop) -> Callable[[], None]:
    """Ends the loop; may be called in any thread."""

    def stop() -> None:
        with contextlib.suppress(RuntimeError):  # it has just ended
            running.call_soon_threadsafe(loop.stop)

    return stop


def _buttons(settings: Settings) -> int:
    buttons = settings.panel.get("turn_buttons")
    if buttons is None:
        return len(PinMap().turn_buttons)
    return len(buttons) if isinstance(buttons, list | tuple) else 1
