"""The page of backups: downloads one that is made while it is sent, and lists the automatic ones.

A backup contains the PIN, so only those who may give commands get one.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from referee.backup.apart import stream_backup_apart
from referee.backup.contents import Places
from referee.backup.keeping import name_of, time_in
from referee.backup.room import kept_backups
from referee.backup.writing import size_of
from referee.errors import RefereeError
from referee.game.notice import Notice
from referee.journal.score_formats import local_time
from referee.page.access.answers import refusal
from referee.page.command import Refused
from referee.page.pages import Pages
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.presence.routes import Presence
from referee.pages.table.restores import RestorePages

PATH = "/backup"
KIND = "application/zip"
MB = 1e6


@dataclass(slots=True)
class BackupTroubles:
    """Why automatic backups, or copies of them on sticks, are impossible at present; may be set in any thread."""

    notices: tuple[Notice, ...] = ()

    def show(self, notices: tuple[Notice, ...]) -> None:
        """Replace what the page shows."""
        self.notices = notices


@dataclass(frozen=True, slots=True)
class Saving:
    """What a backup of this table contains, whether automatic ones are made, and why not."""

    places: Places
    automatic: bool = True
    troubles: BackupTroubles = field(default_factory=BackupTroubles)


@dataclass(frozen=True, slots=True)
class _Listed:
    """An automatic backup in the list."""

    name: str
    time: str
    megabytes: float


class BackupPages:
    """Answers for `/backup` and everything below it."""

    def __init__(self, pages: Pages, saving: Saving | None, presence: Presence, restores: RestorePages) -> None:
        """`saving` is None without a journal; `restores` restores what is saved here."""
        self._pages, self._saving, self._presence, self._restores = pages, saving, presence, restores
        self._one = threading.Lock()
        """Held while a backup is made, so that several readers do not slow down the match."""

    def routes(self) -> list[Route]:
        """Return the routes, the more specific ones first."""
        return [
            Route(PATH, self._page),
            Route(f"{PATH}/now.zip", self._download),
            Route(f"{PATH}/{{name}}", self._file),
        ]

    async def _page(self, request: Request) -> Response:
        saving, words = self._saving, self._pages.words(request)
        allowed = saving is not None and request.state.may_write
        sizes = await run_in_threadpool(_sizes, saving.places) if saving is not None and allowed else None
        there = await run_in_threadpool(kept_backups, saving.places.backups) if saving is not None and allowed else []
        return self._pages.page(
            request,
            "backup.html",
            may_write=request.state.may_write,
            confirms=self._presence.is_needed(request),
            offered=await self._restores.offered() if allowed else None,
            lacks_latest=self._restores.is_unwritten,
            start=self._restores.start,
            automatic=saving is not None and saving.automatic,
            troubles=[] if saving is None else [words(notice) for notice in saving.troubles.notices],
            sizes=sizes,
            listed=[
                _Listed(one.name, words(Notice("scores.at", when=local_time(one.made))), _mb(one.size))
                for one in there
            ],
        )

    async def _download(self, request: Request) -> Response:
        saving = self._saving
        if not request.state.may_write:
            return refusal(request, 403, Notice("backup.pin_first"))
        if saving is None:
            return refusal(request, 404, Notice("backup.none"))
        if not self._one.acquire(blocking=False):
            return refusal(request, 503, Notice("backup.busy"), {"Retry-After": "60"})
        if (refused := self._not_allowed(request)) is not None:
            self._one.release()
            return refused
        now = dt.datetime.now().astimezone()
        pictures = request.query_params.get("pictures") == "yes"
        rests = self._restores.is_in_match
        chunks = _Held(stream_backup_apart(saving.places, now, pictures=pictures, rests=rests), self._one)
        try:
            # Whatever cannot be read at all is found out before the answer begins.
            first = await run_in_threadpool(next, chunks, b"")
        except (RefereeError, OSError):
            chunks.close()
            return refusal(request, 503, Notice("backup.not_possible"))
        except BaseException:  # the browser has gone away
            chunks.close()
            raise
        return _Stream(first, chunks, name_of(now))

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not request.state.may_write:
            return refusal(request, 403, Notice("backup.pin_first"))
        # Only names of our own form, so none leads out of the folder.
        path = None if self._saving is None or time_in(name) is None else self._saving.places.backups / name
        if path is None or not path.is_file() or path.is_symlink():
            return refusal(request, 404, Notice("backup.none"))
        if (refused := self._not_allowed(request)) is not None:
            return refused
        return FileResponse(path, media_type=KIND, filename=name, headers={"Cache-Control": "no-store"})

    def _not_allowed(self, request: Request) -> Response | None:
        """Return the answer unless those at the table have allowed it, where they must."""
        try:
            self._presence.check(request, Action.BACKUP)
        except Refused as error:
            return refusal(request, error.status, error.told, error.headers)
        return None


class _Held:
    """The chunks of a backup; the lock is released once they end or are closed."""

    def __init__(self, chunks: Generator[bytes, None, None], lock: threading.Lock) -> None:
        self._chunks, self._lock = chunks, lock
        self._closed = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._chunks)
        except BaseException:  # the end, or an error: before the browser sees it and may ask for another one
            self.close()
            raise

    def close(self) -> None:
        """End the backup and let another one begin."""
        if not self._closed:
            self._closed = True
            try:
                self._chunks.close()  # removes its copies of databases
            finally:
                self._lock.release()


class _Stream(StreamingResponse):
    """Sends a backup while it is made. An error in the middle cuts the file off, which a restore refuses."""

    def __init__(self, first: bytes, chunks: _Held, name: str) -> None:
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        super().__init__(_join(first, chunks), headers=headers, media_type=KIND)
        self._held = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the backup; whatever becomes of that, another one may be made afterwards."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await run_in_threadpool(self._held.close)  # which waits for the process that makes it


def _join(first: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from chunks


def _sizes(places: Places) -> tuple[float, float] | None:
    """Return the megabytes that a backup has at most, without pictures and with them; None if that is unknown."""
    try:
        return _mb(size_of(places, pictures=False)), _mb(size_of(places))
    except OSError:
        return None


def _mb(size: int) -> float:
    return round(size / MB + 0.05, 1)
