"""Which tiles are certainly those that lay there before, so that they need not be read again.

A tile is compared with its earlier picture: in colour, in place, and adjusted to the present light. Any difference but
light counts: a tile that was exchanged for a similar one, turned over or pushed a little is not unchanged. In case of
doubt it counts as changed, because reading a tile again costs a millisecond, and missing an exchange costs a wrong
verdict.

Only the areas of a rectified view that have changed are searched for tiles again.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.reading import crops
from referee.vision.sighting import Floats, Image
from referee.vision.threads import run_in_threads

# Unless a comment names a source, these values were chosen by hand, not fitted, on the safe side: taking a tile for
# changed by mistake costs only the time to read it again.
BRIGHT = 0.9
"""The light is measured on the pixels above this quantile of a view: paper and tiles."""
LIGHT = 0.05
"""Light still counts as the same if no channel differs by more than this part."""
LEAST, MOST = 4.0, 8.0
"""The least and the most levels by which a mean of 3 x 3 pixels must differ to count as changed."""
NOISE = 4.0
"""Between these limits the threshold is this many times the mean difference, with each pixel counted up to MOST."""
AROUND_PX = 14
"""Pixels around a change within which tiles are searched again: half a tile."""
CONTEXT_PX = 32
"""Pixels around that which the finder gets as context."""
CELL_PX = 16
"""The finder's cells begin at multiples of this many pixels."""
WHOLE = 0.6
"""If the parts to search are more than this share of a view, all of it is searched."""


def changed_mask(before: Image, now: Image) -> Mask | None:
    """Return where (h, w) a view (h, w, 3) differs from an earlier one of its size; None if the light differs."""
    gain = _light(before[::3, ::3].reshape(-1, 3), now[::3, ::3].reshape(-1, 3))
    if np.abs(gain - 1).max() > LIGHT:
        return None
    levels = np.arange(256, dtype=np.float32)[:, None] * gain
    told = cv2.LUT(before, np.clip(np.rint(levels), 0, 255).astype(np.uint8)[None])
    apart = cv2.split(cv2.absdiff(cv2.blur(now, (3, 3)), cv2.blur(told, (3, 3))))
    most = cv2.max(cv2.max(apart[0], apart[1]), apart[2])
    step = float(np.clip(NOISE * np.minimum(most[::4, ::4], MOST).mean(), LEAST, MOST))
    return np.asarray(most > step, bool)


def _light(then: Image, now: Image) -> Floats:
    """Return the factor (3,) by which light changed between pixels (n, 3): the median over bright pixels."""
    green = then[:, 1]
    bright = green >= np.partition(green, int(BRIGHT * len(green)))[int(BRIGHT * len(green))]
    return np.asarray(np.median((now[bright] + np.float32(1)) / (then[bright] + np.float32(1)), axis=0), np.float32)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a view: rows `top` to `bottom` and columns `left` to `right`, both ends exclusive."""

    top: int
    bottom: int
    left: int
    right: int

    def cut(self, view: Image) -> Image:
        """Return this part of a view."""
        return np.ascontiguousarray(view[self.top : self.bottom, self.left : self.right])

    @property
    def offset(self) -> Floats:
        """The place (x, y) of its first pixel."""
        return np.asarray([self.left, self.top], np.float32)

    @property
    def size(self) -> int:
        """The number of its pixels."""
        return (self.bottom - self.top) * (self.right - self.left)


def area_to_search(mask: Mask) -> Mask:
    """Return where tiles must be searched again: everywhere near a change."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * AROUND_PX + 1,) * 2, np.uint8)).astype(bool)


def windows(mask: Mask) -> list[Window]:
    """Return the parts of a view that contain all of `mask` (h, w), with context for the finder.

    Parts that would overlap are joined; if the parts make up most of the view, the whole view is returned.
    """
    height, width = mask.shape
    searched = mask.astype(np.uint8)
    x, y, across, down = cv2.boundingRect(searched)
    if not across:
        return []
    count, _, stats, _ = cv2.connectedComponentsWithStats(searched[y : y + down, x : x + across])
    parts: list[Window] = []
    for left, top, wide, tall in (stats[1:count, :4] + (x, y, 0, 0)).tolist():
        part = Window(*_cells(top, top + tall, height), *_cells(left, left + wide, width))
        while beside := [other for other in parts if _overlap(part, other)]:
            parts = [other for other in parts if other not in beside]
            part = _enclosing_window(part, *beside)
        parts.append(part)
    whole = Window(0, height, 0, width)
    return [whole] if sum(part.size for part in parts) > WHOLE * whole.size else parts


