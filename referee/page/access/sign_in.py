"""Signing in with the PIN, and how often it may be tried.

After wrong PINs an address must wait longer and longer, and all addresses together have a limit:

1. After `FREE` wrong PINs an address waits 1, 2, 4 … seconds before the next try, a minute at most.
2. The first `FREE` tries of an address do not count against the limit for all addresses, so that somebody who guesses
   keeps nobody else out. `NEWCOMERS` limits how many addresses get such free tries.
3. All other tries count against one limit for all addresses together (`ALL`).

With the free tries of 256 addresses twice a day and one more try every five seconds, it takes nearly four weeks to try
half of all million PINs. A new PIN resets all these counts.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.bucket import Bucket
from referee.game.notice import Notice
from referee.page.access.answers import NO_STORE, address_of, plainly
from referee.page.access.policy import Rate
from referee.page.access.secret import COOKIE, DIGITS, LASTS_S, Secret, Sessions
from referee.page.pages import Pages
from referee.page.wording import notice_response

FREE = 3
"""How many wrong PINs of an address cause no wait."""
LONGEST_S = 60.0
"""The longest wait after a wrong PIN. The limits here were chosen by hand."""
REMEMBERED_S = 12 * 3600.0
"""How long the wrong PINs of an address count."""
ALL = Rate(20, 0.2)
"""Limit on tries of all addresses together: how many at once, and how many more each second."""
NEWCOMERS = Rate(256, 256 / REMEMBERED_S)
"""Limit on addresses with free tries: 256 at once, as many addresses as the network of a house has."""
MOST_ADDRESSES = 2000
"""Addresses remembered; the one that has not tried for longest is forgotten, and counts as new if it comes back."""
_IPV6_NETWORK = 64
"""Bits of an IPv6 address that name the network; a machine can choose the other bits freely."""
_LOCAL = re.compile(r"/(?:[\w.~-][\w./~-]*)?", re.ASCII)
"""A path of this page; it cannot be the address of another website."""
HOLD_START = Notice("access.forgotten")
"""What to do if the PIN is forgotten and the table has a start button."""
WRONG = Notice("access.wrong_pin")


@dataclass(frozen=True, slots=True)
class _Record:
    """The wrong PINs of an address: how many, the time of the last one, and whether its first tries are free."""

    count: int
    last: float
    free: bool


class Tries:
    """The wrong PINs of every address."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.forget()

    def forget(self) -> None:
        """Forget every wrong PIN."""
        now = self._now()
        self._all = Bucket(ALL.burst, ALL.each_s, now)
        self._newcomers = Bucket(NEWCOMERS.burst, NEWCOMERS.each_s, now)
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def wait(self, address: str) -> float:
        """Return the seconds until this address may try; 0.0 if it may now. A try that is not free is then counted."""
        now, who = self._now(), _network(address)
        record = self._record(who, now)
        if record.count >= FREE:
            wait = min(LONGEST_S, 2.0 ** min(record.count - FREE, 16)) - (now - record.last)
            if wait > 0:
                return wait
        elif record.free:
            return 0.0
        return self._all.take(now)

    def wrong(self, address: str) -> None:
        """Count a wrong PIN."""
        now, who = self._now(), _network(address)
        record = self._record(who, now)
        self._keep(who, _Record(record.count + 1, now, record.free))

    def right(self, address: str) -> None:
        """Forget the wrong PINs of an address that has sent the right one."""
        who = _network(address)
        record = self._record(who, self._now())
        self._keep(who, _Record(0, record.last, record.free))

    def _record(self, who: str, now: float) -> _Record:
        record = self._records.get(who)
        if record is not None and now - record.last <= REMEMBERED_S:
            return record
        record = _Record(0, now, free=not self._newcomers.take(now))
        self._keep(who, record)
        return record

    def _keep(self, who: str, record: _Record) -> None:
        self._records[who] = record
        self._records.move_to_end(who)
        while len(self._records) > MOST_ADDRESSES:
            self._records.popitem(last=False)


def _network(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or the network of an IPv6 address; other names are kept."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address) or parsed.is_link_local:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), _IPV6_NETWORK), strict=False))


class SignIn:
    """`POST /api/enter` with `{"pin": "123456"}` begins a session; `GET /api/me` returns what the session may do."""

    def __init__(self, secret: Secret, sessions: Sessions, tries: Tries, sentences: str = "access") -> None:
        """`sentences`: see Access."""
        self._secret, self._sessions, self._tries = secret, sessions, tries
        self._where, self._at_the_console = (Notice(f"{sentences}.{key}") for key in ("where", "forgotten_console"))

    async def enter(self, request: Request) -> Response:
        """Begin a session if the PIN in the body is right; answer others with 400, 403 or 429."""
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
        self.begin(answer)
        return answer

    def begin(self, answer: Response) -> None:
        """Begin a session for the browser that gets this answer."""
        answer.set_cookie(COOKIE, self._sessions.begin(), max_age=LASTS_S, httponly=True, samesite="strict")

    async def page(self, request: Request) -> Response:
        """Answer with the page on which a person enters the PIN."""
        onward = request.query_params.get("next", "/")
        pages: Pages = request.app.state.pages
        forgotten = HOLD_START if request.app.state.start_button() else self._at_the_console
        return pages.page(request, "enter.html", onward=onward if _LOCAL.fullmatch(onward) else "/", digits=DIGITS,
                          where=self._where, forgotten=forgotten)  # fmt: skip

    async def me(self, request: Request) -> Response:
        """Answer with what the session may do, and whether it would need the PIN for the rest."""
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
