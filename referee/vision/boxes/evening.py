"""What is learnt about the box during an evening: its inks in this light, and how its faces look here. Pure.

Only reads beyond doubt of confirmed tables are used, and only as their own picture shows them: not what people have
settled, nor what was carried over from an earlier table. The memory is bounded and keeps the newest. It is forgotten
when the light jumps, the camera has moved, another box is in use, or hours have passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from referee.game.tiles import HIGHEST, Colour
from referee.vision.boxes.box import SURPRISE, Box, centre_embeddings, prior_of
from referee.vision.reading.answers import EMBEDDING
from referee.vision.reading.glyphs import JOKER
from referee.vision.reading.inks import Doubles, InkPrior
from referee.vision.sighting import Floats, Read, Sighting

VERSION = 1
"""The version of an evening's file."""
# Chosen by hand, not fitted. They bound what one evening may change; models/EVENINGS.md has the figures of whole
# evenings with them.
MOST_TABLES = 30
"""How many confirmed tables are kept (the newest),"""
MOST_PRINTS = 12
"""and how many prints of each number: six each way up."""
HOURS_S = 6 * 3600.0
"""Seconds without a confirmed table after which a new evening begins."""
CLOCK_S = 60.0
"""Seconds that a clock may be set back without beginning a new evening."""
MOVED = 0.03
"""The camera has moved if a corner of the play area has moved by this part of the picture's width."""
JUMP = 0.12
"""The light has changed if the inks differ from before by this much absorbance, root mean square,"""
PLAIN = 3
"""counting inks that at least this many tiles of the newest table bear."""
DRIFT = 0.05
"""Standard deviation, in absorbance, of an ink from table to table within an evening,"""
ERROR = 0.06
"""and of one tile's measurement of its ink."""
MOST_TILES = 10
"""More tiles of one ink than this make it no surer: their errors are alike."""
LEAST_SHARE = 1e-3
"""Components of a prior with less weight than this are dropped."""
ALIKE = 0.5
"""A print is learnt for a face if its cosine to the enrolled prototype is above this, and is the highest."""
FEWEST_PRINTS = 2
"""Prints of a number from which a prototype of this evening is made."""


@dataclass(frozen=True, slots=True)
class TableInks:
    """The inks of one confirmed table: `means` (k, 3) in the order of `colours`, `tiles` (k,) that bear each."""

    colours: tuple[Colour, ...]
    means: Doubles
    tiles: tuple[int, ...]

    def __post_init__(self) -> None:
        k = len(self.colours)
        if self.means.shape != (k, 3) or len(self.tiles) != k or not np.isfinite(self.means).all():
            raise ValueError(f"expected means and counts of {k} inks, got {self.means.shape}, {len(self.tiles)}")


