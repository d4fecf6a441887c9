"""One real box of tiles, as enrolled: its inks in several lights, its face style, and what its faces look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.game.tiles import Colour, TileSet
from referee.vision.reading.answers import EMBEDDING
from referee.vision.reading.glyphs import FACES, STYLES
from referee.vision.reading.inks import InkPrior
from referee.vision.sighting import Doubles, Floats

VERSION = 1
"""The version of a box's file."""
LARGEST_MM = 200.0
"""Every side of a tile must be shorter than this."""

# METRICS.md, "drawn boxes, enrolled, by constants", shows the errors with other values of SHIFT and SHARP. The values
# without a source were chosen by hand.
SHIFT = 0.05
"""Standard deviation of an ink in absorbance between two lights, each ink by itself.

This and TINT were chosen on 30 drawn boxes that no network was trained on (`benchmarks.enrolled`, seeds 10, 12, 13),
and on the boxes of ../shared in 28 kinds of disturbed pictures. With 0.06 and no tints, 331 of 4,075 and 49 of 6,636
tiles are in doubt; now 277 and 46 are, and as many are wrong without doubt, 6 and 0. With 0.05 alone, warm light put
17 more in doubt. SHARP and CONTRADICTION (in `reading/joint.py`) matter less.
"""
TINT, TINTED = 0.12, 0.6
"""Light that shifts all inks of a box together, by this much in blue, green or red, and how likely any such light is.
So two inks of nearly the same colour keep their order."""
PALE = ((1.0, 0.55), (0.8, 0.2), (0.6, 0.15), (0.4, 0.1))
"""How much of their absorbance the inks of a box keep in hazy light, and how often. Chosen by hand: with them, drawn
boxes of three seeds have a quarter fewer inks in doubt, and no more wrong ones."""
SURPRISE = 0.02
"""The chance that inks look unlike those in any enrolled light; then the prior of an unknown box applies."""
PALE_BELOW = 0.5
"""An ink is pale if it absorbs less than this part of what the inks of its box mostly do."""
SHARP = 14.0
"""How strongly the cosine between a print and a prototype speaks for the prototype's face."""
ODD_FACE = 1e-3
"""The share of the likelihood that is spread evenly over all faces, whatever the prototypes say."""
STRANGE = 0.35
"""A print shows no known face of the box if its cosine to every prototype is below this."""


@dataclass(frozen=True, slots=True)
class Box:
    """What was learnt about one box.

    `inks` (v, k, 3) is the absorbance of its k inks in v pictures, in the order of `colours`. `faces` (f,) are indices
    below FACES, and each has a prototype: a row of `prototypes` (f, EMBEDDING). A prototype is a direction of length 1
    from `centre` (EMBEDDING,), the mean of the reader's embeddings. `reader` names the network that made them.
    """

    name: str
    tileset: str
    size_mm: tuple[float, float, float]
    colours: tuple[Colour, ...]
    style: str
    inks: Doubles
    centre: Floats
    prototypes: Floats
    faces: tuple[int, ...]
    reader: str

    def __post_init__(self) -> None:
        if self.inks.ndim != 3 or self.inks.shape[1:] != (len(self.colours), 3):
            raise ValueError(f"expected inks of {len(self.colours)} colours, found an array {self.inks.shape}")
        if self.prototypes.shape != (len(self.faces), EMBEDDING) or self.centre.shape != (EMBEDDING,):
            raise ValueError(f"expected {len(self.faces)} prototypes, found an array {self.prototypes.shape}")
        if self.style not in {style.name for style in STYLES} or not all(0 <= f < FACES for f in self.faces):
            raise ValueError(f"expected a known face style and faces, found {self.style!r}")

        if not all(0 < side < LARGEST_MM for side in self.size_mm):
            raise ValueError(f"expected sides of a tile in mm, found {self.size_mm}")
        if not all(np.isfinite(part).all() for part in (self.inks, self.centre, self.prototypes)):
            raise ValueError("expected numbers throughout, found some that are none")

    @property
    def pale_colours(self) -> frozenset[Colour]:
        """The inks that absorb much less light than most of this box do."""
        absorbed = np.linalg.norm(1 - np.exp(-self.inks.mean(axis=0)), axis=1)
        pale = absorbed < PALE_BELOW * np.median(absorbed)
        return frozenset(colour for colour, is_pale in zip(self.colours, pale, strict=True) if is_pale)

    def measure(self, box: TileSet) -> TileSet:
        """Return `box` with this box's own measures."""
        return replace(box, size_mm=self.size_mm)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "version": VERSION, "name": self.name, "tileset": self.tileset, "size_mm": list(self.size_mm),
            "colours": [c.value for c in self.colours], "style": self.style, "reader": self.reader,
            "inks": np.round(self.inks, 4).tolist(), "centre": np.round(self.centre.astype(float), 4).tolist(),
            "faces": list(self.faces), "prototypes": np.round(self.prototypes.astype(float), 4).tolist(),
        }  # fmt: skip

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Box:
        """Return the box from the result of `to_json`; raises ValueError, KeyError or TypeError otherwise."""
        if value["version"] != VERSION:
            raise ValueError(f"expected version {VERSION}, found {value['version']!r}")
        width, height, thickness = (float(side) for side in value["size_mm"])
        return cls(
            str(value["name"]), str(value["tileset"]), (width, height, thickness),
            tuple(Colour(c) for c in value["colours"]), str(value["style"]),
            np.asarray(value["inks"], np.float64), np.asarray(value["centre"], np.float32),
            np.asarray(value["prototypes"], np.float32), tuple(int(f) for f in value["faces"]), str(value["reader"]),
        )  # fmt: skip


