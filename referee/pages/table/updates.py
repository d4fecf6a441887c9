"""The page of updates: which versions there are, what becomes of an update, and a bundle from a browser or a stick.

The service may neither install nor change a version. It puts a bundle, or what it asks for, into a folder in which the
machine's updater waits (`systemd/README.md`). A bundle is streamed to the disk, never held in memory.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.devices.installed_versions import HOME, INCOMING, SERVICE_STATE, Versions, read_versions
from referee.devices.stick_bundles import StickBundle
from referee.devices.update_files import (
    MOST_BYTES,
    TAKEN_S,
    ArrivingBundle,
    NotTaken,
    ask_updater,
    is_arriving,
    is_asked,
    is_waiting,
    mark_of_bundle,
    mark_of_order,
    withdraw_bundle,
    withdraw_order,
)
from referee.devices.update_result import UNDER_WAY, last_version, unwritten_notices, update_notices, update_state
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.journal.schema import VERSION as TABLES
from referee.page.access.answers import NO_STORE
from referee.page.arriving_body import PIECE, ArrivingBody, length_of, usual_patience
from referee.page.command import Refused
from referee.page.pages import Pages
from referee.page.wording import notice_response
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.presence.routes import Presence
from referee.pages.table.update_api import BACK, CANCEL, PATH, SEND, STATE, STICK

NOT_HERE, NOT_NOW, GONE = Notice("update.only_installed"), Notice("update.not_now"), Notice("update.stick_gone")
CONFLICT, NOT_FOUND, TIMEOUT, FULL = 409, 404, 408, 507
_STATUS = {"busy": CONFLICT, "too_large": 413, "no_room": FULL, "disk": FULL, "no_bundle": 422, "cut_off": 400}
_CLOSE = {"Connection": "close"}


@dataclass(frozen=True, slots=True)
class Updating:
    """The updater of this machine, as the page sees it."""

    home: Path = HOME
    state: Path = SERVICE_STATE
    """The folder of the service, in which the updater waits for bundles."""
    result: Path = SERVICE_STATE
    """The folder of the journal, in which the updater writes what became of them."""
    on_sticks: Callable[[], Sequence[StickBundle]] = tuple
    """Returns the bundles on the USB sticks that are mounted now; it must not wait for a stick."""
    tables: int = TABLES
    """The version of the journal's tables that the version in use writes."""
    patience: Callable[[int], float] = usual_patience
    """Returns how many seconds so many bytes may take to arrive."""
    now: Callable[[], float] = time.monotonic


