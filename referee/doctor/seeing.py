"""Focus, light, colour, glare and flicker: what the measures of a picture mean, and what to do about each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from referee.doctor.finding import Finding, attention, ok, skipped, wrong
from referee.doctor.measure import Flicker, Patch, Spot
from referee.doctor.view import PLACES, View
from referee.game.wording import count, joined

# As in the view: chosen on rendered tables of the seeds 100 to 113, held against 200 to 219, with a distance from
# where the reader began to doubt or to lose tiles, because a render flatters.
SOFT_MM, BLURRED_MM = 2.6, 4.0
"""Width of a marker's edge from black to white. Up to 3.1 mm nothing more was doubted, at 4.2 a fifth."""
DIM, DARK = 70.0, 40.0
"""Grey level of the paper at the darkest marker. Nothing was doubted down to 46, a few tiles at 33, most at 24."""
CLIPPED_SHARE = 0.5
"""Share of one marker's paper that is too bright to be measured; the whites of tiles then lose their edges."""
VEIL = 0.45
"""Contrast of a marker, (white - black) / white; print has 0.9. Less: a misty lens, or a lamp mirrored in the card."""
UNEVEN = 0.40
"""Darkest marker to brightest. Read well down to 0.24; there the dark one was the next to be lost."""
CAST, STRONG_CAST = 1.8, 3.0
"""Strongest to weakest colour of the white paper. Candlelight in renders reaches 1.4; colours were told up to 3.3."""
SPOT_MM2 = 300.0
"""A mirrored lamp of that size hides a digit (14 x 10 mm) and more; larger ones made whole tiles vanish."""
FLICKER, STRIPES = 0.03, 0.015
"""Shares by which two pictures of a table in steady light may differ; noise alone stays below a tenth of that."""


def judge_seeing(view: View) -> Iterator[Finding]:
    """What the markers say about focus, light and colour, and the play area about glare."""
    patches = view.patches or {}
    if not patches:
        yield skipped("light", "Focus, light, colour and glare are measured on the markers, and none is seen.")
        return
    yield focus(patches)
    yield light(patches)
    yield colour(patches)
    clipped = max(one.clipped for one in patches.values()) > CLIPPED_SHARE
    if view.pose is None or clipped:
        why = "the picture is too bright" if clipped else "fewer than three markers lie in their places"
        yield skipped("glare", f"Mirrored lamps cannot be told while {why}.")
    else:
        yield glare(view.spots)


def focus(patches: Mapping[int, Patch]) -> Finding:
    """How sharp the markers' edges are."""
    widths = {i: one.edge_mm for i, one in patches.items()}
    usual = float(np.median(list(widths.values())))
    softest = max(widths, key=widths.__getitem__)
    pixels = float(np.median([one.edge_px for one in patches.values()]))
    figures = {"edge_mm": round(usual, 2), "edge_px": round(pixels, 2), "softest_mm": round(widths[softest], 2)}
    found = f"Black turns to white within {usual:.1f} mm ({pixels:.1f} pixels) at the markers' edges"
    do = (
        "Clean the lens, then set the focus: [camera] focus_m is the distance from the lens to the tiles in metres; "
        "lenses without motor are turned by hand. See that the camera does not shake."
    )
    if usual > BLURRED_MM:
        return wrong("focus", f"The picture is blurred: {_lower(found)}; {SOFT_MM:g} mm are wanted.", do, **figures)
    if usual > SOFT_MM:
        return attention("focus", f"The picture is soft: {_lower(found)}; {SOFT_MM:g} mm are wanted.", do, **figures)
    if widths[softest] > max(SOFT_MM, 1.6 * usual):
        text = f"The {PLACES[softest]} corner is soft: {widths[softest]:.1f} mm, elsewhere {usual:.1f} mm."
        return attention("focus", text, "Wipe the lens, lay that card flat, and look straight down.", **figures)
    return ok("focus", f"{found}: sharp.", **figures)


