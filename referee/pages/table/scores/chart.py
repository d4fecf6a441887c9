"""The running totals of a match as lines: coordinates for the template to draw."""

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
"""SVG paths around the origin: circle, square, triangle, diamond, cross, triangle upside down."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: its place, and the text beside it."""

    place: float
    text: str


@dataclass(frozen=True, slots=True)
class Series:
    """The line of one player: number of its colour, dashes, marker, and points."""

    name: str
    number: int
    dash: str
    marker: str
    points: tuple[tuple[float, float], ...]

    @property
    def path(self) -> str:
        """The points as the attribute of an SVG polyline."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True, slots=True)
class Chart:
    """All lines and the grid behind them; `zero` is the y coordinate of 0 points."""

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
    """Return the totals of all players after each round, beginning with zeros before the first."""
    found = [(0,) * len(sheet.players)]
    for line in sheet.rounds:
        found.append(tuple(had + got for had, got in zip(found[-1], line.scores, strict=True)))
    return found


def chart(sheet: ScoreSheet) -> Chart | None:
    """Return the chart of a match; None before the first round is over."""
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
    """Return a round number of points as the distance between two lines of the grid."""
    unit = 1
    while True:
        for times in (1, 2, 5):
            if unit * times * (MOST_TICKS - 1) >= span:
                return unit * times
        unit *= 10


def _format_points(points: int) -> str:
    return f"{points:+d}" if points else "0"


def series(values: Sequence[int]) -> list[str]:
    """Return points with their signs, for a table."""
    return [_format_points(value) for value in values]
