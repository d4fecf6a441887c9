"""What the coach answers, as JSON in one language: a picture that was read, and the best turn step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.game.coach import Advice
from referee.game.doubt import Doubt
from referee.game.tiles import FACE_DOWN, Tile, TileSet
from referee.i18n import Wording
from referee.page.wording import face, faces
from referee.pages.table.steps_shown import steps_shown
from referee.vision.asked import asked_about
from referee.vision.sighting import Floats, Image, Sighting

LIKELY = 4
"""How many of the likely tiles are offered for a tile in doubt."""


def sighting_shown(sighting: Sighting, picture: Image, box: TileSet, words: Wording) -> dict[str, Any]:
    """Return what was read in a picture; outlines are fractions of it, 0 to 1 from its top left.

    `asked` are the tiles in doubt, each with its question and likely answers. `together` are all reads that one answer
    settles, because only the names of two colours are in doubt.
    """
    height, width = picture.shape[:2]
    unit = np.asarray([1 / width, 1 / height], np.float32)
    doubts = asked_about(sighting, picture)
    asked = {doubt.read.id for doubt in doubts if doubt.read is not None}
    return {
        "aspect": round(width / height, 4),
        "tiles": [
            {
                "read": number,
                "outline": _corners(read.corners_px * unit),
                "state": "doubt" if number in asked else "back" if read.tile is None else "sure",
                **face(read.tile, words),
            }
            for number, read in enumerate(sighting.reads)
        ],
        "sets": [list(reads) for reads in sighting.sets],
        "asked": [_question(doubt, box, words) for doubt in doubts if doubt.read is not None],
        "told": [words.sentence(doubt.notice) for doubt in doubts if doubt.read is None],
    }


def _question(doubt: Doubt, box: TileSet, words: Wording) -> dict[str, Any]:
    if doubt.read is None:
        raise ValueError("expected a doubt about a tile")
    held = box.inventory()
    likely: list[Tile | None] = []
    for name in dict.fromkeys([doubt.read.tile, *(name for name, _ in doubt.read.alternatives)]):
        tile = None if name == FACE_DOWN else Tile.from_name(name)
        if tile is None or tile in held:
            likely.append(tile)
    return {
        "read": doubt.read.id,
        "text": words.sentence(doubt.notice),
        "likely": faces(likely[:LIKELY], words),
        "together": list(doubt.together),
    }


def _corners(corners: Floats) -> list[list[float]]:
    return [[round(float(x), 4), round(float(y), 4)] for x, y in np.clip(corners, -1, 2)]


def advice_shown(advice: Advice, words: Wording) -> dict[str, Any]:
    """Return the best turn in one language."""
    return {
        "told": [words(told) for told in advice.told],
        "laid": faces(advice.laid, words),
        "steps": steps_shown(advice.steps, words),
    }
