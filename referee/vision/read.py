"""Reading tiles: from crops to what each tile is believed to be, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.game.tiles import FACE_DOWN, HIGHEST, TILE_SETS, Colour, Tile, TileSet
from referee.vision import crops
from referee.vision.sighting import Floats, Image

COLOURS = tuple(Colour)
INVERTED = HIGHEST  # kinds 0-12 stand upright, 13-25 on their heads
JOKER_KIND, BACK_KIND, NONE_KIND = 2 * HIGHEST, 2 * HIGHEST + 1, 2 * HIGHEST + 2
KINDS = NONE_KIND + 1
COLUMNS = KINDS + len(COLOURS)  # of the reader's answer; eight corner shifts follow
BATCH = 16

_TURNED = np.asarray([*range(INVERTED, 2 * HIGHEST), *range(HIGHEST), JOKER_KIND, BACK_KIND, NONE_KIND])
# Boxes told apart by their inks; the first of those that fit equally well is taken.
_GUESSES = ("rummikub", "ravensburger", "piatnik")
_WARM = (COLOURS.index(Colour.YELLOW), COLOURS.index(Colour.ORANGE))

Model = Callable[[Any], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the reader's answers become probabilities, and below which one asks. Chosen on data not trained on."""

    kind_temperature: float = 1.0
    colour_temperature: float = 1.0
    sure_from: float = 0.98

    @classmethod
    def from_description(cls, table: Mapping[str, Any]) -> Calibration:
        """From the `[reader]` table of `tiles.toml`."""
        return cls(
            float(table.get("kind_temperature", 1.0)),
            float(table.get("colour_temperature", 1.0)),
            float(table.get("sure_from", 0.98)),
        )


@dataclass(frozen=True, slots=True)
class Belief:
    """Probabilities for n crops: `kinds` (n, KINDS) and `colours` (n, 6), the latter given that it bears a number."""

    kinds: Floats
    colours: Floats

    def __post_init__(self) -> None:
        if self.kinds.shape[1:] != (KINDS,) or self.colours.shape != (len(self.kinds), len(COLOURS)):
            raise ValueError(f"expected ({KINDS},) kinds and 6 colours, got {self.kinds.shape}, {self.colours.shape}")

    def __getitem__(self, rows: Any) -> Belief:
        return Belief(self.kinds[rows], self.colours[rows])


def _softmax(logits: Floats, temperature: float) -> Floats:
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def answers(model: Model, ink: Floats) -> Floats:
    """The reader's outputs for crops (n, 3, H, W), in batches: (n, COLUMNS + 8)."""
    parts = [np.zeros((0, COLUMNS + 8), np.float32)]
    parts += [model(ink[start : start + BATCH])[0] for start in range(0, len(ink), BATCH)]
    return np.concatenate(parts)


def joined_logits(model: Model, ink: Floats) -> Floats:
    """Read crops (n, 3, H, W) twice, also on their heads, and join both answers: (n, KINDS + 6)."""
    upright = answers(model, ink)[:, :COLUMNS]
    turned = answers(model, np.ascontiguousarray(ink[:, :, ::-1, ::-1]))[:, :COLUMNS]
    joined = upright + np.concatenate([turned[:, _TURNED], turned[:, KINDS:]], axis=1)
    return np.asarray(joined / 2, np.float32)


def straighten(model: Model, picture: Image, corners: Floats) -> Floats:
    """Move each quad (n, 4, 2) to where the reader sees the tile's corners in its crop."""
    ink = crops.relative_ink(crops.cut(picture, corners))
    return crops.apply_shifts(corners, answers(model, ink)[:, COLUMNS:])


def believe(model: Model, picture: Image, corners: Floats, calibration: Calibration) -> Belief:
    """What the reader believes of each quad (n, 4, 2) of a BGR picture."""
    logits = joined_logits(model, crops.relative_ink(crops.cut(picture, corners)))
    return Belief(
        _softmax(logits[:, :KINDS], calibration.kind_temperature),
        _softmax(logits[:, KINDS:], calibration.colour_temperature),
    )


def _allowed(colours: Floats, box: TileSet) -> Floats:
    """Colours as this box can have them: its one warm ink takes what looked yellow or orange."""
    inside = np.asarray([c in box.colours for c in COLOURS])
    folded = colours.copy()
    yellow, orange = _WARM
    if inside[yellow] != inside[orange]:
        here, away = (yellow, orange) if inside[yellow] else (orange, yellow)
        folded[:, here] += folded[:, away]
        folded[:, away] = 0
    return np.asarray(folded * inside, np.float32)


