"""The requests and answers of the page as an OpenAPI 3.1 document, made from its commands and routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.routing import BaseRoute, Route

from referee.page.access.authorization import API_ENTER, API_ME
from referee.page.access.secret import DIGITS
from referee.page.command import Command
from referee.page.endpoint import ID, NUMBER

DOCUMENT = "/api/openapi.json"
COMMAND, NOW, STREAM = "/api/command", "/api/now", "/api/stream"
KIND = "kind"
_NO_WORD = str.maketrans("/.{}", "____")
_CONVERTORS = {
    "IntegerConvertor": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
    "FloatConvertor": {"type": "number", "minimum": 0},
}
_SENTENCE = {"type": "string", "minLength": 1}
_TOLD = {
    "type": "object",
    "required": ["told"],
    # `asks`: a command that its sender must be sure of; sent again with `"sure": true`, it is carried out.
    "properties": {"told": _SENTENCE, "asks": {"const": True}},
}
_ERROR = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string", "minLength": 1}}}
_EITHER = {"anyOf": [_TOLD, _ERROR]}
_REFUSALS = {
    400: "No JSON, or not what is expected here.",
    401: "To look on takes the PIN.",
    404: "There is no such thing.",
    405: "Not with this method.",
    408: "The body came too slowly.",
    421: "The page is known by another name.",
    429: "Too much at once: try again after as many seconds as Retry-After says.",
    503: "The referee is not ready yet, or too many are connected.",
}
_REFUSALS_OF_WRITING = {
    403: "It takes the PIN, that was not the PIN, or it came from another page.",
    409: "It was meant for a moment that is over, or cannot be done now.",
    413: "The body is too large.",
    415: "The body is no JSON.",
    422: "The rules do not allow it.",
    428: "A press of start at the table must allow it first: ask for that at /api/presence.",
    507: "The disk takes nothing more.",
}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": dict(properties)}


_ANSWERS: Mapping[str, Any] = {
    NOW: _object({"now": {"type": "number"}}),
    API_ME: _object({name: {"type": "boolean"} for name in ("may_write", "may_read", "pin_needed")}),
    API_ENTER: _object({"may_write": {"const": True}}),
    COMMAND: {
        "type": "object",
        "required": ["done"],
        "properties": {"done": {"const": True}, "told": _SENTENCE},
    },
    DOCUMENT: _object({"openapi": {"const": "3.1.0"}}),
}
"""Schemas of the answers with status 200; other routes answer with any JSON."""
_SUMMARIES = {
    NOW: "The clock of the referee, in seconds.",
    API_ME: "What whoever asks may do.",
    API_ENTER: "Tell the PIN: begins a session.",
    COMMAND: "Do something at the table: each command once, by its id, none that is late, by its number.",
    DOCUMENT: "This document.",
    "/api/puzzle": "The puzzle of the day: a table, a hand, and how many steps the solution has.",
    "/api/puzzle/{name}/steps/{number}": "The first so many steps of the solution of a puzzle.",
    "/api/comments/{match}": "What can be proven about each round of a match, one line for each player.",
    "/api/comments/{match}/{round}": "What can be proven about one round.",
}


@dataclass(frozen=True, slots=True)
class Described:
    """What the document says of a request: a summary, the schemas of body and answer, and parameters.

    `media` is the content type of the body; a request that only reads has none. `query` has the schema of each
    parameter in the address.
    """

    summary: str
    body: Mapping[str, Any]
    answer: Mapping[str, Any]
    media: str = "application/json"
    query: Mapping[str, Any] = field(default_factory=dict)


def document(
    routes: Iterable[BaseRoute],
    commands: Mapping[str, Command[Any]],
    title: str = "The page of the referee",
    described: Mapping[str, Described] | None = None,
) -> dict[str, Any]:
    """Return the OpenAPI document. It has all routes below /api except the stream, and the score sheets as files.

    `described` says more of some routes, by path; those that are not below /api are in the document because of it.
    """
    bodies = {
        COMMAND: {"oneOf": [_command(name, one) for name, one in commands.items()]},
        API_ENTER: _object({"pin": {"type": "string", "pattern": f"^[0-9]{{{DIGITS}}}$"}}),
    }
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        if isinstance(route, Route) and (_is_told(route) or route.path in (described or {})):
            path = paths.setdefault(route.path_format, {})
            for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"}):
                told = (described or {}).get(route.path)
                made = _operation(route, method, bodies.get(route.path))
                path[method.lower()] = made if told is None else _describe(made, told)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": "1",
            "description": "JSON in, JSON out. Each refusal has a status of its own and one plain sentence.",
        },
        "paths": paths,
    }


def _describe(operation: Mapping[str, Any], told: Described) -> dict[str, Any]:
    """Return an operation with all that is said of it."""
    done = operation["responses"]["200"]["description"]
    responses = {**operation["responses"], "200": _response(done, told.answer)}
    query = [{"name": name, "in": "query", "schema": schema} for name, schema in told.query.items()]
    parameters = [*operation.get("parameters", ()), *query]
    if "requestBody" in operation:
        body = {"requestBody": {"required": told.body != {}, "content": {told.media: {"schema": told.body}}}}
    else:
        body = {}
    return {
        **operation,
        "summary": told.summary,
        "responses": responses,
        **body,
        **({"parameters": parameters} if parameters else {}),
    }


def _is_told(route: Route) -> bool:
    """Return whether the document has a route: JSON below /api, or a file that is JSON or CSV by its ending."""
    return (route.path.startswith("/api/") and route.path != STREAM) or route.path.endswith(f".{{{KIND}}}")


def _operation(route: Route, method: str, body: Any) -> dict[str, Any]:
    writes = method != "GET"
    refusals = _REFUSALS | (_REFUSALS_OF_WRITING if writes else {})
    answer = _ANSWERS.get(route.path, {})
    made: dict[str, Any] = {
        "operationId": f"{method.lower()}{route.path_format}".translate(_NO_WORD),
        "summary": _SUMMARIES.get(route.path, route.name),
        "responses": {"200": _response("Done." if writes else "Here it is.", answer)}
        | {str(status): _response(text, _EITHER) for status, text in sorted(refusals.items())},
    }
    if KIND in route.param_convertors:
        made["responses"]["200"]["content"]["text/csv"] = {"schema": {"type": "string"}}
    if route.param_convertors:
        made["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": _parameter(name, type(one).__name__)}
            for name, one in route.param_convertors.items()
        ]
    if writes:
        schema = {"type": "object"} if body is None else body
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return made


def _parameter(name: str, convertor: str) -> Any:
    return {"enum": ["json", "csv"]} if name == KIND else _CONVERTORS.get(convertor, _TEXT)


_TEXT = {"type": "string", "minLength": 1, "pattern": "^[^/]+$"}


def _response(text: str, schema: Any) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _command(name: str, command: Command[Any]) -> dict[str, Any]:
    common = {"command": {"const": name}, "id": ID.schema, "n": NUMBER.schema}
    schema = command.codec.schema
    return {
        "type": "object",
        "required": [*common, *schema["required"]],
        "properties": {**common, **schema["properties"]},
        "title": name,
    }
