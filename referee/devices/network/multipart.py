"""The pictures of an MJPEG stream: JPEG files one after the other, each with a head of its own and a line between.

Programs differ in what they write: some tell each picture's length, some do not, some write the line between pictures
right after a picture and some before the next. When a picture came is when the first byte of itself did.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.network.request import Answer

MOST_BYTES = 30_000_000
"""Of one picture."""
MOST_HEAD = 1 << 14
_END = b"\xff\xd9"


class NoPictures(ConnectionError):
    """What comes is no stream of pictures, or not any more."""


@dataclass(frozen=True, slots=True)
class Part:
    """One picture as it came; moments as `Wire` has them, for its first byte."""

    data: bytes
    empty_at: float
    arrived_at: float
    pause_s: float
    """How long nothing came, at the longest, since the picture before."""


class Parts:
    """Takes the pictures out of an answer, one by one."""

    def __init__(self, answer: Answer) -> None:
        boundary = answer.headers.get_param("boundary") or ""
        # Many write the two dashes before it into its name as well.
        self._line = b"--" + str(boundary).encode("utf-8", "replace").removeprefix(b"--")
        self._answer, self._buffer = answer, b""
        self._pause_s = self._carried_s = 0.0

    def next(self, until: float = float("inf")) -> Part:
        """The next picture; raises NoPictures at the end, Silent where it does not come."""
        self._pause_s, self._carried_s = self._carried_s, 0.0
        length = self._head(until)
        while not self._buffer:
            self._more(until)
        wire, pause_s = self._answer.wire, self._pause_s
        came = wire.empty_at, wire.arrived_at
        data = self._unmeasured(until) if length is None else self._measured(length, until)
        return Part(data, *came, pause_s)

    def _head(self, until: float) -> int | None:
        """Skip what stands before the picture; gives its length where that is told."""
        length: int | None = None
        begun, skipped = False, 0
        while True:
            while b"\n" not in self._buffer:
                self._more(until)
            line, _, rest = self._buffer.partition(b"\n")
            skipped += len(line) + 1
            if skipped > MOST_HEAD:
                raise NoPictures("no picture")
            self._buffer, line = rest, line.strip()
            if line.startswith(self._line):
                begun, length = True, None
                if line == self._line + b"--":
                    raise NoPictures("the end of the stream")
            elif begun and not line:
                return length
            elif begun:
                name, _, value = line.partition(b":")
                if name.strip().lower() == b"content-length" and value.strip().isdigit():
                    length = int(value)

    def _measured(self, length: int, until: float) -> bytes:
        if length > MOST_BYTES:
            raise NoPictures("a picture without end")
        parts, missing = [self._buffer], length - len(self._buffer)
        while missing > 0:
            parts.append(self._answer_more(until))
            missing -= len(parts[-1])
        whole = b"".join(parts)
        self._buffer = whole[length:]
        return whole[:length]

    def _unmeasured(self, until: float) -> bytes:
        """Everything up to the line between pictures, which may come with the next one only."""
        line, looked = b"\n" + self._line, 0
        while (at := self._buffer.find(line, looked)) < 0:
            looked = max(0, len(self._buffer) - len(line))
            if len(self._buffer) > MOST_BYTES:
                raise NoPictures("a picture without end")
            ended = self._buffer[-4:].rstrip().endswith(_END)
            self._pause_s = 0.0
            self._more(until)
            self._carried_s = self._pause_s if ended else 0.0
        data, self._buffer = self._buffer[:at], self._buffer[at + 1 :]
        return data.removesuffix(b"\r")

    def _more(self, until: float) -> None:
        self._buffer += self._answer_more(until)

    def _answer_more(self, until: float) -> bytes:
        wire = self._answer.wire
        before = wire.arrived_at
        data = self._answer.more(until)
        if not data:
            raise NoPictures("the end of the stream")
        if wire.arrived_at != before:
            self._pause_s = max(self._pause_s, wire.arrived_at - wire.empty_at)
        return data
