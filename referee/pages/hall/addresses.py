"""The addresses in QR codes of a hall's pages."""

from __future__ import annotations

import ipaddress

from starlette.requests import Request


def page_address(request: Request, path: str) -> str:
    """Return the address of a page, by the name under which the director's browser knows the hall.

    A director at the hall's own machine may know it as `localhost`, which leads no phone anywhere.
    """
    base, here = str(request.base_url), getattr(request.app.state, "address", None)
    if here is not None and _is_loopback(request.url.hostname or ""):
        base = here
    return f"{base.rstrip('/')}{path}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
