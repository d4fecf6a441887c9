"""Fetches a bundle from a web server, over lines that break.

1. An address at which nobody has answered yet is given up after the first try: somebody waits, and the address may be
   wrong. The message names the machine that was asked, which after a redirect is another one.
2. A connection that breaks off is tried again, a little later each time. Where the server can, it goes on from where
   it stopped, but only if the file is still the same one; otherwise it begins anew.
3. It gives up after `TRIES` tries in a row that brought nothing.
4. An answer that will not change (not found, not a bundle, too large) is told at once.

The server need not be trusted: the updater verifies the signature of what was fetched.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from referee.devices.update_files import ArrivingBundle, NotTaken, free_bytes

SCHEMES = ("http", "https")
TRIES = 6
FIRST_WAIT_S = 2.0
"""Seconds before the second try; each wait is twice the one before. In all a minute, as long as a router takes."""
CONNECT_S = 5.0
"""Seconds in which a machine must take a connection; a request for one that was lost is repeated after 1 and 3."""
SILENT_S = 10.0
"""Seconds without a byte after which a connection counts as broken. Chosen by hand: somebody waits for the answer."""
ADVICE = (
    "Check the address, whether its server is switched on, and whether this machine is in the network; "
    "`referee update` also takes a file, and a browser or a USB stick can bring one"
)
PIECE = 1 << 18
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_OF_THE_ANSWER = ("address", "cut_off", "no_bundle", "too_large")
"""Why something is refused that came from an address, which is named then."""
_NO_SUCH_PART = 416
_PASSING = (408, 425, 429, _NO_SUCH_PART)
"""Answers below 500 that another try may change."""

Open = Callable[..., Any]
Tell = Callable[[int, int | None], None]
"""Called with the bytes that have arrived and, if it is known, the size of the whole."""
Interrupted = Callable[[str, float], None]
"""Called with why a connection broke off and the seconds until the next try."""


class Unreached(OSError):
    """No connection to a machine; the message names it."""


class _ShortConnect(http.client.HTTPConnection):
    """Waits `CONNECT_S` for a connection, and then `timeout` for each answer."""

    def connect(self) -> None:
        """Connect; raises Unreached, or SSLError if the machine is reached and cannot be trusted."""
        answer_s, self.timeout = self.timeout, CONNECT_S
        place = f"{self.host} at port {self.port}"
        try:
            super().connect()
        except ssl.SSLError:
            raise
        except TimeoutError as error:
            raise Unreached(f"no connection to {place} within {CONNECT_S:.0f} seconds") from error
        except socket.gaierror as error:
            raise Unreached(f"no machine of the name {self.host} ({error.strerror})") from error
        except OSError as error:
            raise Unreached(f"no connection to {place} ({error.strerror or error})") from error
        self.timeout = answer_s
        self.sock.settimeout(answer_s)


class _ShortSecureConnect(_ShortConnect, http.client.HTTPSConnection):
    """The same with encryption."""


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open an http address."""
        return self.do_open(_ShortConnect, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open an https address."""
        return self.do_open(_ShortSecureConnect, req)


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer with a file or the rest of it: where that begins, the size of the whole, and what names its state."""

    content: IO[bytes]
    start: int
    size: int | None
    validator: str


class _OnlyWeb(urllib.request.HTTPRedirectHandler):
    """Follows redirects to web servers only."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """Return the request for the new address."""
        check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)

    def http_error_302(self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any) -> Any:
        """Follow a redirect; whatever is wrong with its address, the connection is closed."""
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except ValueError:
            fp.close()
            raise

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def is_address(text: str) -> bool:
    """Return whether a text is meant as an address on the web rather than as the name of a file."""
    return "://" in text


def fetch_bundle(
    url: str,
    state: Path,
    sleep: Callable[[float], None],
    tell: Tell = lambda _, __: None,
    interrupted: Interrupted = lambda _, __: None,
    open_url: Open | None = None,
    free: Callable[[Path], int] = free_bytes,
) -> None:
    """Fetch the bundle at `url` and hand it over to the updater; raises NotTaken. `state` is the service's folder."""
    check_address(url)
    open_url = open_url or urllib.request.build_opener(_OnlyWeb, _Http, _Https).open
    _Fetching(url, state, open_url, tell, free).run(sleep, interrupted)


class _Fetching:
    """One bundle on its way, over several connections if need be."""

    def __init__(self, url: str, state: Path, open_url: Open, tell: Tell, free: Callable[[Path], int]) -> None:
        self._url, self._state, self._open, self._tell, self._free = url, state, open_url, tell, free
        self._bundle: ArrivingBundle | None = None
        self._size: int | None = None
        self._validator = ""
        self._is_answered = False

    def run(self, sleep: Callable[[float], None], interrupted: Interrupted) -> None:
        """Try until the bundle is there; raises NotTaken."""
        failures = 0
        try:
            while True:
                before = self._received
                try:
                    self._try()
                    break
                except (OSError, http.client.HTTPException) as error:
                    if getattr(error, "code", None) == _NO_SUCH_PART:
                        self._validator = ""  # the file is another one by now: the next try asks for the whole
                    failures = 1 if self._received > before else failures + 1
                    if failures >= TRIES or _lasts(error) or self._is_unreached(error):
                        advice = f". {ADVICE}" if self._is_unreached(error) else ""
                        text = f"{self._url}: expected the update, found: {_reason(error)}{advice}"
                        raise NotTaken("cut_off", text) from error
                    wait_s = FIRST_WAIT_S * 2.0 ** (failures - 1)
                    interrupted(_reason(error), wait_s)
                    sleep(wait_s)
            if self._bundle is not None:
                self._bundle.finish()
        except NotTaken as error:
            if error.reason not in _OF_THE_ANSWER or str(error).startswith(self._url):
                raise
            raise NotTaken(error.reason, f"{self._url}: {error}") from error
        finally:
            if self._bundle is not None:
                self._bundle.close()

    @property
    def _received(self) -> int:
        return 0 if self._bundle is None else self._bundle.received

    def _is_unreached(self, error: Exception) -> bool:
        """Return whether nobody has answered at the address, now or before."""
        silent = isinstance(getattr(error, "reason", error), (Unreached, TimeoutError))
        return silent and not self._is_answered

    def _try(self) -> None:
        """Read what one connection brings; raises OSError or HTTPException if it breaks, NotTaken for good."""
        answer = self._request()
        with closing(answer.content):
            if self._bundle is None:
                self._bundle = ArrivingBundle(self._state, answer.size, self._free)
            elif answer.start != self._bundle.received or answer.size != self._size:
                self._bundle.restart(answer.size)
            self._size, self._validator = answer.size, answer.validator
            while piece := answer.content.read(PIECE):
                self._bundle.write(piece)
                self._tell(self._bundle.received, self._size)
        if self._size is not None and self._bundle.received < self._size:
            raise ConnectionError(f"the connection broke off after {self._bundle.received:,} of {self._size:,} bytes")

    def _request(self) -> _Answer:
        headers = {"User-Agent": "referee", "Accept-Encoding": "identity"}
        asked = self._received if self._validator else 0
        if asked:
            headers |= {"Range": f"bytes={asked}-", "If-Range": self._validator}
        try:
            answer = self._open(urllib.request.Request(self._url, headers=headers), timeout=SILENT_S)  # noqa: S310
        except urllib.error.HTTPError as error:
            self._is_answered = True
            error.close()
            raise
        except NotTaken:
            raise
        except ValueError as error:  # from the library, for an empty part of a name, or a redirect to anything
            reason = f"expected the address of a web server, also of every redirect, found one that is none ({error})"
            raise NotTaken("address", reason) from error
        self._is_answered = True
        found: Mapping[str, str] = answer.headers
        validator = found.get("ETag", "")
        validator = "" if validator.startswith("W/") else validator
        if answer.status == http.HTTPStatus.PARTIAL_CONTENT:
            told = _RANGE.fullmatch(found.get("Content-Range", ""))
            if told is None or int(told[1]) != asked:
                self._validator = ""  # the next try asks for the whole
                answer.close()
                raise http.client.HTTPException("a part of the file that was not asked for")
            return _Answer(answer, asked, int(told[2]), validator or self._validator)
        length = found.get("Content-Length", "")
        size = int(length) if length.isdecimal() and len(length) < 16 else None
        return _Answer(answer, 0, size, validator or found.get("Last-Modified", ""))


def check_address(url: str) -> None:
    """Raise NotTaken unless this can be the address of a web server, without a login."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if fits and parts.username is not None:
        raise NotTaken("address", "expected an address without a user and a password, found one with them")
    if not fits or any(letter.isspace() or not letter.isprintable() for letter in url):
        raise NotTaken("address", f"expected an address that begins with http:// or https://, found {url[:80]!r}")


def _lasts(error: Exception) -> bool:
    """Return whether another try would end in the same way."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code < 500 and error.code not in _PASSING
    return isinstance(getattr(error, "reason", error), ssl.SSLCertVerificationError)


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        # The library's own sentence about redirects has several lines.
        why = "a redirect that leads nowhere" if error.code < 400 else error.reason
        return f"the server's answer {error.code} ({why})"
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return f"no answer within {SILENT_S:.0f} seconds"
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)
