"""Learning a box from a few pictures in which every tile of it lies once: pure, without training.

The whole box lies out, so what is left over when all plain tiles are named says what the others may be; what is
still open is asked, and nothing is learnt from a box that is not whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from referee.game.tiles import FACE_DOWN, HIGHEST, Tile, TileSet
from referee.vision.answers import Answers
from referee.vision.box import Box, centred
from referee.vision.glyphs import STYLES
from referee.vision.numbers import JOKER, style_chances, usual_styles
from referee.vision.read import Calibration, Known, TableRead, candidates, read_together, softmax
from referee.vision.sighting import Floats, Sighting

PLAIN = 0.95
"""Among what is left of the box, a tile in doubt is named from this chance on,"""
LEAST = 0.02
"""if it was at least so likely before."""
MOST_QUESTIONS = 12
"""More tiles in doubt than these are no questions for anybody."""
ENOUGH = 3
"""Tiles of one ink that show what it looks like in a picture."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One picture of some of the tiles: what was read, and the reader's answers to the same crops, also turned.

    `sides_mm` (n, 2) are widths and heights of the tiles, without markers (0, 2).
    """

    picture: str
    sighting: Sighting
    answers: Answers
    turned: Answers
    sides_mm: Floats


@dataclass(frozen=True, slots=True)
class Question:
    """A tile that somebody must name: the `read`-th of the `batch`-th picture, its likeliest names first."""

    batch: int
    read: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What came of it: a box; or what is wrong, one line each; or what must be asked first."""

    box: Box | None
    problems: tuple[str, ...] = ()
    questions: tuple[Question, ...] = field(default=())


def enrol(
    name: str, tileset: TileSet, batches: Sequence[Batch], reader: str, known: Known, calibration: Calibration,
    named: Mapping[tuple[int, int], str] | None = None,
) -> Enrolment:  # fmt: skip
    """Learn the box `name` from `batches`; `named` holds answers to questions by (batch, read).

    `reader` names the network; `known` and `calibration` are what pictures of an unknown box are read with.
    """
    down = [f"{b.picture}: {_count(b)} of the tiles lie face down." for b in batches if _count(b)]
    if down:
        return Enrolment(None, tuple(down))
    styles = _styles(tileset, batches, known, calibration)
    tables = [read_together(b.answers, tileset, replace(known, styles=styles), calibration) for b in batches]
    chances = {
        (i, j): dict(candidates(table.faces[j], table.colours[j]))
        for i, table in enumerate(tables)
        for j in range(len(table.faces))
    }
    given = dict(named or {})
    sure = {key: _sure(found, calibration.sure_from) for key, found in chances.items()} | given
    names, open_keys, left = _shared_out(sure, chances, tileset)
    problems = _problems(names, left, len(open_keys), tileset)
    if problems:
        return Enrolment(None, problems)
    if len(open_keys) > MOST_QUESTIONS:
        told = f"{len(open_keys)} tiles cannot be told; are two boxes mixed, or is it another box?"
        return Enrolment(None, (f"Expected the tiles of one box ({tileset.name}), found that {told}",))
    if open_keys:
        return Enrolment(None, (), tuple(_question(key, chances[key], left) for key in open_keys))
    style = STYLES[int(np.argmax(styles))].name
    return Enrolment(_learnt(name, tileset, batches, tables, names, style, reader))


def _count(batch: Batch) -> int:
    return sum(read.tile is None for read in batch.sighting.reads)


def _styles(tileset: TileSet, batches: Sequence[Batch], known: Known, calibration: Calibration) -> Floats:
    """How likely each face style is, by all pictures together."""
    kinds = np.concatenate([softmax(b.answers.kinds, calibration.kind_temperature) for b in batches])
    before = usual_styles(cards=tileset.faces == "cards") if known.styles is None else known.styles
    return style_chances(kinds, before)


def _sure(found: Mapping[str, float], sure_from: float) -> str | None:
    best = max(found, key=found.__getitem__)
    return best if found[best] >= sure_from else None


Key = tuple[int, int]


