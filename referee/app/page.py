"""The page of this machine: it lives as long as the program, while tables are built, and built anew by other settings.

Where a table cannot be built, for a camera that is not there perhaps, the page goes on and says what is missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee.devices.box_file import boxes_folder, kept_boxes
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.errors import RefereeError
from referee.factories import carried
from referee.factories.readers import Parts
from referee.game.notice import Notice, told_by
from referee.messages import LANGUAGES, Wording
from referee.runtime.event_loop import Loop
from referee.runtime.input.requests import Configure, TryAgain, Wish
from referee.runtime.input.touches import Touch
from referee.runtime.output.audience import Audience
from referee.settings import page_file
from referee.settings.settings import Settings
from referee.settings.values import choices_of
from referee.terminal.chosen_box import with_box
from referee.terminal.chosen_settings import journal_folder
from referee.terminal.output import tell
from referee.web.access import Access, Policy, is_local
from referee.web.server import Server
from referee.web.setup.qr import wifi_text
from referee.web.setup.values import KeptBox, SetUp, Stage

PANELS = ("gpio", "page", "console", "none")
SHOWN = ("game", "table", "camera", "panel")
EVERY_S = 1.0
"""So often somebody who waits looks whether the watchdog is to be told."""
AS_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what `[web] listen` may say

Load = Callable[[], Settings]
Plans = Callable[[Settings], object]
"""Raises what does not fit together of settings."""


class Anew(Exception):
    """Somebody at the page wants all of it built anew, with the settings as they are now."""


class LongerService(Service):
    """A service that does not stop when one table does."""

    def stopping(self) -> None:
        """The program itself tells that."""


def server_of(settings: Settings, now: Callable[[], float], language: str, folder: Path) -> Server:
    """The server that these settings ask for, which answers from now on; `folder` holds journal and PIN."""
    web, table_mm = settings.web, (settings.table.width_mm, settings.table.height_mm)
    policy = Policy(is_local(web.listen), web.reading, web.writing, web.hosts)
    server = Server(web.listen, web.port, now, language, table_mm, policy, folder)
    server.start()
    return server


def tell_where(address: str, access: Access, words: Wording) -> None:
    """Tell on the console where the page is, and its PIN where one is needed."""
    tell(words(Notice("console.page_at", address=address)))
    for told in (access.pin(), access.trouble()):
        if told is not None:
            tell(words(told))


class Page:
    """The server, and what it needs of the program around it."""

    def __init__(self, settings: Settings, load: Load, plans: Plans, parts: Parts, language: str) -> None:
        """`load` reads the settings again. Begins to answer; raises BadInput where nobody can listen."""
        self._load, self._plans, self._parts = load, plans, parts
        self._settings, self._language = settings, language
        self._run = 0
        self._anew = threading.Event()
        self._loop: Loop | None = None
        self.service: Service = LongerService(os.environ)
        self._web = settings.web
        self._server = server_of(settings, time.monotonic, language, journal_folder(settings))

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
        """Where a browser on this machine finds the page, or one in the house where it is served to that."""
        return self.elsewhere or f"http://{_bracketed(self._web.listen)}:{self._server.port}/"

    def begins(self, settings: Settings, words: Wording) -> None:
        """A table is being built by these settings; whoever asks for others meanwhile is heard."""
        self._settings, self._language = settings, words.language
        self._run += 1
        self._anew.clear()
        self._shows(Stage.BUILDING, None, time.monotonic)
        self._server.attends(_Waiting(self))

    def says(self, told: Notice) -> None:
        """Something is waited for while the table is being built."""
        self._shows(Stage.BUILDING, told, time.monotonic)

    def clock(self, now: Callable[[], float]) -> None:
        """The table goes by this clock."""
        self._shows(Stage.READY, None, now)

    def serves(self, loop: Loop | None) -> None:
        """Commands go to this loop from now on; with None it has ended."""
        self._loop = loop
        self._server.serves(loop)
        if loop is not None and self._anew.is_set():
            loop.stop()

    def sleep(self, seconds: float) -> None:
        """Wait so long; raises Anew once somebody wants other settings."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.service.alive()
            if self._anew.wait(min(left, EVERY_S)):
                raise Anew

    def waits(self, missing: Notice) -> None:
        """Serve the page without a table, until somebody has seen to what is missing."""
        self._server.attends(_Waiting(self))
        self._shows(Stage.MISSING, missing, time.monotonic)
        self.service.ready()
        while not self._anew.wait(EVERY_S):
            self.service.alive()

    @property
    def anew(self) -> bool:
        """Whether another table is to be built, or the same one again."""
        return self._anew.is_set()

    def configure(self, changes: Mapping[str, Any] | None) -> Notice | None:
        """Take other settings, with None the same ones; gives why they cannot be had: then nothing has changed."""
        if changes is not None and (refused := self._changed(changes)) is not None:
            return refused
        self._anew.set()
        if self._loop is not None:
            self._loop.stop()
        return None

    def close(self) -> None:
        """End all streams."""
        Service(os.environ).stopping()
        self._server.close()

    def _changed(self, changes: Mapping[str, Any]) -> Notice | None:
        folder = journal_folder(self._settings)
        before = None
        with contextlib.suppress(RefereeError):  # what cannot be read is written anew
            before = page_file.text_before(folder)
        try:
            page_file.change(folder, changes)
        except RefereeError as error:
            return Notice("setup.not_kept", reason=str(error))
        try:
            found = self._load()
            for name, value in changes.items():
                if value is not None and not _same(_value(found, name), value):
                    page_file.write(folder, before)
                    return Notice("setup.held_elsewhere", setting=name, place=found.place(*name.split(".")))
            self._plans(with_box(found, self._parts, folder)[0])
        except RefereeError as error:
            with contextlib.suppress(RefereeError):  # the disk takes nothing: what is told says so
                page_file.write(folder, before)
            return told_on_page(error)
        return None

    def _shows(self, stage: Stage, missing: Notice | None, now: Callable[[], float]) -> None:
        settings = self._settings
        values = {
            f"{table}.{key}": value
            for table in SHOWN
            for key, value in _table(settings, table).items()
            if key != "password" and not (key == "source" and settings.camera.kind == "network")
        }
        setup = SetUp(
            self._run, stage, missing, values, PANELS, choices_of(type(settings.camera), "kind"), LANGUAGES,
            _buttons(settings), self.elsewhere, carried.places("calibration"), self._boxes,
            wifi_text(self._web.wifi_name, self._web.wifi_password),
        )  # fmt: skip
        table_mm = (settings.table.width_mm, settings.table.height_mm)
        self._server.sets_up(setup, now, self._language, table_mm)

    def _boxes(self) -> list[KeptBox]:
        """The boxes that were enrolled here, and can be read with."""
        if self._parts.checksum is None:
            return []
        with contextlib.suppress(RefereeError):  # without its model files no table stands, and that is told
            folder = boxes_folder(journal_folder(self._settings))
            return [KeptBox(*one) for one in kept_boxes(folder, self._parts.checksum())]
        return []

    @property
    def elsewhere(self) -> str:
        """The page's address for other machines in the house; empty where it is served to none."""
        listen, port = self._web.listen, self._server.port
        if listen in AS_EVERYWHERE:
            listen = _own_address()
        if listen in ("", "localhost") or listen.startswith("127.") or listen == "::1":
            return ""
        return f"http://{_bracketed(listen)}:{port}/"


