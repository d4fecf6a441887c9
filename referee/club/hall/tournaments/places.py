"""Which table of the hall plays which table of the draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from referee.club.hall.intake import TableView
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import OutOfOrder
from referee.game.notice import Notice


def in_order(names: Iterable[str]) -> list[str]:
    """Names of tables as people count them: `table-9` before `table-10`."""
    return sorted(names, key=lambda name: ([(int(one), "") if one.isdigit() else (-1, one)
                                            for one in re.findall(r"\d+|\D+", name)], name))  # fmt: skip


def places(hosted: Hosted, tables: Mapping[str, TableView]) -> tuple[str | None, ...]:
    """Where the tables of the round under way are: as told, else, until the round begins, the free ones in order."""
    current, drawn = hosted.current, hosted.drawn
    if current is None or drawn is None:
        return ()
    if drawn.begun:
        return current.places
    left = iter(in_order(name for name, view in tables.items() if view.online and name not in current.places))
    return tuple(at if at is not None else next(left, None) for at in current.places)


def free(hosted: Hosted, tables: Mapping[str, TableView]) -> list[str]:
    """Tables of the hall that this round does not use, those that are connected first."""
    used = places(hosted, tables)
    names = in_order(name for name in tables if name not in used)
    return sorted(names, key=lambda name: not tables[name].online)


def places_after_move(
    hosted: Hosted, tables: Mapping[str, TableView], table: int, at: str | None
) -> tuple[str | None, ...]:
    """Places once a table of the draw is at another one of the hall; whoever is there changes with it."""
    now, drawn = list(places(hosted, tables)), hosted.drawn
    if drawn is None or not hosted.tournament.under_way:
        raise OutOfOrder(Notice("tournament.no_round"))
    if not 1 <= table <= len(now):
        raise OutOfOrder(Notice("tournament.no_such_table", table=table, round=len(hosted.rounds)))
    if at is not None and at not in tables:
        raise OutOfOrder(Notice("director.unknown_place", at=at))
    both = [table] if at is None or at not in now else [table, now.index(at) + 1]
    told = tuple(str(number) for number in both if number not in drawn.missing)
    if told:
        raise OutOfOrder(Notice("tournament.results_told", tables=told))
    if at is not None and at in now:
        now[now.index(at)] = now[table - 1]
    now[table - 1] = at
    return tuple(now)
