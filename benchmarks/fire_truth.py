"""What the referee has written, held against what really lies on the table and stands on the racks."""

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

TOO_MANY = "and the box holds"
"""So players are told that there is one tile too many."""


@dataclass
class Tally:
    """What matches under fire came to."""

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
    """What was asked about, and in how many looks."""
    looks: int = 0
    told: int = 0
    """Tiles that players have told, asked about in vain."""
    spared: int = 0
    """Looks with tiles in doubt that changed nothing."""
    events: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    clocks: list[float] = field(default_factory=list)
    """Seconds of a running clock that each kill gave to the player; negative ones were taken."""
    ready: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


class Truth:
    """A virtual match that every event in the journal is held against."""

    def __init__(self, match: VirtualMatch, tally: Tally, fail: Callable[[str], None]) -> None:
        self.match, self.tally, self.fail = match, tally, fail
        self.hands: list[Rack] | None = None
        """What everybody held when the round ended."""
        self.shown: list[Table] = []
        """The tables that the camera has been shown since the last look: people go on while one is taken."""
        self._rest = False
        """Whether a tile was told just now, so that what is still asked about is the rest of one question."""

    def check(self, step: Step) -> None:
        """Hold one event against what really lies where."""
        before, after, event = step.before, step.after, step.event
        self.tally.told += isinstance(event, Settled)
        rest, self._rest = self._rest, isinstance(event, Settled)
        if isinstance(event, Seen) and rest and event.doubts:
            pass  # what is left of a question once one of its tiles was told is no further question
        elif isinstance(event, Seen):
            self.tally.looks += 1
            self.tally.spared += bool(event.unsure)
            if event.doubts:
                self.tally.doubts += 1
                self.tally.asked.update({_about(doubt) for doubt in event.doubts})
            elif before.phase.awaits_table:
                self._check_look(step, event)
        self.tally.time_outs += before.phase is not Phase.TIME_UP and after.phase is Phase.TIME_UP
        if len(after.sheet.rounds) > len(before.sheet.rounds):
            self._check_score(after)

    def _check_look(self, step: Step, event: Seen) -> None:
        truth, doing = self.match.table.table, self.match.last_action
        shown, self.shown = self.shown or [truth], self.shown[-1:]
        # A refusal that stands whatever a tile in doubt is says nothing about that tile.
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
        """Once a turn has passed on, the referee counts for everybody what is held, and for the stock what is left."""
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
    """Whether these are the same tiles, in the same sets if that counts."""
    return tiles_on(read) == tiles_on(truth) and (not sets or Change.between(read, truth).nothing)


def texts(doubts: Iterable[Doubt]) -> list[str]:
    """What players are asked about, in words."""
    return [ENGLISH(told) for told in notices_of(doubts)]


def _about(doubt: Doubt) -> str:
    """What kind of doubt that is."""
    (text,) = texts([doubt])
    if TOO_MANY in text:
        return "more of a tile than the box holds"
    if doubt.read is not None:
        return "a tile's print"
    kinds = {"which lay there before": "a tile that is gone", "what is covered": "a cover", "markers": "markers"}
    return next((kind for words, kind in kinds.items() if words in text), "no picture to be read")


def _said(effects: tuple[Effect, ...]) -> str:
    return " ".join(ENGLISH(effect.notice) for effect in effects if isinstance(effect, Say))
