"""The language of a request: chosen on the page, else the browser's, else the table's."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse

from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.page.family import for_family
from referee.page.letters import sendable

COOKIE = "language"

_ALONE = re.compile(r" (?=[:;?!»])|(?<=«) ")
"""The blanks that French leaves before these signs: a line must not break there."""


class PageWording(Wording):
    """Sentences for a page, which breaks its lines by itself, and which families read."""

    def of_faces(self, faces: str) -> PageWording:
        """Return the same language for tiles of other faces."""
        return PageWording(self.language, faces)

    def __call__(self, told: Notice) -> str:
        """Return the notice in words, for families where those exist; French spaces before a sign do not break."""
        text = super().__call__(for_family(told))
        return _ALONE.sub("\N{NO-BREAK SPACE}", text) if self.language == "fr" else text


def language_of(request: HTTPConnection) -> str:
    """One of LANGUAGES: `lang` in the address, the cookie, Accept-Language, or the language of the table."""
    for chosen in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if chosen in LANGUAGES:
            return str(chosen)
    return accepted_language(request.headers.get("accept-language", "")) or request.app.state.language


def accepted_language(header: str) -> str | None:
    """The first of our languages that a browser accepts, by its weights; None where it accepts none."""
    found = []
    for place, item in enumerate(header[:500].split(",")):
        matched = re.fullmatch(r"\s*([a-zA-Z]{2,3})(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*", item)
        if matched and matched[1].lower() in LANGUAGES:
            found.append((-float(matched[2] or 1), place, matched[1].lower()))
    return min(found)[2] if found else None


def notice_response(
    request: HTTPConnection, notice: Notice, status: int, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """An answer that is one plain sentence."""
    body = {"told": sendable(PageWording(language_of(request))(notice)).decode()}
    return JSONResponse(body, status, {"Cache-Control": "no-store", **(headers or {})})


def missing_picture(request: HTTPConnection) -> JSONResponse:
    """The answer where somebody asks for a picture that is not there, or not there any more."""
    return notice_response(request, Notice("page.no_such_picture"), 404)
