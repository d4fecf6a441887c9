"""Interprets the messages of one table, and keeps the state of that table. It has no input or output.

1. The events of an epoch are numbered from 1 without gaps. The next event is accepted; a known one is dropped. If some
   are missing, the table is asked for them, and later events are dropped until they come, as they will be sent again.
2. A snapshot that is newer than the events also shows that some are missing, after they have had time to arrive.
3. A message that is invalid or exceeds `limits` is reported and changes nothing. So a table can spoil only its own row
   on the page.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from referee.club.hall.limits import Allowance
from referee.club.protocol import (
    BadMessage,
    DirectorCall,
    Event,
    Health,
    Kind,
    MatchResult,
    Online,
    Snapshot,
    decode_document,
)
from referee.club.protocol.coding import picture
from referee.game.notice import Notice

LATE_S = 1.5
"""Seconds by which events may come later than the snapshot that includes them. Chosen by hand."""
ASK_S, ASK_MOST_S = 2.0, 60.0
"""Seconds between two requests for the same missing events: the first pause, which doubles, and the longest."""
BEHIND_S = 15.0
"""Seconds for which a snapshot may be behind the last event before the journal may have been restored. By hand."""
STALE_S = 150.0
"""Seconds without a message after which the state of a table is unknown: two and a half times the interval at which it
sends its health (`HEALTH_S` of the publisher)."""
SKEW_S = 60.0
"""A difference between the clocks of table and hall that is reported, in seconds. Chosen by hand."""
FLIPS, FLIPS_S = 4, 120.0
"""Two tables use one name if the epoch changes `FLIPS` times within `FLIPS_S` seconds. Chosen by hand."""
TOLD_S = 600.0
"""Seconds for which a trouble is shown after it was last noticed, if nothing signals its end. Chosen by hand."""
EPOCHS_AT_HAND = 16
"""How many epochs of a table are cached with their last event; others are looked up in the store."""
TOO_MUCH, BAD = Notice("hall.too_much"), Notice("hall.bad_messages")


@dataclass(frozen=True, slots=True)
class TableView:
    """What is known of a table; immutable. Moments are seconds of the hall's monotonic clock."""

    name: str
    online: bool = False
    heard: float | None = None
    """When the table itself last sent something; None if it has not since the hall started."""
    lost: float | None = None
    """Since when it has been disconnected; None while it is connected."""
    snapshot: Snapshot | None = None
    told: float = 0.0
    """The moment of the snapshot, from which its turn clock runs on."""
    health: Health | None = None
    seq: int = 0
    """The number of the last event that is kept."""
    missing: bool = False
    """Whether events are missing, and have been requested."""
    skew_s: float | None = None
    """The seconds by which its clock is ahead of the hall's; None if unknown."""
    bad: int = 0
    """How many messages were not valid documents of a table."""
    picture: int = 0
    """How many pictures have come."""
    troubles: tuple[Notice, ...] = ()
    formerly: tuple[str, ...] = ()
    """The former names of the table, the oldest first."""
    connections: int = 0
    """How often it has connected, as far as the hall knows."""
    connected: float = 0.0
    """When it connected last."""
    starting: bool = False
    """Whether it has sent no state since it connected. Its program may still be starting, and its state may differ."""
    told_itself: bool = False
    """Whether it has sent a state itself since it connected; a state from the broker may be an older, retained one."""

    def stale(self, t: float) -> bool:
        """Return whether the state of the table is unknown at `t`."""
        return not self.online or self.heard is None or t - self.heard > STALE_S


@dataclass(slots=True)
class Outcome:
    """The outcome of a message: what must be stored, and the event number to request events from (`again`)."""

    events: list[Event] = field(default_factory=list)
    results: list[MatchResult] = field(default_factory=list)
    again: int | None = None
    picture: bytes | None = None
    call: DirectorCall | None = None
    """Whether the table calls the director, if it has said so."""


@dataclass(slots=True)
class _Hole:
    """A gap in the events: when it was noticed, when events were last requested, and the pause after a request."""

    since: float
    asked: float = -1e9
    wait: float = ASK_S


