"""Questions to players about a tile: what it may be, where it lies, and why the picture does not tell.

If two inks of a table clearly differ but their names are uncertain, one question settles both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.game.doubt import Doubt
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, TILE_SETS, Colour, Tile
from referee.vision.geometry.pose import in_parts, place_of
from referee.vision.quality import DARK_BELOW, GLARE_FROM
from referee.vision.reading import crops
from referee.vision.sighting import Image, Read, Sighting, record_read

# Unless a comment names a source, the values in this module were chosen by hand, not fitted. They decide how a
# question is worded and whether two questions become one, never whether a read is beyond doubt.
APART = 0.16
"""The least distance between the two inks, in absorbance; equal to `NEAR` in `reading.inks`, where its source is."""
TIGHT = 0.7
"""The distance of a tile to its own ink must be less than this factor times the distance to the other. Haze pales
inks: of 19 red and orange tiles of one scene, the farthest one was at 0.5."""


@dataclass(frozen=True, slots=True)
class InkPair:
    """The tiles of two inks that may have been confused with each other, as indices of reads, in order."""

    colours: tuple[Colour, Colour]
    reads: tuple[int, ...]

    def other(self, tile: Tile) -> Tile:
        """Return the same number in the other one of the two inks."""
        one, two = self.colours
        return Tile(tile.number, two if tile.colour is one else one)


def ink_pair(sighting: Sighting) -> InkPair | None:
    """Return the two inks whose tiles are all in doubt only because each ink may be the other; None if there are none.

    Also None if the tiles of the two inks cannot be separated: then each tile needs a question of its own.
    """
    found: dict[frozenset[Colour], list[int]] = {}
    for i, read in enumerate(sighting.reads):
        inks = _either_ink(read, sighting.sure_from)
        if inks is not None:
            found.setdefault(inks, []).append(i)
    for inks, numbers in sorted(found.items(), key=lambda item: (-len(item[1]), item[1])):
        one, two = sorted(inks, key=list(Colour).index)
        pair = InkPair((one, two), tuple(numbers))
        if not _named_surely(sighting.reads, inks) and _two_plain_inks(sighting.reads, pair):
            return pair
    return None


def with_inks_told(sighting: Sighting, pair: InkPair, number: int, tile: Tile | None) -> Sighting:
    """Return the sighting with both inks named, given that players said that the read `number` is `tile`.

    It is unchanged if `tile` has neither ink.
    """
    was = sighting.reads[number].tile
    if number not in pair.reads or was is None or tile is None or tile.colour not in pair.colours:
        return sighting
    swapped = tile.colour != was.colour
    reads = list(sighting.reads)
    for i in pair.reads:
        reads[i] = _rename_read(reads[i], pair, swapped=swapped)
    return replace(sighting, reads=tuple(reads))


def _either_ink(read: Read, sure_from: float) -> frozenset[Colour] | None:
    """Return the two inks of a read that is in doubt only between these; None for any other read."""
    if not read.doubtful or read.tile is None or read.confidence >= sure_from:
        return None
    other = next((pair for pair in read.alternatives if pair[0] != read.name), None)
    if other is None or other[0] == FACE_DOWN or read.confidence + other[1] < sure_from:
        return None
    one, two = read.tile, Tile.from_name(other[0])
    if one.colour is None or two.colour is None or one.number != two.number:
        return None
    return frozenset((one.colour, two.colour))


def _named_surely(reads: Sequence[Read], inks: frozenset[Colour]) -> bool:
    return any(not read.doubtful and read.tile is not None and read.tile.colour in inks for read in reads)


def _two_plain_inks(reads: Sequence[Read], pair: InkPair) -> bool:
    """Return whether the tiles named for one ink look alike, and unlike those named for the other."""
    kinds = []
    for colour in pair.colours:
        inks = [reads[i].absorbed for i in pair.reads if _colour_of(reads[i]) is colour]
        if not inks or None in inks:
            return False
        kinds.append(np.asarray(inks, np.float64))
    one, two = (kind.mean(axis=0) for kind in kinds)
    if np.linalg.norm(one - two) < APART:
        return False
    ways = ((kinds[0], one, two), (kinds[1], two, one))
    return all(
        (np.linalg.norm(kind - own, axis=1) <= TIGHT * np.linalg.norm(kind - far, axis=1)).all()
        for kind, own, far in ways
    )


def _colour_of(read: Read) -> Colour | None:
    return None if read.tile is None else read.tile.colour


def _rename_read(read: Read, pair: InkPair, *, swapped: bool) -> Read:
    if read.tile is None:
        return read
    tile = pair.other(read.tile) if swapped else read.tile
    seen = ((read.name, read.confidence), *read.alternatives)
    return replace(read, tile=tile, doubtful=False, alternatives=tuple(one for one in seen if one[0] != tile.name))


SHARP_FROM = 9.0
"""Mean gradient of the sharpest edges of one crop, in grey levels per pixel, scaled to a body of level 128."""
EDGE_PX = 3.0
"""A tile with a corner closer than this to the picture's edge may be cut off by it."""
_SIXES = {6, 9}
"""The numbers that look alike upside down."""
MOST_OTHERS = 2
"""How many other readings are named in a question."""
OVER = 0.08
"""A tile counts as covered if the middle of something over the table is this close, in parts of the play area."""