@dataclass(frozen=True, slots=True)
class Evening:
    """What was learnt since light, camera and box last changed.

    `key` names what must stay the same besides: reader network, box, camera and its settings. `prints` holds rows of
    embeddings by number (0 for the joker), the newest last. `outline` (4, 2) is the play area in parts of the
    picture's width, `t` the moment (seconds, wall clock) of the last table.
    """

    key: str = ""
    tileset: str = ""
    t: float = 0.0
    outline: Floats | None = None
    tables: tuple[TableInks, ...] = ()
    prints: Mapping[int, Floats] = field(default_factory=dict)

    def with_table(self, sighting: Sighting, width_px: int, t: float) -> Evening:
        """Return the evening with one more confirmed table, taken at `t`; drops what no longer holds."""
        table = table_inks(sighting)
        if table is None or sighting.scale != "markers":
            return self
        outline = None if sighting.outline_px is None else np.asarray(sighting.outline_px / width_px, np.float32)
        before = self if self._goes_on(sighting.tileset, outline, t) and not self._jumps(table) else Evening(self.key)
        return replace(
            before,
            tileset=sighting.tileset,
            t=t,
            outline=outline,
            tables=(*before.tables, table)[-MOST_TABLES:],
            prints=_with_prints(before.prints, sighting.reads),
        )

    def fresh(self, key: str, t: float) -> bool:
        """Return whether this is still of use at `t` (seconds, wall clock) with this `key`."""
        return self.key == key and -CLOCK_S <= t - self.t <= HOURS_S

    def _goes_on(self, tileset: str, outline: Floats | None, t: float) -> bool:
        if not self.tables or self.tileset != tileset or not self.fresh(self.key, t):
            return False
        if outline is None or self.outline is None:
            return outline is self.outline
        return bool(np.abs(outline - self.outline).max() <= MOVED)

    def _jumps(self, table: TableInks) -> bool:
        """Whether this table's inks show another light than the tables before."""
        means, tiles = self.inks(table.colours)
        both = [i for i, n in enumerate(table.tiles) if n >= PLAIN and tiles[i] >= PLAIN]
        if not both:
            return False
        away = table.means[both] - means[both]
        return bool(np.sqrt((away**2).mean()) > JUMP)

    def inks(self, colours: Sequence[Colour]) -> tuple[Doubles, Doubles]:
        """Return the mean ink of each colour (k, 3) over all tables, and how many tiles showed it (k,)."""
        sums, tiles = np.zeros((len(colours), 3)), np.zeros(len(colours))
        for table in self.tables:
            for row, colour in enumerate(colours):
                if colour in table.colours:
                    at = table.colours.index(colour)
                    sums[row] += table.means[at] * table.tiles[at]
                    tiles[row] += table.tiles[at]
        return sums / np.maximum(tiles, 1)[:, None], tiles

    def sharpen(self, prior: InkPrior) -> InkPrior:
        """Return the prior of the inks on the next table: as on those of this evening; or, rarely, as in any box.

        An ink that was not seen yet is as uncertain as the lights leave it in which the other inks look as they do
        here.
        """
        means, tiles = self.inks(prior.colours)
        seen = np.flatnonzero(tiles > 0)
        if not len(seen):
            return prior
        weights = _lights(prior, seen, means[seen], tiles[seen])
        kept = np.flatnonzero(weights > LEAST_SHARE)
        shares, centres, covariances = prior.shares[kept], prior.means[kept], prior.covariances[kept]
        shares[:, seen] = np.eye(shares.shape[2])[0]
        centres[:, seen] = means[seen][None, :, None]
        covariances[:, seen] = (_noise(tiles[seen])[:, None, None] * np.eye(3))[None, :, None]
        return InkPrior(
            prior.colours,
            np.concatenate([(1 - SURPRISE) * weights[kept] / weights[kept].sum(), SURPRISE * prior.weights]),
            np.concatenate([shares, prior.shares]),
            np.concatenate([centres, prior.means]),
            np.concatenate([covariances, prior.covariances]),
        )

    def teach_box(self, box: Box, usual: InkPrior) -> Box:
        """Return the enrolled box with this evening's light and faces added; `usual` is the prior of any box."""
        prior = prior_of(box, usual)
        means, tiles = self.inks(prior.colours)
        seen = np.flatnonzero(tiles > 0)
        inks = box.inks
        if len(seen):
            best = int(np.argmax(_lights(prior, seen, means[seen], tiles[seen])))
            here = (prior.shares[best][..., None] * prior.means[best]).sum(axis=1)
            here[seen] = means[seen]
            inks = np.concatenate([inks, here[[prior.colours.index(colour) for colour in box.colours]][None]])
        faces, prototypes = _prototypes(box, self.prints)
        return replace(
            box,
            inks=inks,
            faces=(*box.faces, *faces),
            prototypes=np.concatenate([box.prototypes, np.asarray(prototypes, np.float32).reshape(-1, EMBEDDING)]),
        )

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "key": self.key,
            "tileset": self.tileset,
            "t": self.t,
            "outline": None if self.outline is None else np.round(self.outline.astype(float), 4).tolist(),
            "tables": [
                {"colours": [c.value for c in one.colours], "means": np.round(one.means, 4).tolist(),
                 "tiles": list(one.tiles)}
                for one in self.tables
            ],
            "prints": {str(n): np.round(rows.astype(float), 3).tolist() for n, rows in self.prints.items()},
        }  # fmt: skip

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Evening:
        """The inverse of `to_json`; raises ValueError, KeyError or TypeError for anything else."""
        outline = None if value["outline"] is None else np.asarray(value["outline"], np.float32).reshape(4, 2)
        tables = tuple(
            TableInks(
                tuple(Colour(c) for c in one["colours"]),
                np.asarray(one["means"], np.float64).reshape(-1, 3),
                tuple(int(n) for n in one["tiles"]),
            )
            for one in value["tables"]
        )
        prints = {int(n): np.asarray(rows, np.float32).reshape(-1, EMBEDDING) for n, rows in value["prints"].items()}
        if not all(0 <= n <= HIGHEST and np.isfinite(rows).all() for n, rows in prints.items()):
            raise ValueError("expected prints of the numbers of tiles")
        return cls(str(value["key"]), str(value["tileset"]), float(value["t"]), outline, tables, prints)


