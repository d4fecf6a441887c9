"""Judges focus, light, colour, glare and flicker by the measurements of a picture, and says what to do about each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from referee.doctor.finding import Finding, attention, ok, skip_check, wrong
from referee.doctor.measure import Flicker, Patch, Spot
from referee.doctor.view import CORNERS, View
from referee.game.notice import Notice

# As in `place`, these were chosen on rendered tables with the seeds 100 to 113 and checked on 200 to 219. They keep a
# margin from where the reader began to doubt or to lose tiles, because renders are better than reality.
SOFT_MM, BLURRED_MM = 2.6, 4.0
"""Width in mm of a marker's edge from black to white. Up to 3.1 no more tiles were in doubt, at 4.2 a fifth."""
DIM, DARK = 70.0, 40.0
"""Grey level of the paper at the darkest marker. No tiles were in doubt down to 46, a few at 33, most at 24."""
CLIPPED_SHARE = 0.5
"""Fraction of one marker's paper that is too bright to be measured. Above it, the whites of tiles lose their edges."""
VEIL = 0.45
"""Contrast of a marker, (white - black) / white. Print has 0.9; less means a misty lens, or a lamp mirrored in the
card."""
UNEVEN = 0.40
"""Darkest marker divided by brightest. Tables were read well down to 0.24; below that, the dark marker was lost
first."""
CAST, STRONG_CAST = 1.8, 3.0
"""Strongest colour of the white paper divided by its weakest. Candlelight in renders reaches 1.4; colours were read up
to 3.3."""
SPOT_MM2 = 300.0
"""A mirrored lamp of this size hides a digit (14 x 10 mm) and more; larger ones made whole tiles vanish."""
TOLD = 3
"""How many mirrored lamps are reported one by one."""
FLICKER, STRIPES = 0.03, 0.015
"""Fractions by which two pictures of a table in steady light may differ; noise alone stays below a tenth of that."""


def judge_seeing(view: View) -> Iterator[Finding]:
    """Yield findings about focus, light and colour from the markers, and about glare from the play area."""
    patches = view.patches or {}
    if not patches:
        yield skip_check("light", Notice("doctor.no_light_without_markers"))
        return
    yield focus(patches)
    yield light(patches)
    yield colour(patches)
    clipped = max(one.clipped for one in patches.values()) > CLIPPED_SHARE
    if view.pose is None or clipped:
        yield skip_check(
            "glare", Notice("doctor.no_glare_too_bright" if clipped else "doctor.no_glare_without_markers")
        )
    else:
        yield glare(view.spots)


def focus(patches: Mapping[int, Patch]) -> Finding:
    """Judge how sharp the markers' edges are."""
    widths = {i: one.edge_mm for i, one in patches.items()}
    usual = float(np.median(list(widths.values())))
    softest = max(widths, key=widths.__getitem__)
    pixels = float(np.median([one.edge_px for one in patches.values()]))
    figures = {"edge_mm": round(usual, 2), "edge_px": round(pixels, 2), "softest_mm": round(widths[softest], 2)}
    do = Notice("doctor.set_focus")
    if usual > BLURRED_MM:
        text = Notice("doctor.blurred", width=usual, pixels=pixels, wanted=SOFT_MM)
        return wrong("focus", text, do, **figures)
    if usual > SOFT_MM:
        text = Notice("doctor.soft", width=usual, pixels=pixels, wanted=SOFT_MM)
        return attention("focus", text, do, **figures)
    if widths[softest] > max(SOFT_MM, 1.6 * usual):
        text = Notice("doctor.corner_soft", corner=CORNERS[softest], width=widths[softest], usual=usual)
        return attention("focus", text, Notice("doctor.wipe_lens"), **figures)
    return ok("focus", Notice("doctor.sharp", width=usual, pixels=pixels), **figures)


