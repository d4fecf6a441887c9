"""Learning a box from a few pictures that together show each of its tiles once. Pure, and without training.

The whole box lies on the table. So once all clearly read tiles are named, what is left of the box shows what the
others may be. People are asked about those that remain open. Nothing is learnt from a box that is not complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from referee.game.notice import Notice
from referee.game.tiles import HIGHEST, TILE_SETS, Tile, TileSet
from referee.game.tiles import JOKER as JOKER_TILE
from referee.vision.boxes.box import Box, centre_embeddings
from referee.vision.reading.answers import Predictions
from referee.vision.reading.glyphs import JOKER, STYLES, style_chances, usual_styles
from referee.vision.reading.inks import COLOURS
from referee.vision.reading.joint import Calibration, Known, TableRead, read_together, softmax
from referee.vision.sighting import Floats, Sighting

# Unless a comment names a source, these values were chosen by hand, not fitted. `python -m benchmarks enrolled` and
# `boxes` measure boxes that were enrolled with them (models/METRICS.md).
PLAIN = 0.95
"""A tile in doubt gets one of the remaining names if its chance among them is at least this,"""
LEAST = 0.02
"""and if its chance was at least this before the others were excluded."""
HARDLY = 1e-4
"""A name with a lower chance than this is not asked about if the tile was read beyond doubt as another."""
MOSTLY = 0.5
"""A name from this chance on is used to learn faces and inks, before all tiles are named."""
ROUNDS = 3
"""How many times faulty pictures are read again, each time with a box learnt from the likeliest names."""
MOST_QUESTIONS = 12
"""If more tiles than this are in doubt, people are not asked about them."""
CLEAR = 0.9
"""A tile's number is clear if its chance is at least this, whatever its ink."""
MOST_MISSING = 12
"""The most missing tiles that a message names."""
ENOUGH = 3
"""The least number of tiles from which an ink is measured in a picture."""
UNLIKE = 3.0
"""People are asked about another kind of box if the inks of all pictures speak for it by this much more evidence. Of
17 drawn boxes (`benchmarks.made_boxes`, seed 77), each enrolled as its true kind, no other kind had more evidence; for
the five with orange ink, the kind with yellow had 1 to 21 less."""
FITS = 2
"""If a box is not complete, another kind is suggested only if at most this many tiles would be missing or too many.
So somebody who has not shown all tiles yet is not advised to choose a smaller box."""


Key = tuple[int, int]
"""A tile: the index of its picture, and its index within it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One picture of some of the tiles: what was read, and the reader's answers to its crops, upright and upside down.

    `sides_mm` (n, 2) are widths and heights of the tiles, or (0, 2) without markers. `passed_px` (m, 4, 2) are quads
    in pixels that the finder took for tiles but the reader did not. `named` has the names that people gave to tiles,
    by index; these tiles are not asked about.
    """

    picture: str
    sighting: Sighting
    answers: Predictions
    turned: Predictions
    sides_mm: Floats
    passed_px: Floats = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    named: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A tile that somebody must name: read `read` of picture `batch`, and its likely names, likeliest first."""

    batch: int
    read: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The outcome of an enrolment: a box, or what is wrong, or what must be asked first.

    `looks_like` names another kind of box that fits the inks better; somebody must confirm or deny it.
    """

    box: Box | None
    problems: tuple[Notice, ...] = ()
    questions: tuple[Question, ...] = field(default=())
    looks_like: str | None = None


# Chosen by hand, not fitted; the result depends little on them.
ROUNDS = 200
"""Rounds of balancing; a few dozen are needed for a box."""
NEVER = 1e-9
"""The least chance of a name; it ensures that there is always a solution."""
STRAY = 1e-6
"""The chance that a tile is none of the box's."""

Chances = Mapping[str, float]


def chances_of(faces: Floats, colours: Floats, tileset: TileSet) -> dict[str, float]:
    """Return how likely one tile, given `faces` (FACES,) and `colours` (6,), is each tile of a box, by name."""
    numbers = faces[:HIGHEST] + faces[HIGHEST : 2 * HIGHEST]
    return {tile.name: float(faces[JOKER]) if tile.is_joker else _face_score(tile, numbers, colours)
            for tile in tileset.inventory()}  # fmt: skip