def guess_tile_set(belief: Belief) -> TileSet:
    """The box whose inks explain the picture best; a tie goes to the first of the list."""
    numbered = belief.kinds[:, : 2 * HIGHEST].sum(axis=1) > 0.9
    colours = belief.colours[numbered]
    best, best_fit = TILE_SETS[_GUESSES[0]], -np.inf
    for name in _GUESSES:
        box = TILE_SETS[name]
        plain = colours[:, [c in box.colours for c in COLOURS]].sum(axis=1)
        fit = float(np.log(_allowed(colours, box).sum(axis=1) + 1e-3).sum() + 0.05 * np.log(plain + 1e-3).sum())
        if fit > best_fit + 1e-6:
            best, best_fit = box, fit
    return best


def restrict(belief: Belief, box: TileSet) -> Belief:
    """What remains possible once the box is known; evidence against every ink of the box leaves doubt behind."""
    folded = _allowed(belief.colours, box)
    lost = 1 - folded.sum(axis=1, keepdims=True)
    colours = folded / np.maximum(folded.sum(axis=1, keepdims=True) + 0.1 * lost, 1e-6)
    kinds = belief.kinds.copy()
    if not box.jokers:
        kinds[:, JOKER_KIND] = 0
        kinds /= np.maximum(kinds.sum(axis=1, keepdims=True), 1e-6)
    return Belief(np.asarray(kinds, np.float32), np.asarray(colours, np.float32))


def prefer_way_up(kinds: Floats, upright: float) -> Floats:
    """Weigh one crop's kinds (KINDS,) by how likely it stands upright (0-1), as its neighbours tell."""
    weights = np.ones(KINDS, np.float32)
    weights[:INVERTED] = 2 * upright
    weights[INVERTED : 2 * HIGHEST] = 2 * (1 - upright)
    weighed = kinds * weights
    return np.asarray(weighed / weighed.sum(), np.float32)


def tile_evidence(scores: Floats, nothing: Floats) -> Floats:
    """How strongly finder and reader together speak for a tile, in log odds.

    Takes the finder's scores and the reader's belief that there is nothing, both (n,). The reader counts half: it
    has seen fewer empty places than the finder.
    """

    def log_odds(chance: Floats) -> Floats:
        clipped = np.clip(chance, 1e-6, 1 - 1e-6)
        return np.asarray(np.log(clipped / (1 - clipped)), np.float32)

    return log_odds(scores) - np.float32(0.5) * log_odds(nothing)


def is_inverted(kinds: Floats) -> bool:
    """True if the crop's likeliest number stands on its head."""
    return bool(kinds[:INVERTED].max() < kinds[INVERTED : 2 * HIGHEST].max())


def way_up_known(kinds: Floats) -> bool:
    """True if it is beyond doubt which way up this tile lies: a number that was read surely."""
    return bool(max(kinds[:INVERTED].sum(), kinds[INVERTED : 2 * HIGHEST].sum()) > 0.97)


def candidates(kinds: Floats, colours: Floats) -> list[tuple[str, float]]:
    """Everything one crop may be, with its probability, likeliest first, at most five, by its long name."""
    numbers = kinds[:HIGHEST] + kinds[INVERTED : 2 * HIGHEST]
    # Whether a bare place is a back or nothing at all is no doubt about what is played: neither is a face.
    found = [("joker", float(kinds[JOKER_KIND])), (FACE_DOWN, float(kinds[BACK_KIND] + kinds[NONE_KIND]))]
    for n in np.argsort(-numbers)[:3]:
        likely = np.argsort(-colours)[:3]
        found += [(f"{COLOURS[c].value}-{n + 1}", float(numbers[n] * colours[c])) for c in likely]
    found.sort(key=lambda pair: -pair[1])
    return [pair for pair in found[:5] if pair[1] > 0]


def tile_named(name: str) -> Tile | None:
    """The tile of a long name; None for a face-down one."""
    return None if name == FACE_DOWN else Tile.from_name(name)


def too_many(names: Sequence[str], box: TileSet) -> set[int]:
    """Indices of the tiles of which more were read than the box holds: at least one of them was misread."""
    left = {tile.name: count for tile, count in box.inventory().items()}
    return {i for i, name in enumerate(names) if name != FACE_DOWN and names.count(name) > left.get(name, 0)}
