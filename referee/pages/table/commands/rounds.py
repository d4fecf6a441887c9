"""Correcting a round on the page.

The loop corrects rounds of its own match. For any other match, the rows that correct it are made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from starlette.concurrency import run_in_threadpool

from referee.errors import BadInput
from referee.game.match.correction import check_correction
from referee.game.notice import Notice, told_by
from referee.journal.amending import kept_in, rows_behind
from referee.journal.codec import Codec
from referee.journal.errors import JournalError, NewerJournal
from referee.journal.opening import FILE
from referee.page.command import Command, Controls, Malformed, Refused, one_line, read_only, several, text, whole
from referee.table.input.requests import CorrectOther, CorrectRound
from referee.table.output.follower import Facts
from referee.table.requests import LATE, OTHER_MATCH, STANDS_SO

MOST_PLAYERS = 12
MOST_POINTS = 99_999
LONGEST_NAME, LONGEST_REASON = 60, 200
NO_ROOM, UNREADABLE, NOT_FOUND, CANNOT_BE, CONFLICT = 507, 503, 404, 422, 409


def _points() -> Codec:
    each = several(whole(0, MOST_POINTS), MOST_PLAYERS, 1)

    def read(value: Any) -> Any:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_PLAYERS:
            raise Malformed(f"points: expected a number for every player, found {str(value)[:40]!r}")
        return each.read(value)

    return read_only(read, each.schema)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectFields:
    """The corrected round (see CorrectRound), who corrects it, and why."""

    match: Annotated[int, whole(1, 10**9)]
    round: Annotated[int, whole(1, 10**6)]
    points: Annotated[tuple[int, ...], _points()]
    winner: Annotated[int, whole(0, MOST_PLAYERS - 1)] | None = None
    in_one_turn: bool = False
    since: Annotated[int, whole(0, 10**6)]
    who: Annotated[str, text(1, LONGEST_NAME, one_line, lettered=True)]
    why: Annotated[str, text(1, LONGEST_REASON, one_line, lettered=True)]


async def _correct(fields: CorrectFields, _: Facts, controls: Controls) -> Notice | None:
    """Correct a round; raises Refused, with a status that fits the reason."""
    correction = CorrectRound(
        fields.match,
        fields.round,
        fields.points,
        fields.winner,
        fields.who,
        fields.why,
        fields.in_one_turn,
        fields.since,
    )
    refused = await controls.send(correction)
    if refused == OTHER_MATCH:
        if controls.journal is None:
            raise Refused(NOT_FOUND, Notice("scores.no_such_match"))
        made = await run_in_threadpool(_correcting_rows, controls.journal / FILE, correction)
        refused = await controls.send(made)
    if refused is not None:
        raise Refused(_status(refused), refused)
    return None


def _correcting_rows(path: Path, correction: CorrectRound) -> CorrectOther:
    """Return the rows that correct a match other than the current one; raises Refused."""
    try:
        if not path.exists():
            raise Refused(NOT_FOUND, Notice("scores.no_such_match"))
        kept, newest = kept_in(path, correction.match)
    except (JournalError, NewerJournal) as error:
        raise Refused(UNREADABLE, told_by(error)) from error
    except BadInput as error:
        raise Refused(NOT_FOUND, Notice("scores.no_such_match")) from error
    if len(kept.state.sheet.corrections) != correction.since:
        raise Refused(CONFLICT, LATE)
    try:
        event = check_correction(kept.state, correction.event(kept.t))
        if event is None:
            raise Refused(CONFLICT, STANDS_SO)
        return CorrectOther(rows_behind(kept, event, newest))
    except BadInput as error:
        raise Refused(CANNOT_BE, told_by(error)) from error


def _status(refused: Notice) -> int:
    if refused.key in ("journal.disk_full_unplayed", "journal.read_only_unplayed"):
        return NO_ROOM
    if refused.key.startswith("journal."):
        return UNREADABLE
    if refused.key == "page.not_ready":
        return UNREADABLE
    return CONFLICT if refused in (LATE, STANDS_SO) else CANNOT_BE


COMMANDS: Mapping[str, Command[Any]] = {"correct": Command(CorrectFields, _correct)}
