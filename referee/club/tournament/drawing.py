"""Finds seats for the remaining rounds from the rounds so far: who meets whom, who has a bye, and who starts."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from referee.club.tournament.events import Draw, OutOfOrder
from referee.club.tournament.group_drawing import group_seating
from referee.club.tournament.past_rounds import adapted_plan, past_rounds, seed_of_draw, share_of_missed_rounds
from referee.club.tournament.rules import Drawing
from referee.club.tournament.rulings import adjusted_by
from referee.club.tournament.seating.bounds import LARGEST, repeats, table_sizes
from referee.club.tournament.seating.schedule import STEPS, Seating, Watch, seat
from referee.club.tournament.seating.seats import even_seats
from referee.club.tournament.seating.swiss import Ranked, SwissRound, swiss_round
from referee.club.tournament.standings import of_round, ranking
from referee.club.tournament.state import Round, Tournament
from referee.club.tournament.teams import mates
from referee.game.notice import Notice


def next_draw(tournament: Tournament, steps: int = STEPS) -> Draw:
    """Return the seats of the next round: the planned ones, or else the first of a new plan for all that are left."""
    return tournament.plan[0] if tournament.plan else plan(tournament, steps)[0]


def plan(tournament: Tournament, steps: int = STEPS, watch: Watch | None = None) -> tuple[Draw, ...]:
    """Return seats of all remaining rounds for the players who are present; a Swiss draw has only the next round.

    The result is the same at every call, unless `watch` ends the search early. Raises OutOfOrder if too few players
    are present, or no round is left. Groups must have been formed, see `groups.groups_due`.
    """
    if tournament.drawing_of(len(tournament.rounds) + 1) is Drawing.SWISS:
        return (swiss_draw(tournament),)
    return draws(tournament, seating(tournament, steps, watch, adapted_plan(tournament, tournament.here)))


def swiss_draw(tournament: Tournament) -> Draw:
    """Return the Swiss draw of the next round, from the standings of the rounds before."""
    order, found = swiss_seating(tournament)
    last = {player: number for number, one in enumerate(tournament.rounds, 1) for player in _starters(one)}
    # Of two who started equally often, the one whose last start is longer ago starts.
    tables = [sorted((order[at] for at in table), key=lambda one: last.get(one, 0)) for table in found.tables]
    seated = _in_seats(tournament, [tuple(table) for table in tables])
    return Draw(tuple(seated), tuple(order[at] for at in found.byes))


def swiss_seating(tournament: Tournament) -> tuple[tuple[int, ...], SwissRound]:
    """Return the present players in the order of the standings, and the Swiss draw by indexes in that order.

    Raises OutOfOrder if too few players are present, or no round is left.
    """
    sizes = check_enough_players(tournament)
    order = ranking(tournament, tournament.here)
    return order, swiss_round(ranked_players(tournament, order), sizes, seed_of_draw(tournament))


def ranked_players(tournament: Tournament, order: Sequence[int]) -> Ranked:
    """Return what the Swiss draw must know about some players, who are given in the order of the standings."""
    before, points = past_rounds(tournament, order), points_before(tournament, order)
    levels = {value: level for level, value in enumerate(sorted(set(points.values())))}
    floated = floats(tournament, len(tournament.rounds))
    return Ranked(
        np.array([levels[points[player]] for player in order], np.int64),
        before.meetings,
        before.byes,
        before.small,
        np.array([floated.get(player, 0) for player in order], np.int64),
        mates(tournament, order),
    )


def points_before(tournament: Tournament, players: Sequence[int]) -> dict[int, Fraction]:
    """Return the points of some players as the standings have them: of all rounds that count, and those adjusted."""
    rounds = [of_round(one, tournament.rules) for one in tournament.rounds[tournament.counted_from :]]
    return {
        player: sum((one[player].points for one in rounds if player in one), Fraction(adjusted_by(tournament, player)))
        for player in players
    }


def floats(tournament: Tournament, number: int) -> dict[int, int]:
    """Return who floated in a round: 1 for a player who had fewer points than most of the table, -1 for more.

    If two score groups have equally many players at a table, it belongs to the higher one. Nobody floats in a round
    that was not drawn by the standings, such as one in groups.
    """
    if not number or tournament.drawing_of(number) is Drawing.GROUPS:
        return {}
    before = tournament.before_round(number)
    everybody = points_before(before, sorted(tournament.rounds[number - 1].players))
    found: dict[int, int] = {}
    for table in tournament.rounds[number - 1].tables:
        points = {player: everybody[player] for player in table.players}
        belongs = max(points.values(), key=lambda value: (list(points.values()).count(value), value))
        found |= {player: (own < belongs) - (own > belongs) for player, own in points.items()}
    return {player: way for player, way in found.items() if way}


def _starters(one: Round) -> list[int]:
    return [table.players[0] for table in one.tables]


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
    meetings = past_rounds(tournament, tournament.here).meetings
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
    sizes = check_enough_players(tournament)
    if tournament.in_groups:
        return group_seating(tournament, steps)
    before = past_rounds(tournament, tournament.here) if tournament.rounds else None
    return seat(
        len(tournament.here), sizes, tournament.rounds_left, seed_of_draw(tournament),
        before=before, steps=steps, watch=watch, start=None if start is None else tuple(map(tuple, start)),
        apart=mates(tournament, tournament.here),
    )  # fmt: skip


def draws(tournament: Tournament, found: Seating) -> tuple[Draw, ...]:
    """Return the draws for a seating: at each table the players in the order of their seats; the first one starts."""
    here = tournament.here
    rng = np.random.default_rng([seed_of_draw(tournament), 1])
    rounds = [
        [tuple(here[place] for place in rng.permutation(np.array(table)).tolist()) for table in tables]
        for tables in found.rounds
    ]
    seated = iter(_in_seats(tournament, [table for tables in rounds for table in tables]))
    return tuple(
        Draw(tuple(next(seated) for _ in tables), tuple(here[place] for place in byes))
        for tables, byes in zip(rounds, found.byes, strict=True)
    )


def _in_seats(tournament: Tournament, tables: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the tables of one round or several with their players in seats that even out all seats."""
    first = starters(tables, _starts(tournament))
    led = [_led_by(player, table) for player, table in zip(first, tables, strict=True)]
    return even_seats(led, seats_taken(tournament))


def seats_taken(tournament: Tournament) -> dict[int, list[int]]:
    """Return how often each player has sat in each seat, the first one being the one that starts."""
    taken: dict[int, list[int]] = {}
    for one in tournament.rounds:
        for table in one.tables:
            for seat_, player in enumerate(table.players):
                taken.setdefault(player, [0] * LARGEST)[seat_] += 1
    return taken


def _led_by(first: int, table: Sequence[int]) -> tuple[int, ...]:
    at = table.index(first)
    return (*table[at:], *table[:at])


def _starts(tournament: Tournament) -> dict[int, int]:
    """Return how often each present player has started; a missed round counts as the mean of that round."""
    started = Counter(table.players[0] for one in tournament.rounds for table in one.tables)
    return {
        player: started[player] + share_of_missed_rounds(tournament, player, lambda one: len(one.tables))
        for player in tournament.here
    }


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
