"""What the director of a tournament in the hall is told."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    # How far it is
    "director.is_empty": form(),
    "director.is_entering": form("here", players=Kind.NUMBER, here=Kind.NUMBER),
    "director.is_drawn": form(round=Kind.NUMBER),
    "director.is_playing": form("tables", round=Kind.NUMBER, tables=Kind.NAMES),
    "director.is_between": form(round=Kind.NUMBER, rounds=Kind.NUMBER),
    "director.is_ended": form(),
    "director.is_drawing": form(round=Kind.NUMBER),
    "director.seats_so_far": form("repeats", percent=Kind.NUMBER, repeats=Kind.NUMBER, bound=Kind.NUMBER),
    "director.improving": form(),
    # A table of the round
    "director.table_waits": form(),
    "director.table_begins": form(),
    "director.table_not_begun": form(),
    "director.table_plays": form(round=Kind.NUMBER, rounds=Kind.NUMBER),
    "director.table_doubtful": form(),
    "director.table_told": form(),
    "director.table_written": form(),
    # Standings
    "director.tie_wins": form(),
    "director.tie_opponents": form(),
    "director.tie_margin": form(),
    "director.amount": form(amount=Kind.AMOUNT),
    # What was changed
    "director.was_corrected": form(round=Kind.NUMBER, table=Kind.NUMBER, before=Kind.NAME, after=Kind.NAME),
    "director.was_swapped": form(round=Kind.NUMBER, one=Kind.NAME, other=Kind.NAME),
    "director.was_withdrawn": form(round=Kind.NUMBER, tables=Kind.NAME),
    "director.changed_by": form(who=Kind.NAME),
    "director.changed_why": form(why=Kind.NAME),
    # What somebody has to see to
    "director.unplaced": form(table=Kind.NUMBER),
    "director.away": form(table=Kind.NUMBER, at=Kind.NAME),
    "director.not_begun": form(table=Kind.NUMBER, at=Kind.NAME),
    "director.refused": form(table=Kind.NUMBER, at=Kind.NAME, why=Kind.NOTICE),
    "director.given_up": form(table=Kind.NUMBER, at=Kind.NAME),
    "director.other_players": form("players", table=Kind.NUMBER, at=Kind.NAME, players=Kind.NUMBER, drawn=Kind.NUMBER),
    "director.other_names": form(table=Kind.NUMBER, at=Kind.NAME, names=Kind.NAMES),
    "director.other_book": form(table=Kind.NUMBER, at=Kind.NAME, book=Kind.NAME),
    "director.too_much": form(table=Kind.NUMBER, at=Kind.NAME),
    "director.goes_on": form(round=Kind.NUMBER, table=Kind.NUMBER, at=Kind.NAME),
    "director.contradicts": form(round=Kind.NUMBER, table=Kind.NUMBER, at=Kind.NAME, points=Kind.NAME),
    "director.unreadable": form(slug=Kind.NAME, reason=Kind.NAME),
    "director.not_kept": form(reason=Kind.NAME),
    "director.failed": form(error=Kind.NAME),
    # Why something cannot be done
    "director.none": form(),
    "director.still_open": form(),
    "director.sizes": form(least=Kind.NUMBER, most=Kind.NUMBER),
    "director.name_in_line": form(line=Kind.NUMBER),
    "director.bad_line": form(line=Kind.NUMBER, name=Kind.NAME, why=Kind.NOTICE),
    "director.too_many": form("most", most=Kind.NUMBER),
    "director.drawing": form(),
    "director.no_seats_yet": form(),
    "director.search_failed": form(error=Kind.NAME),
    "director.changed_meanwhile": form(),
    "director.begin_first": form(),
    "director.place_twice": form(at=Kind.NAME),
    "director.unknown_place": form(at=Kind.NAME),
}
