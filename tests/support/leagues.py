"""Leagues for tests: evenings that are played at once, and a naive recount of a league's table."""

from fractions import Fraction
from functools import cmp_to_key

from tournaments import Log

from referee.club.tournament import standings
from referee.club.tournament.events import Ended
from referee.club.tournament.league.state import Founded, League, Worth, found_league
from referee.club.tournament.league.table import Contest

DAY_S = 86400.0


def season(*slugs: str, evenings: int = 6, best: int = 3, worth: Worth = Worth.PLACE, **more) -> League:
    """A league whose evenings are the tournaments with these ids."""
    league = found_league("thursday-1", Founded("Thursday league", evenings, best, worth, 0.0))
    return League(**{**{name: getattr(league, name) for name in League.__slots__}, "tournaments": slugs, **more})


def evening(names, rounds: int = 1, points=None, *, ended: bool = True, **rules) -> Log:
    """A tournament of these players; at every table the one who is named first is best, or `points` decide."""
    log = Log(**rules)
    for name in names:
        log.enter(name)
    for _ in range(rounds):
        log.play(points)
    if ended:
        log.do(Ended(9.0))
    return log


def contests(*logs: Log) -> list[Contest]:
    """The evenings in their order, a day apart."""
    return [Contest(f"evening-{number}", number * DAY_S, log.now) for number, log in enumerate(logs, 1)]


def recount(tournaments, best: int, worth: Worth) -> list[tuple[int, str, Fraction, list[Fraction | None]]]:
    """Count a table anew, as somebody would with a pencil: every player with place, total and values."""
    columns = [_column(one, worth) for one in tournaments]
    names = sorted({name for column in columns for name in column})
    values = {name: [column.get(name) for column in columns] for name in names}
    totals, counted = {}, {}
    for name in names:
        left = sorted((one for one in values[name] if one is not None), reverse=True)
        counted[name] = left[:best]
        totals[name] = sum(counted[name], Fraction(0))

    def compare(one: str, other: str) -> int:
        if totals[one] != totals[other]:
            return 1 if totals[one] > totals[other] else -1
        for at in range(max(len(counted[one]), len(counted[other]))):
            pair = [counted[name][at] if at < len(counted[name]) else None for name in (one, other)]
            if pair[0] != pair[1]:
                return _better(*pair)
        for at in reversed(range(len(columns))):
            if values[one][at] != values[other][at]:
                return _better(values[one][at], values[other][at])
        return 0

    names.sort(key=cmp_to_key(compare), reverse=True)
    return [(1 + sum(compare(other, name) > 0 for other in names), name, totals[name], values[name]) for name in names]


def _better(one: Fraction | None, other: Fraction | None) -> int:
    if one is None or other is None:
        return -1 if one is None else 1
    return 1 if one > other else -1


def _column(tournament, worth: Worth) -> dict[str, Fraction]:
    there = [line for line in standings(tournament) if any(one is not None for one in line.rounds)]
    if not any(line.played for line in there):
        return {}
    column = {}
    for line in there:
        others = [other for other in there if other is not line]
        beaten = [2 if other.place > line.place else 1 if other.place == line.place else 0 for other in others]
        place = Fraction(100 * sum(beaten), 2 * len(others))
        column[line.name.casefold()] = line.points if worth is Worth.POINTS else place
    return column
