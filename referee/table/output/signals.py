"""What lamps and buzzer tell the players. Pure: computed from the state of the match and the effects of events.

Most lamps follow from the state alone, so that they are right after a restart, too. What only effects tell, such as a
verdict or a tile to be drawn, is kept in `Signals` for as long as it is shown.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.game.match.events import DrawTile, Effect, Lamp, Light, MatchOver, Sound, Tone
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.table import laid_tiles

ACCEPTED_S = 2.0
"""Seconds for which green is lit; red stays until the next press, since nothing else says that the turn goes on."""
DRAW_S = 15.0
"""Seconds for which the lamp for drawing is lit, unless somebody presses before."""

_PLAYER = {Phase.SHOWING: Glow.BLINK, Phase.BETWEEN: Glow.OFF, Phase.OVER: Glow.OFF}
"""The current player's lamp in phases in which it is not simply on."""
_ROUNDING_S = 1e-6


class Cue(enum.StrEnum):
    """An occasion for a tune."""

    READY = "ready"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOT_NOW = "not-now"
    """A press that does not count: somebody else's turn, or a look is under way."""
    JOINED = "joined"
    """Somebody sits down before the match."""
    LEFT = "left"
    """Somebody leaves before the match."""
    LONG = "long"
    """A long press was understood."""
    LEFT_30 = "left-30"
    LEFT_10 = "left-10"
    LAST_SECONDS = "last-seconds"
    TIME_UP = "time-up"
    ROUND_OVER = "round-over"
    MATCH_OVER = "match-over"
    TROUBLE = "trouble"
    """Something is wrong with the equipment."""
    COUNT = "count"
    """A second less until the machine is switched off."""
    CALLED = "called"
    """The director of the hall was called."""
    COMING = "coming"
    """The director is coming."""
    ANNOUNCED = "announced"
    """The director of the hall announces something."""
    ROUND_TIME_SOON = "round-time-soon"
    """The time that the director has set for the round is over soon."""
    ROUND_TIME_UP = "round-time-up"
    OFF = "off"
    """The referee ends, because the machine is being switched off."""


_C4, _E4, _A4, _A5, _C6, _E6, _G6, _A6 = 261.6, 329.6, 440.0, 880.0, 1046.5, 1318.5, 1568.0, 1760.0

TUNES: Mapping[Cue, Tune] = {
    Cue.READY: ((_C6, 0.12), (_E6, 0.12), (_G6, 0.2)),
    Cue.ACCEPTED: ((_A6, 0.12),),
    Cue.REFUSED: ((_C4, 0.5),),
    Cue.NOT_NOW: ((_A4, 0.06),),
    Cue.JOINED: ((_A6, 0.12),),
    Cue.LEFT: ((_A6, 0.06), (_A5, 0.12)),
    Cue.LONG: ((_A5, 0.06), (_A6, 0.12)),
    Cue.LEFT_30: ((_A5, 0.1),),
    Cue.LEFT_10: ((_A5, 0.1), (None, 0.1), (_A5, 0.1)),
    Cue.LAST_SECONDS: ((_E6, 0.06),),
    Cue.TIME_UP: ((_A5, 0.2), (_A4, 0.2), (_E4, 0.6)),
    Cue.ROUND_OVER: ((_C6, 0.15), (_E6, 0.15), (_G6, 0.15), (_C6, 0.4)),
    Cue.MATCH_OVER: ((_C6, 0.15), (_E6, 0.15), (_G6, 0.15), (_A6, 0.15), (_G6, 0.5)),
    Cue.TROUBLE: ((_E4, 0.25), (_A5, 0.25), (_E4, 0.25), (_A5, 0.25)),
    Cue.COUNT: ((_A5, 0.08),),
    Cue.CALLED: ((_A5, 0.1), (_C6, 0.1), (_A5, 0.1), (_C6, 0.1)),
    Cue.COMING: ((_A5, 0.1), (_C6, 0.2)),
    Cue.ANNOUNCED: ((_E6, 0.15), (_C6, 0.25)),
    Cue.ROUND_TIME_SOON: ((_C6, 0.2), (None, 0.1), (_C6, 0.2), (None, 0.1), (_C6, 0.2)),
    Cue.ROUND_TIME_UP: ((_G6, 0.3), (_E6, 0.3), (_C6, 0.3), (_A4, 0.8)),
    Cue.OFF: ((_G6, 0.12), (_E6, 0.12), (_C6, 0.3)),
}
"""Notes as hertz (None: silence) and seconds. Good news sounds short and high, bad news long and low."""

