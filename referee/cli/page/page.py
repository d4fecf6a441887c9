"""The page of this machine, which stays open as long as the program while tables are built with other settings.

If a table cannot be built, for example because there is no camera, the page shows what is missing, and `WithoutTable`
carries out the requests that are possible meanwhile.
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
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from referee.backup.arriving import remove_chosen
from referee.backup.switching import remove_left
from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.settings_changes import Load, SettingsChanges, shown_values
from referee.cli.parts import carried
from referee.cli.parts.backup_places import places_of
from referee.cli.parts.safe_settings import safe_settings
from referee.cli.programs.fresh_start import (
    reset_and_start_again,
    restore_and_start_again,
    why_no_reset,
    why_no_restore,
)
from referee.cli.programs.restore_progress import Address
from referee.cli.programs.stick_watch import StickWatch, TableNews
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.output import tell
from referee.devices.installed_versions import is_installed, read_versions
from referee.devices.service import Service
from referee.devices.system.power import Power
from referee.devices.system.safe_mode import SafeMode
from referee.devices.thread import OneThread
from referee.devices.update_result import last_version
from referee.devices.wiring.pins import PANELS, PinMap
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.page.access import Access, Policy, is_local
from referee.page.thread import Opened
from referee.pages.qr import wifi_text
from referee.pages.table.backups import BackupTroubles, Saving
from referee.pages.table.machine.care import Care
from referee.pages.table.restore_api import PROGRESS
from referee.pages.table.server import Server
from referee.pages.table.updates import Updating
from referee.report.bundle import Bundle
from referee.settings.settings import SETTINGS, Settings
from referee.table.event_loop import Loop
from referee.table.input.requests import Configure, Decide, Request, TryAgain, Unfinished
from referee.table.input.touches import Touch
from referee.table.output.audience import Audience
from referee.table.preparation.values import SetUp, SetupStage
from referee.table.surroundings import RealButtons

Taken = Callable[[Mapping[str, Any] | None], Future[Notice | None]]
"""Applies changes of settings, or the same settings again for None; the result is why they were refused, or None."""
Decided = Callable[[Unfinished], Future[Notice | None]]
"""Takes the decision about an interrupted match; the result is why it was refused, or None."""


class WithoutTable:
    """Carries out the requests that are possible while there is no table."""

    journal: Path | None = None
    """The folder of the journal; None, because nothing writes it now."""
    reads: Callable[[Any, Any, bool], Any] | None = None
    """No pictures can be read: the networks are loaded with the table."""

    def __init__(self, taken: Taken, decided: Decided) -> None:
        """`taken` applies changes of settings, or the same settings again for None; `decided` takes a decision."""
        self._taken, self._decided = taken, decided

    def now(self) -> float:
        """Return the monotonic time in seconds, since there is no loop with its own clock."""
        return time.monotonic()

    async def touch(self, touch: Touch) -> Notice | None:  # noqa: ARG002 - there are no buttons
        """Return that the table is not ready: there are no buttons."""
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


ANSWERED_S = 0.5
"""Seconds until the page ends after it was asked to reset everything, so that the browser gets its answer."""
EVERY_S = 1.0
"""Seconds between two signals to the watchdog while something is waited for."""
DISK_HANGS_S = 60.0
"""Seconds after which a disk that has not written counts as hung; then the watchdog gets no more signals."""


class Anew(Exception):
    """Somebody at the page wants a new table to be built, with the settings as they are now."""


class LongerService(Service):
    """A service that does not stop when one table does."""

    def stopping(self) -> None:
        """Do nothing: the program itself reports that it stops."""


def server_of(
    settings: Settings,
    now: Callable[[], float],
    language: str,
    folder: Path,
    opened: Opened | None = None,
    updating: Updating | None = None,
    troubles: BackupTroubles | None = None,
) -> Server:
    """Return the server for these settings; `folder` has journal and PIN.

    `opened`, `updating`: see Server. `troubles` are those of automatic backups.
    """
    web, table_mm = settings.web, (settings.table.width_mm, settings.table.height_mm)
    policy = Policy(is_local(web.listen), web.reading, web.writing, web.hosts)
    saving = Saving(places_of(settings), settings.backup.automatic, troubles or BackupTroubles())
    return Server(web.listen, web.port, now, language, table_mm, policy, folder, opened, saving, updating)


def tell_where(address: str, access: Access, words: Wording) -> None:
    """Print where the page is, and its PIN if one is needed, now or later."""
    tell(words(Notice("console.page_at", address=address)))
    for told in (access.pin(), access.trouble()):
        if told is not None:
            tell(words(told))
    access.on_secret(lambda told: tell(words(told)))


class Page:
    """The page's server, and its connections to the rest of the program."""

    def __init__(
        self,
        settings: Settings,
        load: Load,
        changes: SettingsChanges,
        language: str,
        opened: Opened,
        safe: SafeMode | None = None,
    ) -> None:
        """`load` reads the settings again; `opened`: see Server. `safe` says whether those of safe mode are used."""
        self._safe = safe
        self._load, self._changes = load, changes
        self._settings, self._language = settings, language
        self._chosen = settings
        self._run = 0
        self._missing: Notice | None = None
        self._until: float | None = None
        self._waits_for_decision = False
        self._decided: Unfinished | None = None
        self._anew = threading.Event()
        self.afterwards: Callable[[], None] | None = None
        """What is to be done once the page is closed, a factory reset or a restore; None: nothing."""
        self._stop: Callable[[], None] | None = None
        self._thread = OneThread("settings")
        self.service: Service = LongerService(os.environ)
        self._care: Care | None = None
        self._web = settings.web
        self._news = TableNews()
        folder = journal_folder(settings)
        updating: Updating | None = None
        self._sticks: StickWatch | None = None
        if is_installed():
            machine = Updating(result=folder)
            self._sticks = StickWatch(self._news.tell, lambda: _old_versions(machine))
            updating = replace(machine, on_sticks=self._sticks.found)
        with contextlib.suppress(OSError):  # a card that cannot be written is told of elsewhere
            remove_chosen(folder)  # nobody waits for it any more
            remove_left(folder)
        self.backups = BackupTroubles()
        """What the page shows of automatic backups that are impossible."""
        self._server = server_of(settings, time.monotonic, language, folder, opened, updating, self.backups)
        self._server.restores(self.submit_restore)

    def offer_help(self, making: Callable[[], Bundle]) -> None:
        """Offer help that can be sent."""
        self._server.helps(making)

    def look_after(self, care: Care) -> None:
        """Offer the page of the machine."""
        self._care = care
        self._server.cares(care)

    @property
    def power(self) -> Power | None:
        """What switches the machine off, for page and panel; None if that is not the referee's business."""
        return None if self._care is None else self._care.power

    @property
    def safe_mode(self) -> Notice | None:
        """Why the referee runs in safe mode; None: it does not."""
        return None if self._safe is None else self._safe.why

    @property
    def settings(self) -> Settings:
        """The settings that are in use."""
        return self._settings

    @property
    def chosen_settings(self) -> Settings:
        """The settings as somebody has chosen them; in safe mode others are in use."""
        return self._chosen

    def starts(self) -> None:
        """Start the server; it answers as soon as it can listen."""
        self._server.start()
        if self._sticks is not None:
            self._sticks.start()

    @property
    def listens(self) -> bool:
        """Whether the server listens, so that browsers can connect."""
        return self._server.listens

    @property
    def buttons(self) -> RealButtons:
        """What is told of presses of real buttons."""
        return self._server.buttons

    @property
    def follower(self) -> Audience:
        """The audience that shows the match on the page."""
        return self._server.follower

    @property
    def access(self) -> Access:
        """The rules of access, which have the PIN."""
        return self._server.access

    @property
    def address(self) -> str:
        """The page's address for the house, or for this machine if no other machine can reach it."""
        return self.elsewhere or here(self._web.listen, self._server.port)

    @property
    def elsewhere(self) -> str:
        """The page's address for other machines in the house; empty if they cannot reach it."""
        return on_lan(self._web.listen, self._server.port)

    def loads(self) -> Settings:
        """Return the current settings; if they are changed after this, the table is built once more."""
        self._anew.clear()
        self._chosen = self._load()
        return self._chosen if self.safe_mode is None else safe_settings(self._chosen)

    def announce_building(self, settings: Settings, words: Wording, missing: Notice | None = None) -> None:
        """Show that a table is being built with these settings; other settings are accepted meanwhile.

        If the same table is tried again, `missing` is what it lacked. The page goes on showing it, so that it does not
        disappear for a moment.
        """
        self._settings, self._language = settings, words.language
        self._run += 1
        self._missing, self._waits_for_decision, self._until = missing, False, None
        self._shows(SetupStage.BUILDING if missing is None else SetupStage.MISSING, missing, time.monotonic)
        self._server.attends(WithoutTable(self.submit_settings, self.decide_unfinished))

    def announce(self, told: Notice, seconds: float) -> None:
        """Show what the table that is being built waits for, for `seconds` from the first time on."""
        if self._missing is None:
            if self._until is None:
                self._until = time.monotonic() + seconds
            self._shows(SetupStage.BUILDING, told, time.monotonic)

    def clock(self, now: Callable[[], float]) -> None:
        """Show that the table is ready, with the clock that it uses."""
        self._shows(SetupStage.READY, None, now)

    def serves(self, loop: Loop | None) -> None:
        """Send commands to this loop from now on, None: to no loop. Must be called in the loop's own thread."""
        self._news.loop = loop
        self._stop = None if loop is None else _stopping(loop, asyncio.get_running_loop())
        self._server.serves(loop)
        if loop is not None and self._anew.is_set():
            loop.stop()

    def sleep(self, seconds: float) -> None:
        """Wait this many seconds; raises Anew once somebody wants other settings."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.service.alive()
            if self._anew.wait(min(left, EVERY_S)):
                raise Anew

    def waits(self, missing: Notice, seconds: float = math.inf, *, decision: bool = False, status: str = "") -> None:
        """Serve the page without a table until somebody wants a new one, for `seconds` at most.

        `missing`: what the page shows as missing.
        `decision`: whether somebody must decide what to do with an interrupted match.
        `status`: what systemd is told.
        """
        self._waits_for_decision = decision
        self._server.attends(WithoutTable(self.submit_settings, self.decide_unfinished))
        self._shows(SetupStage.MISSING, missing, time.monotonic)
        self.service.status(status)  # first: whoever hears that the page is ready must know at once what it lacks
        self.service.ready()
        with contextlib.suppress(Anew), contextlib.nullcontext() if self._safe is None else self._safe.waiting():
            self.sleep(seconds)

    @property
    def anew(self) -> bool:
        """Whether a new table is to be built, with other settings or the same."""
        return self._anew.is_set()

    def configure(self, changes: Mapping[str, Any] | None) -> Notice | None:
        """Change the settings, or apply the same ones again for None; return why that was refused, None if it was not.

        After a refusal nothing has changed. This is called in the loop's thread, which then waits for the disk; for
        DISK_HANGS_S it goes on signalling to the watchdog.
        """
        taken, until = self.submit_settings(changes), time.monotonic() + DISK_HANGS_S
        while True:
            with contextlib.suppress(TimeoutError):
                return taken.result(EVERY_S)
            if time.monotonic() < until:
                self.service.alive()

    def submit_settings(self, changes: Mapping[str, Any] | None) -> Future[Notice | None]:
        """Like `configure()`, but return at once; changes are applied one after the other."""
        return self._thread.submit(self._take, changes)

    def submit_reset(self, forget: bool) -> Future[Notice | None]:
        """End the table and the page, to delete everything; the result is why that is impossible, or None.

        With `forget` the backups are deleted, too.
        """
        return self._thread.submit(self._reset, forget)

    def submit_restore(self, path: Path) -> Future[Notice | None]:
        """End the table and the page, to restore a backup; the result is why that is impossible, or None."""
        return self._thread.submit(self._restore, path)

    def decide_unfinished(self, what: Unfinished) -> Future[Notice | None]:
        """Take the decision about an interrupted match; the result is why it was refused, None if it was not."""
        return self._thread.submit(self._decide, what)

    def take_decision(self) -> Unfinished | None:
        """Return the last decision and forget it, since it is for one table only; None if there is none."""
        decided, self._decided = self._decided, None
        return decided

    def close(self) -> None:
        """Close the page: end all streams and threads."""
        service = Service(os.environ)
        if self.afterwards is None:
            service.stopping()
        else:
            service.pause_watchdog()
        if self._sticks is not None:
            self._sticks.close()
        self._server.close()
        self._thread.shutdown()

    def _take(self, changes: Mapping[str, Any] | None) -> Notice | None:
        if changes is not None and (refused := self._changes.take(self._settings, changes)) is not None:
            return refused
        self._anew.set()
        if (stop := self._stop) is not None:
            stop()
        return None

    def _reset(self, forget: bool) -> Notice | None:
        places = places_of(self._chosen)
        if (refused := why_no_reset(places, forget)) is not None:
            return refused
        return self._end_with(partial(reset_and_start_again, places, forget))

    def _restore(self, path: Path) -> Notice | None:
        places = places_of(self._chosen)
        if (refused := why_no_restore(places)) is not None:
            return refused
        address = Address(self._web.listen, self._server.port, PROGRESS)
        return self._end_with(partial(restore_and_start_again, places, path, address))

    def _end_with(self, afterwards: Callable[[], None]) -> Notice | None:
        if self.afterwards is not None:
            return Notice("system.ends_already")
        self.afterwards = afterwards
        threading.Timer(ANSWERED_S, self._end_table).start()
        return None

    def _end_table(self) -> None:
        self._anew.set()
        if (stop := self._stop) is not None:
            stop()

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
            wifi_text(self._web.wifi_name, self._web.wifi_password),
            self._until if stage is SetupStage.BUILDING else None, self._waits_for_decision,
        )  # fmt: skip
        table_mm = (settings.table.width_mm, settings.table.height_mm)
        self._server.sets_up(setup, now, self._language, table_mm)


def _stopping(loop: Loop, running: asyncio.AbstractEventLoop) -> Callable[[], None]:
    """Return a function that stops the loop and may be called in any thread."""

    def stop() -> None:
        with contextlib.suppress(RuntimeError):  # it has just ended
            running.call_soon_threadsafe(loop.stop)

    return stop


def _old_versions(updating: Updating) -> frozenset[str]:
    """Return the versions that are no news: the one in use, and the one that the last update was about."""
    versions = read_versions(updating.home, updating.tables)
    return frozenset({"" if versions is None else versions.in_use, last_version(updating.result)})


def _buttons(settings: Settings) -> int:
    buttons = settings.panel.get("turn_buttons")
    if buttons is None:
        return len(PinMap().turn_buttons)
    return len(buttons) if isinstance(buttons, list | tuple) else 1
