"""One request to a camera and its response: HTTP/1.1, and the part of RTSP that has the same form.

The HTTP clients of Python and OpenCV are not suitable. They look names up again by themselves, follow redirects to any
place, and take a proxy from the environment. None of them says when data has arrived. Here every step is limited in
time and in bytes.
"""

from __future__ import annotations

import io
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, parse_headers

from referee.devices.camera.camera import Now
from referee.devices.camera.network.address import Address, SocketAddress, endpoints
from referee.devices.camera.network.login import Login
from referee.devices.camera.network.wire import Silent, Wire, connect
from referee.errors import BadInput, CameraLost, Loss
from referee.game.notice import Notice, told_by

REDIRECTS = 3
MOST_HEADERS = 1 << 15
"""The most bytes of a response before its body; browsers accept as many."""
LONGEST_LINE = 1 << 10
"""The most bytes of a chunk's header."""

Find = Callable[[Address], list[SocketAddress]]


@dataclass(frozen=True, slots=True)
class Visit:
    """How to reach a camera."""

    address: Address
    login: Login
    fingerprint: str = ""
    anywhere: bool = False
    timeout_s: float = 3.0
    now: Now = time.monotonic


class HttpResponse:
    """A response whose body has not been read yet. It must be closed."""

    def __init__(self, wire: Wire, status: int, headers: Message, rest: bytes) -> None:
        self.wire, self.status, self.headers = wire, status, headers
        self._rest = rest
        self._chunked = headers.get("Transfer-Encoding", "").strip().lower() == "chunked"
        length = headers.get("Content-Length", "")
        self._left = int(length) if length.isascii() and length.isdigit() and not self._chunked else None

    @property
    def kind(self) -> str:
        """The media type of the body, such as image/jpeg."""
        return self.headers.get_content_type()

    def more(self, until: float = float("inf")) -> bytes:
        """Return the next bytes of the body; none at its end."""
        if self._chunked and not self._left and not self._next_chunk(until):
            return b""
        if self._left == 0:
            return b""
        data = self._rest or self.wire.more(until)
        size = len(data) if self._left is None else min(len(data), self._left)
        self._rest = data[size:]
        if self._left is not None:
            if not data:
                raise ConnectionError("the connection ended in the middle")
            self._left -= size
        return data[:size]

    def close(self) -> None:
        """Close the connection."""
        self.wire.close()

    def _next_chunk(self, until: float) -> bool:
        line = b""
        while not line:  # the previous chunk ends with an empty line
            line = self._line(until)
        size = line.partition(b";")[0].strip()
        try:
            self._left = int(size, 16)
        except ValueError:
            raise ConnectionError("a chunk of no size") from None
        return self._left > 0

    def _line(self, until: float) -> bytes:
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST_LINE or not (data := self.wire.more(until)):
                raise ConnectionError("the connection ended in the middle")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.strip()


def request_path(visit: Visit, started: Callable[[Wire], None] = lambda _: None) -> HttpResponse:
    """Request what is at the address; raises CameraLost for any response other than that.

    A redirect is followed only to a place to which the address itself might lead. `started` is called with every
    connection as soon as it is open.
    """
    address = visit.address
    for _ in range(REDIRECTS + 1):
        answer = _let_in(visit, address, started)
        location = answer.headers.get("Location")
        if answer.status not in (301, 302, 303, 307, 308) or location is None:
            return _good(answer, address)
        answer.close()
        try:
            address = address.redirected_to(location)
            if address.scheme == "rtsp":
                raise BadInput(Notice("camera.net_moved_to_rtsp", place=address.place))
        except BadInput as error:
            raise CameraLost(told_by(error), Loss.UNUSABLE) from None
    raise CameraLost(Notice("camera.net_sends_on", place=visit.address.place), Loss.UNUSABLE)


def describe_stream(visit: Visit, started: Callable[[Wire], None] = lambda _: None) -> str:
    """Ask an RTSP camera what it offers; return the numeric address that answered.

    Raises CameraLost if it offers nothing. A wrong password, a wrong path and a redirect are reported as such; FFmpeg
    would only say that it cannot open the stream.
    """
    answer = _let_in(visit, visit.address, started, "DESCRIBE")
    peer = answer.wire.peer
    answer.close()
    if 300 <= answer.status < 400:
        raise CameraLost(Notice("camera.net_stream_moved", place=visit.address.place), Loss.UNUSABLE)
    _good(answer, visit.address)
    return peer


