"""What the referee has misread, as it is kept for training: only where people say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.game.match.events import Word
from referee.game.tiles import FACE_DOWN
from referee.table.looking.look import Look
from referee.vision.sighting import Image


@dataclass(frozen=True, slots=True)
class Failure:
    """A picture, and all that is known of it as JSON has it: what was read, and what lies there as people say."""

    picture: Image
    told: dict[str, Any]


def failure_of(look: Look, rules: str) -> Failure | None:
    """The failure that a look shows; None where it has no picture or nothing was read."""
    if look.picture is None or look.sighting is None:
        return None
    read = look.sighting if look.plain is None else look.plain
    told = {
        "rules": rules,
        "read": read.to_json(""),
        "truth": look.sighting.to_json(""),
        "words": [_word(word) for word in look.words],
    }
    return Failure(look.picture, told)


def _word(word: Word) -> dict[str, Any]:
    names = [FACE_DOWN if tile is None else tile.name for tile in (word.tile, *word.offered)]
    return {
        "tile": names[0],
        "about": word.about.value,
        "read_as": names[1:],
        "x_mm": round(word.x_mm, 1),
        "y_mm": round(word.y_mm, 1),
        "angle_deg": round(word.angle_deg, 1),
    }
