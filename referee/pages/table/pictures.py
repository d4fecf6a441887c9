"""Pictures of the last looks for the page: rectified, scaled to the width that a screen requests, with ETags."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from referee.page.broadcast import Broadcast, number_in
from referee.page.wording import missing_picture
from referee.table.output.follower import Facts, NumberedLook
from referee.table.output.rectified import jpeg, rectify_look, tile_picture

WIDTHS = (160, 320, 480, 640, 960, 1280, 1920)
"""A requested width is rounded up to one of these, so that screens can share pictures."""
KEPT = 12
AT_ONCE = 2
"""How many pictures are made at a time; few, because the match needs the processor more."""


class Pictures:
    """Makes pictures when they are requested."""

    def __init__(self, broadcast: Broadcast) -> None:
        self._broadcast = broadcast
        self._made: OrderedDict[str, bytes] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes | None]] = {}
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def answer(self, request: Request) -> Response:
        """Answer `/picture/LOOK.jpg`, or `/picture/LOOK/READ.jpg` with one tile of it; `w` is the width in pixels."""
        number, tile = number_in(request.path_params["look"]), request.path_params.get("read")
        read = None if tile is None else number_in(tile)
        seen = _find_look(self._broadcast.published_state, number) or _find_look(self._broadcast.facts, number)
        if seen is None or (tile is not None and read is None):
            return missing_picture(request)
        width = width_of(request.query_params.get("w", ""))
        name = f"{self._broadcast.epoch}-{number}-{'all' if read is None else read}-{width}"
        headers = {"ETag": f'"{name}"', "Cache-Control": "private, max-age=86400, immutable"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        data = self._made.get(name)
        if data is None:
            task = self._making.get(name)
            if task is None:
                task = self._making[name] = asyncio.ensure_future(self._make(name, seen, read, width))
            data = await asyncio.shield(task)  # other requests may wait for it, too
        if data is None:
            return missing_picture(request)
        return Response(data, media_type="image/jpeg", headers=headers)

    async def answer_before(self, request: Request) -> Response:
        """Answer `/before/LOOK/NUMBER.jpg`: a small picture from before the press that led to this look.

        No browser may store it, because it is deleted here with the next press.
        """
        look, number = (number_in(request.path_params[name]) for name in ("look", "number"))
        before = self._broadcast.facts.before
        if before is None or before.number != look or number is None or number >= len(before.pictures):
            return missing_picture(request)
        data = before.pictures[number].jpeg
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def _make(self, name: str, seen: NumberedLook, read: int | None, width: int) -> bytes | None:
        """Make a picture, once for all requests that wait for it."""
        table_mm = self._broadcast.published_state.table_mm
        try:
            async with self._at_once:
                data = await run_in_threadpool(_encode_picture, seen, read, width, table_mm)
        finally:
            del self._making[name]
        if data is not None:
            self._made[name] = data
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        return data


def _find_look(facts: Facts, number: int | None) -> NumberedLook | None:
    """Return the look with that number if it is the last one, the one that is shown, or the one behind the table."""
    looks = facts.seen, facts.pictured, facts.accepted
    return next((look for look in looks if look is not None and look.number == number), None)


def _encode_picture(seen: NumberedLook, read: int | None, width: int, table_mm: tuple[float, float]) -> bytes | None:
    look = seen.look
    image = rectify_look(look, table_mm, width) if read is None else tile_picture(look, read, width)
    return None if image is None else jpeg(image)


def width_of(text: str) -> int:
    """Return the width in pixels that a screen requests, as one of WIDTHS."""
    number = number_in(text)
    wanted = WIDTHS[3] if number is None else number
    return next((width for width in WIDTHS if width >= wanted), WIDTHS[-1])
