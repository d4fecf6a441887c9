"""A match at the virtual table: people play, the camera looks, the referee judges, and every step is printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from referee.errors import CannotJudge
from referee.game.doubt import Doubt
from referee.game.judge.verdict import Verdict
from referee.game.match.events import (
    Ask,
    DrawTile,
    Effect,
    Event,
    Lamp,
    Light,
    MatchOver,
    MatchTimeUp,
    PutRight,
    Say,
    Seen,
    Show,
    Sound,
    Tone,
)
from referee.game.match.machine import apply, new_match
from referee.game.match.match_time import match_deadline
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.table import Change, tiles_on
from referee.i18n import Wording
from referee.sim.match import VirtualMatch
from referee.table.looking.doubts import notices_of
from referee.vision.asked import asked_about, in_vain
from referee.vision.change.tracking import with_confirmed
from referee.vision.sighting import Image, Read, Reader, Sighting

LOOK_S = 0.3
STRAIGHTENINGS = 2
STANDSTILL = 60

_LAMPS = {
    Light.ACCEPTED: ("green", "console.green"),
    Light.REFUSED: ("red", "console.red"),
    Light.ASKING: ("yellow", "console.amber"),
}
_TONES = {
    Sound.ACCEPTED: "console.sound_accepted",
    Sound.REFUSED: "console.sound_refused",
    Sound.TIME_UP: "console.sound_time_up",
    Sound.ROUND_OVER: "console.sound_round_over",
}


@dataclass(slots=True)
class Tally:
    """The counts of an evening's looks."""

    looks: int = 0
    tiles: int = 0
    doubtful: int = 0
    tapped: int = 0
    wrong: int = 0

    def summary(self, seconds: float) -> Notice:
        """Return the line for the end of the evening."""
        return Notice("console.tally", looks=self.looks, tiles=self.tiles, doubtful=self.doubtful,
                      tapped=self.tapped, wrong=self.wrong, seconds=seconds)  # fmt: skip


