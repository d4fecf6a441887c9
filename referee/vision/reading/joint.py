"""Reading tiles together: from the reader's answers for all crops of a table to the tiles and their confidence.

A read that seems sure is put in doubt if it contradicts the other prints, or (`second_reading.py`) if its crop reads
differently upside down.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.game.tiles import FACE_DOWN, HIGHEST, TILE_SETS, Colour, Tile, TileSet
from referee.vision.boxes.box import Box, likeness, styles_of
from referee.vision.boxes.box import prior_of as enrolled_prior
from referee.vision.reading.answers import Predictions
from referee.vision.reading.certainty import FULL, Trust, cap, soften, weigh_backs
from referee.vision.reading.glyphs import (
    BACK,
    BACK_KIND,
    INVERTED,
    JOKER,
    JOKER_KIND,
    NONE,
    NONE_KIND,
    NUMBERS,
    STYLES,
    SUITS,
    faces_of,
    style_chances,
    usual_styles,
)
from referee.vision.reading.inks import COLOURS, InkPrior, InkReading, read_inks
from referee.vision.sighting import Doubles, Floats, Read

Mask = npt.NDArray[np.bool_]
_NAMES = (*(f"{colour.value}-{n}" for n in range(1, HIGHEST + 1) for colour in COLOURS), "joker", FACE_DOWN)
"""The long names of all faces, by number and then in the order of COLOURS."""
_LIKELIEST = 3
"""The names of a tile are made of so many numbers and so many inks."""
# Boxes that can be told by their inks; of those that fit equally well the first is taken.
_GUESSES = ("rummikub", "ravensburger", "piatnik")
_SUIT_OF = {Colour.RED: "heart", Colour.YELLOW: "diamond", Colour.ORANGE: "diamond", Colour.GREEN: "diamond",
    Colour.BLUE: "spade", Colour.BLACK: "club"}  # fmt: skip
# Unless a comment names a source, these values were chosen by hand, not fitted. What is fitted is in `Calibration`.
# METRICS.md, "drawn boxes, enrolled, by constants", shows the errors with other values of CONTRADICTION.
GUESS_WEIGHT = 0.6
"""The weight of the inks in choosing the box; it is so small that an ink which two boxes name differently stays in
doubt."""
SETTLED = 0.95
"""From this chance on, a box is taken as certain, and its inks have no other names. Among boxes that differ in one
ink, the evidence then leads by 4.9. On 117 pictures of drawn boxes (`benchmarks.made_boxes`, seed 77) and 16 virtual
tables a wrong box led by 1.5 at most."""
CONTRADICTION = 0.02
"""Where network and prototypes disagree, this part goes to no face."""
ODD_SUIT = 0.01
"""A suit may be misread whatever the box prints."""
LIKELY = 0.5
"""A tile with less than this for its likeliest name is probably another tile."""
MERGED_FROM = 2
"""If more than the box holds were read of so many numbers of one ink, another ink was taken for it. One such number
may be misread, or its tile is from another box."""
FEWEST_PALE = 3
"""In a box that was not enrolled, an ink is pale if at least so many of its tiles are faint, and more than half of
them. Of 36 drawn boxes (`benchmarks.made_boxes`, seed 20), one has a yellow like that."""
FADED = 1 / 3
"""If more than this part of a picture's prints are in doubt, what looks like a back may be a faded print."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the reader's answers become probabilities, and from which confidence on a read is beyond doubt.

    The values are fitted on data that no network was trained on.
    """

    kind_temperature: float = 1.0
    suit_temperature: float = 1.0
    ink_scale: float = 1.0
    """The reader states its error of an ink as the scale of a Laplace distribution; multiplied by this, it is a
    standard error."""
    evidence_weight: float = 1.0
    """The weight of the evidence of a whole table about its inks: the errors of tiles of one ink are alike."""
    sure_from: float = 0.9

    @classmethod
    def from_description(cls, table: Mapping[str, Any]) -> Calibration:
        """Return the calibration in the `[reader]` table of `tiles.toml`."""
        return cls(
            float(table.get("kind_temperature", 1.0)),
            float(table.get("suit_temperature", 1.0)),
            float(table.get("ink_scale", 1.0)),
            float(table.get("evidence_weight", 1.0)),
            float(table.get("sure_from", 0.9)),
        )


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about boxes before a picture is read.

    `priors` describe the inks of each kind of box. `styles` (len(STYLES),) says how likely each face style is; None if
    that follows from the kind of box. `box` is the one in use, if it was enrolled.
    """

    priors: tuple[InkPrior, ...]
    styles: Floats | None = None
    box: Box | None = None

    def prior_of(self, tileset: TileSet) -> InkPrior:
        """Return the prior of the inks of `tileset`; raises ValueError if no prior describes its colours."""
        for prior in self.priors:
            if set(prior.colours) == set(tileset.colours):
                same = self.box is not None and set(self.box.colours) == set(prior.colours)
                return enrolled_prior(self.box, prior) if same and self.box is not None else prior
        raise ValueError(f"expected a prior for the inks {', '.join(tileset.colours)}, found none")

    def styles_of(self, boxes: Sequence[TileSet]) -> Floats:
        """Return how likely each face style is before any reading, given that one of `boxes` is in use."""
        if self.box is not None:
            return styles_of(self.box)
        if self.styles is not None:
            return self.styles
        return np.asarray(np.mean([usual_styles(cards=b.faces == "cards") for b in boxes], axis=0), np.float32)