def prior_of(box: Box, usual: InkPrior) -> InkPrior:
    """Return the prior of an enrolled box's inks.

    They look as in one of its pictures, in shifted or tinted light, and perhaps paler; rarely, they look like those of
    any box.
    """
    order = [box.colours.index(c) for c in usual.colours]
    pale = np.concatenate([kept * box.inks[:, order] for kept, _ in PALE])
    often = np.repeat([often / len(box.inks) for _, often in PALE], len(box.inks))
    tints = np.concatenate([np.zeros((1, 3)), TINT * np.eye(3), -TINT * np.eye(3)])
    inks = np.concatenate([pale + tint for tint in tints])
    weights = np.concatenate([(1 - TINTED) * often, np.tile(TINTED / 6 * often, 6)])
    _, k, j = usual.shares.shape
    shares = np.zeros((len(inks), k, j))
    shares[..., 0] = 1.0
    means = np.repeat(inks[:, :, None], j, axis=2)
    covariances = np.broadcast_to(SHIFT**2 * np.eye(3), (len(inks), k, j, 3, 3))
    return InkPrior(
        usual.colours, np.concatenate([(1 - SURPRISE) * weights, SURPRISE * usual.weights]),
        np.concatenate([shares, usual.shares]), np.concatenate([means, usual.means]),
        np.concatenate([covariances, usual.covariances]),
    )  # fmt: skip


def styles_of(box: Box) -> Floats:
    """Return how likely each face style is, (len(STYLES),), given an enrolled box."""
    known = np.asarray([style.name == box.style for style in STYLES], np.float32)
    return np.asarray(0.999 * known + 0.001 / len(STYLES), np.float32)


def centre_embeddings(embeddings: Floats, centre: Floats) -> Floats:
    """Return embeddings (n, EMBEDDING) as directions from the centre of all faces (SimpleShot, Wang et al., 2019)."""
    away = embeddings - centre
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6), np.float32)


def likeness(box: Box, embeddings: Floats) -> Floats:
    """Return how likely each face of the box is by its prototypes alone, (n, FACES); almost 0 for unknown faces."""
    cosines = centre_embeddings(embeddings, box.centre) @ box.prototypes.T
    best = np.full((len(embeddings), FACES), -1.0, np.float32)
    for column, face in enumerate(box.faces):
        best[:, face] = np.maximum(best[:, face], cosines[:, column])
    powers = np.exp(SHARP * (best - best.max(axis=1, keepdims=True)))
    chances = powers / powers.sum(axis=1, keepdims=True)
    strange = best.max(axis=1, keepdims=True) < STRANGE
    return np.asarray(np.where(strange, 1 / FACES, (1 - ODD_FACE) * chances + ODD_FACE / FACES), np.float32)
