"""What players may do about the last verdict: readings of a tile that was misread, and what is to be agreed to."""

from __future__ import annotations

from typing import Any

from referee.game.match.agreement import may_agree, may_tell
from referee.game.tiles import HIGHEST, JOKER, Tile
from referee.i18n import Wording
from referee.page.faces import face, faces
from referee.table.output.follower import Facts


def source(facts: Facts) -> object:
    """All that this part is made of."""
    state = None if facts.scene is None else facts.scene.state
    phase = None if state is None else (may_tell(state), may_agree(state))
    return facts.offers, phase, None if facts.seen is None else facts.seen.number


def render(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """What may be done about the last look; None where nothing may."""
    scene, seen = facts.scene, facts.seen
    if scene is None or seen is None or seen.look.sighting is None:
        return None
    state, offers = scene.state, facts.offers
    if not (may_tell(state) or offers.taken_back):
        return None
    again, agreement = offers.reread, offers.agreement
    misread = again is not None and again.look.picture is seen.look.picture
    return {
        "look": seen.number,
        "agree": may_agree(state),
        "proposed": agreement is not None and agreement.picture is seen.look.picture,
        "reread": None if again is None or not misread else {"read": again.read, "likely": faces(again.tiles, words)},
    }


def box_source(facts: Facts) -> object:
    """All that this part is made of."""
    return None if facts.scene is None else facts.scene.state.rules.box


def box(facts: Facts, words: Wording) -> dict[str, Any]:
    """Every tile of the box, colour by colour, and what stands for none."""
    if facts.scene is None:
        return {"rows": [], "back": face(None, words)}
    held = facts.scene.state.rules.box
    rows = [faces([Tile(number, colour) for number in range(1, HIGHEST + 1)], words) for colour in held.colours]
    return {"rows": [*rows, *([[face(JOKER, words)]] if held.jokers else [])], "back": face(None, words)}
