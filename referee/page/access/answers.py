"""Refusals, also before a request has come to its route: a proper status and one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.wording import language_of, notice_response

SAFE = ("GET", "HEAD")
"""Methods that change nothing."""
NO_STORE = {"Cache-Control": "no-store"}
NOT_FOUND, BROKEN, ONLY = Notice("access.not_found"), Notice("access.broken"), Notice("access.other_method")
_SENTENCES = {404: NOT_FOUND, 405: ONLY}


async def refuse(
    scope: Scope, receive: Receive, send: Send, status: int, notice: Notice, headers: Mapping[str, str] | None = None
) -> None:
    """Answer with the sentence in the reader's language."""
    await refusal(HTTPConnection(scope), status, notice, headers)(scope, receive, send)


async def refuse_plainly(scope: Scope, receive: Receive, send: Send, status: int, error: str) -> None:
    """Answer with what was wrong to whoever wrote the program that asked."""
    await plainly(status, error)(scope, receive, send)


def plainly(status: int, error: str) -> Response:
    """What was wrong, for whoever wrote the program that asked."""
    return JSONResponse({"error": error}, status, NO_STORE)


def refusal(
    connection: HTTPConnection, status: int, notice: Notice, headers: Mapping[str, str] | None = None
) -> Response:
    """The sentence: as text for whoever reads it in a browser, else as JSON."""
    if "text/html" not in connection.headers.get("accept", ""):
        return notice_response(connection, notice, status, headers)
    text = Wording(language_of(connection))(notice)
    return PlainTextResponse(text, status, {**NO_STORE, **(headers or {})})


async def answer_failure(request: Request, error: Exception) -> Response:
    """What a route could not find or does not take; anything else is a fault of the page's own."""
    if not isinstance(error, HTTPException):
        return refusal(request, 500, BROKEN)
    return refusal(request, error.status_code, _SENTENCES.get(error.status_code, BROKEN), error.headers)


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    client = scope.get("client")
    return "" if client is None else str(client[0])
