"""Numbers whose prints look alike, and a network that tells them apart.

In boxes of cards where a jack is a B, a pale 8 looks like it, and an open 4 upside down looks like an A. In any box, a
6 is a 9 upside down; on most tiles the print is nearer to the top, which shows which way up they lie. The reader is
often in doubt about these, although people are not. So they are shown to a network that knows nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import replace

import numpy as np

from referee.game.tiles import TileSet
from referee.vision.reading.certainty import Trust
from referee.vision.reading.glyphs import GLYPHS, STYLES
from referee.vision.sighting import Floats, Read

TURNED = (6, 9)
PAIRS = ((8, 11), (4, 1), TURNED)
"""Two numbers each; the network's answer is positive where a print is the second one."""
LOOK_ALIKE = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
"""By number, the one that it looks like."""
_PRINT_B = np.asarray([GLYPHS.index("B") in style.glyphs for style in STYLES])
PRINTS_B = 0.05
"""From this chance on, a box of cards may print the B that is a jack on German cards."""
# Chosen on 15,360 prints in rooms 0-119 of `python -m benchmarks.look_alikes`, which measures others. Where the
# network prefers the wrong number, its log odds are 2.2 at most. With 3, 91 % of 1,336 prints in doubt are settled.
SURE = 3.0
"""The log odds from which on the network settles a doubt between two numbers."""
CLEAR = 0.995
"""A read with at least this confidence needs no settling; it is put in doubt only if the network contradicts it."""
OTHERS = 0.05
"""A doubt is settled only if all names but those of the two numbers have no more than this chance together."""
ACE, FOUR, LEAST_CHANCE = 1, 4, 0.05
"""What is read as an ace may be an open 4 on its head if the reader gives that at least this chance."""
OVERRULED = 3.0
"""An ace is taken for an open 4 on its head if reader and network together give a 4 these log odds. Of 5,759 aces in
rooms 0-59 and 300-379 (`benchmarks.look_alikes`), none has log odds above -6 for a 4; of the 212 fours there that the
reader takes for aces, three in four have more than 4."""
FROM_CORE, STRENGTH, LEAST = (slice(8, -8), slice(6, -6)), 0.93, 0.05
"""Where in a crop the print is measured, the quantile that is its full strength, and the least strength."""


def look_alikes(box: TileSet, styles: Floats) -> frozenset[int]:
    """Return the numbers that look like another one of their box.

    `styles` (len(STYLES),) are the chances of the face styles.
    """
    if box.faces != "cards":
        return frozenset(TURNED)
    prints_b = float(styles[_PRINT_B].sum()) > PRINTS_B
    return frozenset(LOOK_ALIKE if prints_b else (*PAIRS[1], *TURNED))


def needs_telling_apart(read: Read, alike: Set[int]) -> bool:
    """Return whether the network is asked about a read, where the numbers `alike` look like others of the box.

    It is asked about a 6 or a 9 only in doubt: the reader mostly sees by itself which way up a tile lies, and where a
    print stands in the middle of its tile, the network can only guess.
    """
    if read.tile is None or read.tile.number not in alike:
        return False
    return read.doubtful or read.tile.number not in TURNED


def with_print(ink: Floats) -> Floats:
    """Return relative ink (n, 3, H, W) with a fourth channel: the print alone, as strong on a pale tile as on others.

    The ink's colour is the mean of the crop's own pixels, weighted by what they absorb. How much of it each pixel
    absorbs is divided by what a full stroke does.
    """
    if not len(ink):
        return np.zeros((0, 4, *ink.shape[2:]), np.float32)
    rows, columns = FROM_CORE
    core = -ink[:, :, rows, columns].reshape(len(ink), 3, -1)
    weighted = (core * np.linalg.norm(core, axis=1, keepdims=True)).sum(axis=2)
    colour = weighted / np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-6)
    absorbed = np.einsum("nchw,nc->nhw", -ink, colour)
    strength = np.quantile(absorbed[:, rows, columns].reshape(len(ink), -1), STRENGTH, axis=1)
    shown = np.clip(absorbed / np.maximum(strength, LEAST)[:, None, None], -1.0, 2.0)
    return np.concatenate([ink, shown[:, None]], axis=1).astype(np.float32)


def unless_open_four(read: Read, answer: Floats, trust: Trust) -> Read:
    """Return the read, as an open 4 on its head if it was read as an ace, but reader and network together favour a 4.

    Their log odds are added; `answer` and `trust` are those of `settle`. No other number is taken for its look-alike:
    a pale 8 may seem a B to both of them.
    """
    if read.tile is None or read.tile.number != ACE or trust.most < 1:
        return read
    four = replace(read.tile, number=FOUR)
    chance = dict(read.alternatives).get(four.name, 0.0)
    if chance < LEAST_CHANCE:
        return read
    odds = math.log(chance / read.confidence) - _odds_of(ACE, answer) / trust.number
    if odds < OVERRULED:
        return read
    both = read.confidence + chance
    ace = both / (1 + math.exp(odds))
    others = [(read.name, ace), *(one for one in read.alternatives if one[0] != four.name)]
    return replace(
        read,
        tile=four,
        confidence=both - ace,
        alternatives=tuple(sorted(others, key=lambda one: -one[1])),
        corners_px=np.roll(read.corners_px, 2, axis=0),
        angle_deg=(read.angle_deg + 180) % 360,
    )


def settle(read: Read, answer: Floats, trust: Trust, sure_from: float, *, contested: bool) -> Read:
    """Return a read, settled or put in doubt if its number is one of a pair.

    `answer` (len(PAIRS),): the network's log odds for the second number of each pair.
    `trust`: how far the tile is believed; the odds are divided by its temperature for numbers. What the edge of the
        picture cuts off stays in doubt.
    `sure_from`: the confidence of a read beyond doubt.
    `contested`: whether more of this tile were read than the box holds; then it stays in doubt.
    """
    if read.tile is None or read.tile.number not in LOOK_ALIKE or contested or trust.most < sure_from:
        return read
    odds = _odds_of(read.tile.number, answer)
    if odds < 0 or (odds < SURE * trust.number and read.confidence < CLEAR):
        chance = float(1 / (1 + np.exp(-odds)))
        return replace(read, doubtful=True, look_again=True, confidence=min(read.confidence, chance))
    if not read.doubtful or chance_of_others(read) > OTHERS:
        return read
    return replace(read, doubtful=False, look_again=False, confidence=max(read.confidence, sure_from))


def chance_of_others(read: Read) -> float:
    """Return the chance that a tile is neither the one that it was read as nor the one that this looks like."""
    if read.tile is None or read.tile.number not in LOOK_ALIKE:
        return 1 - read.confidence
    other = replace(read.tile, number=LOOK_ALIKE[read.tile.number]).name
    return 1 - read.confidence - dict(read.alternatives).get(other, 0.0)


def _odds_of(number: int, answer: Floats) -> float:
    column = next(i for i, pair in enumerate(PAIRS) if number in pair)
    return float(answer[column] if number == PAIRS[column][1] else -answer[column])
