"""What the page asks of those who come: the PIN, how much each may have, and by which name they ask for it.

A page elsewhere can give its own name the address of this machine (DNS rebinding); then its origin and the host agree.
So the host must be an address, a name that only this network gives, or one from the settings.
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
"""What a page elsewhere can send without asking first."""

PIN, OPEN = "pin", "open"


class Hosts:
    """Lets those through who ask for this page by its name, and send from this page."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app = app
        self._known = {host.lower().rstrip(".") for host in hosts} | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse requests for unknown hosts (421), from other sites (403) and from forms (415); pass on the rest."""
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
        """Whether a Host header names this page."""
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
    """Whether a browser says that a request comes from this page; whatever is no browser says nothing."""
    origins = headers.getlist("origin")
    if origins:
        return len(origins) == 1 and origins[0].lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def _like_a_form(headers: Headers) -> bool:
    """Whether a browser that tells no origin could have sent it from elsewhere."""
    if "origin" in headers or "sec-fetch-site" in headers:
        return False
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    return not empty and headers.get("content-type", "").partition(";")[0].strip().lower() in _FORMS


@dataclass(frozen=True, slots=True)
class Rate:
    """How many at once, and how many more each second."""

    burst: float
    each_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address may have, and all of them together.

    A page is six requests, and one that is open asks for a picture a look: reading is hardly ever refused.
    """

    reading: Rate = Rate(300, 50)
    writing: Rate = Rate(60, 10)
    body_bytes: int = 16_000
    larger: tuple[tuple[str, int], ...] = ()
    """Paths that take more than `body_bytes`, and how much."""
    body_s: float = 10.0
    """A body that has not come by then is not waited for."""
    idle_s: float = 15.0
    """A connection that has asked for nothing for this long is closed."""
    connections: int = 400
    connections_each: int = 100


@dataclass(frozen=True, slots=True)
class Policy:
    """What needs the PIN: `reading` and `writing` are "pin" or "open".

    `local`: only this machine can reach the page. Whoever sits before it may do everything.
    """

    local: bool = True
    reading: str = OPEN
    writing: str = PIN
    hosts: tuple[str, ...] = ()
    """Names of the page beside its addresses, localhost and those that end in .local."""
    limits: Limits = field(default_factory=Limits)

    @property
    def asks(self) -> bool:
        """Whether people of the house are ever asked for the PIN."""
        return not self.local and PIN in (self.reading, self.writing)


def is_local(listen: str) -> bool:
    """Whether an address to listen at is this machine alone."""
    if listen == "localhost":
        return True
    try:
        return ipaddress.ip_address(listen).is_loopback
    except ValueError:
        return False
