"""A league: some evenings of a season, each of them a tournament, of which each player's best ones count.

`state` has the league and its events. `table` computes the table from the tournaments, and `export` makes files of it.
"""

from referee.club.tournament.league.state import League, LeagueEvent, Worth
from referee.club.tournament.league.table import Contest, LeagueTable, league_table

__all__ = ["Contest", "League", "LeagueEvent", "LeagueTable", "Worth", "league_table"]
