"""Help that can be sent: the page shows what the file would have, and saves exactly that."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from referee.errors import RefereeError
from referee.game.notice import Notice
from referee.page.access.answers import refusal
from referee.page.access.authorization import ENTER
from referee.page.command import Refused
from referee.page.pages import Pages
from referee.page.wording import missing_picture, notice_response
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.presence.routes import Presence
from referee.report.bundle import Bundle, Making

NEEDS_PIN, CHANGED = Notice("help.needs_pin"), Notice("help.changed")
FORBIDDEN, GONE = 403, 410
FILE = "referee-help.zip"


@dataclass(frozen=True, slots=True)
class Shown:
    """A bundle that was shown, and the name by which it is saved."""

    name: str
    bundle: Bundle


class HelpPages:
    """Answers everything below `/help`, for those who may set up the table.

    Only the bundle that was shown last is kept, so that what is saved is what somebody has read.
    """

    def __init__(self, pages: Pages, presence: Presence) -> None:
        self._pages, self._presence = pages, presence
        self.making: Making | None = None
        """Makes a bundle; None if there is none to be had, as in a demo."""
        self._shown: Shown | None = None
        self._one_at_a_time = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/help", self._page),
            Route(f"/help/{{shown}}/{FILE}", self._file),
            Route("/help/{shown}/{picture}", self._picture),
        ]

    async def _page(self, request: Request) -> Response:
        if not request.state.may_write:
            return RedirectResponse(f"{ENTER}?next=/help", 303, {"Cache-Control": "no-store"})
        try:
            async with self._one_at_a_time:
                self._shown = None if self.making is None else await run_in_threadpool(_make, self.making)
        except (RefereeError, OSError):
            self._shown = None
        confirms = self._presence.is_needed(request)
        return self._pages.page(request, "help.html", shown=self._shown, confirms=confirms)

    async def _file(self, request: Request) -> Response:
        """Answer with the bundle that was shown, with pictures if they were ticked."""
        if not request.state.may_write:
            return refusal(request, FORBIDDEN, NEEDS_PIN)
        shown = self._named(request)
        if shown is None:
            return refusal(request, GONE, CHANGED)
        pictures = "pictures" in request.query_params
        if pictures:
            try:
                self._presence.check(request, Action.HELP)
            except Refused as error:
                return refusal(request, error.status, error.told, error.headers)
        data = await run_in_threadpool(lambda: shown.bundle.zipped(pictures=pictures))
        headers = {"Content-Disposition": f'attachment; filename="{FILE}"', "Cache-Control": "no-store"}
        return Response(data, media_type="application/zip", headers=headers)

    async def _picture(self, request: Request) -> Response:
        if not request.state.may_write:
            return notice_response(request, NEEDS_PIN, FORBIDDEN)
        shown, name = self._named(request), request.path_params["picture"]
        if shown is None or name not in shown.bundle.pictures:
            return missing_picture(request)
        try:
            data = await run_in_threadpool(shown.bundle.picture, name)
        except (RefereeError, OSError):
            return missing_picture(request)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    def _named(self, request: Request) -> Shown | None:
        shown = self._shown
        return shown if shown is not None and shown.name == request.path_params["shown"] else None


def _make(making: Making) -> Shown:
    bundle = making()
    content = repr((sorted(bundle.texts.items()), sorted(map(str, bundle.pictures.values()))))
    return Shown(hashlib.sha256(content.encode()).hexdigest()[:16], bundle)
