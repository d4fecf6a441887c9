"""Answers that refuse a request, with the right status and one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from referee.game.notice import Notice
from referee.page.wording import sentence_response

SAFE = ("GET", "HEAD")
"""Methods that change nothing."""
NO_STORE = {"Cache-Control": "no-store"}
NOT_FOUND, BROKEN, ONLY = Notice("access.not_found"), Notice("access.broken"), Notice("access.other_method")
_SENTENCES = {404: NOT_FOUND, 405: ONLY}


async def refuse(
    scope: Scope, receive: Receive, send: Send, status: int, notice: Notice, headers: Mapping[str, str] | None = None
) -> None:
    """Send an answer that refuses the request, with the sentence in the language of the browser."""
    await refusal(HTTPConnection(scope), status, notice, headers)(scope, receive, send)


async def refuse_plainly(scope: Scope, receive: Receive, send: Send, status: int, error: str) -> None:
    """Send a JSON answer that tells the author of the client program what was wrong."""
    await plainly(status, error)(scope, receive, send)


def plainly(status: int, error: str) -> Response:
    """Return a JSON answer that tells the author of the client program what was wrong."""
    return JSONResponse({"error": error}, status, NO_STORE)


def refusal(
    connection: HTTPConnection, status: int, notice: Notice, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the sentence as an answer, in the kind that a client expects of the address."""
    return sentence_response(connection, notice, status, headers)


async def answer_failure(request: Request, error: Exception) -> Response:
    """Return the answer for an error: that of an HTTPException, or 500 for any other error."""
    if not isinstance(error, HTTPException):
        return refusal(request, 500, BROKEN)
    return refusal(request, error.status_code, _SENTENCES.get(error.status_code, BROKEN), error.headers)


def address_of(scope: Scope) -> str:
    """Return the address that a request comes from; empty if it is not known."""
    client = scope.get("client")
    return "" if client is None else str(client[0])
