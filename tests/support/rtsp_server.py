"""A small RTSP server for the tests: one stream of JPEG pictures (RFC 2435) over TCP, as cheap cameras send it.

It speaks as much of RFC 2326 as FFmpeg asks for: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, and basic and digest.
"""

import contextlib
import socket
import struct
import threading
import time

import cv2
from network_servers import let_in, picture

PAYLOAD, MOST = 26, 1300
PERIOD_S = 0.03
SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track1\r\n"


class RtspCamera:
    """What is wrong with it is set from outside, as with the camera over HTTP."""

    def __init__(self, port=0):
        self.asks_for, self.authorizations, self.requests = None, [], []
        self.status = None  # what is answered to DESCRIBE instead
        self.frozen, self.held, self.mute = threading.Event(), threading.Event(), threading.Event()
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        self._open = []
        self._threads = [threading.Thread(target=self._listen, daemon=True)]
        self._threads[0].start()

    def url(self, path="/live", who=""):
        return f"rtsp://{who}127.0.0.1:{self.port}{path}"

    def close(self):
        self._ended.set()
        for one in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join()

    def _listen(self):
        while not self._ended.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(sock)
            self._threads.append(threading.Thread(target=self._serve, args=(sock,), daemon=True))
            self._threads[-1].start()

    def _serve(self, sock):
        with contextlib.suppress(OSError, ValueError), sock, sock.makefile("rb") as lines:
            while request := self._request(lines):
                method, target, headers = request
                self.requests.append(method)
                answer = {"CSeq": headers.get("cseq", "0")}
                challenge = let_in(self, headers.get("authorization"), method, target)
                if challenge is not None:
                    self._say(sock, "401 Unauthorized", answer | {"WWW-Authenticate": challenge})
                elif method == "DESCRIBE" and self.status is not None:
                    self._say(sock, self.status, answer | {"Location": "rtsp://192.0.2.1/other"})
                elif method == "DESCRIBE":
                    self._say(sock, "200 OK", answer | {"Content-Type": "application/sdp"}, SDP)
                elif method == "SETUP":
                    way = "RTP/AVP/TCP;unicast;interleaved=0-1"
                    self._say(sock, "200 OK", answer | {"Transport": way, "Session": "1"})
                elif method == "PLAY":
                    self._say(sock, "200 OK", answer | {"Session": "1"})
                    return self._play(sock)
                else:
                    self._say(sock, "200 OK", answer | {"Public": "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"})
        return None

    @staticmethod
    def _request(lines):
        first = lines.readline().decode().split()
        if len(first) < 2:
            return None
        headers = {}
        while line := lines.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return first[0], first[1], headers

    @staticmethod
    def _say(sock, status, headers, body=""):
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        sock.sendall(f"RTSP/1.0 {status}\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def _play(self, sock):
        """Pictures at an even pace; what is held back is sent later, as over a network that was interrupted."""
        number, late, shown = 0, [], picture(time.monotonic())
        while not self._ended.wait(PERIOD_S):
            now = time.monotonic()
            shown = shown if self.frozen.is_set() else picture(now)
            if not self.mute.is_set():
                late.append((shown, now))
            while late and not self.held.is_set():
                for packet in _packets(*late.pop(0), number):
                    sock.sendall(packet)
                    number += 1


def _packets(shown, t, number):
    """A picture as RTP packets; its tables come along, its headers are those that both sides know."""
    data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    tables, width, height, scan = _taken_apart(data)
    at = 0
    while at < len(scan):
        head = struct.pack(">I", at) + bytes((1, 255, width // 8, height // 8))
        head += struct.pack(">BBH", 0, 0, len(tables)) + tables if at == 0 else b""
        piece = scan[at : at + MOST]
        at += len(piece)
        marker = 0x80 if at >= len(scan) else 0
        stamp = int(t * 90000) & 0xFFFFFFFF
        rtp = struct.pack(">BBHII", 0x80, marker | PAYLOAD, number & 0xFFFF, stamp, 7) + head + piece
        yield b"$\0" + struct.pack(">H", len(rtp)) + rtp
        number += 1


def _taken_apart(data):
    """Quantisation tables, size, and the scan's own bytes of a JPEG file of OpenCV: 4:2:0, with the usual codes."""
    tables, size, at = b"", (0, 0), 2
    while True:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        body = data[at + 4 : at + 2 + length]
        at += 2 + length
        if kind == 0xDB:
            tables += b"".join(body[i + 1 : i + 65] for i in range(0, len(body), 65))
        elif kind == 0xC0:
            size = int.from_bytes(body[3:5]), int.from_bytes(body[1:3])
            assert body[7] == 0x22
        elif kind == 0xDA:
            return tables, *size, data[at:-2]
