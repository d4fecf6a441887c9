"""Scripts of a page in one answer: a page that fetches few files is soon there, on the slowest of televisions too."""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

BETWEEN = "."


class Scripts:
    """`/static/scripts/NAME.NAME.js`: these scripts of the folders, one after the other."""

    def __init__(self, *folders: Path) -> None:
        paths = [path for folder in folders for path in sorted(folder.glob("*.js"))]
        self._texts = {path.stem: path.read_text(encoding="utf-8") for path in paths}

    async def answer(self, request: Request) -> Response:
        """All that are named, in that order."""
        names = request.path_params["names"].split(BETWEEN)
        if len(names) > len(self._texts) or not all(name in self._texts for name in names):
            raise HTTPException(404)
        text = "\n".join(self._texts[name] for name in names)
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:20]}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(text, media_type="text/javascript; charset=utf-8", headers=headers)
