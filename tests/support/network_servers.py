"""Cameras in the network for the tests: real servers on this machine, whose pictures show when they were taken."""

import base64
import contextlib
import hashlib
import queue
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

BLOCK, BITS = 16, 40
PERIOD_S = 0.04
USER, PASSWORD, REALM = "anna", "s3cret:word", "camera"


class RealClock:
    """The time that really passes, in the shape of the tests' own clock."""

    def __call__(self):
        return time.monotonic()

    @property
    def t(self):
        return time.monotonic()


def picture(t):
    """A picture of 640 x 480 whose upper edge shows a moment, in milliseconds, as white and black blocks."""
    shown = np.full((480, 640, 3), 90, np.uint8)
    shown[:, :, 0] = np.arange(640) % 256
    for bit in range(BITS):
        shown[:BLOCK, bit * BLOCK : (bit + 1) * BLOCK] = 255 * (int(t * 1000) >> bit & 1)
    return shown


def jpeg(t):
    return cv2.imencode(".jpg", picture(t))[1].tobytes()


def taken_at(shown):
    """The moment that a picture shows."""
    bits = shown[BLOCK // 2, BLOCK // 2 : BITS * BLOCK : BLOCK, 1] > 127
    return sum(1 << i for i, bit in enumerate(bits) if bit) / 1000


class Camera:
    """A server over HTTP: a stream at /video, stills at /shot.jpg. What is wrong with it is set from outside."""

    def __init__(self, tls=None, port=0):
        self.asks_for = None  # "basic" or "digest"
        self.measured, self.chunked, self.line_first = True, False, True
        self.redirect = None  # path -> location
        self.kind = None
        self.cached = False  # stills as they were at the request before
        self.damaged = False
        self.frozen = threading.Event()
        self.held = threading.Event()  # nothing is sent, but pictures are taken
        self.mute = threading.Event()  # no picture is taken
        self.trickle_s = 0.0  # so long the sending of one picture takes
        self.late_s = 0.0  # so long every picture is kept back
        self.requests, self.authorizations = [], []
        self.connected = 0
        self._ended = threading.Event()
        self._readers = []
        self._lock = threading.Condition()
        self._count = 0
        self._last = jpeg(time.monotonic())
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self._threads = [
            threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True),
            threading.Thread(target=self._take, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def url(self, path="/video", scheme="http", who=""):
        return f"{scheme}://{who}127.0.0.1:{self.port}{path}"

    def close(self):
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        for thread in self._threads:
            thread.join()

    def more(self, count):
        """Until so many more pictures were taken."""
        with self._lock:
            until = self._count + count
            self._lock.wait_for(lambda: self._count >= until, 60)

    def cut(self):
        """End every stream; new ones are welcome."""
        with self._lock:
            for reader in self._readers:
                reader.put(None)

    @property
    def ended(self):
        return self._ended.is_set()

    def wait(self, seconds):
        self._ended.wait(seconds)

    def _take(self):
        while not self._ended.wait(PERIOD_S):
            if self.mute.is_set() or not self._readers:
                continue
            if not self.frozen.is_set():
                self._last = jpeg(time.monotonic())
            with self._lock:
                for reader in self._readers:
                    reader.put((time.monotonic(), self._last))
                self._count += 1
                self._lock.notify_all()

    def still(self):
        """A picture as taken now; a camera that keeps one ready gives that."""
        taken = time.monotonic()
        before, self._last = self._last, self._last if self.frozen.is_set() else jpeg(taken)
        self.wait(self.late_s)
        return before if self.cached else self._last

    @contextlib.contextmanager
    def reader(self):
        """What one of the stream's readers is still to be sent; nothing is ever thrown away."""
        mine = queue.Queue()
        with self._lock:
            self._readers.append(mine)
            self.connected += 1
        try:
            yield mine
        finally:
            with self._lock:
                self._readers.remove(mine)


def let_in(camera, header, method, target):
    """What to ask for; None for who has answered it."""
    camera.authorizations.append(header)
    if camera.asks_for == "basic":
        right = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return None if header == right else f'Basic realm="{REALM}"'
    if camera.asks_for == "digest":
        challenge = f'Digest realm="{REALM}", nonce="n0nce", qop="auth", algorithm=MD5'
        if header is None or not header.startswith("Digest "):
            return challenge
        found = dict(part.strip().split("=", 1) for part in header[7:].split(","))
        found = {key: value.strip('"') for key, value in found.items()}

        def h(text):
            return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

        who = h(f"{USER}:{REALM}:{PASSWORD}")
        right = h(f"{who}:n0nce:{found['nc']}:{found['cnonce']}:auth:{h(f'{method}:{target}')}")
        return None if found["response"] == right and found["uri"] == target else challenge
    return None


def _handler(camera):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            camera.requests.append(self.path)
            self.close_connection = True
            challenge = let_in(camera, self.headers.get("Authorization"), "GET", self.path)
            if challenge is not None:
                return self._said(401, {"WWW-Authenticate": challenge})
            if camera.redirect is not None and self.path in camera.redirect:
                return self._said(302, {"Location": camera.redirect[self.path]})
            if self.path.startswith("/shot.jpg"):
                data = camera.still()
                return self._said(200, {"Content-Type": camera.kind or "image/jpeg"}, data)
            if self.path.startswith("/video"):
                return self._stream()
            return self._said(404, {})

        def _said(self, status, headers, data=b""):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self):
            self.send_response(200)
            self.send_header("Content-Type", camera.kind or "multipart/x-mixed-replace; boundary=frame")
            if camera.chunked:
                self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            with camera.reader() as waiting, contextlib.suppress(OSError):
                if not camera.line_first:
                    self._send(b"--frame\r\n")
                while not camera.ended:
                    try:
                        item = waiting.get(timeout=0.05)
                    except queue.Empty:
                        continue
                    if item is None:
                        return
                    taken, data = item
                    while camera.held.is_set() and not camera.ended:
                        camera.wait(0.01)
                    while time.monotonic() < taken + camera.late_s and not camera.ended:
                        camera.wait(0.005)
                    self._part(data[: len(data) // 2] if camera.damaged else data)

        def _part(self, data):
            length = f"Content-Length: {len(data)}\r\n" if camera.measured else ""
            head = f"Content-Type: image/jpeg\r\n{length}\r\n".encode()
            whole = (b"--frame\r\n" + head + data + b"\r\n") if camera.line_first else head + data + b"\r\n--frame\r\n"
            pieces = 20 if camera.trickle_s else 1
            size = -(-len(whole) // pieces)
            for at in range(0, len(whole), size):
                self._send(whole[at : at + size])
                if camera.trickle_s:
                    camera.wait(camera.trickle_s / pieces)

        def _send(self, data):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if camera.chunked else data)
            self.wfile.flush()

    return Handler


class _Serving:
    """Starts servers, and ends all of them after a test."""

    def __init__(self):
        self._running = []

    def __call__(self, server=None):
        self._running.append(server or Camera())
        return self._running[-1]

    @contextlib.contextmanager
    def ended(self):
        try:
            yield
        finally:
            while self._running:
                self._running.pop().close()


serving = _Serving()
