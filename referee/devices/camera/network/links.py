"""Links to pictures over HTTP: one connection for a stream of pictures, or one request for each still.

A link is used in the one thread that reads it; only `stop` may be called in another thread.

An MJPEG stream consists of JPEG files with headers, separated by boundary lines. Programs differ in what they write:
some state the length of each picture and some do not; some write the boundary right after a picture and some only
before the next one. A picture counts as arrived when its first byte has arrived.
"""

from __future__ import annotations

import math
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from referee.devices.camera.network.request import HttpResponse, Visit, request_path
from referee.devices.camera.network.wire import Rhythm, Silent, Wire
from referee.devices.camera.stills import picture_of
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice, told_by
from referee.vision.sighting import Image

MOST_BYTES = 30_000_000
"""The largest size of one picture."""
MOST_HEAD = 1 << 14
MOST_DASHES = 16
_END = b"\xff\xd9"


class NoPictures(ConnectionError):
    """The data is not a stream of pictures, or the stream has ended."""


@dataclass(frozen=True, slots=True)
class BodyPart:
    """One picture. `empty_at` and `arrived_at` are those of `Wire` for its first byte."""

    data: bytes
    empty_at: float
    arrived_at: float
    pause_s: float
    """The longest pause since the previous picture, in seconds."""


class MultipartReader:
    """Reads the pictures of a response one by one."""

    def __init__(self, answer: HttpResponse) -> None:
        self._name = str(answer.headers.get_param("boundary") or "").encode("utf-8", "replace").lstrip(b"-")
        """The name of the boundary without its leading dashes; some programs include dashes in the name."""
        self._answer, self._buffer = answer, bytearray()
        self._pause_s = self._carried_s = 0.0

    def next(self, until: float = float("inf")) -> BodyPart:
        """Return the next picture; raises NoPictures at the end, and Silent if no picture comes in time."""
        self._pause_s, self._carried_s = self._carried_s, 0.0
        length = self._head(until)
        if length is not None and length > MOST_BYTES:
            raise NoPictures(Notice("camera.endless_picture"))
        while not self._buffer:
            self._receive_more(until)
        wire, pause_s = self._answer.wire, self._pause_s
        came = wire.empty_at, wire.arrived_at
        data = self._read_to_boundary(until) if length is None else self._read_length(length, until)
        return BodyPart(data, *came, pause_s)

    def _head(self, until: float) -> int | None:
        """Skip everything before the picture; return the length of the picture, or None if it is not stated."""
        length: int | None = None
        begun, skipped = False, 0
        while True:
            while b"\n" not in self._buffer:
                if len(self._buffer) > MOST_HEAD:
                    raise NoPictures(Notice("camera.no_picture"))
                self._receive_more(until)
            at = self._buffer.index(b"\n")
            line = bytes(self._buffer[:at]).strip()
            del self._buffer[: at + 1]
            skipped += at + 1
            if skipped > MOST_HEAD:
                raise NoPictures(Notice("camera.no_picture"))
            if line.startswith(b"--") and line.lstrip(b"-").startswith(self._name):
                begun, length = True, None
                self._name = self._name or line.lstrip(b"-")  # if the response did not state it
                if line.lstrip(b"-") == self._name + b"--":
                    raise NoPictures(Notice("camera.end_of_stream"))
            elif begun and not line:
                return length
            elif begun:
                name, _, value = line.partition(b":")
                if name.strip().lower() == b"content-length" and value.strip().isdigit():
                    length = int(value)

    def _read_length(self, length: int, until: float) -> bytes:
        while len(self._buffer) < length:
            self._receive_more(until)
        return self._take_bytes(length)

    def _read_to_boundary(self, until: float) -> bytes:
        """Return everything up to the boundary line, which may come only with the next picture."""
        line, looked = re.compile(rb"\n--+" + re.escape(self._name)), 0
        while (found := line.search(self._buffer, looked)) is None:
            looked = max(0, len(self._buffer) - len(self._name) - MOST_DASHES)
            if len(self._buffer) > MOST_BYTES:
                raise NoPictures(Notice("camera.endless_picture"))
            ended = self._buffer[-4:].rstrip().endswith(_END)
            self._pause_s = 0.0
            self._receive_more(until)
            self._carried_s = self._pause_s if ended else 0.0
        return self._take_bytes(found.start()).removesuffix(b"\r")

    def _take_bytes(self, length: int) -> bytes:
        data = bytes(self._buffer[:length])
        del self._buffer[:length]
        return data

    def _receive_more(self, until: float) -> None:
        wire = self._answer.wire
        before = wire.arrived_at
        data = self._answer.more(until)
        if not data:
            raise NoPictures(Notice("camera.end_of_stream"))
        if wire.arrived_at != before:
            self._pause_s = max(self._pause_s, wire.arrived_at - wire.empty_at)
        self._buffer += data