def _shared_out(
    sure: Mapping[Key, str | None], chances: Mapping[Key, Mapping[str, float]], tileset: TileSet
) -> tuple[dict[Key, str], list[Key], Counter[str]]:
    """Names for all tiles, those nobody can name yet, and what is left of the box for them.

    What is left over once the plain tiles are named tells what the others may be: one by one, the plainest first.
    """
    left = Counter({tile.name: count for tile, count in tileset.inventory().items()})
    names = {key: name for key, name in sure.items() if name is not None}
    left.subtract(names.values())
    waiting = [key for key, name in sure.items() if name is None]
    while waiting:
        shares = {key: _among(chances[key], left) for key in waiting}
        key = max(waiting, key=lambda k: max(shares[k].values(), default=0.0))
        best = max(shares[key], key=shares[key].__getitem__, default="")
        if not best or shares[key][best] < PLAIN or chances[key].get(best, 0.0) < LEAST:
            break
        names[key] = best
        left[best] -= 1
        waiting.remove(key)
    return names, waiting, left


def _among(found: Mapping[str, float], left: Counter[str]) -> dict[str, float]:
    """Chances of the names that are left, made to sum to 1."""
    inside = {name: chance for name, chance in found.items() if left[name] > 0}
    total = sum(inside.values())
    return {name: chance / total for name, chance in inside.items()} if total > 0 else {}


def _problems(names: Mapping[Key, str], left: Counter[str], waiting: int, tileset: TileSet) -> tuple[str, ...]:
    doubled = sorted(name for name, count in left.items() if count < 0)
    missing = sorted((+left).elements())
    lines = []
    if doubled:
        more = ", ".join(f"{_short(name)} ({tileset_count(tileset, name) - left[name]} times)" for name in doubled)
        lines.append(f"More than a box of {tileset.name} holds: {more}.")
    if len(missing) > waiting:
        what = ", ".join(_short(name) for name in missing[:12]) + (" and more" if len(missing) > 12 else "")
        lines.append(f"Missing from the pictures: {what}.")
    elif len(missing) < waiting and not doubled:
        lines.append(f"Expected {tileset.total} tiles over all pictures, found {len(names) + waiting}.")
    return tuple(lines)


def tileset_count(tileset: TileSet, name: str) -> int:
    """How many tiles of that name a box holds; none of one it does not know."""
    return {tile.name: count for tile, count in tileset.inventory().items()}.get(name, 0)


def _short(name: str) -> str:
    return str(Tile.from_name(name)) if name != FACE_DOWN else name


def _question(key: Key, found: Mapping[str, float], left: Counter[str]) -> Question:
    inside = _among(found, left)
    likely = sorted(inside, key=lambda name: -inside[name]) or sorted((+left).keys())
    return Question(*key, tuple(likely[:5]))


def _learnt(
    name: str, tileset: TileSet, batches: Sequence[Batch], tables: Sequence[TableRead],
    names: Mapping[Key, str], style: str, reader: str,
) -> Box:  # fmt: skip
    sides = np.concatenate([b.sides_mm for b in batches])
    width, height = np.median(sides, axis=0) if len(sides) else tileset.size_mm[:2]
    centre = np.concatenate([part.embedding for b in batches for part in (b.answers, b.turned)]).mean(axis=0)
    directions: dict[int, list[Floats]] = {}
    jokers: list[Floats] = []
    for (i, j), tile_name in names.items():
        ways = [centred(part.embedding[j : j + 1], centre)[0] for part in (batches[i].answers, batches[i].turned)]
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


def _inks_of(tileset: TileSet, i: int, table: TableRead, answers: Answers, names: Mapping[Key, str]) -> Floats:
    """What the inks look like in one picture, (k, 3): as its tiles show them, or as they were inferred."""
    inks = []
    for colour in tileset.colours:
        rows = [j for (b, j), name in names.items() if b == i and name.startswith(f"{colour.value}-")]
        inferred = table.inks.means[table.inks.colours.index(colour)]
        inks.append(np.median(answers.absorbed[rows], axis=0) if len(rows) >= ENOUGH else inferred)
    return np.asarray(inks, np.float32)
