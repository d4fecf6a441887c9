"""Static files, and scripts of a page in one answer: few files are soon there, on the slowest of televisions too.

All are read when the program starts, and browsers ask each time whether they still have the newest: neither while an
update is written nor after it are scripts of one version run with pages or styles of another.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

BETWEEN = "."
MEDIA_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
"""Of all files that there are; what the machine knows of file types does not matter."""


class StaticFiles:
    """The files of these folders, by their names; those of later folders come first."""

    def __init__(self, *folders: Path) -> None:
        """Read them all; raises KeyError for one that is not of MEDIA_TYPES."""
        paths = [path for folder in folders for path in sorted(folder.iterdir())]
        self._files = {path.name: (path.read_bytes(), MEDIA_TYPES[path.suffix]) for path in paths}

    async def answer(self, request: Request) -> Response:
        """`/static/NAME`: one file."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return _answer(request, *found)

    async def scripts(self, request: Request) -> Response:
        """`/static/scripts/NAME.NAME.js`: all scripts that are named, one after the other in that order."""
        names = [f"{name}.js" for name in request.path_params["names"].split(BETWEEN)]
        if len(names) > len(self._files) or not all(name in self._files for name in names):
            raise HTTPException(404)
        return _answer(request, b"\n".join(self._files[name][0] for name in names), MEDIA_TYPES[".js"])


def _answer(request: Request, data: bytes, media_type: str) -> Response:
    """Answer with a file, or that the browser has it already, by a tag of what it holds.

    Its time and size would not do: the files of installed packages may have one and the same time in every version.
    """
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=media_type, headers=headers)