_SOUNDS = {
    Sound.ACCEPTED: Cue.ACCEPTED,
    Sound.REFUSED: Cue.REFUSED,
    Sound.TIME_UP: Cue.TIME_UP,
    Sound.ROUND_OVER: Cue.ROUND_OVER,
}
_BETWEEN_TUNES: Tune = ((None, 0.15),)


@dataclass(frozen=True, slots=True)
class Signals:
    """What is still shown of earlier effects; `trouble` is set from outside while the equipment has a fault."""

    verdict: Light | None = None
    verdict_until: float = math.inf
    asking: bool = False
    drawing: int | None = None
    draw_until: float = -math.inf
    winners: tuple[int, ...] = ()
    warned: float = math.inf
    """The match time up to which warnings of the clock have been given."""
    aside: Light | None = None
    """Before a deal: whether the referee looks for the tile set aside, or asks about it; None: neither."""
    trouble: bool = False
    choice: str = ""
    """The text on the display in place of the clock, such as a tile that players may choose."""

    def apply_effects(self, effects: Iterable[Effect], t: float) -> tuple[Signals, Tune]:
        """Return the signals after these effects, and the tune to play now, which may be empty."""
        signals = replace(self, warned=t)
        cues = []
        for effect in effects:
            match effect:
                case Lamp(light=light):
                    signals = _after_lamp(signals, light, t)
                case Tone(sound=sound) if sound in _SOUNDS:
                    cues.append(_SOUNDS[sound])
                case DrawTile(player=player):
                    signals = replace(signals, drawing=player, draw_until=t + DRAW_S)
                case MatchOver(winners=winners):
                    signals = replace(signals, winners=winners)
                    cues.append(Cue.MATCH_OVER)
        return signals, tune_of(*cues)

    def taken_back(self) -> Signals:
        """Return the signals after a press was taken back, without anything that followed from it."""
        return replace(self, verdict=None, asking=False, drawing=None, draw_until=-math.inf)

    def advance_to(self, state: State, t: float) -> tuple[Signals, Tune]:
        """Return the signals at `t`, and the tune of the most urgent warning of the clock since the last call."""
        marks = state.clock.warnings(self.warned, t)
        return replace(self, warned=t), tune_of(warning(min(marks))) if marks else ()

    def lights(self, state: State, t: float) -> Lights:
        """Return all lamps at `t`; until `next_due` they may blink, but do not change otherwise."""
        red, amber, green = self._verdict_lamps(state, t)
        drawing = self.drawing if t < self.draw_until else None
        share, text = _clock(state, t)
        return Lights(
            tuple(self._player_lamps(state, drawing)),
            red,
            amber,
            green,
            Glow.OFF if drawing is None else Glow.ON,
            share,
            self.choice or _hand_in_question(state) or text,
        )

    def next_due(self, state: State, t: float) -> float | None:
        """Return the next moment after `t` at which `advance_to` or `lights` changes, apart from blinking; or None."""
        moments = [self.verdict_until, self.draw_until]
        clock = state.clock
        if (end := clock.deadline) is not None:
            moments += [clock.next_due(t) or end, end - (_seconds(clock.seconds_left(t)) - 1)]
        return min((moment for moment in moments if t < moment < math.inf), default=None)

    def _verdict_lamps(self, state: State, t: float) -> tuple[Glow, Glow, Glow]:
        red = amber = green = Glow.OFF
        if t < self.verdict_until:
            red = Glow.ON if self.verdict is Light.REFUSED else Glow.OFF
            green = Glow.ON if self.verdict is Light.ACCEPTED else Glow.OFF
        dealing = state.phase.deals
        light = self.aside if dealing else self._light(state)
        if light is not None:
            amber = Glow.BLINK if light is Light.ASKING else Glow.ON
        elif state.phase is Phase.PUTTING_RIGHT:
            red = Glow.BLINK
        if dealing and green is Glow.OFF and light is not Light.LOOKING:
            green = Glow.SLOW
        return (*_with_trouble(red, amber, green), green) if self.trouble else (red, amber, green)

    def _light(self, state: State) -> Light | None:
        """Return whether the referee looks or asks during a round; None: neither."""
        if state.phase is Phase.ASKING or (self.asking and state.phase.looks):
            return Light.ASKING
        return Light.LOOKING if state.phase.looks else None

    def _player_lamps(self, state: State, drawing: int | None) -> Iterator[Glow]:
        winners = self.winners or (() if state.winner is None else (state.winner,))
        for player in range(len(state.seats)):
            if state.phase is Phase.PAUSED:
                yield Glow.SLOW
            elif player == drawing or (player in winners and state.phase.is_scored):
                yield Glow.BLINK
            elif player == state.current:
                yield _PLAYER.get(state.phase, Glow.ON)
            else:
                yield Glow.OFF


