"""Restores a backup from the page, in two steps, so that a family needs no keyboard for it.

1. A file is sent, or one on this machine is chosen, and checked completely. The answer says what is in it.
   One on a USB stick is copied to the card first: once the page is closed, nobody could say that a stick is silent.
2. Whoever has read that confirms it. Table and page are closed, everything is replaced, and the program starts again.
   Whoever does not want it says so, or goes away: then what has arrived is removed.

The settings file stays, because the service may not write it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.backup.apart import examine_apart, read_apart
from referee.backup.arriving import ArrivingBackup, remove_chosen
from referee.backup.contents import Places
from referee.backup.counting import Report
from referee.backup.drives import removable_folders
from referee.backup.examining import Examine, Inside, NotRestorable
from referee.backup.found import Found, find_backups
from referee.backup.worker import Silent
from referee.backup.writing import Continues
from referee.devices.update_result import IN_TRIAL, is_on_trial
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.codec import PLAIN, codec_of
from referee.journal.score_formats import local_time
from referee.page.access.answers import NO_STORE
from referee.page.arriving_body import ArrivingBody, length_of, usual_patience
from referee.page.broadcast import Broadcast
from referee.page.command import Malformed, Refused, read_object, read_posted
from referee.page.pages import Pages
from referee.page.wording import notice_response
from referee.pages.table.backup_checks import BackupChecks, Read, WaitingQuestion, mark_of
from referee.pages.table.match_first import why_match_first
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.presence.routes import Presence
from referee.pages.table.restore_api import (
    FILE,
    KEPT,
    LONGEST_NAME,
    NO,
    PROGRESS,
    RESTORE,
    KeptFields,
    RestoreFields,
)
from referee.table.output.follower import Facts

CONFLICT, NOT_FOUND, TIMEOUT, GONE, UNREADABLE, FULL, BUSY, CUT_OFF = 409, 404, 408, 410, 422, 507, 503, 400
SILENT = 504
NOT_HERE, NONE, ENDS = Notice("backup.restore_not_here"), Notice("backup.none"), Notice("system.ends_already")
_STATUS = {
    "not_one": UNREADABLE,
    "newer": UNREADABLE,
    "no_room": FULL,
    "disk": FULL,
    "stick": UNREADABLE,
    "stick_silent": SILENT,
}
_CLOSE = {"Connection": "close"}
STICK_S = 4.0
"""Seconds for which the page waits for a stick to say what is on it. Chosen by hand."""
_Found = tuple[Path, tuple[int, ...], Inside]
"""The file to be restored, the mark by which it is recognised, and what is in it."""
Restoring = Callable[[Path], Future[Notice | None]]
"""Replaces everything by the backup with that path, and starts again; the result is why it cannot, or None."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A backup on this machine that can be restored: its name, and what is said of it."""

    name: str
    told: Notice


