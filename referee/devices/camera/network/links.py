"""Links to pictures over HTTP: one connection that brings them all, or one request for each.

A link belongs to the one thread that reads it; only `stop` may be called in another.
"""

from __future__ import annotations

import math
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from referee.devices.camera.network.freshness import Rhythm
from referee.devices.camera.network.multipart import MOST_BYTES, MultipartReader, NoPictures
from referee.devices.camera.network.request import HttpResponse, Visit, request_path
from referee.devices.camera.network.wire import Silent, Wire
from referee.devices.camera.stills import picture_of
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice, told_by
from referee.vision.sighting import Image

STREAM = ("multipart/x-mixed-replace", "multipart/mixed")
STILL = ("image/jpeg", "image/jpg", "image/pjpeg", "image/png")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture that came: the moment after which it was sent, and whether it repeats the one before.

    A sensor never gives the same picture twice, down to the last bit: one that repeats the one before proves nothing.
    """

    after: float
    repeats: bool


class Link(Protocol):
    """A link to a camera's pictures. Calls raise CameraLost where none comes in time."""

    way: Notice
    """The kind of stream or still, for people."""
    opened_at: float
    on_demand: bool
    """Whether pictures come only when requested, so that none should be requested in vain."""
    renewable: bool
    """Whether a new link shows new pictures, whatever waits in this one."""

    def next(self, *, look: bool) -> Shown:
        """Take the next picture; only with `look` is it compared with the one before, and available to `picture`."""

    def picture(self) -> Image:
        """Return the picture that came last; raises UnreadablePicture for one that is damaged."""

    def stop(self) -> None:
        """End a call that waits; may be called in any thread."""

    def close(self) -> None:
        """Close the connection."""


class Stop:
    """Ends reading, including reading that only begins afterwards."""

    def __init__(self) -> None:
        self._wire: Wire | None = None
        self.stopped = False

    def hold(self, wire: Wire) -> None:
        """Make `wire` the connection that is read from now on."""
        self._wire = wire
        if self.stopped:
            wire.stop()

    def stop(self) -> None:
        """End reading."""
        self.stopped = True
        if self._wire is not None:
            self._wire.stop()


class StreamLink:
    """MJPEG: pictures come by themselves, and queue up if nobody reads them."""

    way = Notice("camera.way_mjpeg")
    on_demand, renewable = False, True

    def __init__(self, visit: Visit, answer: HttpResponse, opened_at: float, stop: Stop) -> None:
        self._visit, self._answer, self._stop = visit, answer, stop
        self._parts = MultipartReader(answer)
        self.opened_at = opened_at
        self._rhythm = Rhythm(opened_at)
        self._data = b""

    def next(self, *, look: bool) -> Shown:  # noqa: ARG002 - it costs nothing here
        """Read the next picture of the stream, whatever `look` is; raises CameraLost after the timeout."""
        until = self._visit.now() + self._visit.timeout_s
        part = _reading(self._visit, lambda: self._parts.next(until))
        after = self._rhythm.take_time(part.empty_at, part.arrived_at, part.pause_s)
        repeats, self._data = part.data == self._data, part.data
        return Shown(after, repeats)

    def picture(self) -> Image:
        """Decode the picture that came last; raises UnreadablePicture for one that is damaged."""
        return picture_of(self._data, self._visit.address.place, as_it_lies=True)

    def stop(self) -> None:
        """End a call that waits, and every later one; may be called in any thread."""
        self._stop.stop()

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()


class StillLink:
    """Stills: each is requested.

    Some cameras answer with what they took at the last request. So a still is only known to be no older than the
    request before its own.
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
        """Request a picture and wait for it, whatever `look` is; raises CameraLost after the timeout."""
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
        """End a call that waits, and every later one; may be called in any thread."""
        self._stop.stop()

    def close(self) -> None:
        """Close the connection, if one is open."""
        if self._answer is not None:
            self._answer.close()


def http_link(visit: Visit) -> Link:
    """Open a link to what is there: a stream, or a still; raises CameraLost where it is neither."""
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
