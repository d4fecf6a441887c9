"""Finds seats for the remaining rounds from the rounds so far: who meets whom, who has a bye, and who starts."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby

import numpy as np

from referee.club.tournament.events import Draw, OutOfOrder
from referee.club.tournament.seating.bounds import fewest_between, fewest_repeats, repeats, table_sizes
from referee.club.tournament.seating.schedule import STEPS, Seating, Watch, seat
from referee.club.tournament.seating.search import Before
from referee.club.tournament.state import Round, Tournament
from referee.game.notice import Notice


def next_draw(tournament: Tournament, steps: int = STEPS) -> Draw:
    """Return the seats of the next round: the planned ones, or else the first of a new plan for all that are left."""
    return tournament.plan[0] if tournament.plan else plan(tournament, steps)[0]


def plan(tournament: Tournament, steps: int = STEPS, watch: Watch | None = None) -> tuple[Draw, ...]:
    """Return seats of all remaining rounds for the players who are present.

    The result is the same at every call, unless `watch` ends the search early. Raises OutOfOrder if too few players
    are present, or no round is left.
    """
    return draws(tournament, seating(tournament, steps, watch))


def improved_plan(tournament: Tournament, steps: int = STEPS, watch: Watch | None = None) -> tuple[Draw, ...] | None:
    """Return a plan with fewer repeats than the present plan for the same rounds; None if none was found."""
    here = {player: at for at, player in enumerate(tournament.here)}
    start = [[tuple(here[player] for player in table) for table in draw.tables] for draw in tournament.plan]
    if len(start) != tournament.rounds_left:
        return None
    found = seating(tournament, steps, watch, start)
    return draws(tournament, found) if found.repeats < _repeats_added(tournament, start) else None


def _repeats_added(tournament: Tournament, rounds: Sequence[Sequence[tuple[int, ...]]]) -> int:
    """Return how many repeats some rounds add; players are given as indexes in the list of present players."""
    meetings = _past_rounds(tournament).meetings
    before = repeats(meetings.tolist())
    for tables in rounds:
        for table in tables:
            meetings[np.ix_(table, table)] += 1
    np.fill_diagonal(meetings, 0)
    return repeats(meetings.tolist()) - before


def check_enough_players(tournament: Tournament) -> tuple[int, ...]:
    """Return the table sizes of the next round; raises OutOfOrder if too few are present, or no round is left."""
    here, rules = tournament.here, tournament.rules
    sizes = table_sizes(len(here), rules.smallest, rules.largest)
    if not sizes:
        raise OutOfOrder(Notice("tournament.too_few", fewest=rules.smallest, here=len(here)))
    if not tournament.rounds_left:
        raise OutOfOrder(Notice("tournament.all_rounds_drawn", rounds=rules.rounds))
    return sizes


def seating(
    tournament: Tournament,
    steps: int = STEPS,
    watch: Watch | None = None,
    start: Sequence[Sequence[tuple[int, ...]]] | None = None,
) -> Seating:
    """Return the seats as indexes in the list of present players, with their repeats and a lower bound for these."""
    sizes, before = check_enough_players(tournament), _past_rounds(tournament) if tournament.rounds else None
    return seat(
        len(tournament.here), sizes, tournament.rounds_left, _seed(tournament),
        before=before, steps=steps, watch=watch, start=None if start is None else tuple(map(tuple, start)),
    )  # fmt: skip


def draws(tournament: Tournament, found: Seating) -> tuple[Draw, ...]:
    """Return the draws for a seating: at each table the players in the order of their seats; the first one starts."""
    here = tournament.here
    rng = np.random.default_rng([_seed(tournament), 1])
    rounds = [
        [tuple(here[place] for place in rng.permutation(np.array(table)).tolist()) for table in tables]
        for tables in found.rounds
    ]
    first = iter(starters([table for tables in rounds for table in tables], _starts(tournament)))
    return tuple(
        Draw(tuple(_led_by(next(first), table) for table in tables), tuple(here[place] for place in byes))
        for tables, byes in zip(rounds, found.byes, strict=True)
    )


def _seed(tournament: Tournament) -> int:
    # If a draw is withdrawn, the next one must be different.
    return tournament.rules.seed + 1_000 * len(tournament.rounds) + len(tournament.traces)


def _led_by(first: int, table: Sequence[int]) -> tuple[int, ...]:
    at = table.index(first)
    return (*table[at:], *table[:at])


def _starts(tournament: Tournament) -> dict[int, int]:
    """Return how often each present player has started; a missed round counts as the mean of that round."""
    started = Counter(table.players[0] for one in tournament.rounds for table in one.tables)
    return {
        player: started[player] + _share_of_missed_rounds(tournament, player, lambda one: len(one.tables))
        for player in tournament.here
    }


def _share_of_missed_rounds(tournament: Tournament, player: int, places: Callable[[Round], int]) -> int:
    """Return the sum of a player's mean shares of the `places` in each round that the player missed.

    It is counted so that a late player is not made to start, or to have a bye, more often than others from then on.
    """
    shares = (Fraction(places(one), len(one.players)) for one in tournament.rounds if player not in one.players)
    return int(sum(shares))


def _small(one: Round) -> list[tuple[int, ...]]:
    largest = max(len(table.players) for table in one.tables)
    return [table.players for table in one.tables if len(table.players) < largest]


def _past_rounds(tournament: Tournament) -> Before:
    """Return what the rounds so far brought the present players.

    A round that a player missed counts as the mean of that round, except for meetings.
    """
    place = {player: at for at, player in enumerate(tournament.here)}
    before = Before.nothing(len(place))
    for one in tournament.rounds:
        before.byes[[place[player] for player in one.byes if player in place]] += 1
        for table in one.tables:
            seated = [place[player] for player in table.players if player in place]
            before.meetings[np.ix_(seated, seated)] += 1
        for players in _small(one):
            before.small[[place[player] for player in players if player in place]] += 1
    for player, at in place.items():
        before.byes[at] += _share_of_missed_rounds(tournament, player, lambda one: len(one.byes))
        before.small[at] += _share_of_missed_rounds(tournament, player, lambda one: sum(map(len, _small(one))))
    np.fill_diagonal(before.meetings, 0)
    return before


def count_repeats(tournament: Tournament) -> int:
    """Return the repeats of all rounds drawn: the second meeting of a pair counts 1, the third 2, and so on."""
    met = Counter(
        pair for one in tournament.rounds for table in one.tables for pair in combinations(sorted(table.players), 2)
    )
    return sum(times * (times - 1) // 2 for times in met.values())


def fewest(tournament: Tournament) -> int:
    """Return a lower bound for the repeats of the rounds drawn, given their players and sizes of tables.

    Rounds with the same players and sizes are bounded together, and two different rounds as a pair. Every repeat
    belongs to exactly one pair of rounds, so the bounds may be added.
    """

    def kind(one: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(sorted(one.players)), tuple(sorted(len(table.players) for table in one.tables))

    kinds = sorted(map(kind, tournament.rounds))
    alike = sum(fewest_repeats(len(players), sizes, len(list(rounds))) for (players, sizes), rounds in groupby(kinds))
    differing = 0
    for one, other in combinations(kinds, 2):
        if one != other:
            both = len({*one[0]} & {*other[0]})
            differing += max(fewest_between(both, len(b[1]), a[1]) for a, b in ((one, other), (other, one)))
    return alike + differing


Table = tuple[int, ...]


def starters(tables: Sequence[Table], before: Mapping[int, int]) -> list[int]:
    """Return the player who starts at each table, such that starts are distributed as evenly as possible.

    `before`: how often each player has started so far. The result is an optimal semi-matching: it minimises the sum of
    squares of the starts, and any other convex cost. As long as a better choice exists, there is a player who can pass
    a start on, from table to table, to somebody with at least two starts fewer. Such chains are searched for until
    none is left.
    """
    starts = {player: before.get(player, 0) for table in tables for player in table}
    chosen: list[int] = []
    for table in tables:
        chosen.append(min(table, key=starts.__getitem__))
        starts[chosen[-1]] += 1
    while any(_hand_over(player, tables, chosen, starts) for player in sorted(starts, key=lambda one: -starts[one])):
        pass
    return chosen


def _hand_over(player: int, tables: Sequence[Table], chosen: list[int], starts: dict[int, int]) -> bool:
    """Pass a start of `player` along tables to somebody with at least two fewer; return False if nobody is found."""
    came: dict[int, int] = {}
    reached = {player}
    queue = deque([player])
    started: dict[int, list[int]] = {}
    for number, one in enumerate(chosen):
        started.setdefault(one, []).append(number)
    while queue:
        here = queue.popleft()
        if starts[here] <= starts[player] - 2:
            _shift(here, player, came, chosen)
            starts[here] += 1
            starts[player] -= 1
            return True
        for number in started.get(here, ()):
            for other in tables[number]:
                if other not in reached:
                    reached.add(other)
                    came[other] = number
                    queue.append(other)
    return False


def _shift(last: int, player: int, came: Mapping[int, int], chosen: list[int]) -> None:
    here = last
    while here != player:
        number = came[here]
        here, chosen[number] = chosen[number], here
