"""Where the PIN is told."""

from __future__ import annotations

import json
import math
import re

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.game.notice import Notice
from referee.page.access.answers import NO_STORE, address_of, plainly
from referee.page.access.secret import DIGITS, Secret
from referee.page.access.sessions import COOKIE, LASTS_S, Sessions
from referee.page.access.tries import Tries
from referee.page.languages import notice_response
from referee.page.pages import Pages

_LOCAL = re.compile(r"/(?:[\w.~-][\w./~-]*)?", re.ASCII)
"""A path of this page, and no address of another one."""
HOLD_START = Notice("access.forgotten")
"""What helps who has forgotten the PIN where there is a start button at the table."""
WRONG = Notice("access.wrong_pin")


class SignIn:
    """`POST /api/enter` with `{"pin": "123456"}` begins a session; `GET /api/me` tells what one may do."""

    def __init__(self, secret: Secret, sessions: Sessions, tries: Tries, sentences: str = "access") -> None:
        """`sentences` as Access has it."""
        self._secret, self._sessions, self._tries = secret, sessions, tries
        self._where, self._at_the_console = (Notice(f"{sentences}.{key}") for key in ("where", "forgotten_console"))

    async def enter(self, request: Request) -> Response:
        """Take a PIN."""
        pin = _pin(await request.body())
        if pin is None:
            return plainly(400, f'expected {{"pin": {DIGITS} digits}}, found something else')
        address = address_of(request.scope)
        wait = math.ceil(self._tries.wait(address))
        if wait:
            return notice_response(request, Notice("access.wait", seconds=wait), 429, {"Retry-After": str(wait)})
        if not self._secret.fits(pin):
            self._tries.wrong(address)
            return notice_response(request, WRONG, 403)
        self._tries.right(address)
        answer = JSONResponse({"may_write": True}, 200, NO_STORE)
        answer.set_cookie(COOKIE, self._sessions.begin(), max_age=LASTS_S, httponly=True, samesite="strict")
        return answer

    async def page(self, request: Request) -> Response:
        """Where a person does so."""
        onward = request.query_params.get("next", "/")
        pages: Pages = request.app.state.pages
        forgotten = HOLD_START if request.app.state.start_button() else self._at_the_console
        return pages.page(request, "enter.html", onward=onward if _LOCAL.fullmatch(onward) else "/", digits=DIGITS,
                          where=self._where, forgotten=forgotten)  # fmt: skip

    async def me(self, request: Request) -> Response:
        """What somebody may do, and whether the PIN is needed for it."""
        state = request.state
        needed = not (state.may_write and state.may_read)
        return JSONResponse(
            {"may_write": state.may_write, "may_read": state.may_read, "pin_needed": needed}, 200, NO_STORE
        )


def _pin(body: bytes) -> str | None:
    try:
        post = json.loads(body)
    except (ValueError, RecursionError):
        return None
    pin = post.get("pin") if isinstance(post, dict) else None
    return pin if isinstance(pin, str) and len(pin) <= 20 and pin.isascii() else None
