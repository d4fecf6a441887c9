"""What a tournament refuses, for the director."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "tournament.over": form(),
    # Players
    "tournament.no_name": form(),
    "tournament.name_not_shown": form(),
    "tournament.name_too_long": form("most", most=Kind.NUMBER),
    "tournament.name_taken": form(player=Kind.NAME),
    "tournament.no_such_player": form(player=Kind.NUMBER),
    "tournament.here_already": form(player=Kind.NAME),
    "tournament.not_here": form(player=Kind.NAME),
    "tournament.too_few": form("here", fewest=Kind.NUMBER, here=Kind.NUMBER),
    # Rounds
    "tournament.no_round": form(),
    "tournament.no_round_to_begin": form(),
    "tournament.no_such_round": form(round=Kind.NUMBER),
    "tournament.all_rounds_drawn": form("rounds", rounds=Kind.NUMBER),
    "tournament.too_few_rounds": form("drawn", drawn=Kind.NUMBER),
    "tournament.swapped_with_self": form(),
    "tournament.neither_seated": form(),
    # Results
    "tournament.results_missing": form("tables", round=Kind.NUMBER, tables=Kind.NAMES),
    "tournament.results_told": form("tables", tables=Kind.NAMES),
    "tournament.no_such_table": form(table=Kind.NUMBER, round=Kind.NUMBER),
    "tournament.wrong_points": form(table=Kind.NUMBER, players=Kind.NUMBER),
    "tournament.stands_so": form(),
}
