"""Whether a picture is good enough: flags that are measured on the tiles themselves, not on the table around them.

The thresholds were chosen on generated tables, to separate the pictures that are read without a doubt from the others.

Players are told what is wrong with a picture before they are told what could not be read in it.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.notice import Notice
from referee.vision.exposure import is_bleached, is_dark
from referee.vision.faint_colours import are_colours_faint
from referee.vision.geometry.markers import IDS
from referee.vision.geometry.pose import in_parts, place_of
from referee.vision.reading import crops
from referee.vision.reading.crops import CLIPPED, DARKEST
from referee.vision.sighting import Floats, Image, Quality, Sighting

# As the introduction says, chosen by hand on generated tables; `python -m benchmarks disturbed` measures the result on
# spoilt pictures (models/METRICS.md).
SHARP_FROM = 0.155
"""A print is sharp if its steepest edges cover this part of the way from body to ink within one pixel of a crop."""
PRINT_FROM = 0.1
"""A tile whose darkest part differs from its body by less than this part of the body shows no print."""
FAINT_BELOW = 0.3
"""A tile is faint if what stands out on it most differs from its body by less than this part of what prints in the
same picture mostly do. Of 1,760 prints in the pictures of ../shared and on virtual tables none is faint, and of 71
backs 62 are, among them most with a strong grain."""
FEWEST_PRINTS = 3
"""Fewer prints than this do not show what prints in the picture look like."""
PRINT_PART = 0.97
"""The quantile of the differences from the body that counts as what stands out most: a 1 covers little of a tile."""
DARK_BELOW = 45.0
"""Tiles with a body below this grey level are dark."""
BRIGHT_FROM = 0.7
"""A picture is too bright if this part of its tiles have a body that is white in all channels."""
GLARE_FROM = 0.12
"""A lamp is mirrored in a tile if this part of it is bleached beyond the usual,"""
UNBLEACHED = 236.0
"""and if by the light around it, its body should be below this level."""
PACKED_FROM = 3.2
"""Steps of chroma, in levels, at which too little is left of an ink: a JPEG quality of 30 or less."""
COLOURLESS_FROM = 6.0
"""Steps of chroma at which almost nothing is left of an ink: a JPEG quality of 15 or less."""
COLOUR_FROM = 3
"""Levels between the channels of a pixel that make a colour. In grey pictures they are equal; of 200 real and drawn
pictures, even the greyest one of an empty table has pixels with 7."""
COLOURED_FROM = 0.05
"""If a smaller part of the pixels has a colour, that is a time or a name that a camera writes into a grey picture. Of
76 real and drawn pictures, the greyest one of an empty table has 0.3, and with tiles 0.69."""
BLOCK, STEP_FROM, FEWEST_STEPS = 16, 0.7, 50
"""Side of the blocks of chroma in a JPEG picture, in pixels; the least difference that counts; how many are needed."""
PART = 1024
"""Side of the part in the middle of a picture that is measured, in pixels."""
STEPS = 8
SAMPLE = 12
INNER = 0.9
"""The part of a tile that is measured, without its edges."""
BRIGHT = Notice("reading.too_bright")
DARK = Notice("reading.too_dark")
BLURRED = Notice("reading.blurred")
PACKED = Notice("reading.packed")
GREY = Notice("reading.grey")
CUT_OFF = Notice("reading.cut_off")


def assess(
    picture: Image, corners: Floats, markers: set[int] | None, step: float | None = None, inks: Floats | None = None
) -> Quality:
    """Return flags for a picture with tiles at `corners` (n, 4, 2); `markers` are the ids of the corner markers seen.

    If three of four markers are seen, something covers the fourth, and the flag `hand` is set. `step` is the picture's
    `chroma_step()`, if it is known already. `inks` (n, 3) are the parts of the light that prints absorb, as the reader
    says, and NaN for tiles without a number; without them, only a picture without any colour counts as grey.
    """
    hand = markers is not None and markers < set(IDS)
    if not len(corners):
        return Quality(hand=hand)
    seen = crops.cut(picture, corners, INNER, step=4)
    body = crops.medians(seen)
    grey = body @ np.asarray([0.114, 0.587, 0.299], np.float32)
    sample = crops.cut(picture, corners[:: max(1, len(corners) // SAMPLE)], INNER)
    white = body.min(axis=1) >= CLIPPED
    bright = bool(white.mean() >= BRIGHT_FROM)
    glare = np.zeros(len(body), bool) if bright else _find_reflections(seen, body, corners)
    step = chroma_step(picture) if step is None else step
    numbered = np.full(len(body), inks is not None)
    if inks is not None:
        numbered &= ~np.isnan(inks).any(axis=1)
    # Bleached prints look faint, and so do some whose colour was lost.
    faint = np.zeros(len(body), bool) if bright or step >= COLOURLESS_FROM else _find_faint(picture, corners, numbered)
    pale = inks is not None and are_colours_faint(picture, body[numbered], inks[numbered])
    return Quality(
        sharp=_sharpness(sample) >= SHARP_FROM,
        glare=bool(glare.any()),
        dark=bool(np.median(grey) < DARK_BELOW),
        hand=hand,
        bright=bright,
        packed=step >= PACKED_FROM,
        colourless=step >= COLOURLESS_FROM,
        grey=pale or is_grey(picture),
        glare_px=tuple((float(x), float(y)) for x, y in corners[glare].mean(axis=1)),
        bleached=frozenset(np.flatnonzero(glare | white).tolist()),
        clipped=frozenset(np.flatnonzero(body.max(axis=1) >= CLIPPED).tolist()),
        unlit=frozenset(np.flatnonzero(body.min(axis=1) < DARKEST).tolist()),
        faint=frozenset(np.flatnonzero(faint & ~white & ~glare).tolist()),
    )


def is_grey(picture: Image) -> bool:
    """Return whether a BGR picture (H, W, 3) has no colours, like one of a camera for the dark, or a grey JPEG."""
    blue, green, red = cv2.split(np.ascontiguousarray(picture[::4, ::4]))
    apart = cv2.max(cv2.absdiff(blue, green), cv2.absdiff(red, green))
    return bool((apart >= COLOUR_FROM).mean() < COLOURED_FROM)


def chroma_step(picture: Image) -> float:
    """Return the levels by which the chroma of neighbouring blocks of a BGR picture differs, if it differs at all.

    A JPEG picture has the mean chroma of a block in steps, which are larger the more it is compressed. A digit's ink
    is narrower than a block and fades into it. The result is a lower quartile, since few blocks of a bare table
    differ; it is 1.3 or less for other pictures.
    """
    top, left = (max(0, (n - PART) // 2) // BLOCK * BLOCK for n in picture.shape[:2])
    height, width = (min(PART, n) // BLOCK * BLOCK for n in picture.shape[:2])
    if not height or not width:
        return 0.0
    inner = slice(BLOCK // 4, -BLOCK // 4)  # decoders smooth the border between two blocks
    blocks = picture[top : top + height, left : left + width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3)
    middles = np.ascontiguousarray(blocks[:, inner, :, inner]).reshape(height // 2, width // 2, 3)
    colours = cv2.cvtColor(middles, cv2.COLOR_BGR2YCrCb).reshape(height // BLOCK, BLOCK // 2, -1)
    columns = colours.sum(axis=1, dtype=np.float32).reshape(height // BLOCK, width // 2, 3)  # rows first: faster
    size = (width // BLOCK, height // BLOCK)
    means = cv2.resize(columns, size, interpolation=cv2.INTER_AREA)[..., 1:] / np.float32(BLOCK // 2)
    steps = np.concatenate([np.abs(np.diff(means, axis=axis)).ravel() for axis in (0, 1)])
    steps = steps[steps > STEP_FROM]
    return float(np.quantile(steps, 0.25)) if len(steps) >= FEWEST_STEPS else 0.0


def _sharpness(cut: Image) -> float:
    """Return the steepness of the edges of prints, whatever their ink: the median of the tiles that show a print.

    Motion blurs in one direction only, so the direction with more blur counts. Without any print the result is 1.
    """
    stacked = cv2.cvtColor(cut.reshape(-1, cut.shape[2], 3), cv2.COLOR_BGR2GRAY)  # the blur does not reach so far
    grey = cv2.GaussianBlur(stacked, (0, 0), 0.7).reshape(cut.shape[:3])[:, 4:-4, 4:-4].astype(np.int16)
    body, darkest = (_quantiles(grey[:, ::2, ::2].reshape(len(grey), -1), share) for share in (0.5, 0.02))
    depth = body - darkest
    printed = depth > PRINT_FROM * np.maximum(body, 1.0)
    if not printed.any():
        return 1.0
    steep = [
        _quantiles(np.abs(one - other).reshape(len(grey), -1)[printed], 0.97) / 2
        for one, other in ((grey[:, 2:], grey[:, :-2]), (grey[:, :, 2:], grey[:, :, :-2]))
    ]
    return float(np.median(np.minimum(*steep) / depth[printed]))


def _quantiles(levels: npt.NDArray[np.int16], share: float) -> npt.NDArray[np.float64]:
    """Return a quantile (n,) of each row (n, k), interpolated; several times as fast as `np.quantile` for numbers."""
    place = share * (levels.shape[1] - 1)
    low, part = int(place), place - int(place)
    ordered = np.sort(levels, axis=1)
    return np.asarray(ordered[:, low] * (1 - part) + ordered[:, min(low + 1, levels.shape[1] - 1)] * part)


def _find_faint(picture: Image, corners: Floats, numbered: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which tiles (n,) show nothing, or much less than the tiles that are `numbered` (n,) mostly do."""
    if numbered.sum() < FEWEST_PRINTS:
        return np.zeros(len(corners), bool)
    seen = crops.cut(picture, corners, INNER, step=2)
    body = crops.medians(seen)
    smooth = np.stack([cv2.blur(crop, (3, 3)) for crop in seen]).reshape(len(seen), -1, 3)  # grain and noise are finer
    absorbed = np.maximum(1 - smooth / np.maximum(body, np.float32(DARKEST))[:, None], 0)
    differences = np.sqrt((absorbed**2).mean(axis=2))
    most = np.quantile(differences, PRINT_PART, axis=1)
    return np.asarray(most < FAINT_BELOW * np.median(most[numbered]))


