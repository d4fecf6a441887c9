"""How often each kind of print is shown in training, and how the answers are corrected for it.

Among generated tiles, letters are rare and jokers common; a network trained on them unchanged takes a blurred B for an
8. So rare kinds are shown more often, and the remaining imbalance is removed from the logits (Menon et al., Long-tail
Learning via Logit Adjustment, 2021). The reader then answers as if every glyph were printed equally often.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.train.pictures.surfaces import Floats, Rng
from referee.vision.reading.glyphs import INVERTED, JOKER_KIND, KINDS

JOKERS = 0.02
"""The share of jokers that the reader expects: two of 106, as in a box."""
EVENING_EXPONENT = 0.5
"""The exponent by which rare kinds are shown more often: 0 not at all, 1 as often as the others."""
GLYPHS = slice(0, 2 * INVERTED)


def _shares(kinds: Any) -> Floats:
    counts = np.maximum(np.bincount(np.asarray(kinds, int), minlength=KINDS), 1)
    return np.asarray(counts / counts.sum(), np.float32)


def offsets(kinds: Any) -> Floats:
    """Return logarithms of how much likelier each kind (KINDS,) is in `kinds` (n,) than the reader should expect."""
    shares = _shares(kinds)
    wanted = shares.copy()
    wanted[GLYPHS] = shares[GLYPHS].mean()
    wanted[JOKER_KIND] = JOKERS
    return np.asarray(np.log(shares / wanted), np.float32)


def rows(rng: Rng, kinds: Any) -> Any:
    """Draw about as many rows of `kinds` (n,) as there are, with rare glyphs more often than they occur.

    Returns the indices of the rows in order; an index may occur several times.
    """
    shares = _shares(kinds)
    often = np.ones(KINDS, np.float32)
    often[GLYPHS] = (shares[GLYPHS].mean() / shares[GLYPHS]) ** EVENING_EXPONENT
    copies = often[np.asarray(kinds, int)]
    copies *= len(copies) / copies.sum()
    count = np.floor(copies + rng.random(len(copies))).astype(int)
    return np.repeat(np.arange(len(copies)), count)
