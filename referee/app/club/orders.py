"""What others ask of the table: checked, each done once, and only what the settings allow."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress

from referee.club import BadMessage, Command, Do, Kind, decoded
from referee.game.notice import Notice
from referee.runtime.event_loop import Loop
from referee.runtime.input.requests import Announce, GoOn, LookAgain, Pause, Request, Wish

REMEMBERED = 200
"""So many commands are remembered by their ids, so that none is done twice."""
A_SECOND = 5
"""No more than so many are taken a second."""

Serve = Callable[[Command], None]


class Orders:
    """Takes commands. `allowed` names those that the settings allow; `again` is always done."""

    def __init__(self, allowed: Collection[str], serve: Serve, now: Callable[[], float]) -> None:
        """`serve` does what needs no loop: `again` and `picture`."""
        self._allowed, self._serve, self._now = frozenset(allowed) | {Do.AGAIN.value}, serve, now
        self._done: OrderedDict[str, None] = OrderedDict()
        self._second, self._taken = 0, 0
        self.refused = 0
        """How many were none, not allowed, or too many."""
        self.loop: Loop | None = None

    def take(self, payload: bytes) -> None:
        """Do what a message says, if it may."""
        command = self._command(payload)
        if command is None:
            self.refused += 1
        elif command.do in (Do.AGAIN, Do.PICTURE):
            self._serve(command)
        else:
            self.ask(_wish(command))

    def ask(self, wish: Wish) -> None:
        """Ask the loop for something; nobody is told what came of it but by the next snapshot."""
        if self.loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self.loop.request(Request(wish, _unheard))

    def _command(self, payload: bytes) -> Command | None:
        second = int(self._now())
        self._taken = self._taken + 1 if second == self._second else 1
        self._second = second
        if self._taken > A_SECOND:
            return None
        try:
            command = decoded(Kind.DO, payload)
        except BadMessage:
            return None
        if not isinstance(command, Command) or command.do.value not in self._allowed or command.id in self._done:
            return None
        if command.id:
            self._done[command.id] = None
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
        return command


def _wish(command: Command) -> Wish:
    match command.do:
        case Do.PAUSE:
            return Pause()
        case Do.RESUME:
            return GoOn()
        case Do.LOOK:
            return LookAgain()
    return Announce(command.text)


def _unheard(_: Notice | None) -> None:
    """Nobody waits for the answer."""