def _face_score(tile: Tile, numbers: Floats, colours: Floats) -> float:
    return 0.0 if tile.colour is None else float(numbers[tile.number - 1] * colours[COLOURS.index(tile.colour)])


def shares(waiting: Sequence[Chances], left: Counter[str]) -> list[dict[str, float]]:
    """Return how likely each tile has each name, given that together the tiles are what is left of the box.

    Rows and columns of the table of chances are scaled in turn until every tile has one name and every name occurs as
    often as it is left (Sinkhorn, 1967). If too many tiles were read as one name, the likeliest ones keep it. If tiles
    are missing, names are left over; if there are too many tiles, some do not belong to the box.
    """
    names = sorted(+left)
    if not waiting or not names:
        return [{} for _ in waiting]
    table = np.asarray([[max(NEVER, one.get(name, 0.0)) for name in names] for one in waiting])
    counts = np.asarray([left[name] for name in names], float)
    missing = int(counts.sum()) - len(waiting)
    if missing > 0:
        table, rows = np.vstack([table, np.ones(len(names))]), np.append(np.ones(len(waiting)), missing)
    else:
        rows = np.ones(len(waiting))
    if missing < 0:
        table, counts = np.column_stack([table, np.full(len(waiting), STRAY)]), np.append(counts, -missing)
    down = np.ones(len(counts))
    for _ in range(ROUNDS):
        across = rows / (table @ down)
        down = counts / (table.T @ across)
    found = table * across[:, None] * down
    return [dict(zip(names, map(float, row[: len(names)]), strict=True)) for row in found[: len(waiting)]]


def enrol(
    name: str, tileset: TileSet, batches: Sequence[Batch], reader: str, known: Known, calibration: Calibration,
    named: Mapping[tuple[int, int], str] | None = None, *, sure: bool = False,
) -> Enrolment:  # fmt: skip
    """Learn a box from pictures of its tiles; return it, or what is wrong, or what must be asked first.

    `name`: the name that the box gets.
    `tileset`: the kind of box, as set by the user.
    `batches`: the pictures, which together must show every tile of the box once.
    `reader`: the name of the reader network, by its checksum; the box is of no use to another one.
    `known`: what is known of boxes in general, with which the pictures of an unknown one are read.
    `calibration`: the temperatures and limits of the reader.
    `named`: answers to questions: the tile's name by (batch, read). None: nothing was asked yet.
    `sure`: whether somebody has confirmed that the box is one of `tileset`, whatever its inks look like.
    """
    down = [Notice("box.picture_face_down", picture=b.picture, number=_count(b)) for b in batches if _count(b)]
    if down:
        return Enrolment(None, tuple(down))
    styles = _styles(tileset, batches, known, calibration)
    style = STYLES[int(np.argmax(styles))].name
    shown = {(i, j): tile for i, batch in enumerate(batches) for j, tile in batch.named.items()}
    read = partial(_read, batches, tileset, calibration, {**shown, **(named or {})})
    first = tables, shared = read(replace(known, styles=styles))
    for _ in range(ROUNDS):
        if not shared.problems(tileset) or not shared.covers(tileset):
            break
        guessed = _learn_box(name, tileset, batches, tables, shared.likely, style, reader)
        tables, shared = read(replace(known, styles=styles, box=guessed))
    if problems := shared.problems(tileset):
        better = _kinds_that_fit_better(tileset, shared.misfit(tileset), batches, known, calibration, shown)
        hint = (Notice("box.fits_better", box=tileset.name, others=better),) if better else ()
        return Enrolment(None, (*(first[1].problems(tileset) or problems), *hint))
    if shared.open_keys:
        left = shared.tiles_left(tileset)
        return Enrolment(None, (), tuple(_question(key, shared.chances[key], left) for key in shared.open_keys))
    other = None if sure else _another_kind(tileset, batches, known, calibration)
    if other is not None:
        return Enrolment(None, looks_like=other.name)
    return Enrolment(_learn_box(name, tileset, batches, tables, shared.names, style, reader))


