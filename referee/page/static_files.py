"""Static files, and several scripts in one answer: fewer requests load faster, even on slow televisions.

All files are read when the program starts, and browsers ask each time whether they have the newest version. So
scripts of one version never run with pages or styles of another, neither during an update nor after it.

Texts are sent compressed, which takes a quarter of the bytes: everybody may read them, so compressing them gives no
secret away. Pages, which may hold one, are not compressed (the attack is known as BREACH).
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

BETWEEN = "."
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""The media types of all files; the machine's own table of file types is not used."""


class StaticFiles:
    """The files of these folders, by name; for the same name, the last folder is used."""

    def __init__(self, *folders: Path) -> None:
        """Read all files; raises KeyError for a file whose type is not in MEDIA_TYPES."""
        paths = [path for folder in folders for path in sorted(folder.iterdir())]
        self._files = {path.name: (path.read_bytes(), MEDIA_TYPES[path.suffix]) for path in paths}

    async def answer(self, request: Request) -> Response:
        """Answer `/static/NAME` with one file."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return _answer(request, *found)

    async def scripts(self, request: Request) -> Response:
        """Answer `/static/scripts/NAME.NAME.js` with all named scripts, joined in that order."""
        names = [f"{name}.js" for name in request.path_params["names"].split(BETWEEN)]
        if len(names) > len(self._files) or not all(name in self._files for name in names):
            raise HTTPException(404)
        return _answer(request, b"\n".join(self._files[name][0] for name in names), MEDIA_TYPES[".js"])


def _answer(request: Request, data: bytes, media_type: str) -> Response:
    """Answer with a file, or with 304 if the browser already has it; the tag is a hash of its content.

    Time and size would not be enough: files of an installed package may have the same time in every version.
    """
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if media_type.startswith("text/") and _takes_gzip(request.headers.get("accept-encoding", "")):
        data = _compressed(data)
        headers["Content-Encoding"] = "gzip"
    headers["ETag"] = tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=media_type, headers=headers)


def _takes_gzip(accepted: str) -> bool:
    """Return whether an `Accept-Encoding` header names gzip; with a weight, such as 0, it counts as not named."""
    return "gzip" in (coding.strip().lower() for coding in accepted.split(","))


@functools.lru_cache(maxsize=128)
def _compressed(data: bytes) -> bytes:
    """Return data compressed; the same data gives the same bytes, so that its tag stays."""
    return gzip.compress(data, mtime=0)