@dataclass(frozen=True, slots=True)
class TableRead:
    """n tiles read together: `faces` (n, FACES), and `colours` (n, 6) in case that a tile has a number.

    `box` is the one in use, or the likeliest; `styles` (len(STYLES),) and `inks` are what was found out about its face
    style and its inks.
    """

    box: TileSet
    faces: Floats
    colours: Floats
    styles: Floats
    inks: InkReading


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Return logits (n, k) as probabilities."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def read_together(answers: Predictions, box: TileSet | None, known: Known, calibration: Calibration) -> TableRead:
    """Return what n crops of one table show; if `box` is None, the inks and faces decide which box it is.

    If two boxes have different names for an ink, its chance is divided between the two names, which leaves a doubt.
    """
    kinds = softmax(answers.kinds, calibration.kind_temperature)
    suits = softmax(answers.suits, calibration.suit_temperature)
    boxes = [box] if box is not None else [TILE_SETS[name] for name in _GUESSES]
    styles = style_chances(kinds, known.styles_of(boxes if box is not None else tuple(TILE_SETS.values())))
    faces = faces_of(kinds, styles, jokers=box is None or box.jokers > 0)
    if known.box is not None:
        faces = combine_evidence(faces, likeness(known.box, answers.embedding))
    numbered = np.flatnonzero(faces[:, : 2 * HIGHEST].sum(axis=1) > 0.5)
    readings = [_inks_of(answers[numbered], suits[numbered], known.prior_of(b), calibration) for b in boxes]
    weights = _box_weights(boxes, [reading.evidence for reading in readings])
    if weights.max() >= SETTLED:
        weights = np.asarray(weights == weights.max(), np.float32)
    colours = np.full((len(kinds), len(COLOURS)), 1e-6, np.float32)
    for weight, reading in zip(weights, readings, strict=True):
        shared = np.full((len(kinds), len(reading.colours)), 1 / len(reading.colours), np.float32)
        shared[numbered] = reading.chances
        colours[:, [COLOURS.index(c) for c in reading.colours]] += np.float32(weight) * shared
    best = int(np.argmax([reading.evidence for reading in readings]))
    return TableRead(box or _name_box(boxes[best], styles), faces, colours, styles, readings[best])


def combine_evidence(faces: Floats, alike: Floats) -> Floats:
    """Combine network and prototypes, both (n, FACES); where they contradict each other, doubt remains.

    Prototypes only say which face it is; whether there is a face at all, and no back, only the network can say.
    """
    printed = faces[:, : JOKER + 1]
    share = printed.sum(axis=1, keepdims=True)
    both = printed * alike[:, : JOKER + 1]
    total = both.sum(axis=1, keepdims=True)
    result = faces.copy()
    result[:, : JOKER + 1] = share * both / np.maximum(total + CONTRADICTION * (share - total), 1e-9)
    return np.asarray(result, np.float32)


def _name_box(box: TileSet, styles: Floats) -> TileSet:
    """Return the box that a picture shows; letters distinguish a box of cards from another one with the same inks."""
    lettered = float(styles[[style.cards for style in STYLES]].sum())
    same = [b for b in TILE_SETS.values() if set(b.colours) == set(box.colours) and b.faces == "cards"]
    return same[0] if lettered > 0.9 and same else box