def _another_kind(
    tileset: TileSet, batches: Sequence[Batch], known: Known, calibration: Calibration
) -> TileSet | None:  # fmt: skip
    """Return another kind with as many tiles whose inks clearly fit the pictures better; None if there is none."""
    others = [
        kind
        for kind in _known_kinds(known)
        if kind.total == tileset.total and set(kind.colours) != set(tileset.colours)
    ]
    if not others:
        return None
    told = _ink_evidence(tileset, batches, known, calibration)
    found = {kind.name: _ink_evidence(kind, batches, known, calibration) for kind in others}
    best = max(others, key=lambda kind: found[kind.name])
    return best if found[best.name] - told > UNLIKE else None


def _kinds_that_fit_better(
    tileset: TileSet, misfit: int, batches: Sequence[Batch], known: Known, calibration: Calibration,
    shown: Mapping[Key, str],
) -> tuple[str, ...]:  # fmt: skip
    """Return the kinds that fit the tiles of an incomplete box better, the likeliest first; usually none.

    A kind whose inks clearly do not fit the pictures is never returned, however many tiles it holds.
    """
    told = _ink_evidence(tileset, batches, known, calibration)
    found: dict[str, tuple[int, float]] = {}
    for kind in _known_kinds(known):
        held = kind.inventory()
        if kind == tileset or not all(Tile.from_name(name) in held for name in shown.values()):
            continue
        evidence = _ink_evidence(kind, batches, known, calibration)
        if set(kind.colours) == set(tileset.colours) or told - evidence <= UNLIKE:
            assumed = replace(known, styles=_styles(kind, batches, known, calibration))
            found[kind.name] = _read(batches, kind, calibration, shown, assumed)[1].misfit(kind), -evidence
    least = min((others for others, _ in found.values()), default=misfit)
    if least >= misfit or least > FITS:
        return ()
    return tuple(sorted((name for name in found if found[name][0] == least), key=found.__getitem__))


def _known_kinds(known: Known) -> list[TileSet]:
    """Return the kinds of box for whose inks there is a prior."""
    described = {frozenset(prior.colours) for prior in known.priors}
    return [kind for kind in TILE_SETS.values() if set(kind.colours) in described]


def _ink_evidence(kind: TileSet, batches: Sequence[Batch], known: Known, calibration: Calibration) -> float:
    """Return how well the inks of all pictures fit a kind of box, as a log likelihood."""
    unknown = replace(known, box=None)
    return sum(read_together(b.answers, kind, unknown, calibration).inks.evidence for b in batches)


def _read(
    batches: Sequence[Batch], tileset: TileSet, calibration: Calibration, given: Mapping[Key, str], known: Known
) -> tuple[list[TableRead], _Shared]:  # fmt: skip
    """Read all pictures with what is known so far, and distribute the names of the box."""
    tables = [read_together(b.answers, tileset, known, calibration) for b in batches]
    return tables, _distribute_names(tables, tileset, calibration.sure_from, given)


def _count(batch: Batch) -> int:
    return sum(read.tile is None for read in batch.sighting.reads)


def _styles(tileset: TileSet, batches: Sequence[Batch], known: Known, calibration: Calibration) -> Floats:
    """Return how likely each face style is, given all pictures."""
    kinds = np.concatenate([softmax(b.answers.kinds, calibration.kind_temperature) for b in batches])
    before = usual_styles(cards=tileset.faces == "cards") if known.styles is None else known.styles
    return style_chances(kinds, before)


def _sure(found: Chances, sure_from: float) -> str | None:
    best = max(found, key=found.__getitem__)
    return best if found[best] >= sure_from else None


