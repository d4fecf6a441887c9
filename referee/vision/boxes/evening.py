"""What is learnt about the box during an evening: its inks in this light, and what its faces look like. Pure.

Only reads beyond doubt of confirmed tables are used, and only if their own picture showed them so; words of people and
reads taken over from an earlier table do not count. The memory is limited to the newest tables. It is cleared if the
light changes suddenly, the camera has moved, another box is in use, or hours have passed.
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
from referee.vision.reading.inks import InkPrior
from referee.vision.sighting import Doubles, Floats, Read, Sighting

VERSION = 1
"""The version of an evening's file."""
# Chosen by hand, not fitted. They limit what one evening may change; models/EVENINGS.md has figures for whole
# evenings with them.
MOST_TABLES = 30
"""How many confirmed tables are kept; older ones are dropped."""
MOST_PRINTS = 12
"""How many prints of each number are kept: about six each way up."""
HOURS_S = 6 * 3600.0
"""Seconds without a confirmed table after which a new evening begins."""
CLOCK_S = 60.0
"""If the clock is set back by at most this many seconds, no new evening begins."""
MOVED = 0.03
"""The camera has moved if a corner of the play area has moved by this part of the picture's width."""
JUMP = 0.12
"""The light has changed if the inks differ from before by this much absorbance (root mean square)."""
PLAIN = 3
"""An ink counts in that only if at least this many tiles showed it, on the newest table and before."""
DRIFT = 0.05
"""Standard deviation of an ink between tables of one evening, in absorbance."""
ERROR = 0.06
"""Standard deviation of measuring the ink of one tile, in absorbance."""
MOST_TILES = 10
"""More tiles of one ink than this do not make it more certain, because their errors are alike."""
LEAST_SHARE = 1e-3
"""Components of a prior with less weight than this are dropped."""
ALIKE = 0.5
"""A print is learnt for the face of the nearest enrolled prototype if its cosine to that is above this."""
FEWEST_PRINTS = 2
"""The least number of prints from which a prototype of this evening is made."""


@dataclass(frozen=True, slots=True)
class TableInks:
    """The inks of a confirmed table: `means` (k, 3) in the order of `colours`, and how many `tiles` (k,) had each."""

    colours: tuple[Colour, ...]
    means: Doubles
    tiles: tuple[int, ...]

    def __post_init__(self) -> None:
        k = len(self.colours)
        if self.means.shape != (k, 3) or len(self.tiles) != k or not np.isfinite(self.means).all():
            raise ValueError(f"expected means and counts of {k} inks, got {self.means.shape}, {len(self.tiles)}")


@dataclass(frozen=True, slots=True)
class Evening:
    """What was learnt since light, camera or box last changed.

    `key` names what else must stay the same: reader network, box, camera and its settings. `prints` has rows of
    embeddings by number (0 for the joker), the newest last. `outline` (4, 2) is the play area in parts of the
    picture's width, `t` the time of the last table (seconds, wall clock).
    """

    key: str = ""
    tileset: str = ""
    t: float = 0.0
    outline: Floats | None = None
    tables: tuple[TableInks, ...] = ()
    prints: Mapping[int, Floats] = field(default_factory=dict)

    def with_table(self, sighting: Sighting, width_px: int, t: float) -> Evening:
        """Return the evening with one more confirmed table, taken at `t`; what is no longer valid is dropped."""
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
        """Return whether this evening is still of use at `t` (seconds, wall clock) with this `key`."""
        return self.key == key and -CLOCK_S <= t - self.t <= HOURS_S

    def _goes_on(self, tileset: str, outline: Floats | None, t: float) -> bool:
        if not self.tables or self.tileset != tileset or not self.fresh(self.key, t):
            return False
        if outline is None or self.outline is None:
            return outline is self.outline
        return bool(np.abs(outline - self.outline).max() <= MOVED)

    def _jumps(self, table: TableInks) -> bool:
        """Return whether this table's inks show a different light than the tables before."""
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
        """Return the prior of the inks on the next table: like those of this evening, or rarely like those of any box.

        The uncertainty of an ink that was not seen yet comes from the classes of light that fit the inks seen so far.
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
        """Return the enrolled box with light and faces of this evening added; `usual` is the prior of any box."""
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
        """Return the evening from the result of `to_json`; raises ValueError, KeyError or TypeError otherwise."""
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
    """Return the inks of a table, from its reads beyond doubt; None if no ink was measured in them."""
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
    """Return the prints with those of the reads beyond doubt added; only the newest of each number are kept."""
    prints = dict(before)
    for read in reads:
        if read.doubtful or read.embedding is None or read.tile is None:
            continue
        rows = [prints[read.tile.number]] if read.tile.number in prints else []
        one = np.asarray(read.embedding, np.float32).reshape(1, EMBEDDING)
        prints[read.tile.number] = np.concatenate([*rows, one])[-MOST_PRINTS:]
    return prints


def _noise(tiles: Doubles) -> Doubles:
    """Return the variances (s,) of the next table's inks around the evening's; `tiles` (s,) have shown each ink."""
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
    """Return prototypes of this evening for faces of the box: the indices of the faces, and a direction for each.

    The way up of a print follows from the enrolled prototype that is nearest to it.
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
