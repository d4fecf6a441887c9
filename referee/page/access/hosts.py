"""By which names the page may be asked for, and from which pages something may be sent to it.

A page elsewhere can give its own name the address of this machine (DNS rebinding); then its origin and the host agree.
So the host must be an address, a name that only this network gives, or one from the settings.
"""

from __future__ import annotations

import ipaddress
import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.game.notice import Notice
from referee.page.access.answers import SAFE, refuse, refuse_plainly

UNKNOWN_HOST = Notice("access.unknown_host")
ELSEWHERE = Notice("access.elsewhere")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,252}))(?::\d{1,5})?", re.ASCII)
_FORMS = ("", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
"""What a page elsewhere can send without asking first."""


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