def _cells(low: int, high: int, size: int) -> tuple[int, int]:
    return max(0, (low - CONTEXT_PX) // CELL_PX * CELL_PX), min(size, -(-(high + CONTEXT_PX) // CELL_PX) * CELL_PX)


def _overlap(one: Window, other: Window) -> bool:
    return one.top < other.bottom and other.top < one.bottom and one.left < other.right and other.left < one.right


def _enclosing_window(*parts: Window) -> Window:
    return Window(
        min(part.top for part in parts),
        max(part.bottom for part in parts),
        min(part.left for part in parts),
        max(part.right for part in parts),
    )


INNER = 0.86
"""The part of a tile that is compared; its edges are left out, because neighbours cast shadows on them."""
ROWS, COLUMNS = crops.HEIGHT // 2, crops.WIDTH // 2
"""Size of a patch in pixels; each pixel is the mean of four pixels of the crop, about 1 mm wide."""
NEAR = 0.1
"""In short sides of a tile: a find is compared with an earlier tile only if it is closer to it than this."""
SHIFT = 0.35
"""Pixels of a patch by which a tile may appear shifted because of markers, lens and temperature."""
DIFFERENT = 0.10
"""The part of the body's level by which a mean of 3 x 3 pixels may differ anywhere; two faces of one ink differ by
twice as much."""
INK = 0.03
"""The part by which the mean of all ink may differ in any channel; two inks of one box differ by twice as much."""
DEPTH = 0.5
"""Ink is usually this much darker than the body; if a lamp bleaches it, the limits are reduced in proportion."""
PRINTED, PRINT_FROM = 0.02, 0.2
"""A patch shows a print if at least the first part of it is darker than the body by at least the second part."""
LEGIBLE = 24.0
"""Tiles whose body is darker than this level are not compared."""
CLIPPED = 250.0
"""Nor are tiles whose body is brighter than this level, which hides the print."""
SHINE, SHINING = 1.1, 0.02
"""A lamp is mirrored in a tile if the first factor times its body's brightness is exceeded in the second part."""
GAIN = (0.6, 1.6)
"""Factors of brightness outside of these mean a different light;"""
CAST = 1.12
"""so do channels whose factors differ by more than this factor."""
TOGETHER = 48
"""The most tiles that are compared at once, in one thread."""
Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class KnownTiles:
    """Tiles as they were read: `corners` (n, 4, 2) in the picture, top left first; `patches` (n, 3, ROWS, COLUMNS).

    `body` (n, 3) is the colour of each without its print. `sure` (n,) is true for tiles that were read beyond doubt
    from this very picture and show a print; only these can count as unchanged.
    """

    corners: Floats
    patches: Floats
    body: Floats
    sure: Mask

    @classmethod
    def from_picture(cls, picture: Image, corners: Floats, sure: npt.ArrayLike) -> KnownTiles:
        """Return the tiles (n) of a BGR picture; `sure` (n,) says which were read from it beyond doubt."""
        quads = np.asarray(corners, np.float32).reshape(-1, 4, 2)
        patches = _patches(picture, quads)
        body = _body(patches)
        return cls(quads, patches, body, np.asarray(sure, bool).reshape(len(quads)) & _shows_print(patches, body))

    def __getitem__(self, rows: Rows) -> KnownTiles:
        return KnownTiles(self.corners[rows], self.patches[rows], self.body[rows], self.sure[rows])

    def followed_by(self, other: KnownTiles) -> KnownTiles:
        """Return these tiles, followed by the others."""
        return KnownTiles(
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.patches, other.patches]),
            np.concatenate([self.body, other.body]),
            np.concatenate([self.sure, other.sure]),
        )


def match_unchanged(known: KnownTiles, picture: Image, corners: Floats, places: Floats | None = None) -> Rows:
    """Return for each quad of `corners` (m, 4, 2) the index of the known tile that it certainly is, or -1.

    The pictures are compared at the places of the known tiles, because the quads need not be exact. If the camera has
    moved since, `places` (n, 4, 2) are the known tiles' places in this picture.
    """
    quads = np.asarray(corners, np.float32).reshape(-1, 4, 2)
    found = np.full(len(quads), -1, np.intp)
    at = known.corners if places is None else np.asarray(places, np.float32)
    rows, earlier = _pairs(at, known.sure, quads)
    now = _patches(picture, at[earlier])
    parts = [slice(start, start + TOGETHER) for start in range(0, len(earlier), TOGETHER)]
    seen = run_in_threads(lambda part: _look_same(known[earlier[part]], now[part]), parts)
    same = np.concatenate([np.zeros(0, bool), *seen])
    found[rows[same]] = earlier[same]
    return found


def _look_same(known: KnownTiles, now: Floats) -> Mask:
    """Return which known tiles (n,) certainly look like that now; `now` are patches (n, 3, ROWS, COLUMNS)."""
    body = _body(now)
    return _same_print(known.patches, known.body, now, body) & _shows_print(now, body)


def _pairs(places: Floats, sure: Mask, quads: Floats) -> tuple[Rows, Rows]:
    """Return pairs of indices of quads and sure known tiles that lie in one place, with nothing else there."""
    if not len(places) or not len(quads):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    apart = np.linalg.norm(quads.mean(axis=1)[:, None] - places.mean(axis=1)[None], axis=2)
    near = apart < NEAR * crops.short_sides(places)[None]
    alone = (near.sum(axis=1) == 1)[:, None] & (near.sum(axis=0) == 1)[None] & near & sure[None]
    rows, earlier = np.nonzero(alone)
    return rows, earlier