def _box_weights(boxes: Sequence[TileSet], evidence: Sequence[float]) -> Floats:
    """Return how likely each box is; between boxes that differ only in the name of one ink, certainty is reduced."""
    families = [Colour.GREEN in box.colours for box in boxes]
    result = np.zeros(len(boxes))
    tops = [max(e for e, f in zip(evidence, families, strict=True) if f == family) for family in families]
    for i, (family, top) in enumerate(zip(families, tops, strict=True)):
        own = [j for j, other in enumerate(families) if other == family]
        shares = np.exp([GUESS_WEIGHT * (evidence[j] - top) for j in own])
        result[i] = np.exp(top - max(tops)) * np.exp(GUESS_WEIGHT * (evidence[i] - top)) / shares.sum()
    return np.asarray(result / result.sum(), np.float32)


def _inks_of(answers: Predictions, suits: Floats, prior: InkPrior, calibration: Calibration) -> InkReading:
    spread = np.asarray(np.exp(answers.spread) * calibration.ink_scale, np.float32)
    return read_inks(answers.absorbed, spread, prior, suit_hints(suits, prior.colours), calibration.evidence_weight)


def suit_hints(suits: Floats, colours: tuple[Colour, ...]) -> Floats:
    """Return what suits (n, len(SUITS)) say about the inks: (n, k), each row with the sum 1.

    If the box prints no suits, all inks are equally likely. Whether it does is decided by all its tiles together.
    """
    count = len(colours)
    nothing = np.log(ODD_SUIT + (1 - ODD_SUIT) * suits[:, 0]).sum()
    printed = np.log(ODD_SUIT + (1 - ODD_SUIT) * suits[:, 1:].sum(axis=1)).sum()
    share = 1 / (1 + np.exp(np.clip(nothing - printed, -50, 50)))
    shown = suits[:, [SUITS.index(_SUIT_OF[c]) for c in colours]] + ODD_SUIT
    shown /= shown.sum(axis=1, keepdims=True)
    return np.asarray(share * shown + (1 - share) / count, np.float32)


def prefer_way_up(faces: Floats, upright: Doubles) -> Floats:
    """Weight faces (n, FACES) by the chances (n,) that crops stand upright according to their neighbours."""
    weighed = faces.copy()
    weighed[:, :HIGHEST] *= (2 * upright).astype(np.float32)[:, None]
    weighed[:, HIGHEST : 2 * HIGHEST] *= (2 * (1 - upright)).astype(np.float32)[:, None]
    share = faces.sum(axis=1) / np.maximum(weighed.sum(axis=1), np.float32(1e-9))
    return np.asarray(weighed * share[:, None], np.float32)


def tile_evidence(scores: Floats, nothing: Floats) -> Floats:
    """Return how strongly finder and reader together speak for a tile, in log odds.

    `scores` are the finder's, `nothing` is the reader's belief that there is no tile, both (n,). The reader has half
    the weight, because it was trained on fewer empty places than the finder.
    """

    def log_odds(chance: Floats) -> Floats:
        clipped = np.clip(chance, 1e-6, 1 - 1e-6)
        return np.asarray(np.log(clipped / (1 - clipped)), np.float32)

    return log_odds(scores) - np.float32(0.5) * log_odds(nothing)


def are_inverted(faces: Floats) -> Mask:
    """Return of which crops, with faces (n, FACES), the likeliest number is upside down."""
    return np.asarray(faces[:, :HIGHEST].max(axis=1) < faces[:, HIGHEST : 2 * HIGHEST].max(axis=1), bool)


def ways_up_known(faces: Floats) -> Mask:
    """Return of which tiles, with faces (n, FACES), the way up is beyond doubt, since their number was surely read."""
    upright, inverted = faces[:, :HIGHEST].sum(axis=1), faces[:, HIGHEST : 2 * HIGHEST].sum(axis=1)
    return np.asarray(np.maximum(upright, inverted) > 0.97, bool)


def merge_ways_up(faces: Floats) -> tuple[Doubles, Doubles]:
    """Return the chances (n, 14) of each number, either way up, and of a joker, and those (n,) of a back.

    `faces` is (n, FACES). Whether a tile without a face shows its back, or there is no tile at all, makes no
    difference to the game.
    """
    numbers = faces[:, :HIGHEST] + faces[:, HIGHEST : 2 * HIGHEST]
    printed = np.concatenate([numbers, faces[:, JOKER : JOKER + 1]], axis=1)
    return printed.astype(np.float64), (faces[:, BACK] + faces[:, NONE]).astype(np.float64)