STREAM = ("multipart/x-mixed-replace", "multipart/mixed")
STILL = ("image/jpeg", "image/jpg", "image/pjpeg", "image/png")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture that came: the moment after which it was sent, and whether it is identical to the previous one.

    A sensor never gives exactly the same picture twice, so a picture that repeats the previous one is not known to be
    new.
    """

    after: float
    repeats: bool


class Link(Protocol):
    """A link to a camera's pictures. Calls raise CameraLost if no picture comes in time."""

    way: Notice
    """The kind of stream or still, for people."""
    opened_at: float
    on_demand: bool
    """Whether pictures come only when requested, so that none should be requested without need."""
    renewable: bool
    """Whether a new link would show new pictures, even if old ones are waiting in this one."""

    def next(self, *, look: bool) -> Shown:
        """Take the next picture.

        Only with `look` is it compared with the previous one, and available from `picture`.
        """

    def picture(self) -> Image:
        """Return the picture that came last; raises UnreadablePicture for one that is damaged."""

    def stop(self) -> None:
        """End a call that is waiting; may be called in any thread."""

    def close(self) -> None:
        """Close the connection."""


class Stop:
    """Ends the reading of a link, even if the reading begins only after `stop` was called."""

    def __init__(self) -> None:
        self._wire: Wire | None = None
        self.stopped = False

    def hold(self, wire: Wire) -> None:
        """Set the connection that is read from now on."""
        self._wire = wire
        if self.stopped:
            wire.stop()

    def stop(self) -> None:
        """End reading."""
        self.stopped = True
        if self._wire is not None:
            self._wire.stop()


class StreamLink:
    """An MJPEG stream: pictures come by themselves, and queue up if nobody reads them."""

    way = Notice("camera.way_mjpeg")
    on_demand, renewable = False, True

    def __init__(self, visit: Visit, answer: HttpResponse, opened_at: float, stop: Stop) -> None:
        self._visit, self._answer, self._stop = visit, answer, stop
        self._parts = MultipartReader(answer)
        self.opened_at = opened_at
        self._rhythm = Rhythm(opened_at)
        self._data = b""

    def next(self, *, look: bool) -> Shown:  # noqa: ARG002 - it costs nothing here
        """Read the next picture of the stream; `look` makes no difference. Raises CameraLost after the timeout."""
        until = self._visit.now() + self._visit.timeout_s
        part = _reading(self._visit, lambda: self._parts.next(until))
        after = self._rhythm.take_time(part.empty_at, part.arrived_at, part.pause_s)
        repeats, self._data = part.data == self._data, part.data
        return Shown(after, repeats)

    def picture(self) -> Image:
        """Decode the picture that came last; raises UnreadablePicture for one that is damaged."""
        return picture_of(self._data, self._visit.address.place, as_it_lies=True)

    def stop(self) -> None:
        """End a call that is waiting, and every later one; may be called in any thread."""
        self._stop.stop()

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()


class StillLink:
    """Stills, each of which is requested.

    Some cameras answer with the picture that they took at the previous request. So a still is only known to be no
    older than the request before its own.
    """

    way = Notice("camera.way_stills")
    on_demand, renewable = True, False

    def __init__(self, visit: Visit, answer: HttpResponse, opened_at: float, stop: Stop) -> None:
        self._visit, self._stop = visit, stop
        self._answer: HttpResponse | None = answer
        self.opened_at = self._asked_at = opened_at
        self._before = -math.inf
        self._data = b""

    def next(self, *, look: bool) -> Shown:  # noqa: ARG002 - it costs nothing here
        """Request a picture and wait for it; `look` makes no difference. Raises CameraLost after the timeout."""
        if self._answer is None:
            self._before, self._asked_at = self._asked_at, self._visit.now()
            self._answer = request_path(self._visit, self._stop.hold)
        answer, self._answer = self._answer, None
        try:
            data = _reading(self._visit, lambda: _whole(answer, self._asked_at + self._visit.timeout_s))
        finally:
            answer.close()
        repeats, self._data = data == self._data, data
        return Shown(self._before, repeats)

    def picture(self) -> Image:
        """Decode the picture that came last; raises UnreadablePicture for one that is damaged."""
        return picture_of(self._data, self._visit.address.place, as_it_lies=True)

    def stop(self) -> None:
        """End a call that is waiting, and every later one; may be called in any thread."""
        self._stop.stop()

    def close(self) -> None:
        """Close the connection, if one is open."""
        if self._answer is not None:
            self._answer.close()


def http_link(visit: Visit) -> Link:
    """Open a link to the stream or still at the address; raises CameraLost if there is neither."""
    stop, opened_at = Stop(), visit.now()
    answer = request_path(visit, stop.hold)
    if answer.kind in STREAM:
        return StreamLink(visit, answer, opened_at, stop)
    if answer.kind in STILL:
        return StillLink(visit, answer, opened_at, stop)
    answer.close()
    raise CameraLost(Notice("camera.net_no_pictures", place=visit.address.place, kind=answer.kind))


def _whole(answer: HttpResponse, until: float) -> bytes:
    data = bytearray()
    while more := answer.more(until):
        data += more
        if len(data) > MOST_BYTES:
            raise NoPictures(Notice("camera.endless_picture"))
    return bytes(data)


def _reading(visit: Visit, read: Callable[[], T]) -> T:
    place = visit.address.place
    try:
        return read()
    except (Silent, TimeoutError):
        raise CameraLost(Notice("camera.net_ended", place=place), Loss.SILENT) from None
    except NoPictures as error:
        raise CameraLost(Notice("camera.net_no_picture", place=place, found=told_by(error))) from None
    except (OSError, ssl.SSLError) as error:
        cut_off = Notice("camera.net_cut_off", place=place)
        reason = error.strerror and error.strerror.lower()
        raise CameraLost(Notice("camera.net_not_read", place=place, reason=reason) if reason else cut_off) from None