class RestorePages:
    """Answers for everything below `/api/backup/restore`."""

    def __init__(self, pages: Pages, places: Places | None, broadcast: Broadcast, presence: Presence) -> None:
        """`places` is what a backup of this table contains; None if there is nothing."""
        self._pages, self._places, self._broadcast, self._presence = pages, places, broadcast, presence
        self.restoring: Restoring | None = None
        """None if nothing can be restored here, as in a demo."""
        self.sticks: Callable[[], Sequence[Path]] = lambda: removable_folders(writable=False)
        """Returns where USB sticks are mounted."""
        self.patience: Callable[[int], float] = usual_patience
        self.is_on_trial: Callable[[Path], bool] = is_on_trial
        """Returns whether a new version is on trial that may take back what is restored into a folder."""
        self.examine: Examine = examine_apart
        self.read: Read = read_apart
        self.checks = BackupChecks(lambda: self._broadcast.over)
        self.question = WaitingQuestion(self.remove_arrived)
        self._looking = threading.Lock()
        """Held while sticks are looked at: one that never answers may keep one thread, but not all of them."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        posts = {FILE: self._send, KEPT: self._choose, NO: self._keep_everything, RESTORE: self._restore}
        routes = [Route(path, self._answer(run), methods=["POST"]) for path, run in posts.items()]
        return [*routes, Route(PROGRESS, self._progress)]

    async def offered(self) -> list[Offered] | None:
        """Return the backups that can be chosen; None if nothing can be restored here.

        A stick that does not answer is not waited for.
        """
        places = self._places
        if places is None or self.restoring is None:
            return None
        return [Offered(one.id, _of_found(one)) for one in await self._all(places)]

    async def _all(self, places: Places) -> list[Found]:
        """Return all backups; without those on sticks if these do not answer in time."""
        try:
            return await asyncio.wait_for(run_in_threadpool(self.find, places), STICK_S)
        except TimeoutError:
            return await run_in_threadpool(find_backups, places)

    def find(self, places: Places) -> list[Found]:
        """Return all backups; without those on sticks if another request is still waiting for these."""
        if not self._looking.acquire(timeout=STICK_S):
            return find_backups(places)
        with _Held(self._looking):
            return find_backups(places, self.sticks())

    @property
    def start(self) -> str:
        """An identifier that is different each time the program starts."""
        return self._broadcast.epoch

    @property
    def is_unwritten(self) -> bool:
        """Whether the newest events of the match are not on the disk, and so in no backup."""
        facts: Facts = self._broadcast.facts
        return facts.is_unwritten

    @property
    def is_in_match(self) -> bool:
        """Whether a match is under way, or waits to be decided about."""
        return why_match_first(self._broadcast.facts) is not None

    @staticmethod
    def _answer(run: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                return await run(request)
            except Malformed as error:
                return JSONResponse({"error": str(error)}, 400, NO_STORE)
            except Refused as error:
                return notice_response(request, error.told, error.status, error.headers)

        return answer

    async def _send(self, request: Request) -> Response:
        """Take a backup from a browser and check it; whatever cuts it off leaves nothing."""
        body = ArrivingBody(request)
        try:
            places = await self._begin(request)
        except Refused:
            await body.read_on()
            raise
        try:
            with self.checks.alone() as alone:
                self._refuse_second(alone)
                self.question.checked = None  # it is replaced
                bundle = await run_in_threadpool(ArrivingBackup, places, length_of(request))
                try:
                    await body.pass_on(bundle.write, self.patience)
                    path, inside = await self.checks.run(request, partial(bundle.take, self.examine))
                    mark = await run_in_threadpool(mark_of, path)
                finally:
                    self.checks.end()  # removing what has arrived takes a card its time
                    await run_in_threadpool(bundle.close)
        except NotRestorable as error:
            await body.read_on()
            return notice_response(request, _told(error), _STATUS[error.reason], _CLOSE)
        except TimeoutError:
            return notice_response(request, Notice("update.not_too_slow"), TIMEOUT, _CLOSE)
        except (BadInput, OSError):  # its process is silent, was ended, as without memory, or could not be started
            return notice_response(request, Notice("backup.restore_silent"), SILENT, _CLOSE)
        except ClientDisconnect:
            return notice_response(request, Notice("update.not_cut_off"), CUT_OFF, _CLOSE)
        return self._take(request, inside, path, mark)

    async def _choose(self, request: Request) -> Response:
        """Check a backup on this machine, or on a stick."""
        fields: KeptFields = await _fields(request, KeptFields)
        places = self._places
        if places is None or self.restoring is None:
            raise Refused(NOT_FOUND, NOT_HERE)
        # Only what is found now can be chosen, so no name leads out of the folders.
        # One on the machine is found also while a stick does not answer.
        found = [one for one in await run_in_threadpool(find_backups, places) if one.id == fields.name]
        found = found or [one for one in await self._all(places) if one.id == fields.name]
        if not found:
            raise Refused(NOT_FOUND, NONE)
        await self._begin(request)
        try:
            with self.checks.alone() as alone:
                self._refuse_second(alone)
                self.question.checked = None  # it is replaced
                check = self._check_on_stick if found[0].table else self._check_here
                path, mark, inside = await check(request, found[0].path, places)
        except NotRestorable as error:
            return notice_response(request, _told(error), _STATUS[error.reason])
        except (BadInput, OSError):  # as above
            return notice_response(request, Notice("backup.restore_silent"), SILENT)
        except ClientDisconnect:
            return notice_response(request, Notice("update.not_cut_off"), CUT_OFF, _CLOSE)
        return self._take(request, inside, path, mark)

    async def _check_here(self, request: Request, path: Path, places: Places) -> _Found:
        """Check a backup on this machine, whose own file is restored."""
        with suppress(OSError):  # whatever was sent before is not restored any more
            await run_in_threadpool(remove_chosen, places.state)
        mark = await run_in_threadpool(mark_of, path)

        def work(goes_on: Continues, report: Report) -> Inside:
            return self.examine(path, places, goes_on, report)

        return path, mark, await self.checks.run(request, work)

    async def _check_on_stick(self, request: Request, path: Path, places: Places) -> _Found:
        """Copy a backup from a stick, and check the copy."""
        bundle = await run_in_threadpool(ArrivingBackup, places)
        try:
            try:
                await self.checks.run(request, partial(self.read, path, bundle.write), 0, 2)
            except Silent as error:
                raise NotRestorable("stick_silent", str(error)) from error
            chosen, inside = await self.checks.run(request, partial(bundle.take, self.examine), 1, 2)
        finally:
            self.checks.end()
            await run_in_threadpool(bundle.close)
        return chosen, await run_in_threadpool(mark_of, chosen), inside

    async def _progress(self, request: Request) -> Response:
        """Answer how far the check is."""
        if not request.state.may_write:
            return notice_response(request, Notice("backup.pin_first"), 403)
        return JSONResponse({"percent": self.checks.percent, "start": self.start}, 200, NO_STORE)

    async def _keep_everything(self, request: Request) -> Response:
        """Forget the backup that was checked with this id, and remove it from the card if it had arrived there."""
        fields: RestoreFields = await _fields(request, RestoreFields)
        if (checked := self.question.find(fields.id)) is not None:
            await self.question.forget(checked)
        return notice_response(request, Notice("backup.restore_kept_all"), 200)

    async def remove_arrived(self) -> None:
        """Remove what has arrived; if another backup arrives or is checked, that has removed it already."""
        with self.checks.alone(ends=True) as alone:
            if alone and self._places is not None:
                with suppress(OSError):  # a card that cannot be written is told of elsewhere
                    await run_in_threadpool(remove_chosen, self._places.state)

    async def _restore(self, request: Request) -> Response:
        """Restore the backup that was checked with this id; those at the table have allowed it before that."""
        fields: RestoreFields = await _fields(request, RestoreFields)
        if self.restoring is None:
            raise Refused(NOT_FOUND, NOT_HERE)
        self._refuse_in_match()
        question = self.question
        if (checked := question.find(fields.id)) is None:
            raise Refused(
                GONE, Notice("backup.restore_late" if question.is_late(fields.id) else "backup.restore_gone")
            )
        if question.is_confirmed:
            raise Refused(CONFLICT, ENDS)
        question.is_confirmed = True
        try:
            # The file may have been replaced by one whose content nobody has read.
            if await run_in_threadpool(mark_of, checked.path) != checked.mark:
                raise Refused(GONE, NONE)
            if (refused := await asyncio.wrap_future(self.restoring(checked.path))) is not None:
                raise Refused(CONFLICT, refused)
        except BaseException:
            question.is_confirmed = False
            raise
        question.checked = None  # a second tap is not carried out again
        return notice_response(request, Notice("backup.restoring"), 200)

    async def _begin(self, request: Request) -> Places:
        """Return where is restored to; raises Refused if nothing may be restored now."""
        if self._places is None or self.restoring is None:
            raise Refused(NOT_FOUND, NOT_HERE)
        self._refuse_in_match()
        if await run_in_threadpool(self.is_on_trial, self._places.state):
            raise Refused(CONFLICT, IN_TRIAL)
        if self.question.is_confirmed:
            raise Refused(CONFLICT, ENDS)
        await self.checks.settle()
        self._refuse_second(not self.checks.is_under_way)
        self._presence.check(request, Action.RESTORE)
        return self._places

    def _refuse_in_match(self) -> None:
        if (first := why_match_first(self._broadcast.facts)) is not None:
            raise Refused(CONFLICT, first)

    @staticmethod
    def _refuse_second(alone: bool) -> None:
        if not alone:
            raise Refused(BUSY, Notice("backup.restore_busy"))

    def _take(self, request: Request, inside: Inside, path: Path, mark: tuple[int, ...]) -> Response:
        told = self._pages.words(request)(_what_is_in(inside))
        return JSONResponse({"id": self.question.ask(path, mark), "told": told}, 200, NO_STORE)


class _Held:
    """A lock that is held, and released at the end of the context, in whatever thread."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, *_: object) -> None:
        self._lock.release()


async def _fields(request: Request, kind: type[Any]) -> Any:
    """Return the fields of a post; raises Malformed."""
    return read_posted(codec_of(kind, PLAIN), read_object(await request.body()))


def _told(error: NotRestorable) -> Notice:
    return Notice(f"backup.restore_{error.reason}")


def _what_is_in(inside: Inside) -> Notice:
    """Return what is said of a backup before it is restored."""
    try:
        time = Notice("scores.at", when=local_time(dt.datetime.fromisoformat(inside.made)))
    except (ValueError, OverflowError):  # nobody has checked it
        time = Notice("scores.at", when=inside.made[:LONGEST_NAME])
    found = Notice("backup.restore_matches", matches=inside.matches)
    return Notice("backup.restore_found", time=time, table=inside.table[:LONGEST_NAME] or "referee", found=found)


def _of_found(found: Found) -> Notice:
    time = Notice("scores.at", when=local_time(found.made))
    if found.table:
        return Notice("backup.restore_on_stick", time=time, table=found.table)
    return Notice("backup.restore_before", time=time) if found.undo else time
