"""Tiles drawn as no maker prints them, and nets made for just those: real geometry and inks without training.

A number is written in four bits in the upper half of a white tile, a joker is a disc in its middle, a back is bare.
"""

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.tiles import FACE_DOWN, HIGHEST, TILE_SETS, Colour, Tile
from referee.vision.finding import finder as find
from referee.vision.placing import Nets
from referee.vision.reading import crops
from referee.vision.reading.answers import COLUMNS, EMBEDDING, INK, SHIFTS
from referee.vision.reading.glyphs import BACK_KIND, INVERTED, JOKER_KIND, KINDS, NONE_KIND, SUITS
from referee.vision.reading.inks import InkPrior
from referee.vision.reading.joint import Known
from referee.vision.reading.look_alikes import PAIRS
from referee.vision.sighting import Image

Floats = npt.NDArray[np.float32]
Model = Callable[[Any], tuple[Any, ...]]

BITS = 4
_PAPER = 235
_INKS = {
    Colour.BLACK: (20, 20, 20),
    Colour.BLUE: (200, 60, 20),
    Colour.RED: (30, 30, 220),
    Colour.YELLOW: (20, 200, 235),
    Colour.ORANGE: (20, 120, 240),
    Colour.GREEN: (40, 150, 30),
}
ABSORBED = {colour: 1.0 - np.asarray(ink) / _PAPER for colour, ink in _INKS.items()}
"""What each drawn ink takes away of the paper's light, blue, green, red."""
_STRENGTH = 12.0
_SPREAD = float(np.log(0.02))
_ABSORBED_AT = KINDS + len(SUITS)
_SPREAD_AT = _ABSORBED_AT + INK
_EMBEDDING_AT = _SPREAD_AT + INK + SHIFTS
_OWN = 0.08
LOOKS = np.random.default_rng(5).normal(0, 1, (KINDS, EMBEDDING)).astype(np.float32)
"""What the print of each kind looks like to the reader, each unlike all others."""


def prior(
    colours: Sequence[Colour], own: float = _OWN, lights: Sequence[Sequence[float]] = ((0.0, 0.0, 0.0),)
) -> InkPrior:
    """What somebody expects who knows each drawn ink to `own` (a standard deviation), and the lights it is seen in.

    Each of the `lights` (3,) shifts all inks alike and is as likely as any other.
    """
    means = np.asarray([[ABSORBED[colour] + np.asarray(light) for colour in colours] for light in lights])
    count, k = means.shape[:2]
    covariances = np.broadcast_to(own**2 * np.eye(3), (count, k, 1, 3, 3))
    return InkPrior(
        tuple(colours), np.full(count, 1 / count), np.ones((count, k, 1)), means[:, :, None], covariances.copy()
    )


KNOWN = Known(tuple(prior(TILE_SETS[name].colours) for name in ("rummikub", "ravensburger", "piatnik")))


def quad(x: float, y: float, degrees: float = 0.0, short: float = 52.0, tall: float = 75.0) -> Floats:
    """Corners (4, 2) around (x, y), top left first, turned clockwise."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-short, -tall], [short, -tall], [short, tall], [-short, tall]]) / 2
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


def paint(picture: Image, corners: Floats, name: str) -> None:
    """Draw the top of the tile `name` into the picture, in place."""
    face = np.full((180, 120, 3), _PAPER, np.uint8)
    if name != FACE_DOWN:
        tile = Tile.from_name(name)
        if tile.colour is None:
            cv2.circle(face, (60, 90), 18, (40, 40, 40), -1)
        else:
            for bit in range(BITS):
                if tile.number >> bit & 1:
                    face[36:72, 12 + 24 * bit : 36 + 24 * bit] = _INKS[tile.colour]
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 2, picture.shape[1::-1])
    part, placed = picture[low[1] : high[1], low[0] : high[0]], (corners - low).astype(np.float32)
    source = np.asarray([[0, 0], [120, 0], [120, 180], [0, 180]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, placed)
    size = (part.shape[1], part.shape[0])
    fine = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(placed * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = mask[..., None] / 255.0
    part[:] = np.round(part * (1 - share) + fine * share).astype(np.uint8)


def bare(height: int, width: int) -> Image:
    """A brown table without anything."""
    return np.full((height, width, 3), (40, 60, 90), np.uint8)


def finder(array: Floats) -> tuple[Floats]:
    """Every white thing as wide as the finder likes tiles, found by its outline."""
    white = ((array[0].min(axis=0) > 0.3) * 255).astype(np.uint8)
    maps = np.zeros((find.CHANNELS, array.shape[2] // find.STRIDE, array.shape[3] // find.STRIDE), np.float32)
    maps[0] = -20.0
    for outline in cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        corners = cv2.boxPoints(cv2.minAreaRect(outline))
        one, other = (corners[1] - corners[0]) / 2, (corners[2] - corners[1]) / 2
        up, across = (one, other) if np.linalg.norm(one) > np.linalg.norm(other) else (other, one)
        up, across = (v * (1 + 0.5 / max(1e-6, float(np.linalg.norm(v)))) for v in (up, across))
        if not 14 < 2 * float(np.linalg.norm(across)) < 31:
            continue
        centre = (corners.mean(axis=0) + 0.5) / find.STRIDE
        column, row = (int(v) for v in centre)
        maps[0, row, column] = 5.0
        maps[1:3, row, column] = centre - (column + 0.5, row + 0.5)
        coded = [find.encode_vectors(np.asarray(v / find.STRIDE, np.float32)[None])[0] for v in (up, across)]
        maps[3:, row, column] = np.concatenate(coded)
    return (maps[None],)


def _band(size: int, low: float, high: float) -> slice:
    """Rows or columns of a crop, given in tile lengths from the tile's first edge."""
    return slice(*(round(size * (0.5 + (v - 0.5) / crops.MARGIN)) for v in (low, high)))


