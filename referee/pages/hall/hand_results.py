"""Results of tournaments that no referee at a table sent: entered by the director, or by players on their phones.

The page of results shows them below the matches of the hall's tables; without them it would be empty after a
tournament in a hall without any referee.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament.standings import of_table
from referee.club.tournament.state import Table
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.broadcast import Part
from referee.pages.hall.traces import report_state

MOST = 200
"""The most results on the page, the newest; the files of each tournament have all of them."""


def source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    return () if facts.tournaments is None else facts.tournaments.all


def render(facts: HallFacts, words: Wording) -> list[dict[str, Any]]:
    """Return the results, those of the newest round of the newest tournament first."""
    all_of = () if facts.tournaments is None else facts.tournaments.all
    found = (one for hosted in reversed(all_of) for one in _results(hosted))
    return [_written(*one, words) for one in islice(found, MOST)]


def _results(hosted: Hosted) -> Iterator[tuple[Hosted, int, int, Table]]:
    """Yield the tables whose result did not come from a referee there, each with its round and number."""
    rounds = zip(hosted.tournament.rounds, hosted.rounds, strict=True)
    for number, (round_, there) in reversed(list(enumerate(rounds, 1))):
        for at, table in enumerate(round_.tables, 1):
            taken = there.taken[at - 1]
            if table.points is not None and (taken is None or taken.points != table.points):
                yield hosted, number, at, table


def _written(hosted: Hosted, round_: int, number: int, table: Table, words: Wording) -> dict[str, Any]:
    tournament = hosted.tournament
    played = of_table(table, tournament.rules)
    state = report_state(tournament, table) or Notice("director.table_written")
    return {
        "tournament": tournament.name,
        "id": hosted.slug,
        "opened": hosted.t,
        "round": round_,
        "table": number,
        "players": [tournament.players[player - 1].name for player in table.players],
        "totals": list(table.points or ()),
        "won": [played[player].won > 0 for player in table.players],
        "state": words(state),
    }


PARTS = {"hand-results": Part(source, render)}
