"""The result of a match that is over, even if some of its rows were altered.

The checksum of a row covers the checksum of the row before, not that row itself. So the rows after an altered row
still show whether they are as they were written. A match under way is cut at an altered row, since nobody knows what
was on the table then. A match that is over is not continued: cutting it would gain nothing and lose its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.errors import BadInput
from referee.journal.codec import event_from_text, from_text
from referee.journal.rows import GIVEN_UP, MATCH, Row, Setup, Standing, chains

Checked = tuple[Row, bool]
"""A row, and whether it is as it was written."""


def check_rows(rows: Sequence[Row]) -> list[Checked]:
    """Return the rows of one match, each checked against the checksum in the row before it."""
    sums = {row.number + 1: row.sum for row in rows}
    return [(row, (row.number in sums or row.number == 0) and row.follows(sums.get(row.number, 0))) for row in rows]


def standings(rows: Iterable[Checked]) -> list[tuple[Row, Standing]]:
    """Return the standings of one match, in order, from rows that are as they were written.

    The last standing counts even if its row was altered, provided that it continues the one before it and ends the
    match. A match that is over must not look open again because of one wrong letter.
    """
    scored = [(row, whole) for row, whole in rows if row.score is not None]
    found = [(row, _parse_standing(row)) for row, whole in scored if whole]
    if scored and not scored[-1][1]:
        last = _end(scored[-1][0], found[-1][1] if found else None)
        found += [] if last is None else [(scored[-1][0], last)]
    return found


def has_ended(rows: Sequence[Row]) -> bool:
    """Return whether a match is over or was given up, as far as its rows say; some may have been altered."""
    found = check_rows(rows)
    if any(whole and row.kind == GIVEN_UP for row, whole in found):
        return True
    told = standings(found)
    return bool(told) and told[-1][1].over


def with_endings(rows: Iterable[Row]) -> list[tuple[Row, ...]]:
    """Return every match that can be made of rows in any order: the longest chain, as `chains` finds it.

    A match that is over is kept to its end, including the altered rows as they were found.
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
    """Return that row for a place which the rows around it confirm; if they confirm none, the one found last."""

    def borne_out(row: Row) -> tuple[bool, bool]:
        return row.follows(before), any(other.follows(row.sum) for other in places.get(number + 1, ()))

    return max(reversed(places[number]), key=borne_out)


def _begins_plainly(rows: Sequence[Row]) -> bool:
    """Return whether those rows can be read whose content goes into the tables for queries by name."""
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
    """Return the final standing in an altered row, if it continues the standing before; otherwise None."""
    try:
        end = _parse_standing(row)
    except BadInput:
        return None
    if not end.over or before is None:
        return None
    rounds = before.sheet.rounds
    same = end.sheet.players == before.sheet.players and end.sheet.rounds[: len(rounds)] == rounds
    return end if same else None
