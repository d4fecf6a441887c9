"""Collects what decoders print on standard error while they work.

The libjpeg and libpng in OpenCV cannot be made silent, and OpenCV does not report what they find. Half a JPEG is
decoded as if it were whole; the only sign of it is a printed line. So file descriptor 2 is redirected into a pipe
while a decoder works. What other threads write there during that time is passed on.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PRINTED = re.compile(
    r"libpng (warning|error): |Corrupt JPEG data: |Premature end of JPEG file|Invalid SOS parameters|"
    r"Unknown Adobe color|Warning: unknown JFIF|Inconsistent progression|Unsupported marker type|"
    r"\[ ?(WARN|ERROR|INFO):"
)
_LOST = re.compile(r"Corrupt JPEG data: (?P<found>.+)|(?P<end>Premature end of JPEG file)")
_EXTRA = re.compile(r"(\d+) extraneous bytes before marker 0xd9")
PADDING = 16
"""The most bytes of padding that are allowed before a picture's end. Cameras pad the data to whole words of 4, 8 or 16
bytes."""
_LONGEST = 65_536
"""The capacity of a pipe in bytes. Output beyond it is dropped, so that nothing has to wait."""

_one_at_a_time = threading.Lock()


class Complaints:
    """The lines that decoders have printed."""

    def __init__(self) -> None:
        self.lines: tuple[str, ...] = ()

    @property
    def damage(self) -> str | None:
        """The damage that made the picture decode wrongly; None if there is none."""
        for line in self.lines:
            if lost := _LOST.match(line):
                extra = _EXTRA.search(line)
                if extra is None or int(extra[1]) > PADDING:
                    return lost["found"] or "premature end"
        return None


@contextmanager
def collected_complaints() -> Iterator[Complaints]:
    """Return a context manager that keeps decoders from printing on standard error.

    Its value has the lines of the decoders once the context has ended. All other lines are then passed on to standard
    error.
    """
    complaints = Complaints()
    with _one_at_a_time:
        reading, writing = os.pipe()
        for end in (reading, writing):
            os.set_blocking(end, False)
        usual = os.dup(2)
        os.dup2(writing, 2)
        os.close(writing)
        try:
            yield complaints
        finally:
            os.dup2(usual, 2)
            os.close(usual)
            try:
                text = os.read(reading, _LONGEST)
            except BlockingIOError:  # a child process has the other end open, and nothing was written
                text = b""
            finally:
                os.close(reading)
            complaints.lines = _take_decoder_lines(text)


def _take_decoder_lines(text: bytes) -> tuple[str, ...]:
    """Return the lines of the decoders; write all other lines to standard error."""
    lines = text.decode("utf-8", errors="replace").splitlines(keepends=True)
    ours = [line for line in lines if _PRINTED.match(line)]
    if others := "".join(line for line in lines if line not in ours):
        os.write(2, others.encode("utf-8"))
    return tuple(line.strip() for line in ours)
