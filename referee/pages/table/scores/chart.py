"""The running totals of a match as lines: places in a drawing, for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.game.scoring import ScoreSheet

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 84, 20, 20, 44
MOST_TICKS = 6
MOST_ROUNDS_NAMED = 16

DASHES = ("none", "10 5", "3 4", "14 4 3 4", "6 3 2 3 2 3", "20 6")
MARKERS = (
    "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
    "M-5 -5H5V5H-5Z",
    "M0 -6L6 5H-6Z",
    "M0 -7L7 0L0 7L-7 0Z",
    "M-6 -2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z",
    "M0 6L6 -5H-6Z",
)
"""Paths around the middle: circle, square, triangle, diamond, cross, triangle upside down."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: where, and what stands beside it."""

    place: float
    text: str


@dataclass(frozen=True, slots=True)
class Series:
    """One player: colour by number, dashes, marker, and the points that the line goes through."""

    name: str
    number: int
    dash: str
    marker: str
    points: tuple[tuple[float, float], ...]

    @property
    def path(self) -> str:
        """The points as SVG has them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True, slots=True)
class Chart:
    """All lines, with the grid behind them; `zero` is the height of no points."""

    lines: tuple[Series, ...]
    rounds: tuple[Tick, ...]
    points: tuple[Tick, ...]
    zero: float
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def running_totals(sheet: ScoreSheet) -> list[tuple[int, ...]]:
    """What every player had after each round, from none on."""
    found = [(0,) * len(sheet.players)]
    for line in sheet.rounds:
        found.append(tuple(had + got for had, got in zip(found[-1], line.scores, strict=True)))
    return found


def chart(sheet: ScoreSheet) -> Chart | None:
    """The running totals of a match; None before the first round."""
    if not sheet.rounds:
        return None
    totals = running_totals(sheet)
    low, high = min(min(row) for row in totals), max(max(row) for row in totals)
    step = _step(high - low)
    first, last = low // step * step, -(-high // step) * step
    last = max(last, first + step)

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / len(sheet.rounds)

    def y(points: int) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (points - first) / (last - first)

    lines = tuple(
        Series(
            name,
            seat % len(DASHES),
            DASHES[seat % len(DASHES)],
            MARKERS[seat % len(MARKERS)],
            tuple((x(number), y(row[seat])) for number, row in enumerate(totals)),
        )
        for seat, name in enumerate(sheet.players)
    )
    every = -(-len(sheet.rounds) // MOST_ROUNDS_NAMED)
    rounds = tuple(Tick(x(number), str(number)) for number in range(0, len(totals), every))
    points = tuple(Tick(y(number), _format_points(number)) for number in range(first, last + 1, step))
    return Chart(lines, rounds, points, y(0))


def _step(span: int) -> int:
    """A round number of points between two lines of the grid."""
    unit = 1
    while True:
        for times in (1, 2, 5):
            if unit * times * (MOST_TICKS - 1) >= span:
                return unit * times
        unit *= 10


def _format_points(points: int) -> str:
    return f"{points:+d}" if points else "0"


def series(values: Sequence[int]) -> list[str]:
    """Points with their sign, for a table."""
    return [_format_points(value) for value in values]