def told_on_page(error: RefereeError) -> Notice:
    """What is wrong with settings, for somebody at the page: not in which line of which file they stand."""
    told = told_by(error)
    inner = dict(told.fields).get("told") if told.key == "words.at" else None
    return inner if isinstance(inner, Notice) else told


class _Waiting:
    """Takes what can be done while no table is there."""

    journal: Path | None = None
    """As Controls.journal: nobody writes it now."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def now(self) -> float:
        """As Controls.now."""
        return time.monotonic()

    async def touch(self, touch: Touch) -> Notice | None:  # noqa: ARG002 - no button is there
        """As Controls.touch."""
        return Notice("page.not_ready")

    async def wish(self, wish: Wish) -> Notice | None:
        """As Controls.wish."""
        match wish:
            case Configure(changes):
                return await asyncio.to_thread(self._page.configure, changes)
            case TryAgain():
                return self._page.configure(None)
        return Notice("page.not_ready")


def _table(settings: Settings, name: str) -> Mapping[str, Any]:
    table = getattr(settings, name)
    if isinstance(table, Mapping):
        return table
    return {key: getattr(table, key) for key in type(table).__dataclass_fields__}


def _value(settings: Settings, name: str) -> Any:
    table, key = name.split(".")
    return _table(settings, table).get(key)


def _same(one: Any, other: Any) -> bool:
    return list(one) == list(other) if isinstance(one, tuple | list) else bool(one == other)


def _buttons(settings: Settings) -> int:
    buttons = settings.panel.get("turn_buttons")
    if buttons is None:
        return len(PinMap().turn_buttons)
    return len(buttons) if isinstance(buttons, list | tuple) else 1


def _own_address() -> str:
    """The address of this machine in the house's network; empty where it is in none. Nothing is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            door.connect(("192.0.2.1", 9))  # an address of documents: only the route to it is asked for
            return str(door.getsockname()[0])
        except OSError:
            return ""


def _bracketed(host: str) -> str:
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
