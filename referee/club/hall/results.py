"""The results of matches: which of two results is valid, how they follow from events, and branches of a journal."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

from referee.club.hall.limits import ROUNDS
from referee.club.protocol.documents import MOST_REVISIONS, Event, MatchResult, Revision, RoundResult
from referee.club.protocol.facts import GivenUp, MatchEnded, MatchStarted, RoundCorrected, RoundOver
from referee.journal.rows import clock_was_set

WHOLE_SECONDS = len("2026-03-01T18:40:12")
"""The length of a time of day without fractions of a second and its zone, which is always UTC."""
MARK = "~"
"""Separates an epoch from the number of a branch; epochs sent by tables do not contain it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a branch: events from number `seq` on, and matches from number `match` on, are stored under `name`."""

    seq: int
    match: int
    name: str


@dataclass(frozen=True, slots=True)
class Branch:
    """The newest branch of an epoch's events; `last` is the number of its last stored event.

    1. A journal that was restored from a backup keeps its epoch, but uses numbers again for other events.
    2. The events stored before stay. At the first number with a different event, another branch begins. Its events are
       stored under the epoch with a suffix, such as `5e1c…~1`. The events before that number belong to both branches.
    3. Everything that the table sends from then on belongs to the newest branch. The match that was under way at that
       event is then in the results twice: as it was before, and as it continued after the restore.
    """

    segments: tuple[Segment, ...]
    last: int = 0
    forks: int = 0

    @classmethod
    def first(cls, epoch: str, last: int = 0) -> Branch:
        """Return the branch of an epoch in which no two events have the same number."""
        return cls((Segment(0, 0, epoch),), last)

    def name(self, seq: int) -> str:
        """Return the name under which an event is stored."""
        return next(segment.name for segment in reversed(self.segments) if segment.seq <= seq)

    def match(self, number: int) -> str:
        """Return the name under which the result of a match is stored."""
        return next(segment.name for segment in reversed(self.segments) if segment.match <= number)

    @property
    def is_forked(self) -> bool:
        """Whether its first events also belong to an older branch."""
        return len(self.segments) > 1

    def fork(self, epoch: str, seq: int, match: int) -> Branch:
        """Return the branch that separates from this one at the event `seq`, which is of `match`."""
        name = f"{epoch}{MARK}{self.forks + 1}"
        shared = (segment for segment in self.segments if segment.seq < seq)
        return Branch((*shared, Segment(seq, match, name)), seq - 1, self.forks + 1)

    def with_last(self, seq: int) -> Branch:
        """Return the branch with another last event."""
        return replace(self, last=seq)


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Identifies a match: its number counts within one journal of a table."""

    table: str
    epoch: str
    match: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult(MatchResult):
    """The result of a match as the hall keeps it: the document with its key.

    `from_history`: it was computed from events, as the table has not sent a document with as much content.
    """

    key: MatchKey
    from_history: bool = False

    @classmethod
    def of_document(cls, key: MatchKey, document: MatchResult, *, from_history: bool = False) -> KeptResult:
        """Return the result for a document."""
        told = {one.name: getattr(document, one.name) for one in fields(MatchResult)}
        return cls(**told, key=key, from_history=from_history)

    def document(self) -> MatchResult:
        """The document alone."""
        return MatchResult(*(getattr(self, one.name) for one in fields(MatchResult)))


def newer_of(kept: KeptResult, told: KeptResult) -> KeptResult | None:
    """Return which of two results of one match is valid, with the key of `kept`; None if neither contains the other.

    The one that contains the other is newer. Of two with equal content, a document takes precedence over a result
    computed from events; otherwise the one that came last does. If only one result has its beginning from a clock that
    was set, that time is used.
    """
    told = replace(told, key=kept.key)
    if contains(told, kept) and (not contains(kept, told) or kept.from_history or not told.from_history):
        held, other = told, kept
    elif contains(kept, told):
        held, other = kept, told
    else:
        return None
    if clock_was_set(other.begun) and not clock_was_set(held.begun):
        return replace(held, begun=other.begun)
    return held


def contains(newer: MatchResult, older: MatchResult) -> bool:
    """Return whether `newer` includes all of `older`: its revisions, and its rounds except corrected ones.

    Rounds are compared because revisions can be the same after a journal was restored, if the clock was never set.
    """
    if not set(older.revisions) <= set(newer.revisions) or len(older.rounds) > len(newer.rounds):
        return False
    lines = zip(older.rounds, newer.rounds, strict=False)
    return all(one.points == other.points or other.corrected for one, other in lines)


