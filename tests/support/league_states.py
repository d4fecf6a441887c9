"""A hall with two seasons of a league for tests and screenshots: one that is over, and one of 10 evenings."""

from dataclasses import replace

from hall_pages import tournament
from hosting import Hosting

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.tournament.events import Described, Ended
from referee.club.tournament.league.state import League, Worth

FORMER, NOW = "thursday-league-1", "thursday-league-2"
T, WEEK_S = 1.79e9, 7 * 86400.0
EVENINGS = 10


def evening(number: int, players: int, *, ended: bool = True) -> Hosting:
    """An evening of the hall with all results, in the week of its number."""
    hosting = tournament(players, "between", seed=number)
    hosting.now = replace(hosting.now, slug=f"evening-{number}", t=T + number * WEEK_S)
    hosting.do(Described(1, 9.0, "Rummy club North", 1850))
    if ended:
        hosting.do(Ended(10.0))
    return hosting


def long_season(evenings: int = EVENINGS, *, open_ones: int = 1) -> HallFacts:
    """So many evenings of a league with different numbers of players; the last ones have not ended."""
    before = evening(0, 26)
    season = [
        evening(number, 9 + number * 5 % 7, ended=number <= evenings - open_ones) for number in range(1, evenings + 1)
    ]
    slugs = tuple(one.now.slug for one in season)
    leagues = (
        League(FORMER, "Thursday league 2025", 6, 4, Worth.POINTS, T, tournaments=(before.now.slug,), ended=True),
        League(NOW, "Thursday league 2026", EVENINGS, 6, Worth.PLACE, T + WEEK_S, FORMER, slugs),
    )
    spare = evening(20, 8)
    known = TournamentFacts((before.now, *(one.now for one in season), spare.now), leagues=leagues)
    return replace(spare.facts, tournaments=known)
