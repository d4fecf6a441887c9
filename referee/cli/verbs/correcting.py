"""A round of a match written anew, with a trace; the referee at the table must not be running meanwhile."""

from __future__ import annotations

from pathlib import Path

from referee.errors import BadInput
from referee.game.match.correction import check_correction
from referee.game.match.events import Corrected
from referee.journal.amending import Amended, amend
from referee.journal.replay import Kept


def correct_round(
    folder: Path,
    match: int | None,
    number: int,
    points: str,
    winner: str | None,
    *,
    in_one_turn: bool,
    who: str = "",
    why: str = "",
) -> Amended:
    """Write round `number` of a match anew, the newest if none is named; nothing where it stands so already.

    `points` are those left in the hands, in the order of the seats; where a book gives the points of a round directly
    (Gin), those. Raises as `amend` does.
    """

    def event(kept: Kept) -> Corrected | None:
        names = [seat.name for seat in kept.state.seats]
        numbers = _numbers(points)
        if len(numbers) != len(names):
            raise BadInput(f"--points: expected {len(names)} numbers, for {', '.join(names)}, found {points!r}")
        if winner is not None and winner not in names:
            raise BadInput(f"--winner: expected one of {', '.join(names)}, found {winner!r}")
        seat = None if winner is None else names.index(winner)
        return check_correction(kept.state, Corrected(number, numbers, kept.t, seat, in_one_turn, who=who, why=why))

    return amend(folder, match, event)


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise BadInput(f"--points: expected whole numbers with commas between them such as 0,12,31, found {text!r}")
    return tuple(map(int, parts))
