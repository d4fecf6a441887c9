"""Learning a box from a few pictures in which every tile of it lies once: pure, without training.

The whole box lies out, so what is left over when all plain tiles are named says what the others may be; what is
still open is asked, and nothing is learnt from a box that is not whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.game.tiles import TileSet
from referee.vision.answers import Answers
from referee.vision.box import Box
from referee.vision.sighting import Sighting


@dataclass(frozen=True, slots=True)
class Batch:
    """One picture of some of the tiles: what was read, and the reader's answers to the same crops, also turned."""

    picture: str
    sighting: Sighting
    answers: Answers
    turned: Answers


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
    name: str, tileset: TileSet, batches: Sequence[Batch], reader: str,
    named: Mapping[tuple[int, int], str] | None = None,
) -> Enrolment:  # fmt: skip
    """Learn the box `name` from `batches`; `named` holds answers to questions by (batch, read)."""
    raise NotImplementedError