def light(patches: Mapping[int, Patch]) -> Finding:
    """How bright the white paper is, and whether everywhere alike."""
    whites = {i: one.white for i, one in patches.items()}
    darkest, brightest = min(whites, key=whites.__getitem__), max(whites, key=whites.__getitem__)
    low, high = whites[darkest], whites[brightest]
    even = low / max(1.0, high)
    clipped = max(patches, key=lambda i: patches[i].clipped)
    contrast = min((one.white - one.black) / max(1.0, one.white) for one in patches.values())
    figures = {
        "paper_darkest": round(low),
        "paper_brightest": round(high),
        "evenness": round(even, 2),
        "clipped": round(patches[clipped].clipped, 2),
        "contrast": round(contrast, 2),
    }
    level = f"White paper has grey level {low:.0f} of 255 at the {PLACES[darkest]} corner"
    more = "Add light: two lamps, left and right, turned to the wall or the ceiling (hardware/camera.md)."
    if even < UNEVEN:
        text = f"The light is uneven: the {PLACES[darkest]} corner has {100 * even:.0f} % of the brightest one's."
        do = f"Put a second lamp on the {PLACES[darkest]} side, or turn the lamp to the ceiling."
        return (wrong if low < DARK else attention)("light", text, do, **figures)
    if low < DIM:
        text = f"It is {'too dark' if low < DARK else 'rather dark'}: {_lower(level)}; {DIM:g} or more are wanted."
        return (wrong if low < DARK else attention)("light", text, more, **figures)
    if patches[clipped].clipped > CLIPPED_SHARE:
        text = f"It is too bright at the {PLACES[clipped]} corner: white paper there has no shades any more."
        do = "Turn that lamp away, or set a shorter [camera] exposure_ms or a smaller gain; then restart the referee."
        return attention("light", text, do, **figures)
    if contrast < VEIL:
        text = f"Black and white differ by {100 * contrast:.0f} % only, print has 90 %."
        do = "Wipe the lens; no lamp may shine into it or be mirrored in a card. Print the cards on matt paper."
        return attention("light", text, do, **figures)
    text = f"Bright and even: {_lower(level)}, {high:.0f} at the {PLACES[brightest]} one."
    return ok("light", text, **figures)


def colour(patches: Mapping[int, Patch]) -> Finding:
    """Whether white paper looks white."""
    papers = np.asarray([one.paper for one in patches.values() if one.clipped < CLIPPED_SHARE])
    if not len(papers):
        return skipped("colour", "The colour of the light cannot be told while the picture is too bright.")
    blue, green, red = (float(level) for level in papers.mean(axis=0))
    cast = max(blue, green, red) / max(1.0, min(blue, green, red))
    figures = {"cast": round(cast, 2), "red": round(red), "green": round(green), "blue": round(blue)}
    tint = max((("red", red), ("green", green), ("blue", blue)), key=lambda pair: pair[1])[0]
    if cast > CAST:
        text = f"White paper looks {tint}: its strongest colour is {cast:.1f} times its weakest."
        do = "Use white lamps of one kind, no coloured ones; the referee measures white before each round."
        return (wrong if cast > STRONG_CAST else attention)("colour", text, do, **figures)
    return ok("colour", f"White paper looks white enough: {cast:.2f} from strongest to weakest colour.", **figures)


def glare(spots: tuple[Spot, ...]) -> Finding:
    """Whether a lamp is mirrored in the play area."""
    if not spots:
        return ok("glare", "No lamp is mirrored in the play area (tiles mirror best: check with some on the table).")
    places = joined([f"{_cm(spot.x_mm)} cm from the left and {_cm(spot.y_mm)} cm from the top" for spot in spots[:3]])
    more = f" (and {count(len(spots) - 3, 'more place')})" if len(spots) > 3 else ""
    figures = {"spots": [{"x_mm": round(s.x_mm), "y_mm": round(s.y_mm), "area_mm2": round(s.area_mm2)} for s in spots]}
    do = (
        "Lay a mirror, or a telephone with its screen off, at that place: the lamp or window that it shows to the "
        "camera must be moved, shaded or switched off (hardware/camera.md)."
    )
    kind = wrong if spots[0].area_mm2 >= SPOT_MM2 else attention
    return kind("glare", f"Something bright is mirrored {places}{more}.", do, **figures)


def flicker(found: Flicker | None) -> Finding:
    """Whether the light is steady; None where both pictures were the very same."""
    if found is None:
        return skipped("flicker", "Whether the light flickers cannot be told from one and the same picture.")
    figures = {"overall": round(found.overall, 4), "stripes": round(found.stripes, 4)}
    do = (
        "Use other lamps, or set [camera] exposure_ms to a multiple of 10 (8.33 where the mains has 60 Hz). Was "
        "somebody at the table? Then run the doctor again."
    )
    if found.stripes > STRIPES:
        text = f"The light flickers: stripes of {100 * found.stripes:.1f} % in the picture."
        return attention("flicker", text, do, **figures)
    if found.overall > FLICKER:
        text = f"The light is unsteady: two pictures differ by {100 * found.overall:.1f} % in brightness."
        return attention("flicker", text, do, **figures)
    return ok("flicker", f"The light is steady: two pictures differ by {100 * found.overall:.1f} %.", **figures)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _cm(mm: float) -> int:
    return round(mm / 10)