class UpdatePages:
    """Answers for `/update` and everything below `/api/update`."""

    def __init__(self, pages: Pages, updating: Updating | None, presence: Presence) -> None:
        """`updating` is None on a machine whose versions nobody can exchange, such as a laptop."""
        self._pages, self._updating, self._presence = pages, updating, presence
        self._copy: _Copy | None = None
        self._untaken: _Untaken | None = None if updating is None else _Untaken(updating)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self._page),
            Route(STATE, self._state),
            Route(SEND, self._send, methods=["POST"]),
            Route(STICK, self._use_stick, methods=["POST"]),
            Route(CANCEL, self._cancel, methods=["POST"]),
            Route(BACK, self._go_back, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        state = None if self._updating is None else await self._shown(request, self._updating)
        most = MOST_BYTES // 10**6
        confirms, may_write = self._presence.is_needed(request), request.state.may_write
        return self._pages.page(
            request, "update.html", may_write=may_write, confirms=confirms, state=state, megabytes=most
        )

    async def _state(self, request: Request) -> Response:
        if self._updating is None:
            return notice_response(request, NOT_HERE, NOT_FOUND)
        return JSONResponse(await self._shown(request, self._updating), headers=NO_STORE)

    async def _send(self, request: Request) -> Response:
        """Take a bundle from a browser; whatever cuts it off leaves nothing."""
        body = ArrivingBody(request)
        if self._updating is None:
            await body.read_on()
            return notice_response(request, NOT_HERE, NOT_FOUND, _CLOSE)
        if (refused := self._not_allowed(request)) is not None:
            await body.read_on()
            return refused
        try:
            bundle = await run_in_threadpool(ArrivingBundle, self._updating.state, length_of(request))
            self._copy = None  # whatever became of an earlier one is no longer of interest
            try:
                await body.pass_on(bundle.write, self._updating.patience)
                await run_in_threadpool(bundle.finish)
            finally:
                bundle.close()
        except NotTaken as error:
            await body.read_on()
            return notice_response(request, _told(error), _STATUS[error.reason], _CLOSE)
        except TimeoutError:
            return notice_response(request, Notice("update.not_too_slow"), TIMEOUT, _CLOSE)
        except ClientDisconnect:
            return notice_response(request, Notice("update.not_cut_off"), _STATUS["cut_off"], _CLOSE)
        return await self._state(request)

    async def _use_stick(self, request: Request) -> Response:
        """Begin to copy a bundle from a stick; what becomes of that is part of the state."""
        if self._updating is None:
            return notice_response(request, NOT_HERE, NOT_FOUND)
        chosen = request.query_params.get("id", "")
        found = next((one for one in self._updating.on_sticks() if one.id == chosen), None)
        if found is None:
            return notice_response(request, GONE, NOT_FOUND)
        if (refused := self._not_allowed(request)) is not None:
            return refused
        try:
            self._copy = await run_in_threadpool(_Copy, found, self._updating.state)
        except NotTaken as error:
            return notice_response(request, _told(error), _STATUS[error.reason])
        self._copy.start()
        return await self._state(request)

    async def _cancel(self, request: Request) -> Response:
        """Cancel an update that waits for the end of a match, or remove what no updater takes."""
        if self._untaken is not None and await run_in_threadpool(self._untaken.withdraw):
            return await self._state(request)
        return await self._ask(request, "cancel", lambda versions: versions.waits)

    async def _go_back(self, request: Request) -> Response:
        return await self._ask(request, "back", lambda versions: versions.can_change)

    async def _ask(self, request: Request, order: str, is_possible: Callable[[Versions], bool]) -> Response:
        """Ask the updater for something, if that is possible as things are now."""
        updating = self._updating
        if updating is None:
            return notice_response(request, NOT_HERE, NOT_FOUND)
        versions = await run_in_threadpool(read_versions, updating.home, updating.tables)
        if versions is None or not is_possible(versions):
            return notice_response(request, NOT_NOW, CONFLICT)
        if order == "back" and (refused := self._not_allowed(request)) is not None:
            return refused
        self._copy = None
        try:
            await run_in_threadpool(ask_updater, updating.state, order)
        except BadInput:
            return notice_response(request, Notice("update.not_disk"), FULL)
        return await self._state(request)

    def _not_allowed(self, request: Request) -> Response | None:
        """Return the answer unless those at the table have allowed it, where they must."""
        try:
            self._presence.check(request, Action.UPDATE)
        except Refused as error:
            return notice_response(request, error.told, error.status, error.headers)
        return None

    async def _shown(self, request: Request, updating: Updating) -> dict[str, Any]:
        words, may_write = self._pages.words(request), request.state.may_write
        return await run_in_threadpool(_facts, updating, self._copy, self._untaken, words, may_write=may_write)


class _Untaken:
    """Notices that no updater takes what lies before it, such as a bundle: then pages must not say that it will."""

    def __init__(self, updating: Updating) -> None:
        self._updating = updating
        self._seen: tuple[_Marks, float] | None = None

    def is_due(self) -> bool:
        """Return whether the same has been lying there for too long, with no word from the updater."""
        marks, now = self._marks(), self._updating.now()
        if marks == (None, None):
            self._seen = None
            return False
        if self._seen is None or self._seen[0] != marks:
            self._seen = marks, now
        return now - self._seen[1] >= TAKEN_S

    def withdraw(self) -> bool:
        """Remove what nobody takes; return False if there is no such thing."""
        if not self.is_due():
            return False
        bundle, order = self._marks()
        withdraw_order(self._updating.state, order)
        withdraw_bundle(self._updating.state, bundle)
        return True

    def _marks(self) -> _Marks:
        state = self._updating.state
        bundle = None if update_state(self._updating.result) in UNDER_WAY else mark_of_bundle(state)
        return bundle, mark_of_order(state)


_Marks = tuple[tuple[int, int] | None, tuple[int, int] | None]
"""The marks of a bundle and of an order that lie before the updater."""


class _Copy:
    """A bundle that is being copied from a stick, in a thread of its own: a slow stick keeps nobody waiting."""

    def __init__(self, source: StickBundle, state: Path) -> None:
        """Begin; raises NotTaken."""
        self._source = source
        self._bundle = ArrivingBundle(state, source.size)
        self._thread = threading.Thread(target=self._work, name="stick", daemon=True)
        self.percent: int | None = 0
        """How much has been copied; None once it has ended."""
        self.failed: Notice | None = None

    def start(self) -> None:
        """Copy it."""
        self._thread.start()

    def _work(self) -> None:
        try:
            with self._bundle, os.fdopen(os.open(self._source.path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                while piece := file.read(PIECE):
                    self._bundle.write(piece)
                    self.percent = min(99, 100 * self._bundle.received // self._source.size)
                self._bundle.finish()
        except NotTaken as error:
            self.failed = _told(error)
        except OSError:  # it was pulled out
            self.failed = GONE
        finally:
            self._bundle.close()  # also if the file could not be opened
            self.percent = None


def _facts(
    updating: Updating, copy: _Copy | None, waiting: _Untaken | None, words: Wording, *, may_write: bool
) -> dict[str, Any]:  # fmt: skip
    """Return all that the page shows, as JSON."""
    untaken = waiting is not None and waiting.is_due()
    told, state = ((Notice("update.untaken"),), "untaken") if untaken else _progress(updating, copy)
    # After that, so that an installation that has just ended is among them: it waits, or is on trial.
    versions = read_versions(updating.home, updating.tables) or Versions("")
    if state in UNDER_WAY and not (_is_installing(updating) or versions.waits or versions.on_trial):
        told, state = unwritten_notices(updating.result), "failed"
    under_way = state in ("asked", "copying", "sent", "arriving", "untaken", *UNDER_WAY)
    takes = may_write and not (under_way or versions.on_trial)
    can_change = may_write and versions.can_change and not under_way
    barred = None if versions.other_reads else Notice("update.other_cannot_read", version=versions.other)
    use = "update.use_other" if last_version(updating.result) == versions.other else "update.back_to"
    return {
        "state": state,
        "told": [words(notice) for notice in told],
        "in_use": versions.in_use,
        "other": versions.other,
        "waits": versions.waits,
        "sends": takes,
        "cancels": may_write and (untaken or (versions.waits and not under_way)),
        "back": words(Notice(use, version=versions.other)) if can_change else "",
        "no_way_back": "" if barred is None else words(barred),
        "sticks": [_offer(one, words) for one in _offered(updating, versions)] if takes else [],
    }


def _is_installing(updating: Updating) -> bool:
    """Return whether the updater has a bundle before it, or is at work on one."""
    return is_waiting(updating.state) or (updating.home / INCOMING).exists()


def _progress(updating: Updating, copy: _Copy | None) -> tuple[tuple[Notice, ...], str]:
    """Return what is told of the update under way, or of the last one, and a word for it."""
    state = update_state(updating.result)
    if is_asked(updating.state):
        return (Notice("update.asked"),), "asked"
    if copy is not None and (percent := copy.percent) is not None:
        return (Notice("update.stick_copying", percent=percent),), "copying"
    if is_waiting(updating.state):
        return (update_notices(updating.result), state) if state in UNDER_WAY else ((Notice("update.sent"),), "sent")
    if is_arriving(updating.state):
        return (Notice("update.not_busy"),), "arriving"
    if copy is not None and copy.failed is not None:
        return (copy.failed,), "stopped"
    told = update_notices(updating.result)
    return (*told, Notice("update.when")) if state == "waits" else told or (Notice("update.none_yet"),), state


def _offered(updating: Updating, versions: Versions) -> list[StickBundle]:
    """Return the bundles on sticks that have another version than the one in use, or do not say which."""
    with suppress(OSError):
        return [one for one in updating.on_sticks() if not one.version or one.version != versions.in_use]
    return []


def _offer(bundle: StickBundle, words: Wording) -> Mapping[str, str]:
    if bundle.version:
        told = Notice("update.stick", file=bundle.name, version=bundle.version)
    else:
        told = Notice("update.stick_unnamed", file=bundle.name)
    return {"id": bundle.id, "text": words(told)}


def _told(error: NotTaken) -> Notice:
    if error.reason == "too_large":
        return Notice("update.not_too_large", megabytes=MOST_BYTES // 10**6)
    return Notice(f"update.not_{error.reason}")