def light(patches: Mapping[int, Patch]) -> Finding:
    """Judge how bright the white paper is, and whether it is equally bright everywhere."""
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
    kind = wrong if low < DARK else attention
    if even < UNEVEN:
        text = Notice("doctor.uneven", corner=CORNERS[darkest], share=100 * even)
        return kind("light", text, Notice("doctor.second_lamp", corner=CORNERS[darkest]), **figures)
    if low < DIM:
        key = "doctor.too_dark" if low < DARK else "doctor.rather_dark"
        text = Notice(key, level=low, corner=CORNERS[darkest], wanted=DIM)
        return kind("light", text, Notice("doctor.add_light"), **figures)
    if patches[clipped].clipped > CLIPPED_SHARE:
        text = Notice("doctor.too_bright", corner=CORNERS[clipped])
        return attention("light", text, Notice("doctor.turn_lamp_away"), **figures)
    if contrast < VEIL:
        text = Notice("doctor.veiled", contrast=100 * contrast)
        return attention("light", text, Notice("doctor.no_lamp_into_lens"), **figures)
    text = Notice(
        "doctor.bright", level=low, darkest=CORNERS[darkest], most=high, brightest=CORNERS[brightest]
    )  # fmt: skip
    return ok("light", text, **figures)


def colour(patches: Mapping[int, Patch]) -> Finding:
    """Judge whether white paper looks white."""
    papers = np.asarray([one.paper for one in patches.values() if one.clipped < CLIPPED_SHARE])
    if not len(papers):
        return skip_check("colour", Notice("doctor.colour_too_bright"))
    blue, green, red = (float(level) for level in papers.mean(axis=0))
    cast = max(blue, green, red) / max(1.0, min(blue, green, red))
    figures = {"cast": round(cast, 2), "red": round(red), "green": round(green), "blue": round(blue)}
    if cast > CAST:
        strongest = max(range(3), key=(red, green, blue).__getitem__)
        text = Notice("doctor.tinted", tint=_TINTS[strongest], times=cast)
        kind = wrong if cast > STRONG_CAST else attention
        return kind("colour", text, Notice("doctor.white_lamps"), **figures)
    return ok("colour", Notice("doctor.white", times=cast), **figures)


_TINTS = (Notice("doctor.tint_red"), Notice("doctor.tint_green"), Notice("doctor.tint_blue"))


def glare(spots: tuple[Spot, ...]) -> Finding:
    """Judge whether a lamp is mirrored in the play area."""
    if not spots:
        return ok("glare", Notice("doctor.no_glare"))
    told = tuple(Notice("doctor.spot", left=_cm(spot.x_mm), top=_cm(spot.y_mm)) for spot in spots[:TOLD])
    more = len(spots) - len(told)
    text = Notice("doctor.glare_and_more", spots=told, more=more) if more else Notice("doctor.glare", spots=told)
    figures = {"spots": [{"x_mm": round(s.x_mm), "y_mm": round(s.y_mm), "area_mm2": round(s.area_mm2)} for s in spots]}
    kind = wrong if spots[0].area_mm2 >= SPOT_MM2 else attention
    return kind("glare", text, Notice("doctor.lay_mirror"), **figures)


def flicker(found: Flicker | None) -> Finding:
    """Judge whether the light is steady; `found` is None if both pictures were identical."""
    if found is None:
        return skip_check("flicker", Notice("doctor.flicker_unknown"))
    figures = {"overall": round(found.overall, 4), "stripes": round(found.stripes, 4)}
    do = Notice("doctor.other_lamps")
    if found.stripes > STRIPES:
        return attention("flicker", Notice("doctor.flickers", share=100 * found.stripes), do, **figures)
    if found.overall > FLICKER:
        return attention("flicker", Notice("doctor.unsteady", share=100 * found.overall), do, **figures)
    return ok("flicker", Notice("doctor.steady", share=100 * found.overall), **figures)


def _cm(mm: float) -> int:
    return round(mm / 10)
