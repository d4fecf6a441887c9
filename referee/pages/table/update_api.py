"""What the page of updates takes and answers, with its description for programs."""

from __future__ import annotations

from collections.abc import Mapping

from referee.page.openapi import Described

PATH, STATE = "/update", "/api/update"
SEND, STICK, CANCEL, BACK = (f"{STATE}/{name}" for name in ("bundle", "stick", "cancel", "back"))
_TEXT, _YES = {"type": "string"}, {"type": "boolean"}
_ANSWER = {
    "type": "object",
    "required": ["state", "told", "in_use", "other", "waits", "sends", "cancels", "back", "no_way_back", "sticks"],
    "properties": {
        "state": _TEXT,
        "told": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "in_use": _TEXT,
        "other": _TEXT,
        "waits": _YES,
        "sends": _YES,
        "cancels": _YES,
        "back": _TEXT,
        "no_way_back": _TEXT,
        "sticks": {"type": "array", "items": {"type": "object", "required": ["id", "text"]}},
    },
}
DESCRIBED: Mapping[str, Described] = {
    SEND: Described(
        "Send a signed bundle, which is installed and used as soon as no match is under way.",
        {"type": "string", "format": "binary"},
        _ANSWER,
        "application/octet-stream",
    ),
    STICK: Described("Install a bundle from a USB stick, by its `id` in the state.", {}, _ANSWER, query={"id": _TEXT}),
    CANCEL: Described("Cancel the update that waits for the end of a match.", {}, _ANSWER),
    BACK: Described("Use the other version as soon as no match is under way.", {}, _ANSWER),
}
"""What the OpenAPI document says of updates."""
