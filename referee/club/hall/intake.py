"""What the messages of one table mean: pure, but for the state it keeps of that table.

1. Events count from 1 within an epoch and have no holes. The next one is taken; one that is known is dropped; where
   some are missing the table is asked for them, and what comes before them is dropped, for it will come again.
2. A snapshot that is newer than the events tells of missing ones, too, once they had time to come.
3. Whatever does not fit, or is more than `limits` allow, is counted and told, and changes nothing: a table can harm
   its own line of the page only.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from referee.club.hall.limits import Allowance
from referee.club.protocol import BadMessage, Event, Health, Kind, MatchResult, Online, Snapshot, decode_document
from referee.club.protocol.coding import picture
from referee.game.notice import Notice

LATE_S = 1.5
"""Events may come so much later than the snapshot that contains them."""
ASK_S, ASK_MOST_S = 2.0, 60.0
"""Between two questions for the same missing events: twice as long each time."""
BEHIND_S = 15.0
"""A state may be so much older than the last event before that means something."""
STALE_S = 150.0
"""A table tells its health once a minute; after this long without a word nobody knows how it stands."""
SKEW_S = 60.0
"""A clock that is off by more is told."""
FLIPS, FLIPS_S = 4, 120.0
"""This many changes between epochs, within this long, tell that two tables have one name."""
TOLD_S = 600.0
"""How long after it was noticed last a trouble is told that says nothing when it is over."""
EPOCHS_AT_HAND = 16
TOO_MUCH, BAD = Notice("hall.too_much"), Notice("hall.bad_messages")


@dataclass(frozen=True, slots=True)
class TableView:
    """What is known of a table; every field is replaced as a whole. Moments are the hall's monotonic clock."""

    name: str
    online: bool = False
    heard: float | None = None
    """When it said something last itself; None: not since the hall began."""
    lost: float | None = None
    """Since when it is not connected."""
    snapshot: Snapshot | None = None
    told: float = 0.0
    """When the snapshot held: its clock counts from there."""
    health: Health | None = None
    seq: int = 0
    """The last event that is kept."""
    missing: bool = False
    """Whether events are missing before the last ones told."""
    skew_s: float | None = None
    """By how much its clock is ahead of the hall's."""
    bad: int = 0
    """Messages that could not be read as documents of a table."""
    picture: int = 0
    """Counts its pictures."""
    troubles: tuple[Notice, ...] = ()
    formerly: tuple[str, ...] = ()
    """The names that it had before, the oldest first."""

    def stale(self, t: float) -> bool:
        """Whether nobody knows how the table stands at `t`."""
        return not self.online or self.heard is None or t - self.heard > STALE_S


@dataclass(slots=True)
class Outcome:
    """What a message led to: what is to be kept, and the number from which events are wanted again."""

    events: list[Event] = field(default_factory=list)
    results: list[MatchResult] = field(default_factory=list)
    again: int | None = None
    picture: bytes | None = None


@dataclass(slots=True)
class _Hole:
    """Missing events: known since when, asked for when, and how long to wait until the next question."""

    since: float
    asked: float = -1e9
    wait: float = ASK_S


