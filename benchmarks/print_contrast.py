"""How clearly the print of each drawn tile stands out from its body in a picture, whoever reads it.

Random inks in random light may leave a print that nobody can see, such as yellow on cream under an orange lamp. Such
tiles belong to the figures, but they say little about a reader. So a picture is drawn once more without its prints, in
the same light and with the same noise, and the difference shows what there is to be seen.
"""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.sight import Truth
from referee.sim.scene.arrays import Floats
from referee.vision.sighting import Image

CLEAR = 10.0
"""A print is clear if the strongest part of it differs by at least this much from its body, in CIE L*a*b*. Chosen by
hand on drawn boxes of seed 10: below it, prints were hard to see in the crops."""
STRONGEST = 95
"""The strongest part of a print is this percentile of its tile."""


def print_contrasts(printed: Image, bare: Image, quads: Floats) -> list[float]:
    """Return how much the prints inside quads (n, 4, 2) stand out, in CIE L*a*b*.

    `printed` and `bare` are the same picture (H, W, 3) BGR with and without prints. The colours of both are averaged
    over 3 x 3 pixels first, so that noise does not count.
    """
    colours = [cv2.cvtColor(np.asarray(picture, np.float32) / 255, cv2.COLOR_BGR2LAB) for picture in (printed, bare)]
    one, other = (cv2.blur(lab, (3, 3)) for lab in colours)
    apart = np.linalg.norm(one - other, axis=2)
    contrasts = []
    for quad in quads:
        inside = np.zeros(apart.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
        contrasts.append(float(np.percentile(apart[inside > 0], STRONGEST)))
    return contrasts


def with_clear_prints(truth: Truth) -> Truth:
    """Return the ground truth of a picture with only those tiles whose prints are clear."""
    return truth | {"tiles": [tile for tile in truth["tiles"] if tile["contrast"] >= CLEAR]}
