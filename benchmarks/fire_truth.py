"""Compares what the referee has written with what actually lies on the table and stands on the racks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from benchmarks.fire_process import Step
from referee.game.doubt import Doubt
from referee.game.match.events import DrawTile, Effect, Lamp, Light, Say, Seen, Settled
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.scoring import hand_points
from referee.game.table import Change, Table, tiles_on
from referee.i18n import ENGLISH
from referee.sim.match import VirtualMatch
from referee.sim.players.set_finding import Rack
from referee.table.looking.doubts import notices_of

GONE = "a tile that is gone"
"""The kind of a doubt about a tile of the confirmed table that is not seen."""
TOO_MANY = "but the box has only"
"""A part of the message that there are more tiles of a kind than the box has."""


@dataclass
class Tally:
    """The counts of matches with injected faults."""

    matches: int = 0
    turns: int = 0
    legal: int = 0
    legal_refused: int = 0
    slips: int = 0
    slips_accepted: int = 0
    time_outs: int = 0
    hands: int = 0
    doubts: int = 0
    misread: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    """By kind of question, the number of looks that asked it."""
    looks: int = 0
    told: int = 0
    """The number of tiles that players have named."""
    spared: int = 0
    """The number of looks with tiles in doubt that did not matter."""
    events: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    clocks: list[float] = field(default_factory=list)
    """The seconds that each kill gave to the player on a running clock; negative values were taken away."""
    ready: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


class Truth:
    """Compares every event in the journal with a virtual match."""

    def __init__(self, match: VirtualMatch, tally: Tally, fail: Callable[[str], None]) -> None:
        self.match, self.tally, self.fail = match, tally, fail
        self.hands: list[Rack] | None = None
        """The tiles that each player held when the round ended."""
        self.shown: list[Table] = []
        """The tables shown to the camera since the last look; players may lay tiles while a look is taken."""
        self._rest = False
        """Whether a player has just named a tile, so that what is still asked belongs to the same question."""

    def check(self, step: Step) -> None:
        """Compare one event with what actually lies on the table."""
        before, after, event = step.before, step.after, step.event
        self.tally.told += isinstance(event, Settled)
        rest, self._rest = self._rest, isinstance(event, Settled)
        if isinstance(event, Seen) and rest and event.doubts:
            pass  # the rest of a question, after one of its tiles was named, is not another question
        elif isinstance(event, Seen):
            self.tally.looks += 1
            self.tally.spared += bool(event.unsure)
            if event.doubts:
                self.tally.doubts += 1
                self.tally.asked.update({about(doubt) for doubt in event.doubts})
            elif before.phase.awaits_table:
                self._check_look(step, event)
        self.tally.time_outs += before.phase is not Phase.TIME_UP and after.phase is Phase.TIME_UP
        if len(after.sheet.rounds) > len(before.sheet.rounds):
            self._check_score(after)

    def _check_look(self, step: Step, event: Seen) -> None:
        truth, doing = self.match.table.table, self.match.last_action
        shown, self.shown = self.shown or [truth], self.shown[-1:]
        # If the outcome does not depend on a tile in doubt, the read of that tile is not checked.
        if not event.unsure and not any(
            _same(event.table, table, sets=step.before.phase is not Phase.COUNTING) for table in shown
        ):
            self.tally.misread += 1
            self.fail(f"read {event.table}, there lay {truth}")
        if step.before.phase is Phase.CHECKING or doing is None:
            return
        refused = any(isinstance(effect, Lamp) and effect.light is Light.REFUSED for effect in step.effects)
        if step.before.phase is Phase.COUNTING:
            self.tally.hands += 1
        else:
            self.tally.turns += 1
        if doing.slip is None:
            self.tally.legal += 1
            if refused:
                self.tally.legal_refused += 1
                self.fail(f"refused: {ENGLISH(doing.told)}: {_said(step.effects)}")
        else:
            self.tally.slips += 1
            if not refused:
                self.tally.slips_accepted += 1
                self.fail(f"accepted: {ENGLISH(doing.told)}")
        self._check_hands(step)

    def _check_hands(self, step: Step) -> None:
        """Check after each turn that the referee's counts of hands and stock are right."""
        after = step.after
        if after.phase is not Phase.TURN or after.current == step.before.current:
            return
        held = [seat.hand for seat in after.seats]
        drawn = [0] * len(held)
        for effect in step.effects:
            if isinstance(effect, DrawTile):
                drawn[effect.player] += effect.count
        racks = [rack.total() + more for rack, more in zip(self.match.racks, drawn, strict=True)]
        stock = len(self.match.people.stock) - sum(drawn)
        lies = tiles_on(self.match.table.table) - Counter([after.aside] if after.aside else [])
        if (held, after.stock) != (racks, stock) and lies == tiles_on(after.table):
            self.tally.lost += 1
            self.fail(f"counts {held} and a stock of {after.stock}, there are {racks} and {stock}")

    def _check_score(self, after: State) -> None:
        line, hands = after.sheet.rounds[-1], self.hands
        if hands is None or after.rules.knocking is not None or not any(seat.shown for seat in after.seats):
            return
        points = tuple(hand_points(hand.elements(), after.rules) for hand in hands)
        if line.hands != points:
            self.tally.lost += 1
            self.fail(f"hands of {points} points, written down {line.hands}")


def _same(read: Table, truth: Table, *, sets: bool) -> bool:
    """Return whether both tables have the same tiles, and with `sets` also the same sets."""
    return tiles_on(read) == tiles_on(truth) and (not sets or Change.between(read, truth).nothing)


def texts(doubts: Iterable[Doubt]) -> list[str]:
    """Return the sentences of the questions that players are asked."""
    return [ENGLISH(told) for told in notices_of(doubts)]


def about(doubt: Doubt) -> str:
    """Return the kind of a doubt, for the statistics."""
    (text,) = texts([doubt])
    if TOO_MANY in text:
        return "more of a tile than the box holds"
    if doubt.read is not None:
        return "a tile's print"
    kinds = {"which lay there before": GONE, "what is covered": "a cover", "markers": "markers"}
    return next((kind for words, kind in kinds.items() if words in text), "no picture to be read")


def _said(effects: tuple[Effect, ...]) -> str:
    return " ".join(ENGLISH(effect.notice) for effect in effects if isinstance(effect, Say))
