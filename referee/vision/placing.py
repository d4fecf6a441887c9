"""Which candidates of the finder are tiles, and exactly where: each is aligned, read alone, and weighed.

A candidate that is dropped is claimed to be a bare place. So one that may bear a print is kept, and will be in doubt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from referee.vision.finding import search
from referee.vision.finding.finder import Candidates
from referee.vision.reading import crops
from referee.vision.reading.answers import COLUMNS, Model, Predictions, batches
from referee.vision.reading.crops import Sizes
from referee.vision.reading.glyphs import BACK_KIND, NONE_KIND
from referee.vision.reading.joint import softmax, tile_evidence
from referee.vision.reading.look_alikes import PAIRS, with_print
from referee.vision.sighting import Floats, Image
from referee.vision.threads import run_in_threads, thread_count

Mask = npt.NDArray[np.bool_]
Result = TypeVar("Result")
# Values without a source were chosen by hand, not fitted.
BESIDE = 0.7
"""In short sides of a tile: two quads whose middles are closer than this are one tile."""
PLAIN = 0.5
"""If something touches a tile, the reader does not take it for a tile but the finder's score exceeds this, it is kept
as a doubt. The finder gives 0.3 at most to other things on path-traced tables, but up to 0.7 to some on real ones."""
BARE_SLOPE, BARE_MIDDLE = 2.0, 1.3
"""The logistic function from evidence to the chance that a place is bare. Chosen by hand, not fitted, after 13 places
of drawn wooden tables (`benchmarks.wood`, seed 31) that seemed to bear a print and had evidence from 0 to 2.5."""
RETRIED_FROM = 0.25
"""Candidates with a lower score of the finder are tried only where it found them: most of them are no tiles, and those
lost wooden tiles of disturbed pictures that the finder saw at all had been outlined well."""
PRINTS, PRINT_SCORE, KNOWN = 12, 0.04, 0.5
"""So many places that show nothing but a print, clearest first, are read, with this score in place of the finder's.
Some kind of print must have the last chance. With this score, none of 666 numbers on sheets of paper that were pasted
into the pictures of ../shared became a tile without doubt, but 15 of 17 lost tiles with a visible print did."""
BESIDE_PRINT = 0.8
"""In sides of a tile, from its middle: what is closer is its own print, or the gap between two tiles."""
TURNED = 6
"""This many of the likeliest candidates that are no tiles as they were found are tried in all turns."""


@dataclass(frozen=True, slots=True)
class Nets:
    """The networks; each maps an array to a tuple of arrays.

    `threads` is how many threads call those for single tiles at once; None: as many as work on any picture.
    """

    finder: Model
    aligner: Model
    reader: Model
    look_alikes: Model
    threads: int | None = None


@dataclass
class _Places:
    """The candidates (n) of one picture while they are tried.

    `corners` (n, 4, 2) is where each lies by its best attempt, `answered` has the reader's answers there, and
    `evidence` (n,) says how strongly they speak for a tile. `kept` (n,) says which are tiles. `others` (m, 4, 2) are
    tiles that certainly lie there. `weak` (n,) marks candidates that are tried only once, and `again` (n,) those for
    which another attempt found only a tile that is known already.
    """

    corners: Floats
    answered: Predictions
    evidence: Floats
    kept: Mask
    others: Floats
    weak: Mask
    again: Mask = field(init=False)

    def __post_init__(self) -> None:
        self.again = np.zeros(len(self.kept), bool)

    @property
    def open_rows(self) -> npt.NDArray[np.intp]:
        """The rows of candidates that have not turned out to be tiles so far, and are tried again."""
        return np.flatnonzero(~self.kept & ~self.again & ~self.weak)

    @property
    def tiles(self) -> Floats:
        """All tiles so far (k, 4, 2)."""
        return np.concatenate([self.others, self.corners[self.kept]])

    def take(
        self, rows: npt.NDArray[np.intp], corners: Floats, answered: Predictions, evidence: Floats, found: Mask
    ) -> None:
        """Take another attempt for `rows` (n,): keep those `found` (n,) to be tiles, remember the others if better.

        `corners` (n, 4, 2), `answered` and `evidence` (n,) are what came of the attempt.
        """
        for i, row in enumerate(rows):
            if not found[i] and evidence[i] <= self.evidence[row]:
                continue
            if lies_on_another(corners[i], self.tiles):
                self.again[row] |= bool(found[i])
                continue
            self.kept[row], self.corners[row], self.evidence[row] = found[i], corners[i], evidence[i]
            self.answered = self.answered.with_row(row, answered[i])


@dataclass(frozen=True, slots=True)
class Limits:
    """What is weighed: `temperature` for the reader's kinds, and evidence in log odds.

    From `keep_from` on, a place has a tile; from `ask_from` on, one that seems to have a print is kept in doubt.
    """

    temperature: float
    keep_from: float
    ask_from: float


class TilePlacer:
    """Aligns candidates and decides which of them are tiles; stateless."""

    def __init__(self, nets: Nets, limits: Limits) -> None:
        self._nets, self._limits = nets, limits
        self._cutting = threading.Lock()

    def align_tiles(self, picture: Image, corners: Floats) -> Floats:
        """Return quads (n, 4, 2) moved to the edges of the tiles in them."""
        parts = self._in_batches(self._align, picture, corners)
        return np.concatenate([np.zeros((0, 4, 2), np.float32), *parts])

    def read_tiles(self, picture: Image, corners: Floats) -> Predictions:
        """Return the reader's answers for quads (n, 4, 2)."""
        parts = self._in_batches(self._read, picture, corners)
        return Predictions.from_columns(np.concatenate([np.zeros((0, COLUMNS), np.float32), *parts]))

    def tell_apart(self, picture: Image, corners: Floats) -> Floats:
        """Return the answers (n, len(PAIRS)) about prints that look alike, for quads (n, 4, 2) seen both ways up."""
        both = np.concatenate([corners, np.roll(corners, 2, axis=1)])
        parts = self._in_batches(self._tell_apart, picture, both)
        answers = np.concatenate([np.zeros((0, len(PAIRS)), np.float32), *parts])
        return np.asarray(answers.reshape(2, len(corners), len(PAIRS)).mean(axis=0), np.float32)

    def _in_batches(
        self, work: Callable[[Sizes, Floats], Result], picture: Image, corners: Floats
    ) -> list[Result]:  # fmt: skip
        """Return what `work` returns for each batch of quads (n, 4, 2); several batches are worked on at once."""
        sizes = Sizes(picture)
        parts = batches(len(corners), self._nets.threads or thread_count())
        return run_in_threads(lambda part: work(sizes, corners[part]), parts, self._nets.threads)

    def _align(self, sizes: Sizes, corners: Floats) -> Floats:
        """Return a batch of quads (n, 4, 2) moved to the edges of the tiles in them."""
        return crops.apply_shifts(corners, self._nets.aligner(self._cut_ink(sizes, corners))[0])

    def _read(self, sizes: Sizes, corners: Floats) -> Floats:
        """Return the reader's output (n, COLUMNS) for a batch of quads (n, 4, 2)."""
        return np.asarray(self._nets.reader(self._cut_ink(sizes, corners))[0], np.float32)

    def _tell_apart(self, sizes: Sizes, corners: Floats) -> Floats:
        """Return the answers of the network for look-alikes (n, len(PAIRS)) for a batch of quads (n, 4, 2)."""
        return np.asarray(self._nets.look_alikes(with_print(self._cut_ink(sizes, corners)))[0], np.float32)

    def _cut_ink(self, sizes: Sizes, corners: Floats) -> Floats:
        """Return the ink of crops (n, 3, H, W), cut by one thread at a time, while the others run networks.

        These are so many short calls that two threads would spend most of the time waiting for the interpreter.
        """
        with self._cutting:
            return crops.relative_ink(crops.cut(sizes, corners))

    def _align_and_read(self, sizes: Sizes, corners: Floats) -> tuple[Floats, Floats]:
        """Return a batch of quads (n, 4, 2) moved to the edges of their tiles, and the reader's output for these."""
        aligned = self._align(sizes, corners)
        return aligned, self._read(sizes, aligned)

    def align_and_read(
        self, picture: Image, candidates: Candidates, others: Floats | None = None
    ) -> tuple[Candidates, Predictions, Mask]:
        """Return candidates (n) aligned, the reader's answers for each, and which of them (n,) are tiles.

        `others` (m, 4, 2) are tiles that certainly lie there. Two tiles side by side on a table of their colour often
        get a wrong outline. So if the size of tiles is known, a candidate that is no tile as it was found is tried
        again: beside a tile that it half covers, and in the known size. Anything that touches a tile and looks much
        like another one is never dropped: it is returned as a tile, and will be in doubt.
        """
        tried = self._attempt(picture, candidates.corners, candidates.scores)
        others = np.zeros((0, 4, 2), np.float32) if others is None else others
        places = _Places(*tried, others, weak=candidates.scores < RETRIED_FROM)
        if candidates.usual is None:
            return Candidates(places.corners, candidates.scores), places.answered, places.kept
        for way in (None, 0, 1):
            lost = places.open_rows
            if way is None:
                lost = lost[search.tiles_touched_by(places.corners[lost], places.tiles) >= 0]
            quads = places.corners[lost] if way is None else candidates.usual[lost, way]
            self._try_again(picture, candidates.scores, places, lost, search.move_beside(quads, places.tiles))
        self._try_turned(picture, candidates, places)
        self._keep_doubtful(candidates.scores, places)
        return Candidates(places.corners, candidates.scores), places.answered, places.kept

    def read_prints(self, picture: Image, proposed: Floats | None, tiles: Floats) -> tuple[Candidates, Predictions]:
        """Return the tiles, aligned, and the reader's answers for them, that only their print shows.

        `proposed` (m, turns, 4, 2) are quads around what looks like a print, clearest first, `tiles` (n, 4, 2) those
        found already.
        """
        places = np.zeros((0, 1, 4, 2), np.float32) if proposed is None else proposed
        bare = np.flatnonzero(search.tiles_touched_by(places[:, 0], tiles, BESIDE_PRINT) < 0)[:PRINTS]
        count, turns = len(bare), places.shape[1]
        scores = np.full(count * turns, PRINT_SCORE, np.float32)
        corners, answered, evidence, found = self._attempt(picture, places[bare].reshape(-1, 4, 2), scores)
        chances = np.delete(self.kind_chances(answered), [NONE_KIND, BACK_KIND], axis=1).max(axis=1, initial=0)
        likely = np.where(chances > KNOWN, evidence, -np.inf).reshape(count, turns)
        best = np.arange(count) * turns + likely.argmax(axis=1)
        may_be = (chances > KNOWN) & (found | self._likely_prints(scores, answered))
        kept: list[int] = []
        for row in best[np.argsort(-evidence[best], kind="stable")]:
            if may_be[row] and not lies_on_another(corners[row], np.concatenate([tiles, corners[kept]])):
                kept.append(int(row))
        return Candidates(corners[kept], scores[kept]), answered[kept]

    def _try_again(
        self, picture: Image, scores: Floats, places: _Places, rows: npt.NDArray[np.intp], quads: Floats
    ) -> None:
        """Try those of the candidates `rows` (n,) that are no tiles so far with other quads (n, 4, 2)."""
        open_rows = ~places.kept[rows] & ~places.again[rows]
        if open_rows.any():
            rows = rows[open_rows]
            places.take(rows, *self._attempt(picture, quads[open_rows], scores[rows]))

    def _try_turned(self, picture: Image, candidates: Candidates, places: _Places) -> None:
        """Try the likeliest candidates that are no tiles so far in the box's size and in all turns; keep the best."""
        if candidates.usual is None:
            return
        lost = places.open_rows
        likely = lost[np.argsort(-candidates.scores[lost], kind="stable")][:TURNED]
        if not len(likely):
            return
        turns = search.turn_quads(candidates.usual[likely, 0])
        rows = np.tile(likely, len(turns))
        corners, answered, evidence, found = self._attempt(picture, np.concatenate(turns), candidates.scores[rows])
        printed = _bear_prints(answered)  # in some turn, a part of a tile looks like a back
        evidence, found = np.where(printed, evidence, -np.inf).astype(np.float32), found & printed
        best = np.asarray([max(np.flatnonzero(rows == row), key=lambda i: evidence[i]) for row in likely])
        places.take(likely, corners[best], answered[best], evidence[best], found[best])

    def _keep_doubtful(self, scores: Floats, places: _Places) -> None:
        """Keep candidates that must not be dropped silently: those that touch a tile, and those that may have a print.

        Leaving one out would claim that its place is bare. Those that are kept here will be in doubt.
        """
        lost = ~places.kept & ~places.again
        touching = search.tiles_touched_by(places.corners, places.tiles) >= 0
        likely = self._likely_prints(scores, places.answered)
        for row in np.flatnonzero(lost & ((touching & (scores > PLAIN)) | likely)):
            places.kept[row] = not lies_on_another(places.corners[row], places.tiles)

    def _attempt(self, picture: Image, quads: Floats, scores: Floats) -> tuple[Floats, Predictions, Floats, Mask]:
        """Return quads (n, 4, 2) aligned, the reader's answers and the evidence for each, and which are tiles."""
        parts = self._in_batches(self._align_and_read, picture, quads)
        corners = np.concatenate([np.zeros((0, 4, 2), np.float32), *(part[0] for part in parts)])
        columns = np.concatenate([np.zeros((0, COLUMNS), np.float32), *(part[1] for part in parts)])
        answered = Predictions.from_columns(columns)
        evidence = self._evidence(scores, answered)
        found = np.asarray(evidence > self._limits.keep_from, bool)
        return crops.apply_shifts(corners, answered.shifts), answered, evidence, found

    def _likely_prints(self, scores: Floats, answered: Predictions) -> Mask:
        """Return which of n candidates may be tiles that bear a print; a back changes no verdict."""
        kinds = self.kind_chances(answered)
        nothing = kinds[:, NONE_KIND]
        prints = np.delete(kinds, [NONE_KIND, BACK_KIND], axis=1)
        printed = prints.max(axis=1, initial=0) > nothing + kinds[:, BACK_KIND]
        return np.asarray(printed & (tile_evidence(scores, nothing) > self._limits.ask_from), bool)

    def print_evidence(self, picture: Image, candidates: Candidates) -> Floats:
        """Return the tile evidence (n,) of those candidates that are tiles and bear a print; 0 for the others."""
        _, answered, evidence, tiles = self._attempt(picture, candidates.corners, candidates.scores)
        return np.asarray(np.where(tiles & _bear_prints(answered), evidence, 0), np.float32)

    def _evidence(self, scores: Floats, answered: Predictions) -> Floats:
        """Return how strongly the finder's scores and the reader's answers speak for a tile, (n,), in log odds."""
        return tile_evidence(scores, self.nothing_chances(answered))

    def kind_chances(self, answered: Predictions) -> Floats:
        """Return the reader's chances of each kind (n, KINDS)."""
        return softmax(answered.kinds, self._limits.temperature)

    def nothing_chances(self, answered: Predictions) -> Floats:
        """Return how likely the reader takes it that there is no tile, (n,)."""
        return np.asarray(self.kind_chances(answered)[:, NONE_KIND])

    def bare_chances(self, scores: Floats, answered: Predictions) -> Floats:
        """Return how likely it is that nothing lies in each of n places; 0 for tiles beyond doubt."""
        evidence = self._evidence(scores, answered)
        chances = 1 / (1 + np.exp(BARE_SLOPE * (evidence - BARE_MIDDLE)))
        return np.asarray(np.where(evidence > self._limits.keep_from, 0, chances), np.float32)


def _bear_prints(answered: Predictions) -> Mask:
    """Return which of n crops the reader takes for tiles with a print, rather than for backs or bare places."""
    return np.asarray(~np.isin(answered.kinds.argmax(axis=1), (NONE_KIND, BACK_KIND)), bool)


def lies_on_another(quad: Floats, others: Floats) -> bool:
    """Return whether a quad (4, 2) lies on one of others (n, 4, 2); separate tiles lie beside each other."""
    apart = np.linalg.norm(others.mean(axis=1) - quad.mean(axis=0), axis=1)
    return bool((apart < BESIDE * crops.short_sides(others)).any())
