"""The session of each request and its rights: `request.state.session`, `may_write` and `may_read`.

`known`: the PIN was entered, or only this machine can reach the page. `at_machine`: it comes from this machine.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from urllib.parse import quote

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.game.notice import Notice
from referee.page.access.answers import SAFE, address_of, refuse
from referee.page.access.policy import PIN, Policy
from referee.page.access.secret import COOKIE, Sessions

ENTER, API_ENTER, API_ME = "/enter", "/api/enter", "/api/me"
FOR_ALL = frozenset({ENTER, API_ENTER, API_ME})
STATIC = "/static/"
CHALLENGE = {"WWW-Authenticate": 'PIN realm="referee"'}
"""Headers of an answer with status 401. They make no browser ask for a password."""
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class Authorization:
    """Middleware that finds the session of every request, and refuses requests that the policy does not allow."""

    def __init__(
        self,
        app: ASGIApp,
        policy: Callable[[], Policy],
        sessions: Sessions,
        forwarded: Callable[[], None],
        sentences: str = "access",
        for_readers: frozenset[str] = frozenset(),
        for_all: tuple[str, ...] = (),
    ) -> None:
        """`policy` returns what needs the PIN now.

        `forwarded` is called for every request that came through another server. `sentences`, `for_readers` and
        `for_all`: see Access.
        """
        self._app, self._policy, self._sessions, self._forwarded = app, policy, sessions, forwarded
        self._for_readers, self._for_all = for_readers, (STATIC, *for_all)
        self._pin_to_write = Notice(f"{sentences}.pin_to_write", page=ENTER)
        self._pin_to_read = Notice(f"{sentences}.pin_to_read", page=ENTER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that the policy allows; answer others with 401 or 403, or send them to the PIN page."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        connection, policy = HTTPConnection(scope), self._policy()
        state, path, headers = connection.state, scope["path"], connection.headers
        session = self._sessions.session_in(connection.cookies.get(COOKIE, ""))
        # Requests that another server forwards all seem to come from this machine.
        forwarded = any(name in headers for name in _FORWARDED)
        if forwarded:
            self._forwarded()
        known = session is not None or (policy.local and not forwarded)
        state.session = f"of {address_of(scope)}" if session is None else session
        state.known = known
        state.at_machine = not forwarded and _is_loopback(address_of(scope))
        state.may_write = known or policy.writing != PIN
        state.may_read = known or policy.reading != PIN
        if path in FOR_ALL or path.startswith(self._for_all):
            await self._app(scope, receive, send)
        elif scope["method"] not in SAFE:
            if state.may_read and (state.may_write or path in self._for_readers):
                await self._app(scope, receive, send)
            else:
                await refuse(scope, receive, send, 403, self._pin_to_write)
        elif state.may_read:
            await self._app(scope, receive, send if policy.reading != PIN else self._while_it_lasts(send))
        elif "text/html" in headers.get("accept", ""):
            await RedirectResponse(f"{ENTER}?next={quote(path)}", 303)(scope, receive, send)
        else:
            await refuse(scope, receive, send, 401, self._pin_to_read, CHALLENGE)

    def _while_it_lasts(self, send: Send) -> Send:
        """Return a `send` that ends the answer once all sessions have ended: no stream goes on after a new PIN."""
        epoch, over = self._sessions.epoch, False

        async def send_while_allowed(message: Message) -> None:
            nonlocal over
            if over:
                return
            if self._sessions.epoch != epoch and message["type"] == "http.response.body":
                over = True
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        return send_while_allowed


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
