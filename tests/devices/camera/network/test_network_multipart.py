"""When a picture of a stream came, and how long nothing had come before it, however a program writes the stream."""

from email.message import Message
from types import SimpleNamespace

import pytest

from referee.devices.camera.network.links import MultipartReader, NoPictures

PICTURES = [b"\xff\xd8\xff" + bytes([i]) * 2000 + b"\r\n--\xff\xd9" for i in range(4)]
EVERY_S, STEP_S = 0.1, 0.001


class Stream:
    """What an answer is to the parts: pieces that come at known moments, nothing waiting before each."""

    def __init__(self, pieces, boundary):
        self.headers = Message()
        self.headers["Content-Type"] = f"multipart/x-mixed-replace{boundary}"
        self.wire = SimpleNamespace(empty_at=0.0, arrived_at=0.0)
        self._pieces = list(pieces)

    def more(self, _):
        if not self._pieces:
            return b""
        data, at = self._pieces.pop(0)
        self.wire.empty_at, self.wire.arrived_at = self.wire.arrived_at, at
        return data


def written(line, *, measured, line_first, size=700):
    """The stream in pieces, as a program that takes a picture every tenth of a second sends them."""
    pieces = [] if line_first else [(line + b"\r\n", 0.0)]
    for i, picture in enumerate(PICTURES):
        length = b"Content-Length: %d\r\n" % len(picture) if measured else b""
        head = b"Content-Type: image/jpeg\r\n" + length + b"\r\n"
        whole = line + b"\r\n" + head + picture + b"\r\n" if line_first else head + picture + b"\r\n" + line + b"\r\n"
        start = 1.0 + i * EVERY_S
        pieces += [(whole[at : at + size], start + at / size * STEP_S) for at in range(0, len(whole), size)]
    return [*pieces, (line + b"--\r\n", 1.0 + len(PICTURES) * EVERY_S)]


@pytest.mark.parametrize("line_first", [True, False])
@pytest.mark.parametrize("measured", [True, False])
@pytest.mark.parametrize(
    ("boundary", "line"),
    [
        ("; boundary=frame", b"--frame"),
        ('; boundary="--frame"', b"----frame"),
        ("; boundary=--frame", b"--frame"),
        ("", b"--frame"),
    ],
)
def test_every_picture_whole_and_when_its_first_byte_came(boundary, line, measured, line_first):
    parts = MultipartReader(Stream(written(line, measured=measured, line_first=line_first), boundary))
    for i, picture in enumerate(PICTURES):
        part = parts.next()
        assert part.data == picture
        assert part.arrived_at == pytest.approx(1.0 + i * EVERY_S)
        assert part.empty_at < part.arrived_at
        assert i == 0 or part.pause_s == pytest.approx(EVERY_S, abs=5 * STEP_S)
    with pytest.raises(NoPictures):
        parts.next()


@pytest.mark.parametrize("measured", [True, False])
def test_pictures_that_come_at_once_show_no_pause(measured):
    whole = b"".join(data for data, _ in written(b"--frame", measured=measured, line_first=True))
    pieces = [(whole[at : at + 700], 1.0 + at / 700 * STEP_S) for at in range(0, len(whole), 700)]
    parts = MultipartReader(Stream(pieces, "; boundary=frame"))
    pauses = [parts.next().pause_s for _ in PICTURES]
    assert max(pauses[1:]) <= 1.01 * STEP_S
