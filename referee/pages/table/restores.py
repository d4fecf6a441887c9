"""Restores a backup from the page, in two steps, so that a family needs no keyboard for it.

1. A file is sent, or one on this machine is chosen, and checked completely. The answer says what is in it.
2. Whoever has read that confirms it. Table and page are closed, everything is replaced, and the program starts again.

The settings file stays, because the service may not write it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.backup.arriving import ArrivingBackup, NotRestorable, examine
from referee.backup.contents import Places
from referee.backup.drives import removable_folders
from referee.backup.found import Found, find_backups
from referee.backup.manifest import Manifest
from referee.game.notice import Notice
from referee.journal.codec import PLAIN, codec_of
from referee.journal.score_formats import local_time
from referee.page.access.answers import NO_STORE
from referee.page.arriving_body import ArrivingBody, length_of, usual_patience
from referee.page.broadcast import Broadcast
from referee.page.command import Malformed, Refused, read_object, read_posted
from referee.page.pages import Pages
from referee.page.wording import notice_response
from referee.pages.table.match_first import why_match_first
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.presence.routes import Presence
from referee.pages.table.restore_api import FILE, KEPT, LONGEST_NAME, RESTORE, KeptFields, RestoreFields
from referee.table.output.follower import Facts

CONFLICT, NOT_FOUND, TIMEOUT, GONE, UNREADABLE, FULL, BUSY, CUT_OFF = 409, 404, 408, 410, 422, 507, 503, 400
NOT_HERE, NONE, ENDS = Notice("backup.restore_not_here"), Notice("backup.none"), Notice("system.ends_already")
_STATUS = {"not_one": UNREADABLE, "newer": UNREADABLE, "no_room": FULL, "disk": FULL, "stick": UNREADABLE}
_CLOSE = {"Connection": "close"}
STICK_S = 4.0
"""Seconds for which the page waits for a stick to say what is on it. Chosen by hand."""
Restoring = Callable[[Path], Future[Notice | None]]
"""Replaces everything by the backup with that path, and starts again; the result is why it cannot, or None."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A backup on this machine that can be restored: its name, and what is said of it."""

    name: str
    told: Notice


