"""The questions of the referee, and what players may do about the last verdict."""

from __future__ import annotations

from typing import Any

from referee.game.doubt import Doubt
from referee.game.match.agreement import may_agree, may_tell
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, HIGHEST, JOKER, TILE_SETS, Tile
from referee.i18n import Wording
from referee.page.wording import face, faces
from referee.table.output.follower import Facts

LIKELY = 3
"""How many of the likely tiles are shown as large buttons."""


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.doubts, None if facts.seen is None else facts.seen.number


def render(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return the question; None if there is none. A doubt about a tile has its number in `read`, others have None."""
    if not facts.doubts:
        return None
    seen = facts.seen
    sighting = None if seen is None else seen.look.sighting
    box = None if sighting is None else TILE_SETS.get(sighting.tileset)
    inventory = {} if box is None else box.inventory()
    return {
        "look": 0 if seen is None else seen.number,
        "doubts": [_doubt(doubt, words, set(inventory)) for doubt in facts.doubts],
    }


def _doubt(doubt: Doubt, words: Wording, held: set[Tile]) -> dict[str, Any]:
    text = words.sentence(doubt.notice)
    if doubt.read is None:
        return {"read": None, "text": text, "likely": []}
    names = [doubt.read.tile, *(name for name, _ in doubt.read.alternatives)]
    likely: list[Tile | None] = []
    for name in dict.fromkeys(names):
        tile = None if name == FACE_DOWN else Tile.from_name(name)
        if tile is None or not held or tile in held:
            likely.append(tile)
    faces = [face(tile, words) for tile in likely[:LIKELY]]
    if doubt.notice.key == "reading.tile_or_bare":
        faces = [
            {**one, "name": words(Notice("play.label_no_tile"))} if one["tile"] == FACE_DOWN else one for one in faces
        ]
    return {"read": doubt.read.id, "text": text, "likely": faces}


def offers_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    state = None if facts.scene is None else facts.scene.state
    phase = None if state is None else (may_tell(state), may_agree(state))
    return facts.offers, phase, None if facts.seen is None else facts.seen.number


def offers(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return what players may do about the last look; None if nothing."""
    scene, seen = facts.scene, facts.seen
    if scene is None or seen is None or seen.look.sighting is None:
        return None
    state, made = scene.state, facts.offers
    if not (may_tell(state) or made.taken_back):
        return None
    again, agreement = made.reread, made.agreement
    misread = again is not None and again.look.picture is seen.look.picture
    return {
        "look": seen.number,
        "agree": may_agree(state),
        "proposed": agreement is not None and agreement.picture is seen.look.picture,
        "reread": None if again is None or not misread else {"read": again.read, "likely": faces(again.tiles, words)},
    }


def box_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return None if facts.scene is None else facts.scene.state.rules.box


def box(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return every tile of the box, by colour, and the face-down tile."""
    if facts.scene is None:
        return {"rows": [], "back": face(None, words)}
    held = facts.scene.state.rules.box
    rows = [faces([Tile(number, colour) for number in range(1, HIGHEST + 1)], words) for colour in held.colours]
    return {"rows": [*rows, *([[face(JOKER, words)]] if held.jokers else [])], "back": face(None, words)}
