"""What the coach takes and answers, with its description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from referee.game.rulebooks import RULESETS
from referee.game.tiles import Tile
from referee.journal.codec import PLAIN, codec_of
from referee.page.command import one_named, one_of, several
from referee.page.openapi import Described
from referee.pages.table.coach.pictures import MOST_BYTES
from referee.pages.table.commands.tiles import TILES

PAGE, READ, LOOK, SOLVE = "/coach", "/api/coach/read", "/api/coach/look", "/api/coach/solve"
COACH_POSTS = (READ, LOOK, SOLVE)
"""What whoever may see the page may post."""
LARGER = ((READ, MOST_BYTES),)
MOST_SETS, MOST_TILES = 60, 120
ANY_BOOK = ("", *RULESETS)
_ONE = one_named(TILES, "a tile such as red-7 or joker")


@dataclass(frozen=True, slots=True)
class SolveFields:
    """What is asked; an empty name of rules stands for those set at the table. During a match its rules count."""

    table: Annotated[tuple[tuple[Tile, ...], ...], several(several(_ONE, MOST_TILES, 1), MOST_SETS)]
    hand: Annotated[tuple[Tile, ...], several(_ONE, MOST_TILES)]
    rules: Annotated[str, one_of(*ANY_BOOK)] = ""
    opened: bool = True
    points: bool = False


_FACE = {
    "type": "object",
    "required": ["tile", "name"],
    "properties": {"tile": {"type": "string"}, "name": {"type": "string"}},
}
_FACES = {"type": "array", "items": _FACE}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_READ_ANSWER = {
    "type": "object",
    "required": ["picture", "aspect", "tiles", "sets", "asked", "told"],
    "properties": {
        "picture": {"type": "string"},
        "aspect": {"type": "number"},
        "tiles": _FACES,
        "sets": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "asked": {"type": "array", "items": {"type": "object", "required": ["read", "text", "likely"]}},
        "told": _TEXTS,
    },
}
_RULES = {"rules": {"type": "string", "enum": list(ANY_BOOK)}}
DESCRIBED: Mapping[str, Described] = {
    READ: Described(
        "Read a picture of a table, or of the tiles in a hand: which tiles it shows, and which are in doubt.",
        {"type": "string", "format": "binary"},
        _READ_ANSWER,
        "image/jpeg",
        _RULES,
    ),
    LOOK: Described("Read the table as the camera sees it now; not during a match.", {}, _READ_ANSWER, query=_RULES),
    SOLVE: Described(
        "Find the best turn for a table and a hand, step by step; during a match only if all have agreed to that.",
        codec_of(SolveFields, PLAIN).schema,
        {
            "type": "object",
            "required": ["told", "laid", "steps"],
            "properties": {"told": _TEXTS, "laid": _FACES, "steps": {"type": "array"}},
        },
    ),
}
"""What the OpenAPI document says of the coach."""
