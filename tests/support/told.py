"""Answers of a reader, told tile by tile: for tests of what is made of them, without pictures."""

from collections.abc import Mapping, Sequence

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt

from referee.game.tiles import FACE_DOWN, Colour, Tile
from referee.vision.reading.answers import SHIFTS, Predictions
from referee.vision.reading.glyphs import BACK_KIND, GLYPHS, INVERTED, JOKER_KIND, KINDS, NONE_KIND, SUITS

Floats = npt.NDArray[np.float32]

ON_ITS_HEAD = "^"
ERROR = 0.02
"""Standard error of a measured ink."""
_BARE = {"joker": JOKER_KIND, "back": BACK_KIND, "none": NONE_KIND}


def kind_of(sign: str) -> int:
    """The reader's kind of `joker`, `back`, `none`, or of a glyph such as `11`, `B`, `6^` (on its head)."""
    if sign in _BARE:
        return _BARE[sign]
    glyph = sign.removesuffix(ON_ITS_HEAD)
    return GLYPHS.index(glyph) + (INVERTED if glyph != sign else 0)


def kinds(**shares: float) -> Floats:
    """Chances of kinds (KINDS,): `u7` for an upright 7, `iB` for a B on its head, `joker`, `back`, `none`."""
    row = np.zeros(KINDS, np.float32)
    for name, share in shares.items():
        row[kind_of(name if name in _BARE else name[1:] + (ON_ITS_HEAD if name[0] == "i" else ""))] = share
    return row


def one(
    sign: str | Mapping[str, float], ink: Colour | Sequence[float] | npt.NDArray[np.float64] = Colour.RED,
    suit: str | Mapping[str, float] = "none", error: float = ERROR,
) -> Predictions:  # fmt: skip
    """What the reader answers to one crop: a sign, or several with their chances; an ink, or what it absorbs."""
    signs = {sign: 1.0} if isinstance(sign, str) else sign
    suits = {suit: 1.0} if isinstance(suit, str) else suit
    kind_row, suit_row = np.full((1, KINDS), 1e-7, np.float32), np.full((1, len(SUITS)), 1e-5, np.float32)
    for name, share in signs.items():
        kind_row[0, kind_of(name)] = share
    for name, share in suits.items():
        suit_row[0, SUITS.index(name)] = share
    absorbed = drawn.ABSORBED[ink] if isinstance(ink, Colour) else np.asarray(ink)
    look = drawn.LOOKS[int(kind_row.argmax())]
    return Predictions(
        np.log(kind_row), np.log(suit_row), absorbed[None].astype(np.float32),
        np.full((1, 3), np.log(error), np.float32), np.zeros((1, SHIFTS), np.float32), look[None],
    )  # fmt: skip


def tile(name: str, suit: str = "none", upright: bool = True, ink: Sequence[float] | None = None) -> Predictions:
    """What the reader answers to a plain tile, by its long name."""
    if name == FACE_DOWN:
        return one("back", (0.0, 0.0, 0.0), suit)
    told = Tile.from_name(name)
    if told.colour is None:
        return one("joker", drawn.ABSORBED[Colour.BLACK] if ink is None else ink, suit)
    return one(f"{told.number}{'' if upright else ON_ITS_HEAD}", told.colour if ink is None else ink, suit)


def table(*parts: Predictions) -> Predictions:
    """All answers of a table, in order."""
    return Predictions(*(np.concatenate([getattr(part, name) for part in parts]) for name in Predictions.__slots__))


def tiles(names: str, suit: str = "none") -> Predictions:
    """Plain tiles by their long names."""
    return table(*(tile(name, suit) for name in names.split()))