def _find_reflections(seen: Image, body: Floats, corners: Floats) -> npt.NDArray[np.bool_]:
    """Return which tiles (n,) mirror a lamp: those that are bleached more than the light around them explains."""
    darkest = np.minimum(np.minimum(seen[..., 0], seen[..., 1]), seen[..., 2])  # faster than `min` along that axis
    bleached = (darkest >= CLIPPED + 1).mean(axis=(1, 2))
    expected = _even(body.min(axis=1), corners.mean(axis=1))
    return np.asarray((bleached - np.median(bleached) > GLARE_FROM) & (expected < UNBLEACHED))


def _even(levels: Floats, places: Floats) -> Floats:
    """Return the level (n,) that each tile at `places` (n, 2) would have in light that changes evenly over the table.

    A plane is fitted to the levels, by iterated weights, because mirrored lamps are outliers. If there are too few
    tiles for that, the level is the same everywhere.
    """
    middle = places.mean(axis=0)
    terms = np.column_stack([np.ones(len(levels)), (places - middle) / max(1.0, float(np.abs(places - middle).max()))])
    terms = terms if len(levels) > 2 * terms.shape[1] else terms[:, :1]
    fit: npt.NDArray[Any] = np.zeros(terms.shape[1])
    fit[0] = np.median(levels)
    for _ in range(STEPS):
        weight = 1 / np.maximum(np.abs(levels - terms @ fit), 2.0)
        fit = np.linalg.lstsq(terms * weight[:, None] ** 0.5, levels * weight**0.5, rcond=1e-9)[0]
    return np.asarray(terms @ fit, np.float32)


