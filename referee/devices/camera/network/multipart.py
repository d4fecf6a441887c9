"""The pictures of an MJPEG stream: JPEG files with headers, separated by boundary lines.

Programs differ in what they write: some state each picture's length, some do not; some write the boundary right after
a picture and some before the next. A picture's arrival is that of its first byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.devices.camera.network.request import HttpResponse
from referee.game.notice import Notice

MOST_BYTES = 30_000_000
"""The largest size of one picture."""
MOST_HEAD = 1 << 14
MOST_DASHES = 16
_END = b"\xff\xd9"


class NoPictures(ConnectionError):
    """What comes is not a stream of pictures, or not any more."""


@dataclass(frozen=True, slots=True)
class BodyPart:
    """One picture; its moments are those of `Wire` for its first byte."""

    data: bytes
    empty_at: float
    arrived_at: float
    pause_s: float
    """The longest pause since the picture before, in seconds."""


class MultipartReader:
    """Takes the pictures out of a response, one by one."""

    def __init__(self, answer: HttpResponse) -> None:
        self._name = str(answer.headers.get_param("boundary") or "").encode("utf-8", "replace").lstrip(b"-")
        """What the line between begins with, but for its dashes: some write those into its name as well."""
        self._answer, self._buffer = answer, bytearray()
        self._pause_s = self._carried_s = 0.0

    def next(self, until: float = float("inf")) -> BodyPart:
        """Return the next picture; raises NoPictures at the end, Silent where it does not come."""
        self._pause_s, self._carried_s = self._carried_s, 0.0
        length = self._head(until)
        if length is not None and length > MOST_BYTES:
            raise NoPictures(Notice("camera.endless_picture"))
        while not self._buffer:
            self._more(until)
        wire, pause_s = self._answer.wire, self._pause_s
        came = wire.empty_at, wire.arrived_at
        data = self._read_to_boundary(until) if length is None else self._read_length(length, until)
        return BodyPart(data, *came, pause_s)

    def _head(self, until: float) -> int | None:
        """Skip what stands before the picture; return its length where that is stated."""
        length: int | None = None
        begun, skipped = False, 0
        while True:
            while b"\n" not in self._buffer:
                if len(self._buffer) > MOST_HEAD:
                    raise NoPictures(Notice("camera.no_picture"))
                self._more(until)
            at = self._buffer.index(b"\n")
            line = bytes(self._buffer[:at]).strip()
            del self._buffer[: at + 1]
            skipped += at + 1
            if skipped > MOST_HEAD:
                raise NoPictures(Notice("camera.no_picture"))
            if line.startswith(b"--") and line.lstrip(b"-").startswith(self._name):
                begun, length = True, None
                self._name = self._name or line.lstrip(b"-")  # where the answer did not tell it
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
            self._more(until)
        return self._take_bytes(length)

    def _read_to_boundary(self, until: float) -> bytes:
        """Return everything up to the boundary line, which may come with the next picture only."""
        line, looked = re.compile(rb"\n--+" + re.escape(self._name)), 0
        while (found := line.search(self._buffer, looked)) is None:
            looked = max(0, len(self._buffer) - len(self._name) - MOST_DASHES)
            if len(self._buffer) > MOST_BYTES:
                raise NoPictures(Notice("camera.endless_picture"))
            ended = self._buffer[-4:].rstrip().endswith(_END)
            self._pause_s = 0.0
            self._more(until)
            self._carried_s = self._pause_s if ended else 0.0
        return self._take_bytes(found.start()).removesuffix(b"\r")

    def _take_bytes(self, length: int) -> bytes:
        data = bytes(self._buffer[:length])
        del self._buffer[:length]
        return data

    def _more(self, until: float) -> None:
        wire = self._answer.wire
        before = wire.arrived_at
        data = self._answer.more(until)
        if not data:
            raise NoPictures(Notice("camera.end_of_stream"))
        if wire.arrived_at != before:
            self._pause_s = max(self._pause_s, wire.arrived_at - wire.empty_at)
        self._buffer += data