def candidates(faces: Floats, colours: Floats, trusts: Sequence[Trust] | None = None) -> list[list[tuple[str, float]]]:
    """Return for each of n crops up to five names that it may have, with their probabilities, likeliest first.

    `faces` (n, FACES) and `colours` (n, 6) are the chances of faces and inks. They are believed as far as `trusts` (n)
    says, or fully if it is None.
    """
    trusts = [FULL] * len(faces) if trusts is None else trusts
    found = [(trust.number, trust.ink, trust.back, trust.most) for trust in trusts]
    number, ink, factor, most = np.asarray(found, np.float64).reshape(-1, 4).T
    printed, back = _weigh_faces(faces, number, factor, most)
    inks = soften(colours.astype(np.float64), ink)
    some = np.argsort(-printed[:, :HIGHEST], axis=1, kind="stable")[:, :_LIKELIEST]
    best = np.argsort(-inks, axis=1, kind="stable")[:, :_LIKELIEST]
    pairs = np.take_along_axis(printed, some, 1)[:, :, None] * np.take_along_axis(inks, best, 1)[:, None]
    joker, down = len(_NAMES) - 2, len(_NAMES) - 1
    named = (some[:, :, None] * len(COLOURS) + best[:, None]).reshape(-1, _LIKELIEST**2)
    names = np.concatenate([np.full((len(faces), 2), (joker, down)), named], axis=1)
    chances = np.concatenate([printed[:, -1:], back[:, None], pairs.reshape(-1, _LIKELIEST**2)], axis=1)
    order = np.argsort(-chances, axis=1, kind="stable")[:, :5]
    rows = zip(
        np.take_along_axis(names, order, 1).tolist(), np.take_along_axis(chances, order, 1).tolist(), strict=True
    )
    return [_likely_names(*row) for row in rows]


def _weigh_faces(faces: Floats, temperatures: Doubles, factors: Doubles, most: Doubles) -> tuple[Doubles, Doubles]:
    """Return the chances (n, 14) of numbers and a joker, and those (n,) of a back, as far as they are believed.

    `temperatures` (n,) are for prints; `factors` (n,) are for the odds of a back that is likelier than any print; no
    face has a higher chance than `most` (n,).
    """
    printed, back = merge_ways_up(faces)
    total = printed.sum(axis=1)
    likely, rest = weigh_backs(back, total, factors)
    softened = soften(np.concatenate([printed, back[:, None]], axis=1), temperatures)
    hidden = back > printed.max(axis=1)
    scaled = printed * (rest / np.maximum(total, 1e-12))[:, None]
    hiding = np.concatenate([scaled, likely[:, None]], axis=1)
    capped = cap(np.where(hidden[:, None], hiding, softened), most)
    return capped[:, :-1], capped[:, -1]


def _likely_names(names: list[int], chances: list[float]) -> list[tuple[str, float]]:
    """Return names by their index with their chances, without the impossible ones, but at least the first."""
    return [(_NAMES[i], c) for i, c in zip(names, chances, strict=True) if c > 0] or [(_NAMES[names[0]], chances[0])]


@functools.cache
def tile_named(name: str) -> Tile | None:
    """Return the tile of a long name; None for a face-down one."""
    return None if name == FACE_DOWN else Tile.from_name(name)


def chances_of(answers: Predictions, tiles: Sequence[Tile | None], known: Known, calibration: Calibration) -> Floats:
    """Return how likely each of n crops shows the face of its tile, either way up: (n,); None is a face-down tile.

    In an enrolled box the prototypes speak, too: they have learnt how its own 4 differs from its own A.
    """
    kinds = softmax(answers.kinds, calibration.kind_temperature)
    if known.box is None:
        return np.asarray([shows(*pair) for pair in zip(kinds, tiles, strict=True)], np.float32)
    faces = combine_evidence(faces_of(kinds, styles_of(known.box)), likeness(known.box, answers.embedding))
    printed, back = merge_ways_up(faces)
    columns = [None if tile is None else -1 if tile.is_joker else tile.number - 1 for tile in tiles]
    return np.asarray(
        [back[i] if column is None else printed[i, column] for i, column in enumerate(columns)], np.float32
    )