def asked_about(
    sighting: Sighting, picture: Image | None = None, over: Sequence[tuple[float, float]] = ()
) -> list[Doubt]:
    """Return a doubt for each read that players must be asked about.

    If two inks may have been confused, only one tile of them is asked about; `together` are the reads that the answer
    settles. If more tiles of a kind were read than the box holds, only those whose print is not clear are asked about,
    or the least certain one if all are clear. `copies` are all of them: once one turns out to be another tile, the
    rest are not too many any more.

    `picture` (H, W, 3) is the one that the sighting comes from; without it, glare and blur are not mentioned. `over`
    are the middles of things that lie over the table, as parts of the play area.
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
    return doubts if pair is None else [_question_about_both(pair, sighting), *doubts]


def _question_about_both(pair: InkPair, sighting: Sighting) -> Doubt:
    """Return one question for the tiles of two inks, asked about the first of them."""
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
    """Return a question that lists what a tile may be, likeliest first: which number, which colour, or which tile."""
    names = [read.name, *(name for name, _ in read.alternatives if name != read.name)][: 1 + MOST_OTHERS]
    tiles = tuple(Tile.from_name(name) for name in names if name != FACE_DOWN)
    if not tiles:
        return Notice("reading.back", place=place, why=reason)
    if read.bare and read.tile is not None:
        return Notice("reading.tile_or_bare", tile=read.tile, place=place, why=reason)
    if len(tiles) < len(names):
        return Notice("reading.tile_or_back", tile=tiles[0], place=place, why=reason)
    if len(tiles) == 1 or not read.doubtful:
        return Notice("reading.tile", tile=tiles[0], place=place, why=reason)
    return _which_of(tiles, place, reason)


def _which_of(tiles: tuple[Tile, ...], place: Notice, reason: Notice) -> Notice:
    if len({tile.colour for tile in tiles}) == 1:
        return Notice("reading.which_number", tile=tiles[0], tiles=tiles, place=place, why=reason)
    if len({tile.number for tile in tiles}) == 1:
        return Notice("reading.which_colour", tile=tiles[0], tiles=tiles, place=place, why=reason)
    return Notice("reading.which_tile", tiles=tiles, place=place, why=reason)


def _spot(read: Read, sighting: Sighting) -> tuple[float, float] | None:
    """Return where a tile lies, in parts of the play area; None if the picture shows no marked table."""
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
    """Return for each read of a tile read too often whether it is asked about, and all copies in doubt."""
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
    """Return `reads` after an answer, with reads made sure again that were in doubt only because there were too many.

    `sighting` is the one before the answer; only reads that are in it unchanged and whose print is clear become sure.
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
    """Return whether the print is clear, even if the box holds too few of the tile."""
    return not read.doubtful or read.confidence >= sighting.sure_from


def in_vain(read: Read, sighting: Sighting) -> bool:
    """Return whether another look cannot help: all copies are clear, but the box holds fewer of the tile."""
    if read.tile is None or _too_many(read, sighting) is None:
        return False
    copies = (other for other in sighting.reads if other.tile == read.tile)
    return all(_clear(other, sighting) for other in copies)


def _too_many(read: Read, sighting: Sighting) -> Notice | None:
    """Return a notice if more of this tile were read than the box holds, else None."""
    box = TILE_SETS.get(sighting.tileset)
    if box is None or read.tile is None:
        return None
    number, most = sum(other.tile == read.tile for other in sighting.reads), box.inventory().get(read.tile, 0)
    return Notice("reading.why_too_many", found=number, most=most) if number > most else None


def _in_the_picture(read: Read, picture: Image) -> Notice | None:
    """Return what is wrong with the picture at the place of the tile; None if nothing is."""
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
    """Return what makes the two likeliest readings similar."""
    if read.bare:
        return Notice("reading.why_faint")
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