class TableIntake:
    """The state of one table according to its messages, and whether events are missing."""

    def __init__(
        self,
        name: str,
        t: float,
        kept: Callable[[str], int],
        claim: Callable[[str], int] = lambda _: 0,
        formerly: tuple[str, ...] = (),
    ) -> None:
        """`kept` returns the number of the last event of an epoch that is stored.

        `claim` returns the same for an epoch of which this table has sent nothing yet. If the table was renamed,
        `claim` first moves what is stored under its former name to the new one.
        """
        self.view = TableView(name, formerly=formerly)
        self._kept, self._claim = kept, claim
        self._claimed: set[str] = set()
        """Epochs for which `claim` was called; `Allowance.epoch` limits their number."""
        self._results_in: set[str] = set()
        """The epochs of results; their number is limited in the same way."""
        self._last: OrderedDict[str, int] = OrderedDict()
        """The number of the last event accepted in each of the latest epochs."""
        self._epoch: str | None = None
        self._flips: deque[float] = deque(maxlen=FLIPS)
        self._allowed = Allowance(t)
        self._hole: _Hole | None = None
        self._full = False
        self._since: str | None = None
        """The time of day at which the table connected, as it says itself."""
        self._behind: float | None = None
        """Since when its snapshots have been behind its events; None if they are not."""
        self._compared: str | None = None
        """The epoch of which all events have been requested, to compare them with the stored ones."""
        self._doubted: float | None = None
        """The skew by a state that seems late; the table's clock has it only if its next state says the same."""
        self._told: dict[str, tuple[Notice, float | None]] = {}
        """The troubles by name, each with the moment until which it is shown (None: until it is cleared)."""

    def take_message(
        self, kind: Kind, payload: bytes, t: float, wall: datetime, *, retained: bool, match: int | None = None
    ) -> Outcome:
        """Handle a message that came at `t` (`wall` in UTC); `match` is the number in the topic of a result."""
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
            case DirectorCall():
                self._note_sign_of_life(t, retained=retained)
                if self._allowed.call(t):
                    outcome.call = document
                else:
                    self._trouble("flood", TOO_MUCH, t + TOLD_S)
            case Health():
                self._note_sign_of_life(t, retained=retained)
                self._now(health=document)
        outcome.again = self.resend_from(t)
        return outcome

    def bad(self, t: float, told: Notice = BAD) -> None:
        """Count and report an invalid message."""
        self._now(bad=self.view.bad + 1)
        self._trouble("bad", told, t + TOLD_S)

    def resend_from(self, t: float) -> int | None:
        """Return the event number to request events from, if it is time to do so; else None."""
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
        """Return whether the journal may have been restored to an earlier state; all events are then compared once."""
        return self._behind is not None and t - self._behind > BEHIND_S and self._compared != self._epoch

    def note_disconnection(self, t: float) -> None:
        """Note that the hall has lost the connection to the broker, so that the table counts as disconnected."""
        self._now(online=False, lost=self.view.lost if self.view.lost is not None else t)

    def want_again(self, epoch: str, seq: int, t: float) -> None:
        """Request the events of an epoch after `seq` again, because they could not be stored."""
        self.stands_at(epoch, seq)
        if epoch == self._epoch:
            self._hole = _Hole(t)
            self._now(missing=True)

    def stands_at(self, epoch: str, seq: int) -> None:
        """Set the number of the last stored event of an epoch, even if later events have come."""
        self._last[epoch] = seq
        if epoch == self._epoch:
            self._now(seq=seq)

    def was_called(self, *names: str) -> None:
        """Set the former names of the table."""
        self._now(formerly=names)

    def shares_journal(self, other: str) -> None:
        """Report that another connected table sends the same journal: one of them is a copy."""
        self._trouble("copied", Notice("hall.copied_journal", other=other), None)

    def owns_journal(self) -> None:
        """Clear the report of `shares_journal`: the other table was this one under its former name."""
        self._clear("copied")

    @property
    def epoch(self) -> str | None:
        """The epoch of the table's journal; None if unknown."""
        return self._epoch

    def contradicts(self) -> None:
        """Report that an event differs from the stored one with its number."""
        self._trouble("contradicts", Notice("hall.contradicts"))

    def full(self) -> None:
        """Accept no more events and results of this table, and report that."""
        self._full, self._hole = True, None
        self._now(missing=False)
        self._trouble("full", Notice("hall.table_full"))

    def _online(self, said: Online, t: float, *, retained: bool) -> None:
        if said.online:
            self._note_sign_of_life(t, retained=retained)
            if not (retained and self.view.online):
                self._now(connections=self.view.connections + 1, connected=t)
                # A bridge between two brokers repeats it, twice, whenever it is back: the line was cut, and what was
                # sent to the table is lost, but the table was not started anew.
                if retained or said.since is None or said.since != self._since:
                    self._now(starting=True, told_itself=False)
            self._since = said.since
            self._now(online=True, lost=None)
            if said.epoch is not None:
                self._counts_in(said.epoch, t, live=not retained)  # if refused, its events will be refused as well
        else:
            self._now(online=False, lost=t)

    def _snapshot(self, said: Snapshot, t: float, wall: datetime, *, retained: bool) -> None:
        before = self.view.snapshot
        self._note_sign_of_life(t, retained=retained)
        if self.view.starting or not (retained or self.view.told_itself):
            self._now(starting=False, told_itself=self.view.told_itself or not retained)
        older = before is not None and before.epoch == said.epoch and said.seq < before.seq
        if retained and older and before is not None and said.wall <= before.wall:
            return  # a restarted broker may send an older one; after a restored journal the time would be later
        if not self._counts_in(said.epoch, t, live=not retained):
            return
        skew = _skew_s(said.wall, wall)
        if not retained and said != before:
            self._note_skew(skew)
        # A retained snapshot may be of any age, which follows from its time of day and the skew of the table's clock.
        known = self.view.skew_s or 0.0
        age = 0.0 if skew is None else max(0.0, known - skew)
        self._now(snapshot=said, told=t - age)
        self._behind = None if said.seq >= self.view.seq else t if self._behind is None else self._behind
        if self._hole is not None and self.view.seq >= said.seq:
            self._close_gap()

    def _note_skew(self, skew: float | None) -> None:
        """Note by how much the table's clock seems to be ahead, and report it if that is too much.

        A bridge between two brokers sends retained states again as if they had just come. Such a state is old, and so
        the clock seems to be behind. It is behind only if the next state says the same.
        """
        known, doubted = self.view.skew_s, self._doubted
        is_late = skew is not None and skew < min(0.0, known or 0.0) - SKEW_S
        self._doubted = skew if is_late else None
        if is_late and skew is not None and (doubted is None or abs(skew - doubted) > SKEW_S):
            if known is None:
                self._now(skew_s=skew)
            return
        self._now(skew_s=skew)
        if skew is not None and abs(skew) > SKEW_S:
            self._trouble("clock", Notice("hall.clock_off", minutes=max(1, round(abs(skew) / 60))))
        else:
            self._clear("clock")

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
        outcome.events.append(said)  # the store drops a known event, and reports a different one with a known number
        if said.seq == seq + 1:
            self._last[said.epoch] = said.seq
            self._now(seq=said.seq)
            if self._hole is not None and self._complete():
                self._close_gap()

    def _result(self, said: MatchResult, t: float, outcome: Outcome, match: int | None, *, retained: bool) -> None:
        """Accept a result; it may be of an earlier epoch, because the broker retains results."""
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
        """Note that the table's journal has this epoch; return False if the limit for epochs is exceeded.

        `live`: the message is not one that the broker retained, which may be of a table that was renamed.
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
        """Return the number of the last event of an epoch that came under a former name; 0 if unknown or none."""
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
        """Clear the troubles whose time is over."""
        for name in [name for name, (_, until) in self._told.items() if until is not None and until < t]:
            self._clear(name)

    def _troubles(self) -> None:
        self._now(troubles=tuple(told for told, _ in self._told.values()))

    def _now(self, **changed: object) -> None:
        self.view = replace(self.view, **changed)  # type: ignore[arg-type]


def _skew_s(told: str, wall: datetime) -> float | None:
    """Return the seconds by which a table's clock is ahead of `wall`; None if its time is not valid."""
    try:
        return (datetime.fromisoformat(told) - wall).total_seconds()
    except ValueError:
        return None