def likeliest_numbers(answers: Predictions, styles: Floats, calibration: Calibration) -> list[int | None]:
    """Return the number that each of n crops most likely shows, either way up; 0 is a joker, and None is a back.

    `styles` (len(STYLES),) are the chances of the face styles.
    """
    printed, back = merge_ways_up(faces_of(softmax(answers.kinds, calibration.kind_temperature), styles))
    numbers = (printed.argmax(axis=1) + 1) % printed.shape[1]  # the last one is the joker
    return [None if is_back else int(n) for n, is_back in zip(numbers, back > printed.max(axis=1), strict=True)]


def shows(kinds: Floats, tile: Tile | None) -> float:
    """Return the part of `kinds` (KINDS,) that is this tile's number, either way up and in any style."""
    if tile is None:
        return float(kinds[BACK_KIND] + kinds[NONE_KIND])
    return sum(ways_up(kinds, tile))


def ways_up(kinds: Floats, tile: Tile) -> tuple[float, float]:
    """Return the parts of `kinds` (KINDS,) that are this tile upright and upside down; a joker has only the first."""
    if tile.is_joker:
        return float(kinds[JOKER_KIND]), 0.0
    signs = np.flatnonzero(np.asarray(NUMBERS) == tile.number)
    return float(kinds[signs].sum()), float(kinds[signs + INVERTED].sum())


def too_many(names: Sequence[str], box: TileSet, chances: Sequence[float] | None = None) -> set[int]:
    """Return the indices of tiles of which more were read than the box holds: at least one of them was misread.

    With `chances`, only names that are likelier than not count, and only these tiles are returned: one that is
    probably another tile is in doubt anyway, and says nothing about the others.
    """
    counted = [i for i in range(len(names)) if chances is None or chances[i] >= LIKELY]
    left = {tile.name: count for tile, count in box.inventory().items()}
    count = Counter(names[i] for i in counted if names[i] != FACE_DOWN)
    return {i for i in counted if count[names[i]] > left.get(names[i], 0) and names[i] != FACE_DOWN}


def doubt_merged_inks(colours: Floats, contested: Collection[str], box: TileSet) -> Floats:
    """Return the chances (n, 6) of the inks, put in doubt for tiles of an ink that another one was taken for.

    `contested` are the names of which more were read than the box holds (`too_many`).

    In dim light of one colour, two inks may look alike. All their tiles then have one name, and there are more tiles
    of several numbers than the box holds.
    """
    tiles = [tile_named(name) for name in set(contested)]
    count = Counter(tile.colour for tile in tiles if tile is not None and not tile.is_joker)
    merged = [i for i, colour in enumerate(COLOURS) if count[colour] >= MERGED_FROM]
    if not merged:
        return colours
    doubted = np.isin(colours.argmax(axis=1), merged)[:, None]
    return np.asarray(np.where(doubted, (colours + _even_chances(box)) / 2, colours), np.float32)


def _even_chances(box: TileSet) -> Floats:
    """Return chances (6,) that are the same for all inks of a box, and 0 for the others."""
    return np.isin(COLOURS, box.colours).astype(np.float32) / np.float32(len(box.colours))


def doubt_faded_inks(
    colours: Floats, names: Sequence[str], faint: Collection[int], box: TileSet, enrolled: Box | None = None
) -> Floats:  # fmt: skip
    """Return the chances (n, 6) of the inks, put in doubt for prints that have faded.

    `names` are what the tiles were read as, and `faint` the indices of those on which little stands out. A faded print
    has the colour of a paler ink. But if most tiles of an ink are faint, or the enrolment has shown that it is pale,
    the box prints it like that.
    """
    tiles = {i: tile for i, tile in enumerate(map(tile_named, names)) if tile is not None and not tile.is_joker}
    own = {i: tiles[i].colour for i in faint if i in tiles}
    if enrolled is not None:
        pale = set(enrolled.pale_colours)
    else:
        printed, few = Counter(tile.colour for tile in tiles.values()), Counter(own.values())
        pale = {ink for ink, count in few.items() if ink and count >= FEWEST_PALE and 2 * count > printed[ink]}
    faded = [i for i, ink in own.items() if ink not in pale]
    if not faded:
        return colours
    result = colours.copy()
    result[faded] = (colours[faded] + _even_chances(box)) / 2
    return result


def unless_faded(reads: tuple[Read, ...]) -> tuple[Read, ...]:
    """Return all reads; if so many prints are unclear that one may be invisible, the backs are put in doubt."""
    prints = [read.doubtful for read in reads if read.tile is not None]
    if sum(prints) <= FADED * len(prints):
        return reads
    return tuple(replace(read, doubtful=True) if read.tile is None else read for read in reads)