def line_number(epoch: str) -> int:
    """Return the number of a line in the name of an epoch: 0 for the first one."""
    return int(epoch.partition(MARK)[2] or 0)


def line_of(new: KeptResult, lines: Sequence[KeptResult]) -> KeptResult | None:
    """Return the line of a match (of `lines`, newest first) to which a result belongs; None for a new line.

    A line with equal content is preferred to one with more, and that to one which the result continues. So a result of
    an older line that the broker retained is not mistaken for the continuation of what both lines have in common.
    """
    same = (one for one in lines if contains(one, new) and contains(new, one))
    more = (one for one in lines if contains(one, new))
    less = (one for one in lines if contains(new, one))
    return next(itertools.chain(same, more, less), None)


def merge(table: str, before: Sequence[KeptResult], now: Sequence[KeptResult]) -> list[KeptResult]:
    """Return the results that came under two names of one table, merged; those in `now` are newer."""
    found = {(one.key.epoch, one.key.match): one for one in before}
    for one in now:
        at = one.key.epoch, one.key.match
        held = one if at not in found else newer_of(found[at], one)
        if held is None:
            names = [line_number(epoch) for epoch, match in found if match == one.key.match]
            at = f"{at[0].partition(MARK)[0]}{MARK}{max(names) + 1}", at[1]
            held = one
        found[at] = held
    return [replace(one, key=MatchKey(table, *at)) for at, one in found.items()]


def superseded_matches(results: Iterable[KeptResult]) -> frozenset[MatchKey]:
    """Return the keys of results that are superseded by another result of the same match.

    A match is identified by its table and its beginning. After a journal was restored, its newest branch is valid. Of
    two journals, the one is valid in which the match changed last by the table's clock: a rebuilt journal may lack
    the end of the match, which then goes on in it and may end otherwise. If it changed last at the same time in both,
    the one with more content is valid.
    """
    newest: dict[tuple[str, str], KeptResult] = {}
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


def _supersedes(one: KeptResult, other: KeptResult) -> bool:
    """Return whether the first of two results of a match supersedes the other."""
    if one.epoch == other.epoch:
        return line_number(one.key.epoch) > line_number(other.key.epoch)
    return _extent(one) > _extent(other)


def _extent(result: KeptResult) -> tuple[str, int, int, bool, MatchKey]:
    """Return a sort key for how recent and how complete a result is. The result from an older journal ends earlier."""
    changed = max((one.wall[:WHOLE_SECONDS] for one in result.revisions), default="")
    corrected = sum(one.corrected for one in result.rounds)
    return changed, len(result.rounds), corrected, result.over or result.given_up, result.key


def result_after(before: MatchResult | None, event: Event) -> MatchResult | None:
    """Return the result of a match after one more event; the same object if the event does not change it.

    This is used for tables of a release that does not send results, and for events that were requested. None while the
    beginning of the match is not known. Events that do not follow from the result so far are ignored.
    """
    found = before
    if found is not None and event.begun is not None and not clock_was_set(found.begun) and clock_was_set(event.begun):
        found = replace(found, begun=event.begun)
    if found is not None and event.seq <= found.seq:
        return found
    changed = found
    for fact in event.facts:
        if isinstance(fact, MatchStarted):
            begun, match = event.begun or event.wall, event.match
            changed = MatchResult(event.epoch, match, begun, fact.rules, fact.players, fact.rounds, draw=fact.draw)
        elif changed is not None:
            changed = _with_fact(changed, fact, event.wall)
    if changed is found or changed is None:
        return changed
    return replace(changed, revisions=(*changed.revisions, Revision(event.seq, event.wall))[:MOST_REVISIONS])


def _with_fact(found: MatchResult, fact: object, wall: str) -> MatchResult:
    match fact:
        case RoundOver(round=number, winner=winner, points=points):
            if number == len(found.rounds) + 1 <= ROUNDS:
                return replace(found, rounds=(*found.rounds, RoundResult(points, winner)))
        case RoundCorrected(round=number, after=points, over=over):
            if 1 <= number <= len(found.rounds):
                before = found.rounds[number - 1]
                line = RoundResult(points, before.winner, before.corrected + 1)
                rounds = (*found.rounds[: number - 1], line, *found.rounds[number:])
                ended = found.ended or wall if over or found.given_up else None
                winners = found.winners if over else ()
                return replace(found, rounds=rounds, over=over, winners=winners, ended=ended)
        case MatchEnded(winners=winners):
            return replace(found, over=True, winners=winners, ended=found.ended or wall)
        case GivenUp():
            return replace(found, given_up=True, ended=found.ended or wall)
    return found
