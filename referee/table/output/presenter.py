"""What the players see and hear of the match: lamps, tones, sentences, and one line of status for the service."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.panel.panel import OnEdge
from referee.game.match.events import Effect, Light
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import ENGLISH
from referee.table.lobby import Lobby
from referee.table.looking.look import Look
from referee.table.output.audience import Choosing, DisplayState, Offers
from referee.table.output.notices import told_of
from referee.table.output.signals import TUNES, Cue, Signals, on_buttons
from referee.table.preparation.prepared import Prepared
from referee.table.session import MatchTime, Players
from referee.table.surroundings import Surroundings, Troubles

NOTICE = "notice"
"""A trouble that is over, and must be known all the same: a journal that was mended, a clock that was set back."""


class Presenter:
    """The panel, and whoever reads along."""

    def __init__(self, outside: Surroundings, time: MatchTime, on_edge: OnEdge) -> None:
        """Opens the panel."""
        self._out, self._time = outside, time
        self._signals, self._troubles = Signals(), Troubles()
        self._display: DisplayState | None = None
        self.tried: Lights | None = None
        """The lamps while somebody tests the panel."""
        self.panel = outside.panel(on_edge)

    def say(self, told: Notice) -> None:
        """Tell the players something."""
        self._out.say(self._out.words(told))
        self._out.audience.on_notice(told)

    def confide(self, told: Notice) -> None:
        """Tell those at the table, and nobody who follows elsewhere."""
        self._out.say(self._out.words(told))

    def display(self, told: Notice | None) -> None:
        """Let the display show something while no clock runs; None: nothing."""
        self._signals = replace(self._signals, choice="" if told is None else self._out.words(told))

    def play(self, cue: Cue) -> None:
        """Play the tune of an occasion."""
        self._play(TUNES[cue])

    def _play(self, tune: Tune) -> None:
        self.panel.play(tune)
        self._out.audience.on_tune(tune, self._out.monotonic())

    def not_now(self, told: Notice) -> None:
        """Tell why something does not count."""
        self.say(told)
        self.play(Cue.NOT_NOW)

    def tell(self, effects: Iterable[Effect], state: State) -> None:
        """Show, play and say what an event came to."""
        effects = tuple(effects)
        for effect in effects:
            for told in told_of(effect, state):
                self.say(told)
        self._signals, tune = self._signals.apply_effects(effects, self._time.now())
        if tune:
            self._play(tune)
        self.status(state)
        self._out.audience.on_event(effects, state)

    def show_look(self, look: Look) -> None:
        """Somebody waited for this look."""
        self._out.audience.on_look(look)

    def show_offers(self, offers: Offers) -> None:
        """What players may do about the last verdict has changed."""
        self._out.audience.on_offers(offers)

    def show_movement(self, moves: bool) -> None:
        """Whether anything moves over the table just now."""
        self._out.audience.show_movement(moves)

    def prepares(self, what: Prepared) -> None:
        """Somebody at a screen sees this of the preparations."""
        self._out.audience.prepares(what)

    def taken_back(self) -> None:
        """A press was taken back: nothing is left to be seen of it."""
        self._signals = self._signals.taken_back()
        self._out.audience.on_taken_back()

    def show_aside(self, light: Light | None) -> None:
        """Before a deal: look for the tile aside, ask about it, or neither."""
        self._signals = replace(self._signals, aside=light)

    def choice(self, what: Notice | None) -> None:
        """Let the display show what can be chosen; None: the clock again."""
        self.display(None if what is None else Notice("play.choice", what=what))

    def forget(self) -> None:
        """Another match: nothing is left to be seen of the one before."""
        self._signals = Signals()

    def trouble(self, part: str, told: Notice | None, state: State, *, quiet: bool = False) -> bool:
        """Something is wrong with a part of the box, or with None no more; whether that is news.

        `quiet`: without a tone, since it does not touch the game.
        """
        news = self._troubles.set(part, told)
        if news is not None:
            self.say(news)
            if told is not None and not quiet:
                self.play(Cue.TROUBLE)
            self.status(state)
            self._out.audience.troubles(tuple(self._troubles.by_part.values()))
        return news is not None

    def played_on(self) -> None:
        """Whoever plays on has heard what was told about the journal: its lamp goes out without a word."""
        if self._troubles.by_part.pop(NOTICE, None) is not None:
            self._out.audience.troubles(tuple(self._troubles.by_part.values()))

    def show(
        self,
        state: State,
        place: tuple[int, int] | None,
        draw: str | None,
        players: Players,
        lobby: Lobby,
        choosing: Choosing | None = None,
        *,
        cut: bool = False,
    ) -> None:
        """Bring the panel up to date, and tell the audience what it shows.

        `state`: the match as it stands.
        `place`: match and number of the last event in the journal. None: without a match, or while it is not certain.
        `draw`: the draw of the hall that the match belongs to. None: it belongs to none.
        `players`: who plays, and at which buttons.
        `lobby`: who has pressed before the match.
        `choosing`: how it is being chosen who begins. None: it is not.
        `cut`: whether a match waits to go on after a cut; False by default.
        """
        t = self._time.now()
        self._signals, tune = self._signals.advance_to(state, t)
        if tune:
            self._play(tune)
        lights = self._lights(state, t)
        glows = dict(zip(players.buttons, lights.players, strict=False))
        if state.phase is Phase.LOBBY:
            glows = dict.fromkeys(lobby.joined, Glow.ON)
        glows = glows if choosing is None else dict(choosing.glows)
        shown = on_buttons(lights, glows) if self.tried is None else self.tried
        zero = self._time.monotonic(0.0)
        self._display = DisplayState(state, shown, players, lobby.joined, zero, cut, place, draw, choosing)
        self._show(self._display)

    def show_waiting(self) -> None:
        """While the disk is waited for: amber says so, and what was to be seen for a while only goes out.

        The clock stands still, since a press that stops it may be what is being written.
        """
        if self._display is None or self.tried is not None:
            return
        now = self._lights(self._display.state, self._time.now())
        amber = now.amber if now.amber is not Glow.OFF else Glow.ON
        shown = replace(self._display.lights, red=now.red, amber=amber, green=now.green, draw=now.draw)
        self._show(replace(self._display, lights=shown))

    def _lights(self, state: State, t: float) -> Lights:
        return replace(self._signals, trouble=bool(self._troubles.by_part)).lights(state, t)

    def _show(self, display: DisplayState) -> None:
        self.panel.show(display.lights)
        self.panel.tick()
        self._out.audience.on_update(display)

    def moments_due(self, state: State) -> list[float | None]:
        """The moments, monotonic, at which there is something new to be seen or heard."""
        at = self._signals.next_due(state, self._time.now())
        return [self.panel.next_due(), None if at is None else self._time.monotonic(at)]

    def status(self, state: State) -> None:
        """Tell the service where the match stands: in English, whatever the players' language."""
        who = f", {state.seat.name}" if state.seats else ""
        found = self._troubles.by_part.values()
        troubles = "".join(f"; {ENGLISH(told)}" for told in found)
        self._out.service.status(f"{state.phase}{who}{troubles}")

    def close(self) -> None:
        """Switch everything off."""
        self.panel.close()
