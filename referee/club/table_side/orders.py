"""What others ask of the table: checked, each done once, and only what the settings allow.

What could not be done, or may not be, stands in the next state, if it had an id to name it by.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

from referee.club.protocol import BadMessage, Command, Do, Kind, decode_document
from referee.game.notice import Notice
from referee.table.event_loop import Loop
from referee.table.input.requests import Announce, BeginDraw, GoOn, LookAgain, Pause, PendingRequest, Request, Sender

REMEMBERED = 200
"""How many commands are remembered by their ids, so that none is done twice."""
A_SECOND = 5
"""No more than this many are taken a second."""

Serve = Callable[[Command], None]
Refuse = Callable[[Command, Notice], None]
"""May be called in any thread."""


def _unheard(_: Notice | None) -> None:
    """Nobody waits for the answer."""


class Orders:
    """Takes commands. `allowed` names those that the settings allow; `again` is always done."""

    def __init__(self, allowed: Collection[str], serve: Serve, refuse: Refuse, now: Callable[[], float]) -> None:
        """`serve` does what needs no loop, `again` and `picture`; `refuse` is told what was not done, and why."""
        self._allowed, self._serve, self._now = frozenset(allowed) | {Do.AGAIN.value}, serve, now
        self._refuse = refuse
        self._done: OrderedDict[str, None] = OrderedDict()
        self._second, self._taken = 0, 0
        self.loop: Loop | None = None

    def take(self, payload: bytes) -> None:
        """Do what a message says, if it may."""
        command = self._command(payload)
        if command is None:
            return
        if command.do in (Do.AGAIN, Do.PICTURE):
            self._serve(command)
        else:
            self.ask(_request_of(command), partial(self._answer_command, command))

    def ask(self, request: Request, answered: Callable[[Notice | None], None] = _unheard) -> None:
        """Ask the loop for something; whoever sent a command is told what came of it by the next snapshot only."""
        if self.loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self.loop.request(PendingRequest(request, Sender.CLUB, answered))

    def _answer_command(self, command: Command, why: Notice | None) -> None:
        if why is not None and command.id:
            self._refuse(command, why)

    def _command(self, payload: bytes) -> Command | None:
        second = int(self._now())
        self._taken = self._taken + 1 if second == self._second else 1
        self._second = second
        if self._taken > A_SECOND:
            return None
        try:
            command = decode_document(Kind.DO, payload)
        except BadMessage:
            return None
        if not isinstance(command, Command) or command.id in self._done:
            return None
        if command.id:
            self._done[command.id] = None
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
        if command.do.value not in self._allowed:
            self._answer_command(command, Notice("club.command_not_allowed", command=command.do.value))
            return None
        return command


def _request_of(command: Command) -> Request:
    """What the table is asked for, by what the club has sent; who may ask for it is in `table/requests.py`."""
    match command.do:
        case Do.PAUSE:
            return Pause()
        case Do.RESUME:
            return GoOn()
        case Do.LOOK:
            return LookAgain()
        case Do.BEGIN:
            return BeginDraw(command.players, command.draw or "", command.rules, command.rounds)
    return Announce(command.text)