def on_buttons(lights: Lights, glows: Mapping[int, Glow]) -> Lights:
    """Return the lamps with those of the players placed at their buttons."""
    return replace(lights, players=tuple(glows.get(button, Glow.OFF) for button in range(max(glows, default=-1) + 1)))


def warning(mark: int) -> Cue:
    """Return the cue that warns of this many seconds left."""
    return {30: Cue.LEFT_30, 10: Cue.LEFT_10}.get(mark, Cue.LAST_SECONDS)


def tune_of(*cues: Cue) -> Tune:
    """Return the tunes of several cues, one after the other."""
    notes: Tune = ()
    for cue in cues:
        notes += (*(_BETWEEN_TUNES if notes else ()), *TUNES[cue])
    return notes


def _with_trouble(red: Glow, amber: Glow, green: Glow) -> tuple[Glow, Glow]:
    """Return red and amber while something is wrong with the equipment.

    A verdict or a question takes precedence, because players wait for it; the lamp that is free then flashes briefly
    now and then.
    """
    if green is Glow.ON:
        return red, amber
    if red is amber is Glow.OFF:
        return Glow.OPPOSITE, Glow.BLINK
    return Glow.TICK if red is Glow.OFF else red, Glow.TICK if amber is Glow.OFF else amber


def _after_lamp(signals: Signals, light: Light, t: float) -> Signals:
    match light:
        case Light.ACCEPTED:
            return replace(signals, verdict=light, verdict_until=t + ACCEPTED_S, asking=False)
        case Light.REFUSED:
            return replace(signals, verdict=light, verdict_until=math.inf, asking=False)
        case Light.LOOKING:
            return replace(signals, verdict=None, asking=False, draw_until=-math.inf)
        case Light.ASKING:
            return replace(signals, verdict=None, asking=True)
        case Light.TURN if signals.verdict is Light.REFUSED:
            # The turn has passed on without an accepted table, for instance because the time was up.
            return replace(signals, verdict=None, asking=False)
    return signals


def _hand_in_question(state: State) -> str:
    """Return how many tiles of a hand are on the table and how many there should be, such as "5/7"; empty if equal."""
    if state.phase is not Phase.SHOWING or state.in_question is None:
        return ""
    shown = laid_tiles(state.table, state.in_question).total()
    return "" if shown == state.seat.hand else f"{shown}/{state.seat.hand}"


def _clock(state: State, t: float) -> tuple[float, str]:
    """Return the share of time left and the text for it, both in whole seconds so that they change once a second."""
    total = state.clock.seconds
    if total is None or total <= 0 or not state.phase.has_clock:
        return 0.0, ""
    seconds = _seconds(state.clock.seconds_left(t))
    return min(1.0, seconds / total), f"{seconds // 60}:{seconds % 60:02d}"


def _seconds(remaining: float) -> int:
    # A moment computed as "30 seconds before the end" must not miss that second by a rounding error.
    return math.ceil(remaining - _ROUNDING_S)