@dataclass(frozen=True, slots=True)
class _Shared:
    """The names of all tiles, from all pictures together.

    `names` are the names that are settled without a question, `open_keys` are the other tiles; `likely` are the
    likeliest names if the whole box is distributed over all tiles.
    """

    chances: Mapping[Key, Chances]
    names: Mapping[Key, str]
    open_keys: Sequence[Key]
    likely: Mapping[Key, str]

    def tiles_left(self, tileset: TileSet) -> Counter[str]:
        """Return what is left of the box; negative counts for names that were read too often."""
        rest = Counter({tile.name: count for tile, count in tileset.inventory().items()})
        rest.subtract(self.names.values())
        return rest

    def misfit(self, tileset: TileSet) -> int:
        """Return how many tiles are missing or too many, if every open tile is one of those that are left."""
        left = self.tiles_left(tileset)
        doubled, missing = (-left).total(), (+left).total()
        return doubled + abs(missing - len(self.open_keys))

    def problems(self, tileset: TileSet) -> tuple[Notice, ...]:
        """Return what is wrong; nothing if people only have to name some tiles."""
        wrong = _problems(self.names, self.tiles_left(tileset), len(self.open_keys), tileset)
        if wrong or len(self.open_keys) <= MOST_QUESTIONS:
            return wrong
        if 2 * sum(_is_only_ink_open(self.chances[key]) for key in self.open_keys) > len(self.open_keys):
            return (Notice("box.inks_alike"),)
        return (Notice("box.too_many_open", box=tileset.name, number=len(self.open_keys)),)

    def covers(self, tileset: TileSet) -> bool:
        """Return whether every face of the box is among the likely names."""
        seen = {Tile.from_name(name).number for name in self.likely.values()}
        return all(tile.number in seen for tile in tileset.inventory())


def _distribute_names(
    tables: Sequence[TableRead], tileset: TileSet, sure_from: float, given: Mapping[Key, str]
) -> _Shared:  # fmt: skip
    """Return names for all tiles; `given` are the names that people gave.

    Once the clearly read tiles are named, what is left shows what the others may be. If a name was read more often
    than the box holds it, none of its tiles counts as clearly read.
    """
    chances = {
        (i, j): chances_of(table.faces[j], table.colours[j], tileset)
        for i, table in enumerate(tables)
        for j in range(len(table.faces))
    }
    sure = {key: _sure(found, sure_from) for key, found in chances.items()} | dict(given)
    whole = Counter({tile.name: count for tile, count in tileset.inventory().items()})
    read = Counter(name for name in sure.values() if name is not None)
    contested = {key: name for key, name in sure.items()
                 if name is not None and read[name] > whole[name] and key not in given}  # fmt: skip
    names = {key: name for key, name in sure.items() if name is not None and key not in contested}
    waiting = [key for key in sure if key not in names]
    open_keys = []
    shared = shares([chances[key] for key in waiting], whole - Counter(names.values()))
    for key, found in zip(waiting, shared, strict=True):
        best = max(found, key=found.__getitem__, default="")
        if found.get(best, 0.0) >= PLAIN and chances[key][best] >= LEAST:
            names[key] = best
        elif key not in contested or _may_be_another(chances[key], contested[key], found):
            open_keys.append(key)
        else:
            names[key] = contested[key]
    return _Shared(chances, names, open_keys, _likely(chances, whole, given))


def _likely(chances: Mapping[Key, Chances], whole: Counter[str], given: Mapping[Key, str]) -> dict[Key, str]:
    """Return the likeliest names if the whole box is distributed over all tiles, as even clear reads may be wrong."""
    free = [key for key in chances if key not in given]
    likely = dict(given)
    for key, found in zip(free, shares([chances[key] for key in free], whole - Counter(given.values())), strict=True):
        best = max(found, key=found.__getitem__, default="")
        if found.get(best, 0.0) >= (PLAIN if best == JOKER_TILE.name else MOSTLY):
            likely[key] = best
    return likely


def _is_only_ink_open(found: Chances) -> bool:
    """Return whether a tile's number is clear, and only its ink is not."""
    best = max(found, key=found.__getitem__)
    number = Tile.from_name(best).number
    clear = CLEAR * sum(found.values())
    return (
        found[best] < clear <= sum(chance for name, chance in found.items() if Tile.from_name(name).number == number)
    )


def _may_be_another(found: Chances, name: str, left: Chances) -> bool:
    """Return whether a tile that was read as `name` may be one of the other names that are left."""
    return any(found[other] >= HARDLY for other in left if other != name)


def _normalise_chances(found: Chances, left: Counter[str]) -> dict[str, float]:
    """Return the chances of the names that are left, scaled to a sum of 1."""
    inside = {name: chance for name, chance in found.items() if left[name] > 0}
    total = sum(inside.values())
    return {name: chance / total for name, chance in inside.items()} if total > 0 else {}


