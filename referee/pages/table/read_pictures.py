"""Reads pictures for the pages, photos and those of the table's camera: one at a time, never in the match's thread.

So the running table never waits for them, and a match learns nothing from them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from referee.errors import CannotJudge, UnreadablePicture
from referee.game.notice import Notice, told_by
from referee.game.tiles import TileSet
from referee.i18n.wording import sendable
from referee.page.access.answers import NO_STORE
from referee.page.command import Controls, Refused
from referee.page.endpoint import CommandEndpoint
from referee.page.wording import notice_response
from referee.pages.table.one_at_a_time import Busy, OneAtATime, TooLong
from referee.table.input.requests import TakePicture
from referee.table.surroundings import ReadPicture
from referee.vision.sighting import Image, Sighting

READ_S, TAKE_S = 30.0, 10.0
"""Seconds after which a picture counts as not read, and a camera as silent. A Pi needs a few."""
BUSY, TOO_LONG, NO_READER = Notice("coach.busy"), Notice("coach.too_long"), Notice("coach.no_reader")
NO_PICTURE, NO_CAMERA = Notice("coach.no_picture"), Notice("coach.no_camera")
FORBIDDEN, CONFLICT, NOT_READY = 403, 409, 503


class PictureReader:
    """Reads pictures with what reads those of the running table, and does other work that takes seconds."""

    def __init__(self, commands: CommandEndpoint) -> None:
        """`commands` has the controls of the running loop, which takes the pictures of the camera."""
        self._commands = commands
        self.work = OneAtATime("pictures")

    def reads(self) -> ReadPicture:
        """Return what reads pictures; raises Refused if nothing does."""
        controls: Controls | None = self._commands.controls
        reads = None if controls is None else controls.reads
        if reads is None:
            raise Refused(CONFLICT, NO_READER)
        return reads

    async def read(self, take: Callable[[], Image], box: TileSet, *, own: bool) -> tuple[Image, Sighting]:
        """Return the picture that `take` returns in the thread, and what it shows; raises Refused, Busy or TooLong.

        `own`: it is from the table's camera.
        """
        reads = self.reads()

        def work() -> tuple[Image, Sighting]:
            picture = take()
            return picture, reads(picture, box, own)

        try:
            return await self.work.run(work, READ_S)
        except UnreadablePicture as error:
            raise Refused(CONFLICT, NO_PICTURE) from error
        except CannotJudge as error:
            raise Refused(CONFLICT, told_by(error)) from error

    async def read_table(self, box: TileSet) -> tuple[Image, Sighting]:
        """Return a picture of the still table, and what it shows; raises as `read`. Not during a match."""
        self.reads()  # the camera is not asked for nothing
        picture = await self._camera_picture()
        return await self.read(lambda: picture, box, own=True)

    async def _camera_picture(self) -> Image:
        controls: Controls | None = self._commands.controls
        if controls is None:
            raise Refused(NOT_READY, NO_CAMERA)
        here = asyncio.get_running_loop()
        taken: asyncio.Future[Image | Notice] = here.create_future()

        def take(picture: Image | Notice) -> None:
            here.call_soon_threadsafe(_answer_once, taken, picture)

        try:
            async with asyncio.timeout(TAKE_S):
                if (refused := await controls.send(TakePicture(take))) is not None:
                    raise Refused(CONFLICT, refused)
                picture = await taken
        except TimeoutError as error:
            raise Refused(NOT_READY, NO_CAMERA) from error
        if isinstance(picture, Notice):
            raise Refused(CONFLICT, picture)
        return picture


def _answer_once(taken: asyncio.Future[Image | Notice], picture: Image | Notice) -> None:
    if not taken.done():
        taken.set_result(picture)


async def answer_or_refuse(request: Request, answer: Callable[[], Awaitable[Mapping[str, Any]]]) -> Response:
    """Answer with JSON, or with one sentence if that is refused."""
    try:
        body = await answer()
    except Refused as error:
        return notice_response(request, error.told, error.status)
    except Busy:
        return notice_response(request, BUSY, NOT_READY, {"Retry-After": "5"})
    except TooLong:
        return notice_response(request, TOO_LONG, NOT_READY, {"Retry-After": "30"})
    text = sendable(json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    return Response(text, media_type="application/json", headers=NO_STORE)
