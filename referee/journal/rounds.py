"""What happened in the rounds of a match, from its events: turns, the table at the end, and the hands that were read.

Nothing here is stored, so a correction of a round counts at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.game.match.events import Event, Seen, Settled, Withdrawn
from referee.game.match.phases import Phase
from referee.game.match.state import Seat, State
from referee.game.table import Change, Table
from referee.journal.statistics import TurnCounter, TurnTotals


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A turn that counts: its seat and seconds, how many tiles were laid, and both confirmed tables."""

    player: int
    seconds: float
    laid: int
    before: Table
    after: Table
    opens: bool = False
    """Whether it was the first meld of its player in this round."""

    @property
    def taken_apart(self) -> int:
        """How many sets of the table were certainly taken apart: none of the new sets has all of their tiles."""
        change = Change.between(self.before, self.after)
        new = [Counter(tiles) for _, tiles in change.new]
        return sum(not any(Counter(old) <= tiles for tiles in new) for old in change.old)


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round that was scored. `seats` are as it was scored, with the hands that were shown."""

    number: int
    """From 1, as on the score sheet."""
    turns: tuple[TurnPlayed, ...]
    table: Table
    """The last confirmed table, without the hands that were laid open after it."""
    seats: tuple[Seat, ...]
    read: frozenset[int]
    """The seats whose hand the camera has read beyond doubt, and that agrees with the count."""
    agreed: bool = False
    """Whether sets lay there that are not valid by the rules but were agreed to."""


class RoundFollower:
    """Goes through the events of a match and collects its rounds."""

    def __init__(self, state: State) -> None:
        self._counter = TurnCounter(state)
        self.rounds: list[RoundPlayed] = []
        self.turns: list[TurnPlayed] = []
        """The turns of the round so far."""
        self._counted: dict[int, TurnTotals] = {}
        self._read: set[int] = set()
        self._said = False
        """Whether players have said what a tile of the hand is that is being shown."""

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self._counter.state

    def take(self, event: Event) -> None:
        """Apply an event; raises BadInput if it cannot be applied."""
        before = self.state
        self._counter.take(event)
        after = self.state
        if isinstance(event, Withdrawn):
            self._take_back(before, after)
        if before.phase in (Phase.SHOWING, Phase.COUNTING):
            self._follow_hand(event, before, after)
        self._end_turns(before, after)
        if len(after.sheet.rounds) > len(before.sheet.rounds):
            self._end_round(before, after)
        if after.phase.in_round and not before.phase.in_round:
            self.turns, self._read, self._said = [], set(), False

    def _end_turns(self, before: State, after: State) -> None:
        seat = before.current
        now, counted = self._counter.totals[seat], self._counted.get(seat, TurnTotals())
        if now.turns <= counted.turns:
            return
        table = self.turns[-1].after if self.turns else ()
        opens = now.melds > counted.melds
        seconds, laid = now.seconds - counted.seconds, now.tiles - counted.tiles
        self.turns.append(TurnPlayed(seat, seconds, laid, table, after.table, opens))
        self._counted[seat] = replace(now)

    def _take_back(self, before: State, after: State) -> None:
        """Forget the last turn if it goes on now, and the round if it had ended with that turn."""
        seat = after.current
        if self.turns and self._counter.totals[seat].turns < self._counted.get(seat, TurnTotals()).turns:
            del self.turns[-1]
            self._counted[seat] = replace(self._counter.totals[seat])  # the counter has gone back as well
            self._read.clear()
        if len(after.sheet.rounds) < len(before.sheet.rounds):
            del self.rounds[-1:]

    def _follow_hand(self, event: Event, before: State, after: State) -> None:
        """Note whether a hand that is accepted was read by the camera, rather than entered, guessed or insisted on."""
        seat = before.current
        if isinstance(event, Settled):
            self._said = True
        if seat >= len(after.seats) or after.seats[seat].shown is None or before.seats[seat].shown is not None:
            return
        if isinstance(event, Seen) and not event.unsure and not self._said and not before.called:
            self._read.add(seat)
        self._said = False

    def _end_round(self, before: State, after: State) -> None:
        table = self.turns[-1].after if self.turns else ()
        read, agreed = frozenset(self._read), bool(before.agreed)
        self.rounds.append(RoundPlayed(len(after.sheet.rounds), tuple(self.turns), table, after.seats, read, agreed))


def rounds_of(state: State, events: Iterable[Event]) -> list[RoundPlayed]:
    """Return the rounds of a match that have been scored, from its state before the first event.

    Raises BadInput for an event that cannot be applied.
    """
    follower = RoundFollower(state)
    for event in events:
        follower.take(event)
    return follower.rounds