def _let_in(visit: Visit, address: Address, started: Callable[[Wire], None], method: str = "GET") -> HttpResponse:
    """Send a request and return the response.

    User and password are sent if the camera asks for them, and only to its own host.
    """
    login = visit.login if address.host == visit.address.host else Login("", "")
    ends = endpoints(address, anywhere=visit.anywhere)
    target = address.url if method == "DESCRIBE" else address.target
    sent = False
    while True:
        header = login.header(method, target)
        answer = _send_request(visit, address, ends, _request(address, method, target, header), started)
        if answer.status != 401:
            return answer
        answer.close()
        offers = answer.headers.get_all("WWW-Authenticate", [])
        if not login.take_challenge(offers, sent=header is not None or sent):
            why = "camera.net_login_refused" if header else "camera.net_login_asked"
            why = why if offers else "camera.net_login_missing"
            raise CameraLost(Notice(why, place=address.place), Loss.UNUSABLE)
        sent = sent or header is not None


def _request(address: Address, method: str, target: str, authorization: str | None) -> bytes:
    if method == "DESCRIBE":
        lines = [f"DESCRIBE {target} RTSP/1.0", "CSeq: 1", "Accept: application/sdp"]
    else:
        lines = [f"GET {target} HTTP/1.1", f"Host: {address.host_header}", "Accept: image/*, multipart/*"]
        lines += ["Accept-Encoding: identity", "Cache-Control: no-cache", "Connection: close"]
    lines += ["User-Agent: referee", *([] if authorization is None else [f"Authorization: {authorization}"])]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8")


def _send_request(
    visit: Visit, address: Address, ends: list[SocketAddress], request: bytes, started: Callable[[Wire], None]
) -> HttpResponse:
    wire = connect(address, ends, visit.fingerprint, visit.timeout_s, visit.now)
    try:
        started(wire)
        wire.send(request)
        return _read_head(wire, visit.now() + visit.timeout_s)
    except (Silent, TimeoutError):
        wire.close()
        raise CameraLost(Notice("camera.net_silence", place=address.place), Loss.SILENT) from None
    except (OSError, ssl.SSLError, HTTPException, ValueError) as error:
        wire.close()
        reason = str(getattr(error, "strerror", None) or "").lower()
        failed = Notice("camera.net_answer_failed", place=address.place, reason=reason)
        raise CameraLost(failed if reason else Notice("camera.net_no_camera", place=address.place)) from None
    except BaseException:  # also Ctrl-C: the connection is closed
        wire.close()
        raise


def _read_head(wire: Wire, until: float) -> HttpResponse:
    """Read the beginning of a response."""
    data = b""
    while b"\r\n\r\n" not in data and b"\n\n" not in data:
        if len(data) > MOST_HEADERS or not (more := wire.more(until)):
            raise ValueError
        data += more
    at = min(found + size for end, size in ((b"\r\n\r\n", 4), (b"\n\n", 2)) if (found := data.find(end)) >= 0)
    first, _, headers = data[:at].partition(b"\n")
    protocol, status = first.split()[:2]
    if not protocol.startswith((b"HTTP/", b"RTSP/", b"ICY")):
        raise ValueError
    return HttpResponse(wire, int(status), parse_headers(io.BytesIO(headers)), data[at:])


def _good(answer: HttpResponse, address: Address) -> HttpResponse:
    """Return the response if its status is 200; otherwise close it and raise CameraLost."""
    if answer.status == 200:
        return answer
    answer.close()
    match answer.status:
        case 403:
            raise CameraLost(Notice("camera.net_refused", place=address.place), Loss.UNUSABLE)
        case 404 | 405 | 410:
            raise CameraLost(Notice("camera.net_no_path", place=address.place), Loss.UNUSABLE)
        case 409 | 423 | 429 | 503:
            raise CameraLost(Notice("camera.net_busy", place=address.place), Loss.BUSY)
    raise CameraLost(Notice("camera.net_answered", place=address.place, status=answer.status), Loss.LOST)