def table_inks(sighting: Sighting) -> TableInks | None:
    """Return the inks of a table, from its reads beyond doubt; None where none of them holds a measurement."""
    found: dict[Colour, list[tuple[float, float, float]]] = {}
    for read in sighting.reads:
        if not read.doubtful and read.absorbed is not None and read.tile is not None and read.tile.colour is not None:
            found.setdefault(read.tile.colour, []).append(read.absorbed)
    if not found:
        return None
    colours = tuple(sorted(found))
    means = np.asarray([np.median(np.asarray(found[colour], np.float64), axis=0) for colour in colours])
    return TableInks(colours, means, tuple(len(found[colour]) for colour in colours))


def _with_prints(before: Mapping[int, Floats], reads: Sequence[Read]) -> dict[int, Floats]:
    """The prints with those of the reads beyond doubt, the newest of each number."""
    prints = dict(before)
    for read in reads:
        if read.doubtful or read.embedding is None or read.tile is None:
            continue
        rows = [prints[read.tile.number]] if read.tile.number in prints else []
        one = np.asarray(read.embedding, np.float32).reshape(1, EMBEDDING)
        prints[read.tile.number] = np.concatenate([*rows, one])[-MOST_PRINTS:]
    return prints


def _noise(tiles: Doubles) -> Doubles:
    """Return the variances (s,) of the next table's inks around the evening's, by how many tiles have shown each."""
    return np.asarray(DRIFT**2 + ERROR**2 / np.minimum(tiles, MOST_TILES), np.float64)


def _lights(prior: InkPrior, seen: Any, means: Doubles, tiles: Doubles) -> Doubles:
    """Return how likely each light of a prior is, (l,), given the means (s, 3) of the inks `seen` on `tiles` (s,)."""
    covariances = prior.covariances[:, seen] + (_noise(tiles)[:, None, None] * np.eye(3))[None, :, None]
    away = means[None, :, None] - prior.means[:, seen]
    distance = np.einsum("lsja,lsja->lsj", away, np.linalg.solve(covariances, away[..., None])[..., 0])
    logs = np.log(prior.shares[:, seen] + 1e-12) - 0.5 * (distance + np.linalg.slogdet(covariances)[1])
    top = logs.max(axis=2, keepdims=True)
    fits = (np.log(np.exp(logs - top).sum(axis=2)) + top[..., 0]).sum(axis=1) + np.log(prior.weights)
    powers = np.exp(fits - fits.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _prototypes(box: Box, prints: Mapping[int, Floats]) -> tuple[list[int], list[Floats]]:
    """Return what faces of the box look like this evening: their numbers, and a direction each.

    Which way up a print was taken follows from the enrolled prototype that is nearest to it.
    """
    columns = np.asarray(box.faces)
    faces: list[int] = []
    prototypes: list[Floats] = []
    for number, rows in sorted(prints.items()):
        ways = (JOKER,) if number == 0 else (number - 1, number - 1 + HIGHEST)
        own = np.isin(columns, ways)
        if not own.any():
            continue
        directions = centre_embeddings(rows, box.centre)
        cosines = directions @ box.prototypes.T
        nearest, highest = columns[cosines.argmax(axis=1)], cosines.max(axis=1)
        for face in ways:
            alike = directions[(nearest == face) & (highest > ALIKE)]
            if len(alike) >= FEWEST_PRINTS:
                mean = alike.mean(axis=0)
                faces.append(face)
                prototypes.append(np.asarray(mean / max(1e-6, float(np.linalg.norm(mean))), np.float32))
    return faces, prototypes
