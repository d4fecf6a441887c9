"""What is asked for and answered, with its description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from referee.journal.codec import PLAIN, codec_of
from referee.page.command import one_of, text
from referee.page.openapi import Described
from referee.pages.table.presence.confirmations import Action

ASK, LEAVE = "/api/presence", "/api/presence/leave"
HEADER, QUERY, NAMED = "X-Confirmed", "confirmed", "X-Confirm"
"""Where a request has the id of what was allowed; and where an answer with status 428 has the name of the action."""
LONGEST_ID = 64


@dataclass(frozen=True, slots=True)
class AskFields:
    """What is to be allowed."""

    action: Annotated[Action, one_of(*Action)]


@dataclass(frozen=True, slots=True)
class LeaveFields:
    """The id of the request that is withdrawn."""

    id: Annotated[str, text(1, LONGEST_ID)]


_TOLD = {"type": "string"}
DESCRIBED: Mapping[str, Described] = {
    ASK: Described(
        "Ask those at the table to allow something by a press of start; the id is empty where nobody needs to.",
        codec_of(AskFields, PLAIN).schema,
        {"type": "object", "required": ["id", "told"], "properties": {"id": {"type": "string"}, "told": _TOLD}},
    ),
    LEAVE: Described(
        "No longer ask for it.",
        codec_of(LeaveFields, PLAIN).schema,
        {"type": "object", "required": ["told"], "properties": {"told": _TOLD}},
    ),
}
"""What the OpenAPI document says of it."""