@dataclass(frozen=True, slots=True)
class _Checked:
    """A backup that was checked, and the id with which whoever has had it checked restores it."""

    id: str
    path: Path
    mark: tuple[int, ...]
    """What `_mark` returned before the check."""
    is_on_stick: bool = False


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
        self._one = threading.Lock()
        """Held while a backup arrives or is checked."""
        self._checked: _Checked | None = None
        self._is_confirmed = False
        """Once it is true, the checked backup is not replaced by another one any more."""
        self._looking = threading.Lock()
        """Held while sticks are looked at: one that never answers may keep one thread, but not all of them."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        posts = {FILE: self._send, KEPT: self._choose, RESTORE: self._restore}
        return [Route(path, self._answer(run), methods=["POST"]) for path, run in posts.items()]

    async def offered(self) -> list[Offered] | None:
        """Return the backups that can be chosen; None if nothing can be restored here.

        A stick that does not answer is not waited for.
        """
        places = self._places
        if places is None or self.restoring is None:
            return None
        try:
            found = await asyncio.wait_for(run_in_threadpool(self._find, places), STICK_S)
        except TimeoutError:
            found = await run_in_threadpool(find_backups, places)
        return [Offered(one.id, _of_found(one)) for one in found]

    def _find(self, places: Places) -> list[Found]:
        """Return all backups; without those on sticks if another request is still waiting for these."""
        if not self._looking.acquire(timeout=STICK_S):
            return find_backups(places)
        with _Held(self._looking):
            return find_backups(places, self.sticks())

    @property
    def is_unwritten(self) -> bool:
        """Whether the newest events of the match are not on the disk, and so in no backup."""
        facts: Facts = self._broadcast.facts
        return facts.is_unwritten

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
            places = self._begin(request)
        except Refused:
            await body.read_on()
            raise
        try:
            with self._one_at_a_time():
                self._checked = None  # it is replaced
                bundle = await run_in_threadpool(ArrivingBackup, places, length_of(request))
                try:
                    await body.pass_on(bundle.write, self.patience)
                    path, manifest = await run_in_threadpool(bundle.take)
                    mark = await run_in_threadpool(_mark, path)
                finally:
                    await run_in_threadpool(bundle.close)
        except NotRestorable as error:
            await body.read_on()
            return notice_response(request, _told(error), _STATUS[error.reason], _CLOSE)
        except TimeoutError:
            return notice_response(request, Notice("update.not_too_slow"), TIMEOUT, _CLOSE)
        except ClientDisconnect:
            return notice_response(request, Notice("update.not_cut_off"), CUT_OFF, _CLOSE)
        return self._take(request, manifest, path, mark)

    async def _choose(self, request: Request) -> Response:
        """Check a backup on this machine."""
        fields: KeptFields = await _fields(request, KeptFields)
        places = self._places
        if places is None or self.restoring is None:
            raise Refused(NOT_FOUND, NOT_HERE)
        # Only what is found now can be chosen, so no name leads out of the folders.
        # One on the machine is found also while a stick does not answer.
        found = [one for one in await run_in_threadpool(find_backups, places) if one.id == fields.name]
        found = found or [one for one in await run_in_threadpool(self._find, places) if one.id == fields.name]
        if not found:
            raise Refused(NOT_FOUND, NONE)
        path, is_on_stick = found[0].path, bool(found[0].table)
        self._begin(request)
        try:
            with self._one_at_a_time():
                mark = await run_in_threadpool(_mark, path)
                manifest = await run_in_threadpool(examine, path, places)
        except NotRestorable as error:
            reason = "stick" if is_on_stick and error.reason == "disk" else error.reason
            return notice_response(request, Notice(f"backup.restore_{reason}"), _STATUS[reason])
        return self._take(request, manifest, path, mark, is_on_stick=is_on_stick)

    async def _restore(self, request: Request) -> Response:
        """Restore the backup that was checked with this id; those at the table have allowed it before that."""
        fields: RestoreFields = await _fields(request, RestoreFields)
        if self.restoring is None:
            raise Refused(NOT_FOUND, NOT_HERE)
        self._refuse_in_match()
        checked = self._checked
        if checked is None or not secrets.compare_digest(checked.id.encode(), fields.id.encode()):
            raise Refused(GONE, Notice("backup.restore_gone"))
        if self._is_confirmed:
            raise Refused(CONFLICT, ENDS)
        self._is_confirmed = True
        try:
            # The stick may have been pulled out, or the file replaced by one whose content nobody has read.
            if await run_in_threadpool(_mark, checked.path) != checked.mark:
                raise Refused(GONE, Notice("backup.restore_stick") if checked.is_on_stick else NONE)
            if (refused := await asyncio.wrap_future(self.restoring(checked.path))) is not None:
                raise Refused(CONFLICT, refused)
        except BaseException:
            self._is_confirmed = False
            raise
        self._checked = None  # a second tap is not carried out again
        return notice_response(request, Notice("backup.restoring"), 200)

    def _begin(self, request: Request) -> Places:
        """Return where is restored to; raises Refused if nothing may be restored now."""
        if self._places is None or self.restoring is None:
            raise Refused(NOT_FOUND, NOT_HERE)
        self._refuse_in_match()
        if self._is_confirmed:
            raise Refused(CONFLICT, ENDS)
        if self._one.locked():
            raise Refused(BUSY, Notice("backup.restore_busy"))
        self._presence.check(request, Action.RESTORE)
        return self._places

    def _refuse_in_match(self) -> None:
        if (first := why_match_first(self._broadcast.facts)) is not None:
            raise Refused(CONFLICT, first)

    def _one_at_a_time(self) -> _Held:
        if not self._one.acquire(blocking=False):
            raise Refused(BUSY, Notice("backup.restore_busy"))
        return _Held(self._one)

    def _take(
        self, request: Request, manifest: Manifest, path: Path, mark: tuple[int, ...], *, is_on_stick: bool = False
    ) -> Response:
        self._checked = _Checked(secrets.token_urlsafe(18), path, mark, is_on_stick)
        told = self._pages.words(request)(_what_is_in(manifest))
        return JSONResponse({"id": self._checked.id, "told": told}, 200, NO_STORE)


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


def _mark(path: Path) -> tuple[int, ...]:
    """Return by what a file is known again; nothing if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _told(error: NotRestorable) -> Notice:
    return Notice(f"backup.restore_{error.reason}")


def _what_is_in(manifest: Manifest) -> Notice:
    """Return what is said of a backup before it is restored."""
    try:
        time = Notice("scores.at", when=local_time(dt.datetime.fromisoformat(manifest.made)))
    except (ValueError, OverflowError):  # nobody has checked it
        time = Notice("scores.at", when=manifest.made[:LONGEST_NAME])
    found = Notice("backup.restore_matches", matches=manifest.matches)
    return Notice("backup.restore_found", time=time, table=manifest.table[:LONGEST_NAME] or "referee", found=found)


def _of_found(found: Found) -> Notice:
    time = Notice("scores.at", when=local_time(found.made))
    if found.table:
        return Notice("backup.restore_on_stick", time=time, table=found.table)
    return Notice("backup.restore_before", time=time) if found.undo else time