class TableIntake:
    """One table: what its messages have told so far, and which of its events are missing."""

    def __init__(
        self,
        name: str,
        t: float,
        kept: Callable[[str], int],
        claim: Callable[[str], int] = lambda _: 0,
        formerly: tuple[str, ...] = (),
    ) -> None:
        """`kept` tells the last event of an epoch that is kept.

        `claim` does so for an epoch in which this table has told nothing yet, after taking over what was told in it
        under another name, if that table has a new name.
        """
        self.view = TableView(name, formerly=formerly)
        self._kept, self._claim = kept, claim
        self._claimed: set[str] = set()
        """Epochs that were asked for; there are no more than `Allowance.epoch` lets begin."""
        self._results_in: set[str] = set()
        """Epochs of results; bounded as those."""
        self._last: OrderedDict[str, int] = OrderedDict()
        """The last event taken of the epochs that it counted in last."""
        self._epoch: str | None = None
        self._flips: deque[float] = deque(maxlen=FLIPS)
        self._allowed = Allowance(t)
        self._hole: _Hole | None = None
        self._full = False
        self._behind: float | None = None
        """Since when its state is behind its events."""
        self._compared: str | None = None
        """The epoch of which all events were asked for to be compared."""
        self._told: dict[str, tuple[Notice, float | None]] = {}
        """Troubles by name, and until when they are told."""

    def take_message(
        self, kind: Kind, payload: bytes, t: float, wall: datetime, *, retained: bool, match: int | None = None
    ) -> Outcome:
        """A message came at `t`, which is `wall` (UTC) by the hall's clock; `match`: whose result its topic names."""
        outcome = Outcome()
        if not self._allowed.message(kind, len(payload), t):
            self._trouble("flood", TOO_MUCH, t + TOLD_S)
            return outcome
        if not payload and kind is not Kind.EVENT:
            return outcome  # a retained message was deleted
        try:
            if kind is Kind.PICTURE:
                outcome.picture = picture(payload)
                self._now(picture=self.view.picture + 1)
                return outcome
            document = decode_document(kind, payload)
        except BadMessage as error:
            self.bad(t, Notice("hall.old_version") if error.old else BAD)
            return outcome
        match document:
            case Online():
                self._online(document, t, retained=retained)
            case Snapshot():
                self._snapshot(document, t, wall, retained=retained)
            case Event():
                self._event(document, t, outcome)
            case MatchResult():
                self._result(document, t, outcome, match, retained=retained)
            case Health():
                self._note_sign_of_life(t, retained=retained)
                self._now(health=document)
        outcome.again = self.resend_from(t)
        return outcome

    def bad(self, t: float, told: Notice = BAD) -> None:
        """A message was none that a table sends."""
        self._now(bad=self.view.bad + 1)
        self._trouble("bad", told, t + TOLD_S)

    def resend_from(self, t: float) -> int | None:
        """The number from which events are to be sent again, if it is time to ask."""
        self._forget(t)
        hole, snapshot = self._hole, self.view.snapshot
        if self._full:
            return None
        if self._is_behind(t) and self.view.online and self._allowed.ask(t):
            self._compared = self._epoch
            return 1
        if hole is None and snapshot is not None and snapshot.epoch == self._epoch and snapshot.seq > self.view.seq:
            hole = self._hole = _Hole(t)
        if hole is None or t - hole.since < LATE_S or t - hole.asked < hole.wait or not self.view.online:
            return None
        if not self._allowed.ask(t):
            return None
        hole.wait = min(ASK_MOST_S, hole.wait * (2 if hole.asked > 0 else 1))
        hole.asked = t
        self._now(missing=True)
        return self.view.seq + 1

    def _is_behind(self, t: float) -> bool:
        """Whether its journal may have been put back to an earlier one: all of it is compared then, once."""
        return self._behind is not None and t - self._behind > BEHIND_S and self._compared != self._epoch

    def cut(self, t: float) -> None:
        """The hall's own line to the broker is down: nothing is known of any table."""
        self._now(online=False, lost=self.view.lost if self.view.lost is not None else t)

    def want_again(self, epoch: str, seq: int, t: float) -> None:
        """Events after `seq` of that epoch could not be kept: they are wanted again."""
        self.stands_at(epoch, seq)
        if epoch == self._epoch:
            self._hole = _Hole(t)
            self._now(missing=True)

    def stands_at(self, epoch: str, seq: int) -> None:
        """`seq` is the last event of that epoch that is kept, whatever has come."""
        self._last[epoch] = seq
        if epoch == self._epoch:
            self._now(seq=seq)

    def was_called(self, *names: str) -> None:
        """The table had other names before."""
        self._now(formerly=names)

    def shares_journal(self, other: str) -> None:
        """Another table that is connected tells the same journal: one is a copy of the other."""
        self._trouble("copied", Notice("hall.copied_journal", other=other), None)

    def owns_journal(self) -> None:
        """The other table that seemed to tell the same journal was this one under its former name."""
        self._clear("copied")

    @property
    def epoch(self) -> str | None:
        """The epoch that the table counts in."""
        return self._epoch

    def contradicts(self) -> None:
        """An event came with other contents than the one that is kept under its number."""
        self._trouble("contradicts", Notice("hall.contradicts"))

    def full(self) -> None:
        """No more events are kept of this table."""
        self._full, self._hole = True, None
        self._now(missing=False)
        self._trouble("full", Notice("hall.table_full"))

    def _online(self, said: Online, t: float, *, retained: bool) -> None:
        if said.online:
            self._note_sign_of_life(t, retained=retained)
            self._now(online=True, lost=None)
            if said.epoch is not None:
                self._counts_in(said.epoch, t, live=not retained)  # where it may not, its events tell it
        else:
            self._now(online=False, lost=t)

    def _snapshot(self, said: Snapshot, t: float, wall: datetime, *, retained: bool) -> None:
        before = self.view.snapshot
        self._note_sign_of_life(t, retained=retained)
        older = before is not None and before.epoch == said.epoch and said.seq < before.seq
        if retained and older and before is not None and said.wall <= before.wall:
            return  # a broker that restarted may keep an older one; a journal that was put back tells a later time
        if not self._counts_in(said.epoch, t, live=not retained):
            return
        skew = _skew_s(said.wall, wall)
        if not retained:
            self._now(skew_s=skew)
            if skew is not None and abs(skew) > SKEW_S:
                self._trouble("clock", Notice("hall.clock_off", minutes=max(1, round(abs(skew) / 60))))
            else:
                self._clear("clock")
        # A retained one may be of any age; its own time of day tells that, as far as the table's clock is known.
        known = self.view.skew_s or 0.0
        age = 0.0 if not retained or skew is None else max(0.0, known - skew)
        self._now(snapshot=said, told=t - age)
        self._behind = None if said.seq >= self.view.seq else t if self._behind is None else self._behind
        if self._hole is not None and self.view.seq >= said.seq:
            self._close_gap()

    def _event(self, said: Event, t: float, outcome: Outcome) -> None:
        self._note_sign_of_life(t, retained=False)
        if said.seq < 1:
            self.bad(t)
            return
        if self._full or not self._counts_in(said.epoch, t, live=True):
            return
        seq = self.view.seq
        if said.seq > seq + 1:
            self._hole = self._hole or _Hole(t - LATE_S)
            return
        outcome.events.append(said)  # the store drops one that it has, and tells one that contradicts it
        if said.seq == seq + 1:
            self._last[said.epoch] = said.seq
            self._now(seq=said.seq)
            if self._hole is not None and self._complete():
                self._close_gap()

    def _result(self, said: MatchResult, t: float, outcome: Outcome, match: int | None, *, retained: bool) -> None:
        """Keep a result. It may be of another epoch than the table counts in, for a broker keeps those of before."""
        self._note_sign_of_life(t, retained=retained)
        if said.match != match:
            self.bad(t)
            return
        known = said.epoch == self._epoch or said.epoch in self._last or said.epoch in self._results_in
        if self._full or not (known or self._kept(said.epoch) or self._allowed.epoch(t)):
            if not self._full:
                self._trouble("flood", TOO_MUCH, t + TOLD_S)
            return
        self._results_in.add(said.epoch)
        outcome.results.append(said)

    def _complete(self) -> bool:
        snapshot = self.view.snapshot
        return snapshot is None or snapshot.epoch != self._epoch or self.view.seq >= snapshot.seq

    def _close_gap(self) -> None:
        self._hole = None
        self._now(missing=False)

    def _counts_in(self, epoch: str, t: float, *, live: bool) -> bool:
        """The table counts in this epoch from now on; False where that is one too many.

        `live`: it says so itself, now. What a broker has kept under a name may be of a table that has another one now.
        """
        if epoch == self._epoch:
            if live and not self.view.seq:
                self.stands_at(epoch, self._last_seq_of(epoch))
            return True
        last = self._last.pop(epoch, None)
        if last is None:
            last = self._kept(epoch)
            if not last and not self._allowed.epoch(t):
                self._trouble("flood", TOO_MUCH, t + TOLD_S)
                return False
            if live and not last:
                last = self._last_seq_of(epoch)
        if self._epoch is not None:
            self._flips.append(t)
            if len(self._flips) == FLIPS and t - self._flips[0] < FLIPS_S:
                self._trouble("twins", Notice("hall.two_tables"), t + TOLD_S)
        self._last[epoch] = last
        while len(self._last) > EPOCHS_AT_HAND:
            self._last.popitem(last=False)
        self._epoch, self._hole, self._behind = epoch, None, None
        self._now(seq=last, missing=False)
        return True

    def _last_seq_of(self, epoch: str) -> int:
        """The last event of an epoch that was told under another name; 0 where there is none, or nobody knows now."""
        if epoch in self._claimed:
            return 0
        self._claimed.add(epoch)
        return self._claim(epoch)

    def _note_sign_of_life(self, t: float, *, retained: bool) -> None:
        if not retained or self.view.heard is None:
            self._now(heard=t)

    def _trouble(self, name: str, told: Notice, until: float | None = None) -> None:
        before = self._told.get(name)
        self._told[name] = told, until
        if before is None or before[0] != told:
            self._troubles()

    def _clear(self, name: str) -> None:
        if self._told.pop(name, None) is not None:
            self._troubles()

    def _forget(self, t: float) -> None:
        """Tell no more what was noticed long ago."""
        for name in [name for name, (_, until) in self._told.items() if until is not None and until < t]:
            self._clear(name)

    def _troubles(self) -> None:
        self._now(troubles=tuple(told for told, _ in self._told.values()))

    def _now(self, **changed: object) -> None:
        self.view = replace(self.view, **changed)  # type: ignore[arg-type]


def _skew_s(told: str, wall: datetime) -> float | None:
    """By how much a table's clock is ahead; None where it tells a day that no calendar has."""
    try:
        return (datetime.fromisoformat(told) - wall).total_seconds()
    except ValueError:
        return None