def _problems(names: Mapping[Key, str], left: Counter[str], waiting: int, tileset: TileSet) -> tuple[Notice, ...]:
    doubled = sorted(name for name, count in left.items() if count < 0)
    missing = sorted((+left).elements())
    found = []
    if doubled:
        times = {name: tileset_count(tileset, name) - left[name] for name in doubled}
        more = tuple(Notice("box.so_often", tile=Tile.from_name(name), times=times[name]) for name in doubled)
        found.append(Notice("box.more_than_held", box=tileset.name, tiles=more))
    if len(missing) > waiting:
        key = "box.missing" if len(missing) <= MOST_MISSING else "box.missing_and_more"
        found.append(Notice(key, tiles=tuple(map(Tile.from_name, missing[:MOST_MISSING]))))
    elif len(missing) < waiting and not doubled:
        found.append(Notice("box.wrong_number", wanted=tileset.total, found=len(names) + waiting))
    return tuple(found)


def tileset_count(tileset: TileSet, name: str) -> int:
    """Return how many tiles of this name a box holds; 0 if it has no such tile."""
    return {tile.name: count for tile, count in tileset.inventory().items()}.get(name, 0)


def _question(key: Key, found: Chances, left: Counter[str]) -> Question:
    inside = _normalise_chances(found, left)
    likely = sorted(inside, key=lambda name: -inside[name]) or sorted((+left).keys())
    return Question(*key, tuple(likely[:5]))


def _learn_box(
    name: str, tileset: TileSet, batches: Sequence[Batch], tables: Sequence[TableRead],
    names: Mapping[Key, str], style: str, reader: str,
) -> Box:  # fmt: skip
    """Return the box as its pictures show it.

    `name`: the name that the box gets.
    `tileset`: the kind of box.
    `batches`: the pictures.
    `tables`: how each picture was read.
    `names`: the name of each tile that is known, by (batch, read).
    `style`: the name of the face style.
    `reader`: the name of the reader network, by its checksum.
    """
    sides = np.concatenate([b.sides_mm for b in batches])
    width, height = np.median(sides, axis=0) if len(sides) else tileset.size_mm[:2]
    centre = np.concatenate([part.embedding for b in batches for part in (b.answers, b.turned)]).mean(axis=0)
    directions: dict[int, list[Floats]] = {}
    jokers: list[Floats] = []
    for (i, j), tile_name in names.items():
        ways = [
            centre_embeddings(part.embedding[j : j + 1], centre)[0] for part in (batches[i].answers, batches[i].turned)
        ]
        tile = Tile.from_name(tile_name)
        if tile.is_joker:
            jokers += ways
            continue
        if tables[i].faces[j][tile.number - 1] < tables[i].faces[j][tile.number - 1 + HIGHEST]:
            ways.reverse()
        directions.setdefault(tile.number - 1, []).append(ways[0])
        directions.setdefault(tile.number - 1 + HIGHEST, []).append(ways[1])
    faces = sorted(directions)
    means = [np.mean(directions[face], axis=0) for face in faces]
    prototypes = [m / max(1e-6, float(np.linalg.norm(m))) for m in means] + jokers
    inks = [_inks_of(tileset, i, table, batches[i].answers, names) for i, table in enumerate(tables)]
    return Box(
        name, tileset.name, (round(float(width), 1), round(float(height), 1), tileset.size_mm[2]), tileset.colours,
        style, np.asarray(inks, np.float64), np.asarray(centre, np.float32), np.asarray(prototypes, np.float32),
        (*faces, *([JOKER] * len(jokers))), reader,
    )  # fmt: skip


def _inks_of(tileset: TileSet, i: int, table: TableRead, answers: Predictions, names: Mapping[Key, str]) -> Floats:
    """Return the inks of one picture, (k, 3): measured on enough of its tiles, or else as they were inferred."""
    inks = []
    for colour in tileset.colours:
        rows = [j for (b, j), name in names.items() if b == i and name.startswith(f"{colour.value}-")]
        inferred = table.inks.means[table.inks.colours.index(colour)]
        inks.append(np.median(answers.absorbed[rows], axis=0) if len(rows) >= ENOUGH else inferred)
    return np.asarray(inks, np.float32)
