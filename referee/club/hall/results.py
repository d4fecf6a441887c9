"""The rounds of the tables' matches, as their events tell them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.club.hall.branches import MARK
from referee.club.hall.limits import ROUNDS
from referee.club.protocol.documents import Event
from referee.club.protocol.facts import GivenUp, MatchEnded, MatchStarted, RoundCorrected, RoundOver
from referee.wall_clock import clock_was_set


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Which match: numbers of matches count within one journal of a table."""

    table: str
    epoch: str
    match: int


@dataclass(frozen=True, slots=True)
class Round:
    """What a round brought every seat. `corrected`: how often it was written down anew."""

    points: tuple[int, ...]
    winner: int | None
    corrected: int = 0


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match as its events tell it so far. `begun` is the table's own time of day, once its clock was set."""

    key: MatchKey
    begun: str
    rules: str
    players: tuple[str | None, ...]
    planned: int = 0
    rounds: tuple[Round, ...] = ()
    winners: tuple[int, ...] = ()
    over: bool = False
    given_up: bool = False
    draw: str | None = None
    """Which draw of a tournament the match belongs to, as the hall has told the table."""

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all rounds, by seat."""
        seats = max((len(one.points) for one in self.rounds), default=len(self.players))
        return tuple(sum(one.points[seat] for one in self.rounds if seat < len(one.points)) for seat in range(seats))


def superseded_matches(results: Iterable[MatchResult]) -> frozenset[MatchKey]:
    """The tellings of matches that count no more, since the table has told the same match otherwise since.

    A match is known by its table and its beginning. After a journal was put back the newest branch of it holds. Of two
    journals the one that tells more does: a journal that was made anew goes on with the match under way.
    """
    newest: dict[tuple[str, str], MatchResult] = {}
    older: list[MatchKey] = []
    for one in results:
        name = one.key.table, one.begun
        other = newest.get(name)
        if other is None:
            newest[name] = one
            continue
        before, after = (one, other) if _supersedes(other, one) else (other, one)
        newest[name] = after
        older.append(before.key)
    return frozenset(older)


def _supersedes(one: MatchResult, other: MatchResult) -> bool:
    """Whether the first of two tellings of a match is the one that holds."""
    (epoch, _, branch), (other_epoch, _, other_branch) = (told.key.epoch.partition(MARK) for told in (one, other))
    if epoch == other_epoch:
        return int(branch or 0) > int(other_branch or 0)
    return _extent(one) > _extent(other)


def _extent(result: MatchResult) -> tuple[int, int, bool, MatchKey]:
    """How much is told of a match: an older journal's telling of it breaks off."""
    corrected = sum(one.corrected for one in result.rounds)
    return len(result.rounds), corrected, result.over or result.given_up, result.key


def result_after(before: MatchResult | None, key: MatchKey, event: Event) -> MatchResult | None:
    """The match after one more event; the same object where that tells nothing of its result.

    None as long as its beginning is not known. What does not follow from the rounds before is passed over.
    """
    found = before
    if found is not None and event.begun is not None and not clock_was_set(found.begun) and clock_was_set(event.begun):
        found = replace(found, begun=event.begun)
    for fact in event.facts:
        if isinstance(fact, MatchStarted):
            found = MatchResult(key, event.begun or event.wall, fact.rules, fact.players, fact.rounds, draw=fact.draw)
        elif found is not None:
            found = _with(found, fact)
    return found


def _with(found: MatchResult, fact: object) -> MatchResult:
    match fact:
        case RoundOver(round=number, winner=winner, points=points):
            if number == len(found.rounds) + 1 <= ROUNDS:
                return replace(found, rounds=(*found.rounds, Round(points, winner)))
        case RoundCorrected(round=number, after=points, over=over):
            if 1 <= number <= len(found.rounds):
                before = found.rounds[number - 1]
                line = Round(points, before.winner, before.corrected + 1)
                rounds = (*found.rounds[: number - 1], line, *found.rounds[number:])
                return replace(found, rounds=rounds, over=over, winners=found.winners if over else ())
        case MatchEnded(winners=winners):
            return replace(found, over=True, winners=winners)
        case GivenUp():
            return replace(found, given_up=True)
    return found
