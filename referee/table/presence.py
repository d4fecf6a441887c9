"""Somebody on a page asks for what only people at the table may allow; a press of start there allows it.

1. It is asked for only while no clock runs and no look is under way: before and after a match, in a pause, and between
   two rounds. One thing is asked for at a time.
2. Red and green then light up in turn, which they never do otherwise; the display asks for start, and what is allowed
   is said.
3. A press of the real start button allows it, or of any button on a panel without one. It must begin `SEEN_S` after
   the request, so that nobody allows what there was no time to notice. It means nothing else.
4. A press on a screen allows nothing: whoever asks may have that screen.
5. Without a press within `LASTS_S`, or once the match goes on, it is not allowed. After `UNANSWERED` requests in a row
   that nobody has answered, no other one is taken for `REST_S`, so that nobody at the table is worn down.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

from referee.devices.panel.debounce import Down, Press, Told
from referee.devices.panel.lights import Glow, Lights
from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.input.requests import AskPresence, LeavePresence
from referee.table.input.touches import Edge
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.surroundings import RealButtons

LASTS_S = 60.0
SEEN_S = 1.0
"""Seconds after a request in which a press that begins still has its usual meaning. Chosen by hand."""
UNANSWERED, REST_S = 3, 600.0
REMEMBERED = 200
"""Edges of real buttons that are remembered: far more than bounce or chatter makes before a press is reported."""
QUIET = frozenset({Phase.LOBBY, Phase.PAUSED, Phase.BETWEEN, Phase.OVER})
"""The phases in which somebody may be asked to press start; in all others a player may need that button at once."""
BUSY, OTHER, RESTS = Notice("presence.not_during_turn"), Notice("presence.other"), Notice("presence.rests")
NO_BUTTONS = Notice("presence.no_buttons")
ON_DISPLAY = Notice("presence.on_display")
ALLOWED, OVER, ENDED = Notice("presence.allowed"), Notice("presence.over"), Notice("presence.withdrawn")


class Presence:
    """The request that waits for a press, if there is one."""

    def __init__(
        self, pins: PinMap, presenter: Presenter, now: Callable[[], float], buttons: RealButtons | None
    ) -> None:
        """`buttons` is told that there are real ones, once one was pressed; None: nobody wants to know."""
        real = pins.contacts if pins.kind == "gpio" else ()
        self._contacts = frozenset({PAUSE} if PAUSE in real else real)
        self._all, self._presenter, self._now, self._buttons = frozenset(real), presenter, now, buttons
        self._asked: AskPresence | None = None
        self._since, self._unanswered, self._rests_until = 0.0, 0, -math.inf
        self._real: deque[tuple[str, float]] = deque(maxlen=REMEMBERED)
        """Which real buttons were closed last, and when (monotonic seconds)."""
        self._presses: set[tuple[str, float]] = set()
        """Presses that are for the request and mean nothing else."""

    def ask(self, request: AskPresence, phase: Phase) -> Notice | None:
        """Begin to wait for a press; return why that is impossible."""
        now = self._now()
        if not self._contacts:
            return NO_BUTTONS
        if phase not in QUIET:
            return BUSY
        if self._asked is not None:
            return OTHER
        if now < self._rests_until:
            return RESTS
        self._asked, self._since = request, now
        self._presenter.say(request.what)
        self._presenter.play(Cue.LONG)
        self._presenter.display(ON_DISPLAY)
        self._presenter.asked = Lights(red=Glow.BLINK, green=Glow.OPPOSITE)
        return None

    def leave(self, request: LeavePresence) -> Notice | None:
        """Stop waiting: whoever asked no longer wants it."""
        if self._asked is not None and self._asked.answered == request.answered:
            self._end(ENDED, allowed=False)
        return None

    def note_edge(self, edge: Edge) -> None:
        """Note an edge of a real button, as opposed to one on a screen."""
        if edge.closed and edge.contact in self._all:
            self._real.append((edge.contact, edge.t))
            if self._buttons is not None:
                self._buttons.were_pressed()

    def handle_contact(self, contact: Told) -> bool:
        """Return whether an event of a contact is for the request, and so means nothing else."""
        match contact:
            case Down(name, t):
                if self._asked is None or name not in self._contacts or t < self._since + SEEN_S:
                    return False
                if (name, t) not in self._real:
                    return False
                self._presses.add((name, t))
                return True
            case Press(name, t) if (name, t) in self._presses:
                self._presses.discard((name, t))
                if self._asked is not None:
                    self._end(ALLOWED, allowed=True)
                return True
        return False

    def watch(self, now: float, phase: Phase) -> None:
        """Give up once the time is over, or the match goes on."""
        if self._asked is None:
            return
        if phase not in QUIET:
            self._end(OVER, allowed=False)
        elif now - self._since >= LASTS_S:
            self._unanswered += 1
            if self._unanswered >= UNANSWERED:
                self._unanswered, self._rests_until = 0, now + REST_S
            self._end(OVER, allowed=False)

    def next_due(self) -> float | None:
        """Return the next moment (monotonic seconds) at which `watch` has something to do; None if there is none."""
        return None if self._asked is None else self._since + LASTS_S

    def close(self) -> None:
        """The loop ends: nothing can be allowed here any more."""
        if self._asked is not None:
            self._asked.answered(False)
            self._asked = None

    def _end(self, told: Notice, *, allowed: bool) -> None:
        asked, self._asked = self._asked, None
        if allowed:
            self._unanswered = 0
        self._presenter.asked = None
        self._presenter.display(None)
        self._presenter.say(told)
        self._presenter.play(Cue.ACCEPTED if allowed else Cue.LEFT)
        if asked is not None:
            asked.answered(allowed)
