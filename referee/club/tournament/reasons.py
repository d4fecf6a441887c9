"""Why each player of a round sits where they sit, as notices; computed from the rounds before.

A correction of an earlier result changes the standings, and so what is said here; the seats stay as they were drawn.
Whoever is nearer in the standings but sits elsewhere is named, with what speaks against it (`nearer`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.club.tournament.drawing import points_before, seats_taken
from referee.club.tournament.events import Draw
from referee.club.tournament.groups import group_name, meets_everybody
from referee.club.tournament.nearer import DrawnSeats, as_drawn
from referee.club.tournament.rules import Counting, Drawing
from referee.club.tournament.seating.bounds import LARGEST
from referee.club.tournament.state import Correction, Round, RulingWithdrawal, Table, Tournament
from referee.club.tournament.teams import mates_of
from referee.game.notice import Notice, as_notice

MOST_NAMED = 8
"""The most players who are named in one list of those who are nearer in the standings; the others are counted. Chosen
by hand: among 64 simulated players there are up to 30."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons of one round: of the draw as a whole, of each player at each table, and of each bye."""

    draw: tuple[Notice, ...]
    tables: tuple[tuple[tuple[Notice, ...], ...], ...]
    byes: tuple[tuple[Notice, ...], ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """What was known when the round was drawn."""

    tournament: Tournament
    """The tournament before the round."""
    round: Round
    place: dict[int, int]
    """By player of the round, the place in the standings, from 1; those who share a place are in the order of lots."""
    points: dict[int, Fraction]
    met: dict[int, set[int]]
    taken: dict[int, list[int]]
    drawn: DrawnSeats
    """The seats before the director exchanged players."""
    swapped: frozenset[int]
    """Who does not sit where they were drawn."""
    is_corrected: bool
    """Whether the standings have changed since the draw."""
    by_standings: bool
    in_groups: bool

    @property
    def first(self) -> bool:
        """Whether there were no standings yet, as before the first round or in a final that begins from zero."""
        return len(self.tournament.rounds) <= self.tournament.counted_from

    def group_of(self, player: int) -> str:
        """Return the name of a player's group."""
        at = self.tournament.group_of(player)
        return "" if at is None else group_name(at)

    def name(self, player: int) -> str:
        """Return the name of a player."""
        return self.tournament.players[player - 1].name

    def names(self, players: Sequence[int]) -> tuple[str, ...]:
        """Return the names of some players."""
        return tuple(map(self.name, players))


def reasons_of(tournament: Tournament, number: int) -> Reasons:
    """Return why everybody sits where they sit in the round `number`."""
    known = _known(tournament, number)
    rules = tournament.rules
    if known.in_groups:
        told = "draw.round_robin" if meets_everybody(rules) else "draw.in_groups"
        draw = Notice(told, groups=len(tournament.groups), seed=rules.seed)
    elif not known.by_standings:
        draw = _planned(known)
    elif known.first:
        draw = Notice("draw.final_by_lot" if tournament.final is not None else "draw.by_lot", seed=rules.seed)
    else:
        key = "draw.by_standings" if rules.counting is Counting.POINTS else "draw.by_points"
        draw = Notice(key, round=number - 1, seed=rules.seed)
    return Reasons(
        (draw, *_division(known), *_correction(known)),
        tuple(
            tuple(tuple(_of_player(known, table, player)) for player in table.players) for table in known.round.tables
        ),
        tuple(tuple(_of_bye(known, player)) for player in known.round.byes),
    )


def _division(known: _Known) -> Iterator[Notice]:
    """Yield how the players were divided into groups, in a round in groups."""
    if known.in_groups and len(known.tournament.groups) > 1:
        rated = any(player.rating for player in known.tournament.players)
        yield Notice("draw.groups_by_rating" if rated else "draw.groups_by_lot")
        if any(player.team for player in known.tournament.players):
            yield Notice("draw.mates_apart")


def _correction(known: _Known) -> Iterator[Notice]:
    """Yield that the standings from which a round was drawn are no longer those that are told."""
    if known.is_corrected and known.by_standings and not known.first:
        yield Notice("draw.corrected")


def _planned(known: _Known) -> Notice:
    """Return why the seats of a planned round are as they are: those of a final were planned by themselves."""
    final, rules = known.tournament.final, known.tournament.rules
    if final is None:
        return Notice("draw.planned", seed=rules.seed)
    return Notice("draw.final_planned", rounds=rules.rounds - final.after, seed=rules.seed)


def _known(tournament: Tournament, number: int) -> _Known:
    before, round_ = tournament.before_round(number), tournament.rounds[number - 1]
    by_standings = tournament.drawing_of(number) is Drawing.SWISS
    players = sorted(round_.players)
    met: dict[int, set[int]] = {player: set() for player in players}
    for one in before.rounds:
        for table in one.tables:
            for player in table.players:
                if player in met:
                    met[player] |= {*table.players} - {player}
    drawn = DrawnSeats(before, as_drawn(tournament, number))
    seat_of = _seats(drawn.draw)
    corrected = [one for one in tournament.traces_since(number) if isinstance(one, Correction | RulingWithdrawal)]
    return _Known(
        before,
        round_,
        {player: at + 1 for player, at in drawn.place.items()},
        points_before(before, players),
        met,
        seats_taken(before),
        drawn,
        frozenset(player for player, place in _seats(round_.draw).items() if seat_of.get(player) != place),
        bool(corrected),
        by_standings,
        tournament.drawing_of(number) is Drawing.GROUPS,
    )


def _seats(draw: Draw) -> dict[int, tuple[int, int]]:
    """Return by player the table, from 0, and the seat there; those with a bye are at a table after the last one."""
    places = (*draw.tables, tuple(sorted(draw.byes)))
    return {player: (table, seat) for table, players in enumerate(places) for seat, player in enumerate(players)}


def _of_player(known: _Known, table: Table, player: int) -> Iterator[Notice]:
    others = [one for one in table.players if one != player]
    if player in known.swapped:
        yield Notice("draw.swapped", player=known.name(player))
    elif known.by_standings and not known.first:
        yield from _by_standings(known, player, others)
    elif known.in_groups:
        yield Notice("draw.group", player=known.name(player), group=known.group_of(player))
    else:
        yield Notice("draw.player", player=known.name(player))
    mates = mates_of(known.tournament, player) & {*others}
    if mates and player not in known.swapped:
        yield Notice("draw.mates", names=known.names(sorted(mates)))
    if known.tournament.rounds:
        again = [other for other in sorted(others) if other in known.met[player]]
        yield Notice("draw.again", names=known.names(again)) if again else Notice("draw.nobody_again")
        if again and not known.swapped & {*table.players}:
            yield Notice("draw.no_better")
        yield _seat(known, table, player)
    else:
        yield Notice("draw.seat_by_lot", seat=table.players.index(player) + 1)


def _by_standings(known: _Known, player: int, others: Sequence[int]) -> Iterator[Notice]:
    place = known.place
    yield Notice(
        "draw.stands",
        player=known.name(player),
        place=place[player],
        points=_points(known, player),
        count=len(known.round.players),
        others=tuple(
            Notice("draw.other", place=place[other], points=_points(known, other))
            for other in sorted(others, key=place.__getitem__)
        ),
    )
    if known.swapped & {*others}:
        yield Notice("draw.others_swapped")
    else:
        yield from _nearer(known, player, others)
    largest = max(len(table.players) for table in known.round.tables)
    if len(others) + 1 < largest:
        yield Notice(
            "draw.small",
            seats=len(others) + 1,
            count=sum(len(table.players) for table in known.round.tables),
            largest=largest,
            times=known.drawn.rounds_at_small_tables(player),
        )


def _points(known: _Known, player: int) -> float:
    return round(float(known.points[player]), 2)


def _nearer(known: _Known, player: int, others: Sequence[int]) -> Iterator[Notice]:
    """Yield why those who are nearer in the standings do not sit at a table that is as it was drawn."""
    nearer = known.drawn.nearer(player, others)
    for key, players in (
        ("draw.met", nearer.met),
        ("draw.nearer_mates", nearer.mates),
        ("draw.nearer_byes", nearer.byes),
        ("draw.nearer_paired", nearer.paired),
    ):
        if players:
            yield Notice(key, names=_nearest(known, players))
    if nearer.needed:
        obstacles = tuple(Notice(f"draw.{one.value}") for one in nearer.obstacles)
        yield Notice("draw.nearer_needed", names=_nearest(known, nearer.needed), obstacles=obstacles)
    if nearer.others:
        key = "draw.nearer_corrected" if known.is_corrected else "draw.nearer_not_found"
        yield Notice(key, names=_nearest(known, nearer.others))


def _nearest(known: _Known, players: Sequence[int]) -> tuple[Notice, ...]:
    """Return the names of the first of some players, and how many more there are."""
    # One more takes no more room than to say that there is one.
    named = players if len(players) == MOST_NAMED + 1 else players[:MOST_NAMED]
    rest = len(players) - len(named)
    return (*map(as_notice, known.names(named)), *([Notice("draw.more", count=rest)] if rest else []))


def _seat(known: _Known, table: Table, player: int) -> Notice:
    size = min(max(len(one.players) for one in (table, *known.round.tables)), LARGEST)
    counts = known.taken.get(player, [0] * LARGEST)[:size]
    return Notice("draw.seat", seat=table.players.index(player) + 1, seats=size, times=", ".join(map(str, counts)))


def _of_bye(known: _Known, player: int) -> Iterator[Notice]:
    had = sum(player in one.byes for one in known.tournament.rounds)
    if player in known.swapped:
        yield Notice("draw.swapped", player=known.name(player))
    elif known.in_groups:
        yield Notice("draw.group_bye", player=known.name(player), group=known.group_of(player))
    elif known.by_standings and not known.first:
        yield Notice("draw.bye_last", player=known.name(player), place=known.place[player], byes=had)
    else:
        yield Notice("draw.bye", player=known.name(player), byes=had)
