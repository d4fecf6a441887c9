"""Shows the match to the players: lamps, tones, sentences, and one line of status for the service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.panel.panel import OnEdge
from referee.game.match.events import Effect, Light
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import ENGLISH
from referee.table.desk_values import DeskShown
from referee.table.lobby import Lobby
from referee.table.looking.look import Look
from referee.table.looking.pictures_before import PictureBefore
from referee.table.output.audience import Choosing, DisplayState, Offers
from referee.table.output.notices import told_of
from referee.table.output.signals import TUNES, Cue, Signals, on_buttons
from referee.table.preparation.prepared import Prepared
from referee.table.session import MatchTime, Players
from referee.table.surroundings import Surroundings, Troubles

NOTICE = "notice"
"""The part for things that are over but must be known: a journal that was repaired, a clock that was set back."""


LAST_TUNE_S = 2.0
"""The most seconds for the last tune, so that nothing keeps the program from ending."""


class Presenter:
    """Operates the panel, and informs the audience."""

    def __init__(self, outside: Surroundings, time: MatchTime, on_edge: OnEdge) -> None:
        """Open the panel; `on_edge` gets the edges of its contacts."""
        self._out, self._time = outside, time
        self._signals, self._troubles = Signals(), Troubles()
        self._display: DisplayState | None = None
        self.tried: Lights | None = None
        """The lamps to show while somebody tests the panel; None without a test."""
        self.asked: Lights | None = None
        """The lamps to show while a press of start is asked for that allows something; None otherwise."""
        self.panel = outside.panel(on_edge)

    def say(self, told: Notice) -> None:
        """Tell the players something."""
        self._out.say(self._out.words(told))
        self._out.audience.on_notice(told)

    def confide(self, told: Notice) -> None:
        """Tell something to those at the table only, not to the audience elsewhere."""
        self._out.say(self._out.words(told))

    def display(self, told: Notice | None) -> None:
        """Show something on the display while no clock runs; None: nothing."""
        self._signals = replace(self._signals, choice="" if told is None else self._out.words(told))

    def play(self, cue: Cue) -> None:
        """Play the tune of an occasion."""
        self._play(TUNES[cue])

    def _play(self, tune: Tune) -> None:
        self.panel.play(tune)
        self._out.audience.on_tune(tune, self._out.monotonic())

    def not_now(self, told: Notice) -> None:
        """Say why a press or a request does not count, with the tone for that."""
        self.say(told)
        self.play(Cue.NOT_NOW)

    def tell(self, effects: Iterable[Effect], state: State) -> None:
        """Show, play and say the effects of an event that has led to `state`."""
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
        """Pass on a look that somebody waited for."""
        self._out.audience.on_look(look)

    def show_before(self, pictures: tuple[PictureBefore, ...]) -> None:
        """Pass on what was seen before the press that led to the last look."""
        if pictures:
            self._out.audience.on_before(pictures)

    def show_offers(self, offers: Offers) -> None:
        """Pass on what players may do about the last verdict."""
        self._out.audience.on_offers(offers)

    def show_movement(self, moves: bool) -> None:
        """Pass on whether anything moves over the table at the moment."""
        self._out.audience.show_movement(moves)

    def prepares(self, what: Prepared) -> None:
        """Pass on what is shown of the preparations before a match."""
        self._out.audience.prepares(what)

    def show_desk(self, shown: DeskShown) -> None:
        """Pass on what is known of the hall."""
        self._out.audience.on_desk(shown)

    def taken_back(self) -> None:
        """Remove everything that followed from a press, because it was taken back."""
        self._signals = self._signals.taken_back()
        self._out.audience.on_taken_back()

    def show_aside(self, light: Light | None) -> None:
        """Show, before a deal, that the referee looks for the tile set aside (LOOKING) or asks about it (ASKING)."""
        self._signals = replace(self._signals, aside=light)

    def choice(self, what: Notice | None) -> None:
        """Show on the display what can be chosen; None: the clock again."""
        self.display(None if what is None else Notice("play.choice", what=what))

    def forget(self) -> None:
        """Remove everything that is still shown of a match, because it was put away."""
        self._signals = Signals()

    def trouble(self, part: str, told: Notice | None, state: State, *, quiet: bool = False) -> bool:
        """Report a trouble of a part of the equipment, or with None that it is over; return whether that is news.

        `quiet`: play no tone, because the trouble does not affect the game.
        """
        news = self._troubles.set(part, told)
        if news is not None:
            self.say(news)
            if told is not None and not quiet:
                self.play(Cue.TROUBLE)
            self.status(state)
            self._out.audience.troubles(tuple(self._troubles.by_part.values()))
        return news is not None

    def warn(self, told: Notice, state: State) -> None:
        """Report what is no trouble of a part, but must be known; several of these are shown beside each other."""
        self.trouble(f"{NOTICE} {told.key}", told, state)

    def played_on(self) -> None:
        """Clear what was reported by `warn` without a word: whoever plays on has heard about it."""
        by_part = self._troubles.by_part
        warnings = [part for part in by_part if part.startswith(f"{NOTICE} ")]
        for part in warnings:
            del by_part[part]
        if warnings:
            self._out.audience.troubles(tuple(by_part.values()))

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
        if self.asked is not None:
            shown = replace(self.asked, text=lights.text)
        zero = self._time.monotonic(0.0)
        self._display = DisplayState(state, shown, players, lobby.joined, zero, cut, place, draw, choosing)
        self._show(self._display)

    def show_waiting(self) -> None:
        """Show that the loop waits for the disk: the amber lamp is lit, and lamps lit for a limited time go out.

        The clock is not advanced, because the event that is being written may be the one that stops it.
        """
        if self._display is None or self.tried is not None or self.asked is not None:
            return
        now = self._lights(self._display.state, self._time.now())
        amber = now.amber if now.amber is not Glow.OFF else Glow.ON
        shown = replace(self._display.lights, red=now.red, amber=amber, green=now.green, draw=now.draw)
        self._show(replace(self._display, lights=shown, waiting=True))

    def _lights(self, state: State, t: float) -> Lights:
        return replace(self._signals, trouble=bool(self._troubles.by_part)).lights(state, t)

    def _show(self, display: DisplayState) -> None:
        self.panel.show(display.lights)
        self.panel.tick()
        self._out.audience.on_update(display)

    def moments_due(self, state: State) -> list[float | None]:
        """Return the moments (monotonic seconds) at which there is something new to show or play; None: none."""
        at = self._signals.next_due(state, self._time.now())
        return [self.panel.next_due(), None if at is None else self._time.monotonic(at)]

    def status(self, state: State) -> None:
        """Report phase, current player and troubles to the service, in English whatever the players' language."""
        who = f", {state.seat.name}" if state.seats else ""
        found = self._troubles.by_part.values()
        troubles = "".join(f"; {ENGLISH(told)}" for told in found)
        self._out.service.status(f"{state.phase}{who}{troubles}")

    async def go_dark(self) -> None:
        """Switch the lamps off and play the last tune to its end: the machine is being switched off."""
        until = self._out.monotonic() + LAST_TUNE_S
        self.panel.show(Lights())
        self.play(Cue.OFF)
        while (due := self.panel.next_due()) is not None and (now := self._out.monotonic()) < until:
            await asyncio.sleep(max(0.0, due - now))
            self.panel.tick()

    def close(self) -> None:
        """Close the panel, which switches everything off."""
        self.panel.close()
