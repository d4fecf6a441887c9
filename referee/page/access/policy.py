"""Who may read and write: by which host names the page may be addressed, who must enter the PIN, and the limits.

A website can let its own name point to the address of this machine (DNS rebinding). For the browser, that website and
this page are then the same origin. So the host of a request must be an IP address, `localhost`, a name in `.local`, or
a name from the settings.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.game.notice import Notice
from referee.page.access.answers import SAFE, refuse, refuse_plainly

UNKNOWN_HOST = Notice("access.unknown_host")
ELSEWHERE = Notice("access.elsewhere")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,252}))(?::\d{1,5})?", re.ASCII)
_FORMS = ("", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
"""The content types that a browser sends for any website without asking this server first (CORS preflight)."""

PIN, OPEN = "pin", "open"


class Hosts:
    """Middleware that refuses requests for another host, and writes that come from another website."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app = app
        self._known = {host.lower().rstrip(".") for host in hosts} | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse unknown hosts (421), and writes from other websites (403) or from forms (415); pass on the rest."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.knows(hosts[0]):
            await refuse(scope, receive, send, 421, UNKNOWN_HOST)
        elif scope["method"] in SAFE:
            await self._app(scope, receive, send)
        elif not _from_here(headers, hosts[0]):
            await refuse(scope, receive, send, 403, ELSEWHERE)
        elif _like_a_form(headers):
            await refuse_plainly(scope, receive, send, 415, "content-type: expected application/json, found a form's")
        else:
            await self._app(scope, receive, send)

    def knows(self, host: str) -> bool:
        """Return whether a Host header names this page."""
        matched = _HOST.fullmatch(host.lower())
        if matched is None:
            return False
        name = matched["name"].rstrip(".")
        if name in self._known or name.endswith(".local"):
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


def _from_here(headers: Headers, host: str) -> bool:
    """Return whether a request comes from this page, by what the browser says; programs that say nothing may pass."""
    origins = headers.getlist("origin")
    if origins:
        return len(origins) == 1 and origins[0].lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def _like_a_form(headers: Headers) -> bool:
    """Return whether a request could be the form of another website, from a browser that does not state the origin."""
    if "origin" in headers or "sec-fetch-site" in headers:
        return False
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    return not empty and headers.get("content-type", "").partition(";")[0].strip().lower() in _FORMS


@dataclass(frozen=True, slots=True)
class Rate:
    """How many requests are allowed at once, and how many more each second."""

    burst: float
    each_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address may send and request, and how many connections there may be in all.

    Opening a page takes six requests, and an open page requests one picture for each look. So reading is hardly ever
    refused.
    """

    reading: Rate = Rate(300, 50)
    writing: Rate = Rate(60, 10)
    body_bytes: int = 16_000
    larger: tuple[tuple[str, int], ...] = ()
    """Paths that accept more than `body_bytes`, each with its limit."""
    streamed: tuple[str, ...] = ()
    """Paths whose handlers read the body themselves, piece by piece, and limit its size and its time."""
    large: Rate = Rate(10, 0.2)
    """How many requests one address may send to both kinds of paths, besides the limit of `writing`."""
    large_at_once: int = 2
    """How many requests to `larger` paths may be read at a time, from all addresses together: they take memory."""
    body_s: float = 10.0
    """A request whose body has not arrived after this time is refused."""
    idle_s: float = 15.0
    """A connection without a request for this long is closed."""
    connections: int = 400
    connections_each: int = 100


@dataclass(frozen=True, slots=True)
class Policy:
    """What requires the PIN: `reading` and `writing` are "pin" or "open".

    `local` means that only this machine can reach the page. People who use this machine need no PIN.
    """

    local: bool = True
    reading: str = OPEN
    writing: str = PIN
    hosts: tuple[str, ...] = ()
    """Names of the page besides its addresses, `localhost` and names in `.local`."""
    limits: Limits = field(default_factory=Limits)

    @property
    def asks(self) -> bool:
        """Whether people on other machines of this network are ever asked for the PIN."""
        return not self.local and PIN in (self.reading, self.writing)


def is_local(listen: str) -> bool:
    """Return whether only this machine can reach a server that listens at this address."""
    if listen == "localhost":
        return True
    try:
        return ipaddress.ip_address(listen).is_loopback
    except ValueError:
        return False
