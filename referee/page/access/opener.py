"""Keeps windows of other websites apart from the page, where browsers allow a page to ask for that.

They do over https and on this machine. Over plain http in a network they ignore the header, and say so in the console
of every page; so it is sent only where it works.
"""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.page.access.policy import is_local

OPENER = "Cross-Origin-Opener-Policy"
_PORT = re.compile(r":\d{1,5}$", re.ASCII)
_BY_HTTPS = re.compile(r'(?:^|[;,\s])proto="?https\b', re.IGNORECASE | re.ASCII)


class OpenerPolicy:
    """Middleware that adds the header to answers to browsers that heed it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the request; its answer has the header if the page was asked for in a way that is trusted."""
        if scope["type"] != "http" or not _is_trusted(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return

        async def with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[OPENER] = "same-origin"
            await send(message)

        await self._app(scope, receive, with_header)


def _is_trusted(headers: Headers) -> bool:
    """Return whether the browser came over https, which another server has then forwarded, or from this machine."""
    by_https = headers.get("x-forwarded-proto", "").lower() == "https" or _BY_HTTPS.search(
        headers.get("forwarded", "")
    )
    name = _PORT.sub("", headers.get("host", "").lower()).rstrip(".")
    return bool(by_https) or is_local(name.strip("[]")) or name.endswith(".localhost")
