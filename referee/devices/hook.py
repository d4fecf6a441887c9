"""Sends events to addresses in the house, such as a lamp or a home server, as JSON over HTTP.

Each address has a thread of its own, so one that hangs delays neither the game nor the others. While it hangs, only
the newest events are kept.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import ssl
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import closing, suppress
from typing import Any

from referee.devices.camera.network.address import Address, endpoints, parse_address
from referee.errors import BadInput, CameraLost

TIMEOUT_S = 2.0
"""The longest time without anything from the other side, while connecting or answering."""
WAITING = 8
"""How many events may wait for one address. Beyond that, the oldest are dropped."""
ENDING_S = 1.0


class Hook:
    """Posts events to one address."""

    def __init__(self, url: str, waiting: int = WAITING) -> None:
        """Start the thread that posts; raises BadInput unless `url` is an http or https address.

        At most `waiting` events are kept while an earlier one is being posted.
        """
        self._address = hook_address(url)
        self._news = threading.Condition()
        self._waiting: deque[bytes] = deque(maxlen=waiting)
        self._over = False
        self._thread = threading.Thread(target=self._work, name="hook", daemon=True)
        self._thread.start()

    def send(self, event: Mapping[str, Any]) -> None:
        """Post an event after those that wait; returns at once."""
        with self._news:
            self._waiting.append(json.dumps(event).encode())
            self._news.notify()

    def close(self) -> None:
        """Drop what waits, and wait up to ENDING_S seconds for a post under way."""
        with self._news:
            self._over = True
            self._waiting.clear()
            self._news.notify()
        self._thread.join(ENDING_S)

    def _work(self) -> None:
        while (body := self._take_next()) is not None:
            # The lamps of the panel and the page show the same, so an address that fails may be silent.
            with suppress(OSError, ValueError, http.client.HTTPException, CameraLost):
                post(self._address, body)

    def _take_next(self) -> bytes | None:
        """Wait for the next event and return it; None once the hook is closed."""
        with self._news:
            self._news.wait_for(lambda: self._over or self._waiting)
            return None if self._over else self._waiting.popleft()


def post(address: Address, body: bytes) -> int:
    """Post JSON and return the status of the answer; no redirect is followed.

    The name is looked up once, and only an address in the local network is connected to. Raises CameraLost if there is
    none, OSError or HTTPException if the post fails.
    """
    near = endpoints(address, anywhere=False)[0]
    connection: http.client.HTTPConnection
    if address.scheme == "https":
        # Machines in a house have certificates that nobody has signed; what is sent is no secret.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(near.ip, address.port, timeout=TIMEOUT_S, context=context)
    else:
        connection = http.client.HTTPConnection(near.ip, address.port, timeout=TIMEOUT_S)
    headers = {"Content-Type": "application/json", "Host": address.host_header}
    if address.user:
        login = base64.b64encode(f"{address.user}:{address.password}".encode()).decode()
        headers["Authorization"] = f"Basic {login}"
    with closing(connection):
        connection.request("POST", address.target, body, headers)
        return connection.getresponse().status


def hook_address(url: str) -> Address:
    """Return the address to which events are posted; raises BadInput unless it is an http or https address."""
    try:
        address = parse_address(url)
    except BadInput:
        raise BadInput(_expected(url)) from None
    if address.scheme not in ("http", "https"):
        raise BadInput(_expected(url))
    return address


def _expected(url: str) -> str:
    """Return what is wrong with an address, of which neither login nor path is shown: they may be secrets."""
    scheme, mark, rest = url.rpartition("://")
    shown = (
        "one that is none, with a login" if "@" in url else repr(f"{scheme}{mark}{re.split('[/?#]', rest)[0]}"[:60])
    )
    return f"expected an address such as http://192.168.1.20/referee, found {shown}"
