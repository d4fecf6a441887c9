"""The endpoint for commands: it checks each one, carries it out only once, and refuses stale ones."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.game.notice import Notice
from referee.i18n.wording import sendable
from referee.journal.codec import LARGEST, Codec
from referee.page.broadcast import Broadcast
from referee.page.command import (
    Asked,
    Command,
    Done,
    Malformed,
    Refused,
    one_of,
    read_object,
    read_posted,
    text,
    whole,
)
from referee.page.wording import PageWording, language_of, notice_response

LATE = Notice("page.late")
NOT_READY = Notice("page.not_ready")
REMEMBERED = 500
"""How many commands are remembered, so that none is carried out twice."""
ID = text(8, 64)
NUMBER = whole(0, LARGEST)
"""The number of a state."""
PATIENCE_S = 10.0
"""Seconds that the loop has for an answer; after that the client is told that the referee is not ready."""

Outcome = tuple[int, Notice | Asked | Done | None]


class CommandEndpoint:
    """`POST /api/command` with `{"id": …, "n": …, "command": …}` and the fields of that command."""

    def __init__(self, broadcast: Broadcast, commands: Mapping[str, Command[Any]]) -> None:
        self._broadcast, self.commands = broadcast, commands
        self._done: OrderedDict[str, asyncio.Future[Outcome]] = OrderedDict()
        self.guard: Callable[[Request, Any], None] | None = None
        """Raises Refused for the fields of a command that the sender of a request may not give."""
        self.controls: Any = None
        """The controls of the running loop; None while there is none."""

    async def answer(self, request: Request) -> Response:
        """Carry out a command; answer 200 with what its sender should know, or an error status with one sentence."""
        try:
            name, told_id, number, fields = _parse_post(await request.body(), self.commands)
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, {"Cache-Control": "no-store"})
        try:
            if self.guard is not None:
                self.guard(request, fields)
        except Refused as error:
            return notice_response(request, error.told, error.status, error.headers)
        key = f"{request.state.session}.{told_id}"
        known = self._done.get(key)
        if known is None:
            known = self._done[key] = asyncio.get_running_loop().create_future()
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
            try:
                known.set_result(await self._run(self.commands[name], number, fields))
            except BaseException:  # also a cancelled task: no other request may wait for this command for ever
                self._done.pop(key, None)
                known.cancel()
                raise
        status, outcome = await asyncio.shield(known)
        if isinstance(outcome, Notice):
            return notice_response(request, outcome, status)
        if isinstance(outcome, Asked):
            return notice_response(request, outcome.told, status, more={"asks": True})
        body: dict[str, Any] = {"done": True}
        if outcome is not None:
            body["told"] = sendable(PageWording(language_of(request)).all(outcome.told)).decode()
        return JSONResponse(body, 200, {"Cache-Control": "no-store"})

    async def _run(self, command: Command[Any], number: int, fields: Any) -> Outcome:
        broadcast, controls = self._broadcast, self.controls
        if controls is None:
            return 503, NOT_READY
        broadcast.catch_up()
        if broadcast.late(number, command.parts(fields), command.patience(fields)):
            return 409, LATE
        try:
            refused = await asyncio.wait_for(command.run(fields, broadcast.facts, controls), PATIENCE_S)
        except Refused as error:
            return error.status, error.told
        except TimeoutError:
            return 503, NOT_READY
        return (409, refused) if isinstance(refused, Notice | Asked) else (200, refused)


def _parse_post(body: bytes, commands: Mapping[str, Command[Any]]) -> tuple[str, str, int, Any]:
    post = read_object(body)
    name = _read_named("command", one_of(*commands), post)
    told_id = _read_named("id", ID, post)
    return name, told_id, read_posted(NUMBER, post.get("n")), commands[name].read(post)


def _read_named(field: str, codec: Codec, post: Mapping[str, Any]) -> str:
    try:
        return str(read_posted(codec, post.get(field)))
    except Malformed as error:
        raise Malformed(f"{field}: {error}") from error
