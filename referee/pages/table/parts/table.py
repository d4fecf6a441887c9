"""The rectified picture of the camera, and the table as it was last confirmed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from referee.game.judge.verdict import FaultKind
from referee.game.table import Table
from referee.game.tiles import Tile
from referee.i18n import Wording
from referee.page.wording import face, faces
from referee.table.looking.look import Look
from referee.table.output.follower import Facts
from referee.table.output.rectified import aspect, outlines
from referee.vision.sighting import Floats

NEAR = 0.02
"""As a fraction of the picture: a tile that is found nearer than this to its old place has not vanished."""


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return None if facts.scene is None else (facts.scene.state.table, facts.scene.state.aside)


def render(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return the table as it was last confirmed, set by set."""
    if facts.scene is None:
        return {"sets": [], "aside": None}
    state = facts.scene.state
    aside = None if state.aside is None else face(state.aside, words)
    return {"sets": [faces(tiles, words) for tiles in state.table], "aside": aside}


def picture_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.seen, facts.pictured, facts.judged, facts.doubts, facts.accepted, facts.accepted_before


def picture(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return the last look: its picture, every tile with its outline and state, and the sets; None before the first.

    If the last look shows nothing of the table, this is the last one that does, and `since` is the time at which that
    was taken, in seconds of the server's clock. Outlines are fractions of the rectified picture, 0 to 1 from its top
    left.
    """
    seen, newest = facts.pictured, facts.seen
    if seen is None or seen.look.picture is None:
        return None
    since = None if newest is not None and newest.number == seen.number else round(seen.t, 3)
    shown = {"look": seen.number, "aspect": round(aspect(seen.look, facts.table_mm), 4), "since": since}
    sighting = seen.look.sighting
    if sighting is None:
        return {**shown, "tiles": [], "gone": [], "sets": []}
    tints = _tints(facts, sighting.table, len(sighting.sets))
    set_of = {read: number for number, reads in enumerate(sighting.sets) for read in reads}
    laid = _laid_reads(facts)
    return {
        **shown,
        "tiles": [
            {
                "read": number,
                "outline": _round_corners(corners),
                "state": "doubt" if read.doubtful else "back" if read.tile is None else "sure",
                "set": set_of.get(number),
                "fresh": number in laid,
                **face(read.tile, words),
            }
            for number, (read, corners) in enumerate(zip(sighting.reads, outlines(seen.look), strict=True))
        ],
        "gone": _places_of_vanished(facts),
        "sets": [{"reads": list(reads), "state": tints[number]} for number, reads in enumerate(sighting.sets)],
    }


def _laid_reads(facts: Facts) -> set[int]:
    """Return the reads of the last look that were laid in the turn that was judged with it.

    Of several equal tiles, those are meant that do not lie where one of them lay before.
    """
    judged, seen = facts.judged, facts.pictured
    if judged is None or seen is None or seen.look.sighting is None or judged.look != seen.number:
        return set()
    before = facts.accepted_before if judged.verdict.accepted else facts.accepted
    lay = [] if before is None else _tiles_with_places(before.look)
    laid, found = Counter(judged.verdict.laid), set()
    there = _tiles_with_places(seen.look)
    stays = [_lies_as_before(tile, place, lay) for tile, place in there]
    for number in sorted(range(len(there)), key=stays.__getitem__):
        tile, _ = there[number]
        if tile is not None and laid[tile]:
            laid[tile] -= 1
            found.add(number)
    return found


def _tiles_with_places(look: Look) -> list[tuple[Tile | None, Floats]]:
    """Return the tile of each read, and its middle as parts of the rectified picture."""
    reads = () if look.sighting is None else look.sighting.reads
    return [(read.tile, place.mean(axis=0)) for read, place in zip(reads, outlines(look), strict=True)]


def _lies_as_before(tile: Tile | None, place: Floats, before: list[tuple[Tile | None, Floats]]) -> bool:
    return any(tile == other and np.abs(place - there).max() < NEAR for other, there in before)


def _places_of_vanished(facts: Facts) -> list[list[list[float]]]:
    """Return the outlines of vanished tiles in the last look that shows them."""
    judged, accepted, seen = facts.judged, facts.accepted, facts.pictured
    if judged is None or accepted is None or seen is None or judged.look != seen.number:
        return []
    faults = (fault for fault in judged.verdict.faults if fault.kind is FaultKind.TILE_VANISHED)
    gone, before, now = Counter(tile for fault in faults for tile in fault.tiles), accepted.look, seen.look
    if not gone or before.sighting is None or now.sighting is None:
        return []
    there = _tiles_with_places(now)
    found = []
    for read, place in zip(before.sighting.reads, outlines(before), strict=True):
        stays = _lies_as_before(read.tile, place.mean(axis=0), there)
        if read.tile is not None and gone[read.tile] and not stays:
            gone[read.tile] -= 1
            found.append(_round_corners(place))
    return found


def _round_corners(corners: Floats) -> list[list[float]]:
    # A point at the camera's horizon is infinitely far away, which JSON cannot express.
    near = np.clip(np.nan_to_num(corners, nan=-1.0, posinf=2.0, neginf=-1.0), -1.0, 2.0)
    return [[round(float(x), 4), round(float(y), 4)] for x, y in near]


def _tints(facts: Facts, table: Table, sets: int) -> list[str]:
    """Return the state of every set of the last look: accepted, refused, doubtful or plain."""
    judged, seen = facts.judged, facts.pictured
    asked = facts.doubts if seen is facts.seen else ()  # questions are not about an older picture
    doubted = {doubt.read.id for doubt in asked if doubt.read is not None}
    for doubt in asked:
        doubted.update(doubt.together, doubt.copies)
    sighting = None if seen is None else seen.look.sighting
    reads = [()] * sets if sighting is None else sighting.sets
    states = ["doubtful" if doubted & set(each) else "plain" for each in reads]
    if judged is None or seen is None or judged.look != seen.number:
        return states
    refused = {number for fault in judged.verdict.faults for number in fault.sets}
    verdict = "accepted" if judged.verdict.accepted else "plain"
    return ["refused" if number in refused else verdict for number in range(len(table))]
