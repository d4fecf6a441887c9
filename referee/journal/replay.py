"""Restores a match from its rows: `apply` over the events gives the exact state before the power failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.errors import BadInput
from referee.game.match.events import Event
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice, told_by
from referee.journal.codec import event_from_text, from_text
from referee.journal.errors import JournalDamaged, Unknown
from referee.journal.rows import GIVEN_UP, Row, Setup, Standing, Tip, broken_at


@dataclass(frozen=True, slots=True)
class Kept:
    """A match from the journal. `t` is the last known match time in seconds; the match goes on from there."""

    match: int
    setup: Setup
    state: State
    t: float
    tip: Tip
    given_up: bool = False

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self.given_up or self.state.phase is Phase.OVER


class EventRefused(JournalDamaged):
    """A stored event that cannot have happened at that point.

    `kept` is the match up to it; None if nothing is left.
    """

    def __init__(self, told: Notice, kept: Kept | None) -> None:
        super().__init__(told)
        self.kept = kept


def replay(rows: Sequence[Row], beat: float | None = None) -> Kept:
    """Return the match that these rows contain; `beat` is a later match time that was stored.

    Raises Unknown for anything that a newer referee wrote, and EventRefused for an event that cannot have happened.
    """
    first = rows[0]
    setup: Setup = from_text(first.body, Setup)
    try:
        state = setup.state()
    except BadInput as error:
        raise Unknown(Notice("journal.unknown_rules", match=first.match, why=told_by(error))) from error
    tip, given_up = Tip(first), False
    for row in rows[1:]:
        if row.kind == GIVEN_UP:
            given_up = True
        else:
            state = _next_state(state, row, tip, setup)
        standing = tip.standing if row.score is None else from_text(row.score, Standing)
        tip = Tip(row, standing, max(tip.t, row.t))
    return Kept(first.match, setup, state, max(tip.t, beat or 0.0, 0.0), tip, given_up)


def intact_events(rows: Sequence[Row]) -> Iterator[tuple[int, Event]]:
    """Yield the events of a match with their numbers, up to the first damaged row.

    Raises BadInput at an event of another version.
    """
    for row in rows[1 : broken_at(rows)]:
        if row.kind != GIVEN_UP:
            yield row.number, event_from_text(row.kind, row.body)


def _next_state(state: State, row: Row, tip: Tip, setup: Setup) -> State:
    try:
        return apply(state, event_from_text(row.kind, row.body))[0]
    except Unknown as error:
        raise Unknown(
            Notice("journal.unknown_event", event=row.number, match=row.match, why=told_by(error))
        ) from error
    except BadInput as error:
        kept = Kept(row.match, setup, state, max(tip.t, 0.0), tip) if row.number > 1 else None
        told = Notice("journal.misfit", event=row.number, match=row.match, kind=row.kind, why=told_by(error))
        raise EventRefused(told, kept) from error
