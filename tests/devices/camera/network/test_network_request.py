"""Answers that are none, and streams that break off or never end: every byte of them is counted."""

import contextlib
import socket
import threading

import pytest
from network_servers import jpeg

from referee.devices.camera.network.camera import NetworkCamera, NetworkSettings
from referee.errors import CameraLost
from referee.i18n import error_text

OK = b"HTTP/1.1 200 OK\r\n"
STREAM = OK + b"Content-Type: multipart/x-mixed-replace; boundary=--b\r\n"
STILL = OK + b"Content-Type: image/jpeg\r\n"
PART = b"----b\r\nContent-Type: image/jpeg\r\n"


@contextlib.contextmanager
def answering(*pieces):
    """A server that says the same to everybody, whatever is asked, and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                sock, _ = listener.accept()
                with sock, contextlib.suppress(OSError):
                    sock.recv(65536)
                    for piece in pieces:
                        sock.sendall(piece)
                    sock.shutdown(socket.SHUT_WR)
                    sock.recv(1)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/video"
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        pytest.param((b"",), "an answer from something else", id="nothing"),
        pytest.param((b"hello\r\n\r\n",), "an answer from something else", id="no protocol"),
        pytest.param((b"SSH-2.0-OpenSSH 1 2\r\n\r\n",), "an answer from something else", id="another protocol"),
        pytest.param((b"HTTP/1.1 what?\r\n\r\n",), "an answer from something else", id="no status"),
        pytest.param((OK, b"X: y\r\n" * 10_000), "an answer from something else", id="headers without end"),
        pytest.param((STREAM, b"\r\n"), "the end of the stream", id="an empty stream"),
        pytest.param((STREAM, b"\r\n", b"no line between\r\n" * 5000), "no picture", id="never a picture"),
        pytest.param((STREAM, b"\r\n----b--\r\n"), "the end of the stream", id="its last line"),
        pytest.param(
            (STREAM, b"\r\n", PART, b"Content-Length: 99999999999\r\n\r\n"), "a picture that never ends", id="too long"
        ),
        pytest.param(
            (STREAM, b"\r\n", PART, b"\r\n", bytes(31_000_000)), "a picture that never ends", id="without end"
        ),
        pytest.param((STREAM, b"\r\n", PART, b"Content-Length: 50\r\n\r\nab"), "the end of the stream", id="half"),
        pytest.param(
            (STREAM, b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "that the connection ended", id="no chunk"
        ),
        pytest.param(
            (STREAM, b"Transfer-Encoding: chunked\r\n\r\n", b"1" * 5000),
            "that the connection ended",
            id="a long chunk",
        ),
        pytest.param((STILL, b"Content-Length: 50\r\n\r\nab"), "that the connection ended", id="half a still"),
    ],
)
def test_whatever_comes_is_told_in_one_line(pieces, told):
    with answering(*pieces) as source, pytest.raises(CameraLost) as caught:
        NetworkCamera(NetworkSettings(timeout_s=30.0, source=source))
    assert told in error_text(caught.value)
    assert "\n" not in error_text(caught.value)


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_lines_may_end_either_way(end):
    parts = b"".join(PART + b"\r\n" + jpeg(t) + b"\r\n" for t in range(5))
    with answering((STREAM + b"\r\n" + parts + b"----b--").replace(b"\r\n", end)) as source:
        NetworkCamera(NetworkSettings(timeout_s=30.0, source=source)).close()
