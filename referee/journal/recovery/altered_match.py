"""What a match that is over came to, though somebody or something has altered rows of it.

Every sum covers the one before, not the rows before: behind an altered row the others still tell whether they are as
they were written. A match under way is cut at such a row, since nobody knows what lay on the table then. One that is
over is not played on: nothing is gained by cutting it, and its result would be lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.errors import BadInput
from referee.journal.codec import event_from_text, from_text
from referee.journal.rows import GIVEN_UP, MATCH, Row, Setup, Standing, chains

Checked = tuple[Row, bool]
"""A row, and whether it is as it was written."""


def check_rows(rows: Sequence[Row]) -> list[Checked]:
    """The rows of one match, each against the sum that the row before it bears."""
    sums = {row.number + 1: row.sum for row in rows}
    return [(row, (row.number in sums or row.number == 0) and row.follows(sums.get(row.number, 0))) for row in rows]


def standings(rows: Iterable[Checked]) -> list[tuple[Row, Standing]]:
    """The standings of one match, in order, out of rows that are as they were written.

    The last one counts also where its own row was altered, if it goes on from the one before it to the end of the
    match: a match that is over shall not look open again because of a letter.
    """
    scored = [(row, whole) for row, whole in rows if row.score is not None]
    found = [(row, _parse_standing(row)) for row, whole in scored if whole]
    if scored and not scored[-1][1]:
        last = _end(scored[-1][0], found[-1][1] if found else None)
        found += [] if last is None else [(scored[-1][0], last)]
    return found


def has_ended(rows: Sequence[Row]) -> bool:
    """Whether a match is over or was given up, as far as its rows tell, some of them perhaps altered."""
    found = check_rows(rows)
    if any(whole and row.kind == GIVEN_UP for row, whole in found):
        return True
    told = standings(found)
    return bool(told) and told[-1][1].over


def with_endings(rows: Iterable[Row]) -> list[tuple[Row, ...]]:
    """Every match that can be made of rows found in any order: the longest chain, as `chains` has it.

    One that is over is kept to its end, with the rows that were altered as they were found.
    """
    found = list(rows)
    return [_to_its_end(chain, found) for chain in chains(found)]


def _to_its_end(chain: tuple[Row, ...], found: Iterable[Row]) -> tuple[Row, ...]:
    places: dict[int, list[Row]] = {}
    for row in found:
        if row.match == chain[0].match:
            places.setdefault(row.number, []).append(row)
    if max(places) < len(chain):
        return chain
    longer = list(chain)
    for number in sorted(number for number in places if number >= len(chain)):
        longer.append(_likeliest(places, number, longer[-1].sum))
    return tuple(longer) if _begins_plainly(longer) and has_ended(longer) else chain


def _likeliest(places: Mapping[int, Sequence[Row]], number: int, before: int) -> Row:
    """Of rows that claim one place, the one that others bear out; the one found last where none is."""

    def borne_out(row: Row) -> tuple[bool, bool]:
        return row.follows(before), any(other.follows(row.sum) for other in places.get(number + 1, ()))

    return max(reversed(places[number]), key=borne_out)


def _begins_plainly(rows: Sequence[Row]) -> bool:
    """Whether what is entered into the tables by name can be read."""
    try:
        for row in rows:
            if row.kind == MATCH:
                from_text(row.body, Setup)
            elif row.kind == "started":
                event_from_text(row.kind, row.body)
    except BadInput:
        return False
    return rows[0].kind == MATCH


def _parse_standing(row: Row) -> Standing:
    standing: Standing = from_text(row.score or "", Standing)
    return standing


def _end(row: Row, before: Standing | None) -> Standing | None:
    """The end of a match that an altered row tells, if it goes on from the standing before."""
    try:
        end = _parse_standing(row)
    except BadInput:
        return None
    if not end.over or before is None:
        return None
    rounds = before.sheet.rounds
    same = end.sheet.players == before.sheet.players and end.sheet.rounds[: len(rounds)] == rounds
    return end if same else None
