"""What players are asked about a tile: what it may be, where it lies, and why that cannot be told from the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.game.doubt import Doubt
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.vision.geometry.table_areas import in_parts, place_of
from referee.vision.ink_pair import InkPair, ink_pair
from referee.vision.quality import DARK_BELOW, GLARE_FROM
from referee.vision.reading import crops
from referee.vision.sighting import Image, Read, Sighting, record_read

SHARP_FROM = 9.0
"""Mean gradient of the sharpest edges of one crop, in grey levels a pixel, scaled as if its body were half bright."""
EDGE_PX = 3.0
"""A tile whose corner is nearer than this to the picture's edge may be cut off by it."""
_SIXES = {6, 9}
MOST_OTHERS = 2
"""How many other readings are named in a question."""
OVER = 0.08
"""Something over the table lies over a tile if its middle is nearer to the tile than this part of the play area."""


def asked_about(
    sighting: Sighting, picture: Image | None = None, over: Sequence[tuple[float, float]] = ()
) -> list[Doubt]:
    """A doubt for every read that players are asked about.

    Of two inks that may be each other only one tile is asked about; `together` are the reads that its answer settles.
    Of more tiles than the box holds only those that are not clear to read are asked about, or else the one that is the
    least sure; `copies` are all of them, for whichever it is, once one is another tile the others are none too many.

    `picture` (H, W, 3) is the one behind the sighting; without it nothing is said of glare and blur. `over` are the
    middles of what lies over the table, as parts of the play area.
    """
    pair = ink_pair(sighting)
    settled = () if pair is None else pair.reads
    copies = _copies_asked_once(sighting)
    doubts = []
    for i in sighting.doubts:
        asked, others = copies.get(i, (True, None))
        if asked and i not in settled:
            doubt = _describe_question(i, sighting, picture, over)
            doubts.append(doubt if others is None else replace(doubt, copies=tuple(others)))
    return doubts if pair is None else [_asked_of_both(pair, sighting), *doubts]


def _asked_of_both(pair: InkPair, sighting: Sighting) -> Doubt:
    """One question for the tiles of two inks, about the first of them."""
    first = pair.reads[0]
    read = sighting.reads[first]
    if read.tile is None:
        raise ValueError(f"expected a tile of {pair.colours}, found {read.name}")
    spot = _spot(read, sighting)
    place = Notice("place.unknown") if spot is None else place_of(*spot)
    tiles = read.tile, pair.other(read.tile)
    about = Notice("reading.which_inks", tile=tiles[0], tiles=tiles, place=place, count=len(pair.reads))
    return Doubt(about, record_read(first, read), together=tuple(pair.reads))


def _describe_question(
    index: int, sighting: Sighting, picture: Image | None, over: Sequence[tuple[float, float]]
) -> Doubt:
    read = sighting.reads[index]
    spot = _spot(read, sighting)
    place = Notice("place.unknown") if spot is None else place_of(*spot)
    covered = spot is not None and any(max(abs(x - spot[0]), abs(y - spot[1])) < OVER for x, y in over)
    reason = Notice("reading.covered") if covered else why(read, sighting, picture)
    return Doubt(question_about(read, place, reason), record_read(index, read))


def question_about(read: Read, place: Notice, reason: Notice) -> Notice:
    """What a tile may be, the likeliest first, as people would ask: which number, which colour, or which tile."""
    names = [read.name, *(name for name, _ in read.alternatives if name != read.name)][: 1 + MOST_OTHERS]
    tiles = tuple(Tile.from_name(name) for name in names if name != FACE_DOWN)
    if not tiles:
        return Notice("reading.back", place=place, why=reason)
    if len(tiles) < len(names):
        return Notice("reading.tile_or_back", tile=tiles[0], place=place, why=reason)
    if len(tiles) == 1 or not read.doubtful:
        return Notice("reading.tile", tile=tiles[0], place=place, why=reason)
    if len({tile.colour for tile in tiles}) == 1:
        return Notice("reading.which_number", tile=tiles[0], tiles=tiles, place=place, why=reason)
    if len({tile.number for tile in tiles}) == 1:
        return Notice("reading.which_colour", tile=tiles[0], tiles=tiles, place=place, why=reason)
    return Notice("reading.which_tile", tiles=tiles, place=place, why=reason)


