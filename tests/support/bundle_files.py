"""Files that begin as a bundle does, and web servers that give them away over bad lines."""

import io
import json
import tarfile
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def bundle_bytes(version: str = "2-abc", size: int = 20_000) -> bytes:
    """A tar file whose first member is a manifest; nobody has signed it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        manifest = json.dumps({"version": version, "files": {}, "wheels": {}}).encode()
        for name, data in (("manifest.json", manifest), ("manifest.json.sig", b"none"), ("filling", bytes(size))):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


class Web:
    """A web server with one file. `breaks` are the numbers of bytes after which each connection ends."""

    def __init__(self, data: bytes, etag: str = '"1"', ranges: bool = True) -> None:
        self.data, self.etag, self.ranges = data, etag, ranges
        self.breaks: list[int] = []
        self.statuses: list[int] = []
        self.location = ""
        self.told_length = True
        self.asked: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                outer.answer(self)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/referee.bundle"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request as it was arranged."""
        wanted = request.headers.get("Range")
        self.asked.append(wanted)
        status = self.statuses.pop(0) if self.statuses else 200
        if self.location:
            status = 302
        if status != 200:
            request.send_response(status)
            if self.location:
                request.send_header("Location", self.location)
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        start = 0
        if wanted and self.ranges and request.headers.get("If-Range") == self.etag:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            request.send_response(206)
            request.send_header("Content-Range", f"bytes {start}-{len(self.data) - 1}/{len(self.data)}")
        else:
            request.send_response(200)
        if self.told_length:
            request.send_header("Content-Length", str(len(self.data) - start))
        if self.etag:
            request.send_header("ETag", self.etag)
        request.end_headers()
        most = self.breaks.pop(0) if self.breaks else len(self.data)
        request.wfile.write(self.data[start : start + most])

    def close(self) -> None:
        """End it; a second time does nothing."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def web(data: bytes, **how: object):
    """A web server that ends with the context."""
    made = Web(data, **how)
    try:
        yield made
    finally:
        made.close()