def complaint(sighting: Sighting) -> Notice | None:
    """Return the worst fault of the picture; None if it is good.

    A picture is too bright, too dark, blurred, grey or compressed as a whole; mirrored lamps are reported with their
    places.
    """
    quality = sighting.quality
    whole = ((quality.bright, BRIGHT), (quality.dark, DARK), (not quality.sharp, BLURRED), (quality.grey, GREY),
             (quality.packed, PACKED))  # fmt: skip
    worst = next((told for holds, told in whole if holds), None)
    if worst is not None:
        return worst
    if not quality.glare:
        return CUT_OFF if quality.cut_off_px else None
    places = () if sighting.outline_px is None else places_of(np.asarray(quality.glare_px), sighting.outline_px)
    return Notice("reading.mirrored_at", places=places) if places else Notice("reading.mirrored")


def complaint_of(picture: Image) -> Notice | None:
    """Return what is wrong with a picture that shows no table; None if light is not the reason."""
    return DARK if is_dark(picture) else BRIGHT if is_bleached(picture) else None


def places_of(points_px: Floats, outline_px: Floats) -> tuple[Notice, ...]:
    """Return where points (n, 2) of a picture lie on the play area with corners `outline_px` (4, 2), each place once.

    Places are named as seen from the bottom side; the place with the most points comes first.
    """
    places = [place_of(float(x), float(y)) for x, y in in_parts(points_px, outline_px)]
    return tuple(sorted(dict.fromkeys(places), key=lambda place: -places.count(place)))
