"""A round of a match written anew, with a trace; the referee at the table must not be running meanwhile."""

from __future__ import annotations

from pathlib import Path

from referee.errors import BadInput
from referee.game.events import Corrected
from referee.game.state import State
from referee.journal.amending import amend
from referee.journal.resume import Kept


def correct_round(
    folder: Path, match: int | None, number: int, points: str, winner: str | None, *, in_one_turn: bool
) -> tuple[int, tuple[str, ...]]:
    """Write round `number` of a match anew, the newest if none is named, or change nothing.

    `points` are those left in the hands, in the order of the seats; where a book gives the points of a round directly
    (Gin), those. Returns the number of the match, and what was done about damage meanwhile. Raises as `amend` does.
    """

    def event(kept: Kept) -> Corrected:
        return _event(kept.state, number, points, winner, in_one_turn, kept.t)

    return amend(folder, match, event)


def _event(state: State, number: int, points: str, winner: str | None, in_one_turn: bool, t: float) -> Corrected:
    names = [seat.name for seat in state.seats]
    numbers = _numbers(points)
    if len(numbers) != len(names):
        raise BadInput(f"--points: expected {len(names)} numbers, for {', '.join(names)}, found {points!r}")
    if winner is not None and winner not in names:
        raise BadInput(f"--winner: expected one of {', '.join(names)}, found {winner!r}")
    seat = None if winner is None else names.index(winner)
    if state.rules.knocking is None:
        return Corrected(number, numbers, t, seat, in_one_turn)
    return Corrected(number, (0,) * len(names), t, seat, in_one_turn, numbers)


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise BadInput(f"--points: expected whole numbers with commas between them such as 0,12,31, found {text!r}")
    return tuple(map(int, parts))