def _patches(picture: Image, quads: Floats) -> Floats:
    cut = crops.cut(picture, quads, INNER).transpose(0, 3, 1, 2).astype(np.uint16, order="C")
    joined = cut[..., ::2, ::2] + cut[..., 1::2, ::2] + cut[..., ::2, 1::2] + cut[..., 1::2, 1::2]
    return np.asarray(joined, np.float32) * np.float32(0.25)


def _body(patches: Floats) -> Floats:
    """Return the colour (n, 3) of each tile's body, at least one level."""
    levels = np.sort(patches.reshape(-1, 3, ROWS * COLUMNS)[..., ::3], axis=2)  # faster than `np.median`
    middle = (levels.shape[2] - 1) // 2, levels.shape[2] // 2
    return np.asarray(np.maximum(levels[..., middle].mean(axis=2), 1), np.float32)


def _darkness(patches: Floats, body: Floats) -> Floats:
    """Return how much darker than the body each pixel is, (n, ROWS, COLUMNS), in the channel that shows it best."""
    level = patches / body[..., None, None]
    return np.asarray(1 - np.minimum(np.minimum(level[:, 0], level[:, 1]), level[:, 2]), np.float32)


def _shows_print(patches: Floats, body: Floats) -> Mask:
    """Return which patches (n,) show a print on a body that is suitable for measuring the light."""
    if not len(patches):
        return np.zeros(0, bool)
    dark = (_darkness(patches, body) > PRINT_FROM).mean(axis=(1, 2))
    light = (patches[:, 0] + patches[:, 1] + patches[:, 2]).reshape(len(patches), -1)
    shine = (light > SHINE * body.sum(axis=1)[:, None]).mean(axis=1)
    level = body.min(axis=1)
    return np.asarray((dark > PRINTED) & (level > LEGIBLE) & (level < CLIPPED) & (shine < SHINING), bool)


def _same_print(before: Floats, was: Floats, now: Floats, body: Floats) -> Mask:
    """Return which patches (n,) show the same print, allowing for light; `was` and `body` (n, 3) are their bodies."""
    told, shift, gain = _in_light_of(before, now)
    differs = (now - told) / body[..., None, None]
    dark = _darkness(before, was)
    ink = (dark > PRINT_FROM).astype(np.float32)
    much = np.maximum(ink.sum(axis=(1, 2)), 1)
    allowed = np.minimum(1.0, (dark * ink).sum(axis=(1, 2)) / much / DEPTH)
    # The patches are stacked into one picture; where two meet, and at their edges, nothing is compared.
    column = cv2.blur(np.ascontiguousarray(differs).reshape(-1, COLUMNS), (3, 3)).reshape(differs.shape)
    local = np.abs(column[..., 1:-1, 1:-1]).reshape(len(before), -1).max(axis=1)
    mean = (np.abs(np.einsum("ncij,nij->nc", differs, ink)) / much[:, None]).max(axis=1)
    steady = (gain > GAIN[0]).all(axis=1) & (gain < GAIN[1]).all(axis=1) & (np.abs(shift) < SHIFT).all(axis=(1, 2))
    steady &= gain.max(axis=1) < CAST * gain.min(axis=1)
    return np.asarray((local < DIFFERENT * allowed) & (mean < INK * allowed) & steady, bool)


def _in_light_of(before: Floats, now: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the earlier patches as they would look in the present light, (n, 3, ROWS, COLUMNS).

    The light may have changed by a factor that rises or falls evenly across a tile, for each channel separately, and
    the picture may have shifted by a part of a pixel. Also returns the shifts (n, 3, 2) in pixels and the factors (n,
    3).
    """
    y, x = np.mgrid[-1 : 1 : ROWS * 1j, -1 : 1 : COLUMNS * 1j].astype(np.float32)
    terms = np.zeros((*before.shape[:2], 5, ROWS, COLUMNS), np.float32)
    terms[:, :, 0], terms[:, :, 1], terms[:, :, 2] = before, before * x, before * y
    terms[:, :, 3, :, 1:-1] = (before[..., 2:] - before[..., :-2]) / 2
    terms[:, :, 4, 1:-1] = (before[..., 2:, :] - before[..., :-2, :]) / 2
    flat = terms.reshape(*before.shape[:2], 5, -1)
    normal = flat @ flat.transpose(0, 1, 3, 2) + 1e-3 * np.eye(5, dtype=np.float32)
    fit = np.asarray(np.linalg.solve(normal, flat @ now.reshape(*before.shape[:2], -1, 1)), np.float32)
    told = (fit.transpose(0, 1, 3, 2) @ flat).reshape(before.shape)
    gain = fit[:, :, 0, 0]
    shift = fit[:, :, 3:, 0] / np.maximum(np.abs(gain), 1e-3)[..., None]
    return np.asarray(told, np.float32), np.asarray(shift, np.float32), np.asarray(gain, np.float32)
