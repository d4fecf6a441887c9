"""What the check of the puzzle takes and answers, with its description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from referee.journal.codec import PLAIN, codec_of
from referee.page.command import one_of, text
from referee.page.openapi import Described

CHECK = "/api/puzzle/check"
BEGINNING, SOLUTION = "beginning", "solution"
"""What the table is compared with: first the puzzle's table, then its solutions."""


@dataclass(frozen=True, slots=True)
class CheckFields:
    """What the table is compared with: a puzzle, by the name that it was told with, and the stage of it."""

    puzzle: Annotated[str, text(1, 64)]
    stage: Annotated[str, one_of(BEGINNING, SOLUTION)]


DESCRIBED: Mapping[str, Described] = {
    CHECK: Described(
        "Compare what lies on the table with a puzzle or its solutions; not during a match.",
        codec_of(CheckFields, PLAIN).schema,
        {
            "type": "object",
            "required": ["stage", "right", "told"],
            "properties": {
                "stage": {"type": "string"},
                "right": {"type": "boolean"},
                "told": {"type": "array", "items": {"type": "string"}},
            },
        },
    )
}
"""What the OpenAPI document says of the check."""