def _spot(read: Read, sighting: Sighting) -> tuple[float, float] | None:
    """Where a tile lies, in parts of the play area; None where the picture shows no marked table."""
    if sighting.outline_px is None:
        return None
    x, y = in_parts(read.corners_px.mean(axis=0)[None], sighting.outline_px)[0]
    return float(x), float(y)


def why(read: Read, sighting: Sighting, picture: Image | None) -> Notice:
    """Return the reason why a tile cannot be read."""
    told = _too_many(read, sighting)
    if told is None and picture is not None:
        told = _in_the_picture(read, picture)
    return told or _alike(read)


def _copies_asked_once(sighting: Sighting) -> dict[int, tuple[bool, list[int]]]:
    """Return for each read that is one copy too many: whether it is asked about, and all copies in doubt."""
    reads, found = sighting.reads, dict[int, tuple[bool, list[int]]]()
    for tile in dict.fromkeys(reads[i].tile for i in sighting.doubts):
        copies = [i for i in sighting.doubts if reads[i].tile == tile]
        if tile is None or _too_many(reads[copies[0]], sighting) is None:
            continue
        unclear = [i for i in copies if not _clear(reads[i], sighting)]
        asked = unclear or [min(copies, key=lambda i: reads[i].confidence)]
        found |= {i: (i in asked, copies) for i in copies}
    return found


def none_too_many(sighting: Sighting, reads: Sequence[Read]) -> tuple[Read, ...]:
    """Return `reads` after an answer of players; reads that were doubtful only as one copy too many are sure again.

    `sighting` is the one before the answer; only reads that it has, and whose print is clear, can become sure again.
    """
    told = replace(sighting, reads=tuple(reads))
    return tuple(
        replace(read, doubtful=False)
        if read is was and read.doubtful and _clear(read, sighting) and _too_many(read, sighting)
        and not _too_many(read, told)
        else read
        for read, was in zip(reads, sighting.reads, strict=True)
    )  # fmt: skip


def _clear(read: Read, sighting: Sighting) -> bool:
    """Whether the print is clear, whatever the box holds."""
    return not read.doubtful or read.confidence >= sighting.sure_from


def in_vain(read: Read, sighting: Sighting) -> bool:
    """Return whether another look cannot help: every copy is clear to read, and the box holds fewer of them."""
    if read.tile is None or _too_many(read, sighting) is None:
        return False
    copies = (other for other in sighting.reads if other.tile == read.tile)
    return all(_clear(other, sighting) for other in copies)


def _too_many(read: Read, sighting: Sighting) -> Notice | None:
    """Whether it is one of more tiles than the box holds."""
    box = TILE_SETS.get(sighting.tileset)
    if box is None or read.tile is None:
        return None
    number, most = sum(other.tile == read.tile for other in sighting.reads), box.inventory().get(read.tile, 0)
    return Notice("reading.why_too_many", found=number, most=most) if number > most else None


def _in_the_picture(read: Read, picture: Image) -> Notice | None:
    """What is wrong with the picture just where the tile lies."""
    height, width = picture.shape[:2]
    low, high = read.corners_px.min(axis=0), read.corners_px.max(axis=0)
    if min(low) < EDGE_PX or high[0] > width - 1 - EDGE_PX or high[1] > height - 1 - EDGE_PX:
        return Notice("reading.why_cut_off")
    crop = crops.cut(picture, read.corners_px[None])[0]
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    body = float(np.median(grey))
    if float((crop.min(axis=2) >= 250).mean()) > GLARE_FROM:
        return Notice("reading.why_glare")
    if body < DARK_BELOW:
        return Notice("reading.why_dark")
    gradient = np.abs(np.diff(grey, axis=1))[:-1] + np.abs(np.diff(grey, axis=0))[:, :-1]
    sharp = float(np.quantile(gradient, 0.97)) / max(1.0, body) * 128 >= SHARP_FROM
    return None if sharp else Notice("reading.why_blurred")


def _alike(read: Read) -> Notice:
    """What the two likeliest readings have in common."""
    other = next((name for name, _ in read.alternatives if name != read.name), None)
    if FACE_DOWN in (read.name, other):
        return Notice("reading.why_face_down")
    if other is None:
        return Notice("reading.why_print")
    one, two = Tile.from_name(read.name), Tile.from_name(other)
    if one.colour == two.colour and {one.number, two.number} == _SIXES:
        return Notice("reading.why_six_or_nine")
    if one.number == two.number:
        return Notice("reading.why_inks")
    return Notice("reading.why_sign" if one.is_joker or two.is_joker else "reading.why_number")
