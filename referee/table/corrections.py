"""Rounds corrected at a screen, while the referee runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.errors import BadInput
from referee.game.match.correction import check_correction
from referee.game.match.events import Effect
from referee.game.match.phases import Phase
from referee.game.notice import Notice, told_by
from referee.journal.errors import JournalError, without_a_game
from referee.table.input.requests import CorrectOther, CorrectRound
from referee.table.session import Session

OTHER_MATCH = Notice("scores.other_match")
"""The match is not the one at the table: its rows are to be made from the journal."""
STANDS_SO = Notice("scores.stands_so")
LATE = Notice("scores.late")


def correct_round(
    request: CorrectRound, session: Session, t: float, carry_out: Callable[[Iterable[Effect]], None]
) -> Notice | None:
    """Correct a round of the match at the table, under way or just over; gives why that cannot be."""
    if not _at_the_table(request.match, session):
        return OTHER_MATCH
    # An event that the disk does not take would wait in memory; a correction can as well be made later.
    session.journal.beat(t)
    if session.journal.trouble is not None:
        return told_by(without_a_game(JournalError(session.journal.trouble)))
    state = session.state
    if len(state.sheet.corrections) != request.since:
        return LATE
    try:
        event = check_correction(state, request.event(t))
        if event is None:
            return STANDS_SO
        effects = session.handle(event)
    except BadInput as error:
        return told_by(error)
    carry_out(effects)
    return None


def correct_other(request: CorrectOther, session: Session) -> Notice | None:
    """Correct a match that is not played on; gives why that cannot be."""
    if _at_the_table(request.rows[0].match, session):
        return LATE
    try:
        return None if session.journal.amend(request.rows) else LATE
    except JournalError as error:
        return told_by(without_a_game(error))


def _at_the_table(match: int, session: Session) -> bool:
    return session.journal.match == match and session.state.phase is not Phase.LOBBY
