"""What decoders print on standard error, collected while one of them works.

OpenCV's libjpeg and libpng cannot be made silent, and OpenCV does not report what they found: half a JPEG is decoded
as if it were whole, but for one printed line. So file descriptor 2 is redirected into a pipe meanwhile. What other
threads write there in those moments is passed on.
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
"""Bytes: cameras pad the data before a picture's end to whole words of 4, 8 or 16."""
_LONGEST = 65_536
"""The capacity of a pipe in bytes; more is dropped instead of waited for."""

_one_at_a_time = threading.Lock()


class Complaints:
    """What one decoder has printed."""

    def __init__(self) -> None:
        self.lines: tuple[str, ...] = ()

    @property
    def damage(self) -> str | None:
        """Return what is wrong with the picture's data, so that it was decoded wrongly; None if nothing is."""
        for line in self.lines:
            if lost := _LOST.match(line):
                extra = _EXTRA.search(line)
                if extra is None or int(extra[1]) > PADDING:
                    return lost["found"] or "premature end"
        return None


@contextmanager
def collected_complaints() -> Iterator[Complaints]:
    """A context in which nothing reaches standard error; afterwards it holds the decoders' lines.

    Other lines are passed on.
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
            except BlockingIOError:  # a child of another thread holds the other end, and nothing was written
                text = b""
            finally:
                os.close(reading)
            complaints.lines = _take_decoder_lines(text)


def _take_decoder_lines(text: bytes) -> tuple[str, ...]:
    """Return the decoders' lines; pass the others on."""
    lines = text.decode("utf-8", errors="replace").splitlines(keepends=True)
    ours = [line for line in lines if _PRINTED.match(line)]
    if others := "".join(line for line in lines if line not in ours):
        os.write(2, others.encode("utf-8"))
    return tuple(line.strip() for line in ours)
