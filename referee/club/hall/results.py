"""The results of the tables' matches: which of two holds, what events make of one, and what follows what."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

from referee.club.hall.limits import ROUNDS
from referee.club.protocol.documents import MOST_REVISIONS, Event, MatchResult, Revision, RoundResult
from referee.club.protocol.facts import GivenUp, MatchEnded, MatchStarted, RoundCorrected, RoundOver
from referee.journal.rows import clock_was_set

MARK = "~"
"""No epoch of a table has it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Events from the number `seq` on, and matches from `match` on, are kept under `name`."""

    seq: int
    match: int
    name: str


@dataclass(frozen=True, slots=True)
class Branch:
    """Which events of an epoch follow one another; `last` is the last event of the newest branch that is kept.

    1. A journal restored from a backup has the epoch that it had, and gives numbers again, to other events.
    2. What was told before stays. From the first number that contradicts, another branch begins; its events are kept
       under the epoch's name with a mark, `5e1c…~1`, and those before that number belong to both.
    3. Whatever the table tells from then on belongs to the newest branch. So does a match that was under way, which
       then is in the results twice: as far as it came before, and as it goes on.
    """

    segments: tuple[Segment, ...]
    last: int = 0
    forks: int = 0

    @classmethod
    def first(cls, epoch: str, last: int = 0) -> Branch:
        """That of an epoch that never contradicted itself."""
        return cls((Segment(0, 0, epoch),), last)

    def name(self, seq: int) -> str:
        """Under which name an event is kept."""
        return next(segment.name for segment in reversed(self.segments) if segment.seq <= seq)

    def match(self, number: int) -> str:
        """Under which name the result of a match is kept."""
        return next(segment.name for segment in reversed(self.segments) if segment.match <= number)

    @property
    def is_forked(self) -> bool:
        """Whether a part of it belongs to an older branch, too."""
        return len(self.segments) > 1

    def fork(self, epoch: str, seq: int, match: int) -> Branch:
        """The branch that leaves this one before the event `seq`, which is of `match`."""
        name = f"{epoch}{MARK}{self.forks + 1}"
        shared = (segment for segment in self.segments if segment.seq < seq)
        return Branch((*shared, Segment(seq, match, name)), seq - 1, self.forks + 1)

    def with_last(self, seq: int) -> Branch:
        """The same with one more event."""
        return replace(self, last=seq)


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Which match: numbers of matches count within one journal of a table."""

    table: str
    epoch: str
    match: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult(MatchResult):
    """The result of a match as the hall keeps it: the document, and under which key.

    `from_history`: it was made of events, for the table has sent no document that says as much.
    """

    key: MatchKey
    from_history: bool = False

    @classmethod
    def of_document(cls, key: MatchKey, document: MatchResult, *, from_history: bool = False) -> KeptResult:
        """What is kept of a document."""
        told = {one.name: getattr(document, one.name) for one in fields(MatchResult)}
        return cls(**told, key=key, from_history=from_history)

    def document(self) -> MatchResult:
        """The document alone."""
        return MatchResult(*(getattr(self, one.name) for one in fields(MatchResult)))


def newer_of(kept: KeptResult, told: KeptResult) -> KeptResult | None:
    """Which of two results of one match holds, under the key of the kept one; None where neither contains the other.

    The one that contains the other is the newer one. Of two that say as much a document holds rather than what was
    made of events, and otherwise the one that was told last. A beginning that a set clock has dated is never lost.
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
    """Whether all that the older result tells is in the newer one: its revisions, and its rounds unless corrected.

    The rounds tell journals apart that were put back at a table whose clock is never set.
    """
    if not set(older.revisions) <= set(newer.revisions) or len(older.rounds) > len(newer.rounds):
        return False
    lines = zip(older.rounds, newer.rounds, strict=False)
    return all(one.points == other.points or other.corrected for one, other in lines)


def line_number(epoch: str) -> int:
    """Of a line of an epoch: 0 for the first one."""
    return int(epoch.partition(MARK)[2] or 0)


def line_of(new: KeptResult, lines: Sequence[KeptResult]) -> KeptResult | None:
    """Which of the lines of a match, the newest first, a result belongs to; None for a line of its own.

    One that says just as much comes before one that says more, and that before one that the result goes on from: an
    older line that a broker has kept is not taken for what goes on from the part that both lines share.
    """
    same = (one for one in lines if contains(one, new) and contains(new, one))
    more = (one for one in lines if contains(one, new))
    less = (one for one in lines if contains(new, one))
    return next(itertools.chain(same, more, less), None)


def merge(table: str, before: Sequence[KeptResult], now: Sequence[KeptResult]) -> list[KeptResult]:
    """The results that were told under two names as those of one table; what is told `now` is the newer."""
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
    """The tellings of matches that count no more, since the table has told the same match otherwise since.

    A match is known by its table and its beginning. After a journal was put back the newest branch of it holds. Of two
    journals the one that tells more does: a journal that was made anew goes on with the match under way.
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
    """Whether the first of two tellings of a match is the one that holds."""
    if one.epoch == other.epoch:
        return line_number(one.key.epoch) > line_number(other.key.epoch)
    return _extent(one) > _extent(other)


def _extent(result: KeptResult) -> tuple[int, int, bool, MatchKey]:
    """How much is told of a match: an older journal's telling of it breaks off."""
    corrected = sum(one.corrected for one in result.rounds)
    return len(result.rounds), corrected, result.over or result.given_up, result.key


def result_after(before: MatchResult | None, event: Event) -> MatchResult | None:
    """The result of a match after one more event; the same object where that tells nothing new of it.

    So it is learnt from a table of a release without results of its own, and from events that were asked for.
    None as long as the beginning of the match is not known. What does not follow from before is passed over.
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
