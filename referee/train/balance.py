"""How often each kind is shown to the reader, and how often it is to expect it.

Letters are rare among generated tiles and jokers common; a net that learns from them as they come takes a blurred
B for an 8. Rare kinds are shown more often, and what is left is taken out of the logits (Menon et al., Long-tail
Learning via Logit Adjustment, 2021), so that the reader answers as if a box printed every glyph equally often.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.train.pictures.surfaces import Floats, Rng
from referee.vision.reading.glyphs import INVERTED, JOKER_KIND, KINDS

JOKERS = 0.02
"""The part of all crops that the reader expects to be jokers: two of 106, as boxes hold them."""
EVENED = 0.5
"""The power of a kind's rarity with which it is shown more often."""
GLYPHS = slice(0, 2 * INVERTED)


def _shares(kinds: Any) -> Floats:
    counts = np.maximum(np.bincount(np.asarray(kinds, int), minlength=KINDS), 1)
    return np.asarray(counts / counts.sum(), np.float32)


def offsets(kinds: Any) -> Floats:
    """How much likelier each kind (KINDS,) is among `kinds` (n,) than the reader is to expect, as logarithms."""
    shares = _shares(kinds)
    wanted = shares.copy()
    wanted[GLYPHS] = shares[GLYPHS].mean()
    wanted[JOKER_KIND] = JOKERS
    return np.asarray(np.log(shares / wanted), np.float32)


def rows(rng: Rng, kinds: Any) -> Any:
    """Draw about as many rows of `kinds` (n,) as there are, rare glyphs more often than they occur.

    Returns the numbers of the rows drawn, in order; one may occur several times.
    """
    shares = _shares(kinds)
    often = np.ones(KINDS, np.float32)
    often[GLYPHS] = (shares[GLYPHS].mean() / shares[GLYPHS]) ** EVENED
    copies = often[np.asarray(kinds, int)]
    copies *= len(copies) / copies.sum()
    count = np.floor(copies + rng.random(len(copies))).astype(int)
    return np.repeat(np.arange(len(copies)), count)
