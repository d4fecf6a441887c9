"""Publishes what happens at the table: events from the outbox, results, the current state, and the table's health.

1. Events are sent in the order of the outbox, a few at a time. Those that the broker has not confirmed are sent again
   over the next connection. Readers drop events that they have, by epoch and number.
2. The state is sent when a connection is made, and then whenever it changes. Only the newest state waits to be sent.
3. The results of the last matches are sent when a connection is made, and each is sent again whenever it changes. Only
   one result at a time awaits confirmation. The broker retains these results; those of older matches are deleted.
4. Whether the table calls the director is sent when a connection is made, once the loop has said so, and whenever it
   changes.
5. All of this happens in the broker's thread. It reads the outbox from the disk, and one frozen value that the loop
   has set. The loop never waits for the publisher.
"""

from __future__ import annotations

import math
import shutil
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from referee.club.mqtt.line import BrokerConnection, Message
from referee.club.protocol import (
    BadMessage,
    Calling,
    Command,
    DirectorCall,
    Do,
    Document,
    Event,
    Health,
    Kind,
    MatchResult,
    Online,
    Reason,
    Told,
    decode_document,
    encode_document,
    topic,
)
from referee.club.protocol.coding import LONGEST, kind_of
from referee.club.protocol.making import Refusal
from referee.club.protocol.told import hide_names
from referee.club.table_side.history import RESULTS, Cursor, History, Results, is_moment
from referee.club.table_side.scenes import runs_down, snapshot, source
from referee.errors import RefereeError
from referee.game.notice import Notice
from referee.journal.outbox import Entry, Outgoing, read_outgoing
from referee.journal.rows import without_mark
from referee.table.output.follower import Follower

WINDOW = 16
"""The most events that await the broker's confirmation; Mosquitto allows 20 in flight by default."""
STATE_S = 0.2
"""The least time between two snapshots, in seconds. This and the intervals below were chosen by hand."""
HEALTH_S = 60.0
"""Seconds between two messages about the table's health."""
LOOK_S = 5.0
"""The longest time between two checks of the outbox, in seconds: a correction of an old match does not wake the
publisher."""
AWAY_TOLD_S = 30.0
"""Seconds after which a lost connection is reported to the players; most are restored before that."""
FORBIDDEN_S = 60.0
"""Seconds after which a message that the broker refused is tried again."""
ANSWERED_S = 10.0
"""The least time between two answers to another table with our name, in seconds, as that table answers as well."""
AGAIN_S = 5.0
"""The least time between two repetitions of events that a reader has requested, in seconds."""
REFUSALS = 50
"""The most refusals that wait to be published, one in each state. Chosen by hand."""

PASSES = frozenset({"club.no_broker", "club.silent", "club.lost"})
"""Troubles that may end by themselves."""

Trouble = Callable[[Notice | None], None]


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a table: root topic, name, version of the program, and whether players are named."""

    root: str
    table: str
    program: str
    names: bool = False

    def topic(self, kind: Kind, match: int | None = None) -> str:
        """Return the table's topic for a kind of message; for results, the topic of the given match."""
        return topic(self.root, self.table, kind, match)

    def will(self) -> Message:
        """Return the message that the broker sends for the table if the connection breaks."""
        return self.message(Online(False))

    def message(self, document: Document) -> Message:
        """Return a document as the message to be sent."""
        kind = kind_of(document)
        match = document.match if isinstance(document, MatchResult) else None
        return Message(self.topic(kind, match), encode_document(document), 1, kind.is_retained)