def _kind_and_ink(ink: Floats) -> tuple[int, Floats]:
    """The kind of the tile in a crop (3, H, W), and what its ink takes away (3,)."""
    bare = np.zeros(3, np.float32)
    dark = ink.min(axis=0)
    edges = np.concatenate([dark[:2], dark[-2:]])
    if edges.mean() > -0.3:
        return NONE_KIND, bare
    upper, lower, middle = (
        ink[:, _band(crops.HEIGHT, *rows), _band(crops.WIDTH, 0.1, 0.9)]
        for rows in ((0.24, 0.36), (0.64, 0.76), (0.45, 0.55))
    )
    if middle[:, :, middle.shape[2] // 2 - 3 : middle.shape[2] // 2 + 3].mean() < -0.4:
        return JOKER_KIND, bare
    inverted = bool(lower.min(axis=0).mean() < upper.min(axis=0).mean())
    cells = np.array_split((lower[:, ::-1, ::-1] if inverted else upper).mean(axis=1), BITS, axis=1)
    inks = np.stack([cell[:, 1:-1].mean(axis=1) for cell in cells])
    number = sum(1 << bit for bit, cell in enumerate(inks) if cell.min() < -0.35)
    if not 1 <= number <= HIGHEST:
        return BACK_KIND, bare
    return number - 1 + (INVERTED if inverted else 0), -inks[int(inks.min(axis=1).argmin())]


def reader(array: Floats) -> tuple[Floats]:
    """What each crop of a drawn tile is, beyond doubt; no corner is moved, and equal prints look alike."""
    answers = np.zeros((len(array), COLUMNS), np.float32)
    for row, crop in zip(answers, array, strict=True):
        kind, row[_ABSORBED_AT:_SPREAD_AT] = _kind_and_ink(crop)
        row[kind] = row[KINDS] = _STRENGTH  # no suit
        row[_SPREAD_AT : _SPREAD_AT + INK] = _SPREAD
        row[_EMBEDDING_AT:] = LOOKS[kind]
    return (answers,)


def aligner(array: Floats) -> tuple[Floats]:
    """No corner lies beside the crop's."""
    return (np.zeros((len(array), SHIFTS), np.float32),)


def undecided(array: Floats) -> tuple[Floats]:
    """Neither number of a pair is likelier."""
    return (np.zeros((len(array), len(PAIRS)), np.float32),)


def nets(
    finds: Model = finder, reads: Model = reader, aligns: Model = aligner, tells_apart: Model = undecided
) -> Nets:
    """The nets for drawn tiles, or others in their place; one thread, so that a batch of a test holds all crops."""
    return Nets(finds, aligns, reads, tells_apart, threads=1)


def six_or_nine(array: Floats) -> tuple[Floats]:
    """As `reader`, but a 6 may as well be a 9 on its head, and the other way round."""
    (answers,) = reader(array)
    for row in answers:
        for one, other in ((5, INVERTED + 8), (8, INVERTED + 5)):
            row[one] = row[other] = max(row[one], row[other])
    return (answers,)


def names_of(reads: Sequence[Any]) -> list[str]:
    """The long names of reads, sorted."""
    return sorted(read.name for read in reads)