class Evening:
    """One match. The referee knows only what it reads in pictures and what players answer to its questions."""

    def __init__(self, match: VirtualMatch, reader: Reader, out: Console, words: Wording) -> None:
        self.match, self.tally = match, Tally()
        self.last: tuple[Image, Sighting] | None = None
        self._seen: tuple[Read, ...] = ()
        self._confirmed: tuple[Read, ...] = ()
        self._reader, self._out, self._words = reader, out, words
        self._straightened = self._turns = 0

    def play(self) -> State:
        """Play to the end of the match; raises CannotJudge if a turn never ends."""
        event: Event = self.match.start(0.0)
        state = self._step(new_match(self.match.rules), event)
        still = 0
        while state.phase is not Phase.OVER:
            before = state
            end = match_deadline(state)
            if end is not None and event.t >= end:
                state = self._step(state, MatchTimeUp(event.t))
                continue
            event = self._look(state, event.t + LOOK_S) if state.phase.looks else self._act(state, event.t)
            state = self._step(state, event)
            still = still + 1 if _same_turn(before, state) else 0
            if still > STANDSTILL:
                raise CannotJudge(
                    f"expected the match to go on, found turn {self._turns} unfinished, {still} steps on"
                )
        return state

    def _step(self, state: State, event: Event) -> State:
        """Apply an event, show its effects to the players, and return the new state."""
        state, effects = apply(state, event)
        if any(isinstance(effect, Show) and effect.verdict.accepted for effect in effects):
            self._confirmed = self._seen
        self._tell(effects)
        self.match.follow_effects(effects)
        return state

    def _act(self, state: State, t: float) -> Event:
        """Return what the players do next, and print it for spectators."""
        event = self.match.act(state, t)
        self._turns += state.phase is Phase.TURN
        if self.match.last_action is not None and state.phase not in (Phase.ASKING, Phase.BETWEEN):
            self._out.print(f"{self._turns:3}  {self._words(self.match.last_action.told)}", style="dim")
        return event

    def _look(self, state: State, t: float) -> Seen:
        """Read the table; a player answers after three doubtful looks, or at once if straightening cannot help."""
        setting = self.match.table.setting
        picture = self.match.picture()
        sighting = with_confirmed(self._reader.read(picture, setting.tileset, setting.table_mm), self._confirmed)
        self._seen = sighting.reads
        self.last = picture, sighting
        self.tally.looks += 1
        self.tally.tiles += len(sighting.reads)
        doubts = tuple(asked_about(sighting, picture))
        if sighting.quality.hand:
            doubts = (*doubts, Doubt(Notice("console.hand")))
        if doubts:
            self.tally.doubtful += 1
            helps = not all(in_vain(sighting.reads[i], sighting) for i in sighting.doubts)
            if self._straightened < STRAIGHTENINGS and (helps or sighting.quality.hand):
                self._straightened += 1
                return Seen(sighting.table, t, doubts)
        self._straightened = 0
        if not doubts and self._right(state, sighting):
            return Seen(sighting.table, t)
        self._answer_doubts(doubts)
        return Seen(self.match.table.table, t)

    def _right(self, state: State, sighting: Sighting) -> bool:
        """Return whether the sighting shows what really lies there; a shown hand may be arranged in any rows."""
        truth = self.match.table.table
        if state.phase is Phase.COUNTING:
            return tiles_on(sighting.table) == tiles_on(truth)
        return Change.between(sighting.table, truth).nothing

    def _answer_doubts(self, doubts: Sequence[object]) -> None:
        self._seen = tuple(self._answer_doubt(read) for read in self._seen) if doubts else ()
        if doubts:
            self.tally.tapped += 1
            self._out.print(f"     {self._words(Notice('console.tapped'))}", style="yellow")
        else:
            self.tally.wrong += 1
            self._out.print(f"     {self._words(Notice('console.corrected'))}", style="red")

    def _answer_doubt(self, read: Read) -> Read:
        """Return a doubtful read with the tile that a player says it is; any other read is unchanged."""
        if not read.doubtful or read.x_mm is None or read.y_mm is None:
            return read
        x, y = read.x_mm, read.y_mm
        tiles = self.match.table.layout.tiles
        nearest = min(tiles, key=lambda tile: math.hypot(tile.x_mm - x, tile.y_mm - y), default=None)
        return read if nearest is None else replace(read, tile=nearest.tile, doubtful=False, confidence=1.0)

    def _tell(self, effects: Sequence[Effect]) -> None:
        """Print what the players see and hear, in one line."""
        signs = [_LAMPS[e.light] for e in effects if isinstance(e, Lamp) and e.light in _LAMPS]
        tones = [_TONES[e.sound] for e in effects if isinstance(e, Tone)]
        told = [self._words(notice) for effect in effects for notice in self._notices_of(effect)]
        if not (signs or tones or told):
            return
        line = Text("     ")
        if signs:
            line.append("● ", style=signs[0][0])
        seen = Notice("console.signs", signs=(*(Notice(key) for _, key in signs), *map(Notice, tones)))
        line.append(self._words(seen), style=signs[0][0] if signs else "")
        line.append((self._words.colon if signs or tones else "") + " ".join(told))
        self._out.print(line)

    def _acceptance(self, verdict: Verdict) -> Notice:
        if self.match.rules.knocking is not None:
            return Notice("console.accepted")
        if not verdict.laid:
            return Notice("console.nothing_laid")
        return Notice("console.accepted_points", points=verdict.points)

    def _notices_of(self, effect: Effect) -> tuple[Notice, ...]:
        told: tuple[Notice, ...] = ()
        match effect:
            case Show(verdict) if verdict.accepted:
                told = (self._acceptance(verdict), *verdict.explanation)
            case DrawTile(player, number):
                told = (Notice("play.draws", player=self.match.players[player], number=number),)
            case Say(notice):
                told = (notice,)
            case PutRight(steps=steps):
                told = steps
            case MatchOver(winners, _):
                names = tuple(self.match.players[seat] for seat in winners)
                told = (Notice("console.match_over", winners=names),)
            case Ask(doubts):
                told = (Notice("console.cannot_read", doubts=notices_of(doubts)),)
        return told


def _same_turn(one: State, other: State) -> bool:
    return (len(one.sheet.rounds), one.current, one.table) == (len(other.sheet.rounds), other.current, other.table)