class Publisher:
    """Publishes over a connection to the broker; give its `follower` to the loop as an audience."""

    def __init__(
        self,
        who: Identity,
        journal: Path,
        trouble: Trouble,
        now: Callable[[], float] = time.monotonic,
        loop_now: Callable[[], float] = time.monotonic,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        tick_s: float = math.inf,
    ) -> None:
        """Prepare to publish; nothing is sent before the first call of `on_connect()`.

        `who`: root topic, name of the table, version of the program, and whether players are named.
        `journal`: the file of the journal; its folder also has the file with the number of confirmed events.
        `trouble`: called with what is wrong with the connection, and with None once that has ended.
        `now`: the monotonic clock, in seconds.
        `loop_now`: the clock of the loop, in seconds; a virtual table has another one than `now`.
        `wall`: returns the time of day, with its time zone.
        `tick_s`: seconds between two states while a player's time runs down, for readers that cannot count down by
            themselves. By default (infinite), the state is published only when it changes.
        """
        self._who, self._journal, self._trouble = who, journal, trouble
        self._now, self._loop_now, self._wall, self._tick_s = now, loop_now, wall, tick_s
        self.follower = Follower(self._news)
        self.wake: Callable[[], None] = lambda: None
        self._history, self._cursor = History(journal, names=who.names), Cursor(journal.parent)
        self._results = Results(journal, names=who.names)
        self._begun = now()
        self._epoch: str | None = None
        self._next, self._last = 1, 0
        self._open: dict[int, int] = {}
        self._result_open: tuple[int, MatchResult] | None = None
        self._called: DirectorCall | None = None
        """What was sent last of the call for the director; None: nothing over this connection."""
        self._call_open: int | None = None
        self._call_held_until = -1e9
        self._state: object = None
        self._state_open: int | None = None
        self._state_at = self._health_at = self._look_at = self._again_at = -1e9
        self._held_until = self._result_held_until = -1e9
        self._again: int | None = None
        self._unsaid = False
        """Whether we must announce again that we are online, for instance because the broker announced the opposite
        when an earlier connection of ours ended late."""
        self._taken_over, self._answered_at = False, -1e9
        self._forbidden: set[Kind] = set()
        """The kinds of messages whose last one the broker refused: events, results, the state."""
        self._told: tuple[Notice, ...] = ()
        self._refused: Refusal | None = None
        """The refusal in the state that was sent last."""
        self._refusals: deque[Refusal] = deque(maxlen=REFUSALS)
        """Refusals that no state has contained yet, the oldest first. A state has room for one."""
        self._down_since: float | None = now()

    def _news(self) -> None:
        self.wake()

    def mark(self) -> str:
        """Return a mark that distinguishes this table from others with its name; it is the same at every start."""
        found = self._read_outbox(0, 0)
        return (uuid.uuid4().hex if found is None else found.epoch)[:8]

    # The line

    def on_connect(self, line: BrokerConnection) -> None:
        """Start again on a new connection: whatever was not confirmed is sent again."""
        self._open.clear()
        self._down_since = self._state_open = self._state = self._result_open = None
        self._state_at = self._health_at = self._look_at = self._held_until = self._result_held_until = -1e9
        self._called, self._call_open, self._call_held_until = None, None, -1e9
        self._taken_over = False
        self._begin_epoch(line)
        self._trouble(None)

    def _begin_epoch(self, line: BrokerConnection) -> None:
        """Continue after the last event that the broker has confirmed; do nothing if the journal cannot be read."""
        found = self._read_outbox(0, 0)
        if found is None:
            self._epoch = None
            return
        self._epoch, self._last = found.epoch, found.last
        self._cursor.begin(found.epoch, found.last)
        self._next, self._state = self._cursor.sent + 1, None
        self._results.begin()
        line.publish(self._who.message(Online(True, found.epoch, self._stamp())))

    def step(self, line: BrokerConnection) -> float:
        """Send what is due; return the seconds after which to be called again."""
        if self._epoch is None:
            self._begin_epoch(line)
        if self._epoch is None:
            return LOOK_S
        if self._unsaid:
            self._unsaid, self._state = False, None  # after this message readers wait for a state
            line.publish(self._who.message(Online(True, self._epoch, self._stamp())))
        waits = [self._events(line), self._snapshot(line), self._health(line), self._result(line), self._call(line)]
        self._cursor.keep(self._now())
        return max(0.0, min(waits))

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """Mark a message as delivered; if the broker refused it, send it again after `FORBIDDEN_S` seconds."""
        if self._result_open is not None and number == self._result_open[0]:
            (_, result), self._result_open = self._result_open, None
            self._note_permission(Kind.RESULT, refused)
            if refused is not None:
                self._results.put_back(result)
                self._result_held_until = self._now() + FORBIDDEN_S
        if number == self._call_open:
            self._call_open = None
            self._note_permission(Kind.CALL, refused)
            if refused is not None:
                self._called, self._call_held_until = None, self._now() + FORBIDDEN_S
        if number == self._state_open:
            self._state_open = None
            self._note_permission(Kind.STATE, refused)
            if refused is not None:
                self._state, self._state_at = None, self._now() + FORBIDDEN_S - STATE_S
        seq = self._open.pop(number, None)
        if seq is None:
            return
        self._note_permission(Kind.EVENT, refused)
        if refused is None:
            self._cursor.confirm(seq)
            return
        self._held_until = self._now() + FORBIDDEN_S
        self._next = min(self._next, seq)

    def _note_permission(self, kind: Kind, refused: str | None) -> None:
        """Note whether the broker accepts messages of a kind, and report or clear the trouble."""
        if refused is not None:
            self._forbidden.add(kind)
            self._trouble(Notice("club.not_allowed", topic=self._who.topic(kind), reason=refused))
        elif kind in self._forbidden:
            self._forbidden.remove(kind)
            if not self._forbidden:
                self._trouble(None)

    def on_disconnect(self, why: Notice) -> None:
        """Note that the connection is down; a short interruption is not reported as trouble."""
        self._open.clear()
        now = self._now()
        if self._down_since is None:
            self._down_since = now
        if why.key not in PASSES or now - self._down_since >= AWAY_TOLD_S:
            self._trouble(why)
        self._cursor.keep(now, at_once=True)

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Send the last events and the last state at once, then that the table is offline."""
        if self._epoch is not None:
            self._events(line)
            self._result_open = None
            for _ in range(1 + len(self._refusals)):
                self._state_at, self._state_open = -1e9, None
                self._snapshot(line)
            while self._epoch is not None and self._result(line) == 0.0:
                self._result_open = None
        line.publish(self._who.message(Online(False, self._epoch, self._stamp())))
        self._cursor.keep(self._now(), at_once=True)

    def came_online(self, payload: bytes) -> None:
        """Handle a message under our own `online` topic.

        If it says that we are offline, we announce again that we are online. If it is from another table with our
        name, we report that.
        """
        try:
            found = decode_document(Kind.ONLINE, payload)
        except BadMessage:
            found = None
        if self._epoch is None:
            return
        if not isinstance(found, Online) or not found.online:
            self._unsaid = True
            if self._taken_over:  # the other table has gone; if a third one has our name, it will announce itself
                self._taken_over = False
                self._trouble(None)
        elif found.epoch != self._epoch:
            self._taken_over = True
            self._trouble(Notice("club.taken_over", client=self._who.table))
            if self._now() >= self._answered_at + ANSWERED_S:  # so that the other table notices us, too
                self._unsaid, self._answered_at = True, self._now()

    def again(self, command: Command) -> None:
        """Send events again from the requested number on; several waiting requests are answered together."""
        if command.do is Do.AGAIN:
            self._again = max(1, min(command.start, self._again or command.start))

    def publish_refusal(self, told_id: str, why: Notice, players: tuple[str, ...] = ()) -> None:
        """Publish in one of the next states that the command with this id was refused. May be called in any thread.

        `players` are the names in the command, which `why` may contain.
        """
        self._refusals.append(Refusal(told_id, why, players))
        self.wake()

    # What goes out

    def _events(self, line: BrokerConnection) -> float:
        now, room = self._now(), WINDOW - len(self._open)
        if now < self._held_until or room <= 0:
            return LOOK_S
        if self._again is not None and now >= self._again_at:
            self._next, self._again, self._again_at = min(self._next, self._again), None, now + AGAIN_S
        found = self._read_outbox(self._next - 1, room)
        if found is None:
            return LOOK_S
        self._last = found.last
        if found.epoch != self._epoch:
            self._epoch = None
            return 0.0
        for entry in found.entries:
            try:
                event = self._event(found.epoch, entry)
            except RefereeError:  # the journal cannot be read now
                return LOOK_S
            self._open[line.publish(self._who.message(event))] = entry.seq
            self._next = entry.seq + 1
        if self._next <= found.last and len(self._open) < WINDOW:
            return 0.0
        return LOOK_S if self._again is None else max(0.0, self._again_at - now)

    def _event(self, epoch: str, entry: Entry) -> Event:
        row = entry.row
        facts = self._history.facts(row)
        wall, begun = without_mark(row.wall), without_mark(self._history.begun or "")
        wall = wall if is_moment(wall) else self._stamp()
        event = Event(epoch, entry.seq, row.match, row.number, wall, facts, begun if is_moment(begun) else None)
        return event if len(encode_document(event)) <= LONGEST else replace(event, facts=())

    def _result(self, line: BrokerConnection) -> float:
        """Send the next result that is due, and delete those of older matches at the broker.

        Return the seconds after which to be called again; 0 if a result was sent.
        """
        if self._epoch is None or self._result_open is not None or self._now() < self._result_held_until:
            return LOOK_S
        try:
            result = self._results.next(self._epoch, self._last)
        except RefereeError:  # the journal cannot be read now
            return LOOK_S
        if result is None:
            return LOOK_S
        self._result_open = line.publish(self._who.message(result)), result
        for match in self._cursor.retain_result(result.match, RESULTS):
            line.publish(Message(self._who.topic(Kind.RESULT, match), b"", retain=True))
        return 0.0

    def _call(self, line: BrokerConnection) -> float:
        """Send whether the table calls the director, if the hall has not been told yet."""
        desk, scene, now = self.follower.facts.desk, self.follower.facts.scene, self._now()
        if not desk.is_told or self._call_open is not None or now < self._call_held_until:
            return LOOK_S
        if desk.call is None and self._called is None and not desk.listens:
            return LOOK_S  # nobody would read it, and the access list of an earlier release does not allow it
        call = None
        if desk.call is not None:
            names = () if scene is None or self._who.names else [seat.name for seat in scene.state.seats]
            reason = None if desk.call.reason is None else Reason(desk.call.reason)
            call = Calling(desk.call.id, reason, hide_names(desk.call.text, names), desk.call.stopped)
        if self._called is None or self._called.call != call:
            self._called = DirectorCall(self._stamp(), call)
            self._call_open = line.publish(self._who.message(self._called))
        return LOOK_S

    def _snapshot(self, line: BrokerConnection) -> float:
        facts, now = self.follower.facts, self._now()
        refused = self._refusals[0] if self._refusals else self._refused
        scene, found = facts.scene, source(facts, refused)
        if scene is None or self._epoch is None:
            return LOOK_S
        again = self._state_at + (self._tick_s if runs_down(scene.state) else math.inf)
        if found == self._state and now < again:
            return min(LOOK_S, again - now)
        if self._state_open is not None:
            return LOOK_S
        if now < self._state_at + STATE_S:
            return self._state_at + STATE_S - now
        try:
            at, wall, names = self._loop_now(), self._stamp(), self._who.names
            told = snapshot(facts, scene, at, wall, self._epoch, self._journal, refused, names=names)
        except RefereeError:
            return LOOK_S
        self._state, self._state_at = found, now
        if self._refusals and self._refusals[0] is refused:
            self._refusals.popleft()
        self._refused = refused
        self._state_open = line.publish(self._who.message(told))
        return min(LOOK_S, self._tick_s)

    def _health(self, line: BrokerConnection) -> float:
        facts, now = self.follower.facts, self._now()
        if now < self._health_at + HEALTH_S and facts.troubles == self._told:
            return self._health_at + HEALTH_S - now
        self._health_at, self._told = now, facts.troubles
        try:
            free = shutil.disk_usage(self._journal.parent).free // 1_000_000
        except OSError:
            free = None
        names = () if facts.scene is None else tuple(seat.name for seat in facts.scene.state.seats)
        troubles = tuple(Told.from_notice(told, names, hide=not self._who.names) for told in facts.troubles)
        unsent = max(0, self._last - self._cursor.sent)
        told = Health(self._epoch or "", self._stamp(), self._who.program, now - self._begun, free, unsent, troubles)
        line.publish(self._who.message(told))
        return HEALTH_S

    def _read_outbox(self, after: int, most: int) -> Outgoing | None:
        try:
            return read_outgoing(self._journal, after, most)
        except RefereeError:
            return None

    def _stamp(self) -> str:
        return self._wall().astimezone(UTC).isoformat(timespec="milliseconds")
