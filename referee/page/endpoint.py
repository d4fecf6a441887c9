"""The place where commands arrive: checked, each done once, late ones refused."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.game.notice import Notice
from referee.page.broadcast import Broadcast
from referee.page.command import Command, Malformed, Refused, whole
from referee.page.languages import notice_response

LATE = Notice("page.late")
NOT_READY = Notice("page.not_ready")
REMEMBERED = 500
"""How many commands are remembered, so that none is done twice."""
LONGEST_ID = 64
NUMBER = whole(0, 2**53 - 1)
"""Of a state."""
PATIENCE_S = 10.0
"""A loop that has not answered by then is told to be busy."""

Outcome = tuple[int, Notice | None]


class CommandEndpoint:
    """`POST /api/command` with `{"id": …, "n": …, "command": …}` and the fields of that command."""

    def __init__(self, broadcast: Broadcast, commands: Mapping[str, Command]) -> None:
        self._broadcast, self.commands = broadcast, commands
        self._done: OrderedDict[str, asyncio.Future[Outcome]] = OrderedDict()
        self.controls: Any = None
        """There while a loop runs."""

    async def answer(self, request: Request) -> Response:
        """Take a command; 200 where it was done, else one sentence why not."""
        try:
            name, told_id, number, values = _parse_post(await request.body(), self.commands)
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, {"Cache-Control": "no-store"})
        key = f"{request.state.session}.{told_id}"
        known = self._done.get(key)
        if known is None:
            known = self._done[key] = asyncio.get_running_loop().create_future()
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
            try:
                known.set_result(await self._run(self.commands[name], number, values))
            except BaseException:
                self._done.pop(key, None)
                known.cancel()
                raise
        status, notice = await asyncio.shield(known)
        if notice is not None:
            return notice_response(request, notice, status)
        return JSONResponse({"done": True}, 200, {"Cache-Control": "no-store"})

    async def _run(self, command: Command, number: int, values: Mapping[str, Any]) -> Outcome:
        broadcast, controls = self._broadcast, self.controls
        if controls is None:
            return 503, NOT_READY
        broadcast.catch_up()
        if broadcast.late(number, command.parts(values), command.patience(values)):
            return 409, LATE
        try:
            refused = await asyncio.wait_for(command.run(values, broadcast.facts, controls), PATIENCE_S)
        except Refused as error:
            return error.status, error.told
        except TimeoutError:
            return 503, NOT_READY
        return (200, None) if refused is None else (409, refused)


def _parse_post(body: bytes, commands: Mapping[str, Command]) -> tuple[str, str, int, dict[str, Any]]:
    try:
        post = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected JSON, found something else") from error
    if not isinstance(post, dict):
        raise Malformed("expected an object, found something else")
    name, told_id = post.get("command"), post.get("id")
    if not isinstance(name, str) or name not in commands:
        raise Malformed(f"command: expected one of {', '.join(commands)}, found {str(name)[:40]!r}")
    if not isinstance(told_id, str) or not 8 <= len(told_id) <= LONGEST_ID:
        raise Malformed(f"id: expected 8 to {LONGEST_ID} letters, found {str(told_id)[:40]!r}")
    number = NUMBER.value(post.get("n"))
    return name, told_id, number, commands[name].values(post)
