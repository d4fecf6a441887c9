"""A virtual table: people who play in front of a rendered camera and press the buttons of a panel."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np

from referee.devices.camera.camera import Frame, Gray, to_small_grey
from referee.devices.panel.panel import RecordingPanel
from referee.devices.wiring.pins import EVERYONE, PAUSE, PinMap
from referee.errors import CameraLost
from referee.game.match.events import (
    Ask,
    Declared,
    Effect,
    Event,
    Pressed,
    RebuildBegun,
    Resumed,
    RoundStarted,
    Seen,
    Started,
    TimeUp,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.journal.replay import Kept
from referee.settings.settings import Settings
from referee.sim.match import VirtualMatch
from referee.sim.players.players import may_be_told
from referee.sim.table import Setting
from referee.table.event_loop import Loop
from referee.table.input.answers import Answer
from referee.table.lobby import Plan
from referee.vision.sighting import Image

SHORT_S, LONG_S = 0.1, 1.0
BOUNCES = 3
BOUNCE_S = 0.001
PATIENCE_S = 10.0
"""Seconds without an answer after which a person presses again."""
STRAIGHTENINGS = 3
"""After this many doubts in one turn that no answer can settle, the player thinks again."""
MOMENT_S, MOMENTS = 0.05, 20
"""A person checks MOMENTS times, MOMENT_S seconds apart, whether the referee has understood a press."""
TELLS_S = 3.0
"""Seconds that a person looks at a tile before saying what it is."""
SEEN_S = 60.0
"""Seconds for which the end of a match is shown before another match."""

_DUE = frozenset({Phase.LOBBY, Phase.TURN, Phase.PUTTING_RIGHT, Phase.SHOWING, Phase.BETWEEN})


@dataclass
class _Shown:
    """What the camera shows until the table changes."""

    pictures: Iterator[Image]
    last: Image
    preview: Gray


class VirtualCamera:
    """A camera that returns the pictures that it was given last; people render them before they press."""

    def __init__(self, preview_px: int, now: Callable[[], float]) -> None:
        self._preview_px, self._now = preview_px, now
        self._shown: _Shown | None = None

    def show(self, picture: Image, more: Iterable[Image] = ()) -> None:
        """Set the pictures of the table; may be called in any thread.

        The first picture taken is `picture`, the following ones are from `more`, and the last one is repeated.
        """
        self._shown = _Shown(itertools.chain([picture], more), picture, to_small_grey(picture, self._preview_px))

    def frame(self, after: float) -> Frame:
        """Return the next rendered picture, or the last one again, without waiting until `after`."""
        shown = self._now_shown()
        shown.last = next(shown.pictures, shown.last)
        return Frame(shown.last, max(after, self._now()))

    def preview(self, after: float) -> Gray:  # noqa: ARG002 - the same at any time
        """Return the current picture, small and in grey; it is the same at any time."""
        return self._now_shown().preview

    def close(self) -> None:
        """Forget the pictures."""
        self._shown = None

    def _now_shown(self) -> _Shown:
        shown = self._shown
        if shown is None:
            raise CameraLost("expected a picture of the virtual table, found none")
        return shown


def virtual_match(settings: Settings, plan: Plan, seed: int, kept: Kept | None = None) -> VirtualMatch:
    """Return the people of a match with this plan, or of one that continues, at a table with these settings."""
    rules, rounds = plan.rules, plan.rounds
    players = plan.names[: rules.players[1]]
    if kept is not None:
        rules, rounds = kept.state.rules, kept.state.rounds
        players = tuple(seat.name for seat in kept.state.seats)
    usual, camera = Setting.usual(rules.box), settings.camera
    setting = replace(
        usual,
        camera=replace(usual.camera, width_px=camera.width_px, height_px=camera.height_px),
        table_mm=(settings.table.width_mm, settings.table.height_mm),
    )
    # A match that continues must not get the same tiles dealt again as at its beginning.
    rng = np.random.default_rng(seed if kept is None else [seed, kept.match, round(kept.t)])
    return VirtualMatch(rules, rng, players=players, rounds=rounds, setting=setting)


class VirtualPeople:
    """People who play one match: they lay tiles, show them to the camera, think and press."""

    def __init__(
        self,
        match: VirtualMatch,
        camera: VirtualCamera,
        speed: float,
        tell: Callable[[Notice], None],
        hurry: Callable[[], AbstractContextManager[None]] = nullcontext,
        patience_s: float = 0.0,
        mirrored: int = 0,
        *,
        waits: bool = False,
    ) -> None:
        """Seat people who play `match` in front of `camera`.

        `match`: the players, their racks, and the table that they lay tiles on.
        `camera`: gets a picture of the table whenever it has changed.
        `speed`: how many times as fast as real people they think.
        `tell`: called with notices for spectators, for instance about a mistake that a player made.
        `hurry`: a context in which the clock runs fast, entered while people think. By default it does not.
        `patience_s`: seconds that they leave a question of the referee to others before they answer; 0 by default.
        `mirrored`: each time that tiles have been laid this many times, a lamp is mirrored in one of them, so that it
            cannot be read; 0 by default: never.
        `waits`: leave it to somebody else to press start, and stay for another match; False by default.
        """
        self._match, self._camera, self._speed, self._tell = match, camera, speed, tell
        self._hurry, self._patience_s = hurry, patience_s
        self._mirrored, self._turns, self._waits = mirrored, 0, waits
        self.lasting = waits
        """Whether another match follows this one."""
        self._put_away = False
        """Whether their match was discarded before its end."""
        self._left: State | None = None
        """The state with the question that was left to others."""
        self._news = asyncio.Event()
        self._asked = 0
        self._started_twice = False
        """Whether start was pressed a second time although the first start was only slow: that pauses the match."""
        self._questions: list[tuple[float, float]] = []
        """The places of the tiles that the referee asks about."""

    def follow_effects(self, effects: Iterable[Effect]) -> None:
        """Follow the effects that the referee announces."""
        effects = tuple(effects)
        for effect in effects:
            if isinstance(effect, Ask):
                reads = (doubt.read for doubt in effect.doubts if may_be_told(doubt))
                places = ((read.x_mm, read.y_mm) for read in reads if read is not None)
                self._questions = [(x, y) for x, y in places if x is not None and y is not None]
        self._match.follow_effects(effects)
        self._news.set()

    def get_up(self) -> None:
        """Note that the match was discarded, which is no event of the rules; the next match is dealt from scratch."""
        self._put_away = True
        self._news.set()

    def take_up(self, state: State) -> None:
        """Continue an interrupted match at once, because somebody has asked for that."""
        self._match.take_up(state)
        self._waits = False

    async def play(self, loop: Loop, panel: RecordingPanel, pins: PinMap) -> None:
        """Play to the end of the match. If it is discarded earlier and another one follows, stop then.

        If none follows, they play the next match at once, which somebody may already have started.
        """
        acted: State | None = None
        event: Event | Answer | None = None
        was_cut = False
        while (state := loop.session.state).phase is not Phase.OVER and not self._leave(state, loop):
            self._news.clear()
            cut = loop.controller.match.cut and state.phase.in_round
            stands = state.phase is Phase.PAUSED and self._started_twice
            if await self._waits_for_start(state, loop) or await self._left_to_others(state, due=stands or cut):
                continue
            begun = loop.t
            if event is None or state is not acted or cut is not was_cut:
                if acted is not None and acted.phase is Phase.PAUSED:
                    self._started_twice = False
                acted, was_cut = state, cut
                event = Resumed(begun) if cut else self.choose_next(state, begun)
            elif isinstance(event, Started | RoundStarted):
                self._started_twice = True
            await self.show()
            if isinstance(event, RebuildBegun):
                with self._hurry():
                    await self.wait_for_news(PATIENCE_S)  # the referee may see it or not
                event = None
                continue
            if isinstance(event, TimeUp):
                with self._hurry():
                    await self.wait_for_news(None)
                continue
            wait = TELLS_S if isinstance(event, Answer) else event.t - loop.t
            with self._hurry():
                heard = await self.wait_for_news(wait / self._speed)
            if not heard:
                if isinstance(event, Answer):
                    loop.answer(event)
                elif isinstance(event, Declared | Seen):
                    loop.happen(event)
                elif not (isinstance(event, Started | RoundStarted) and loop.controller.starting.who_begins.by_press):
                    await self.press(event, panel, pins)
                if isinstance(event, Started | RoundStarted) and await self._asked_who_begins(loop):
                    await self._begin(event.first or 0, panel, pins)
                await self.wait_for_news(PATIENCE_S)

    def _leave(self, state: State, loop: Loop) -> bool:
        """Return whether they leave because their match was discarded; if a new match has begun meanwhile, deal it."""
        if not self._put_away:
            return False
        self._put_away = self._started_twice = False
        if state.phase is Phase.LOBBY:
            return self.lasting
        self._match.start(loop.t, state.current)  # they deal, without a press of theirs
        return False

    async def until_next(self, loop: Loop) -> None:
        """Wait after the match until somebody requests the next one, or everybody has had time to see who won."""
        end = loop.t + SEEN_S
        while loop.session.state.phase is Phase.OVER and loop.t < end:
            self._news.clear()
            await self.wait_for_news(MOMENT_S)

    async def _waits_for_start(self, state: State, loop: Loop) -> bool:
        """Return whether somebody else must still start the match."""
        if not self._waits:
            return False
        if state.phase is Phase.LOBBY and not loop.controller.starting.who_begins.by_press:
            await self.show()
            await self.wait_for_news(MOMENT_S)
            return True
        self._waits = False
        if state.phase is not Phase.LOBBY:
            self._match.start(loop.t, state.current)  # they deal, without a press of theirs
        return False

    async def _left_to_others(self, state: State, *, due: bool) -> bool:
        """Return whether there was nothing to do in this state, unless `due`, or somebody else did it meanwhile."""
        if not (due or state.phase in _DUE or state.asked):
            return await self.wait_for_news(None)
        if not self._patience_s or not state.asked or state is self._left:
            return False
        self._left = state
        with self._hurry():
            return await self.wait_for_news(self._patience_s / self._speed)

    async def show(self) -> None:
        """Show the table as it is now to the camera."""
        picture = await asyncio.to_thread(self._match.picture)
        self._camera.show(picture, self._match.frames())

    def choose_next(self, state: State, t: float) -> Event | Answer:
        """Return what they do at match time `t` in a state that waits for them; tiles are laid here already."""
        if state.phase is Phase.LOBBY:
            return self._match.start(t)
        if state.phase is Phase.PAUSED:
            return Resumed(t)
        self._asked = self._asked + 1 if state.asked else 0
        if state.asked and (told := self._next_true_tile()) is not None:
            return Answer(told)
        if self._asked > STRAIGHTENINGS:
            return self._thinks_again(state, t)
        lay = self._match.table.layout.tiles
        event = self._match.act(state, t)
        if self._mirrored and state.phase is Phase.TURN:
            laid = [tile for tile in self._match.table.layout.tiles if tile not in lay]
            self._turns += bool(laid)
            self._match.mirror(laid[0] if laid and self._turns % self._mirrored == 0 else None)
        doing = self._match.last_action
        if doing is not None and not (state.asked or state.phase is Phase.BETWEEN):
            self._tell(doing.told)
        return event

    def _next_true_tile(self) -> str | None:
        """Return what the next tile that the referee asks about is; None if there is none. Each is told once."""
        while self._questions:
            told = self._match.truth(*self._questions.pop(0))
            if told is not None:
                return told
        return None

    def _thinks_again(self, state: State, t: float) -> Event:
        """Withdraw the press; if that is impossible, say what lies there, as on the page."""
        if state.phase is Phase.ASKING and state.rules.knocking is None:
            return Withdrawn(state.current, t)
        return Seen(self._match.table.table, t)

    async def _asked_who_begins(self, loop: Loop) -> bool:
        """Return whether a press decides who begins; it takes a moment until bouncing contacts count as a press."""
        for _ in range(MOMENTS):
            if loop.controller.starting.who_begins.by_press:
                return True
            if loop.session.state.phase.in_round:
                return False
            await asyncio.sleep(MOMENT_S)
        return False

    async def _begin(self, seat: int, panel: RecordingPanel, pins: PinMap) -> None:
        """Press to say who begins; with one button for all, the referee asks about one player after the other."""
        if EVERYONE not in pins.contacts:
            await self.press(Pressed(seat, 0.0), panel, pins)
            return
        starts = PAUSE in pins.contacts
        for _ in range(seat):
            await (self._touch(PAUSE, False, panel) if starts else self._touch(EVERYONE, False, panel))
        await self._touch(EVERYONE, not starts, panel)

    async def press(self, event: Event, panel: RecordingPanel, pins: PinMap) -> None:
        """Press the button that causes this event."""
        match event:
            case Pressed(player, _, long):
                contact = _own(player, pins)
            case Withdrawn(player, _):
                contact, long = _own(player, pins), True
            case _ if PAUSE in pins.contacts:
                contact, long = PAUSE, False
            case _:
                contact, long = _own(0, pins), True
        await self._touch(contact, long, panel)

    async def _touch(self, contact: str, long: bool, panel: RecordingPanel) -> None:
        """Press a button whose contacts bounce."""
        clock = asyncio.get_running_loop()
        due = clock.time()
        for closed in (True, False):
            # All edges at once, with their times, as the kernel delivers them: a machine that is busy between
            # two of them would turn one press into two.
            late = clock.time() - due
            for edge in range(2 * BOUNCES, -1, -1):
                panel.edge(contact, closed if edge % 2 == 0 else not closed, late + edge * BOUNCE_S)
            due += (LONG_S if long else SHORT_S) if closed else 0
            await asyncio.sleep(due - clock.time())

    async def wait_for_news(self, seconds: float | None) -> bool:
        """Wait at most this many seconds until the referee says something; return whether it did."""
        try:
            await asyncio.wait_for(self._news.wait(), None if seconds is None else max(0.0, seconds))
        except TimeoutError:
            return False
        return True


def _own(player: int, pins: PinMap) -> str:
    return EVERYONE if EVERYONE in pins.contacts else pins.contacts[player]
