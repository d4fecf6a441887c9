"""Buttons of a table without hardware: pressed on a keyboard, or by another program."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

from referee.devices.panel.panel import Panel, RecordingPanel
from referee.devices.wiring.pins import EVERYONE, PAUSE, PinMap
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.table.event_loop import Loop
from referee.table.input.answers import LETTERS, Answer
from referee.table.preparation.enrolment import ENROL

SHORT_S, LONG_S = 0.1, 1.2
END = "q"
PLACE = "2:430,210=R7"
"""A line that shows a tile in a picture of an enrolment."""
_LEVELS = {"+": True, "-": False}


class Keys:
    """Lines on standard input: `1` pressed, `1!` held, `1+` down, `1-` up, `s` start or pause, `q` end.

    A tile that was asked about in vain is told by the letter of what was offered, `a` or `b`, or by name: `=R7`, also
    with the button of who says so: `1=R7`, `1=a`. Before a match `enrol` begins to enrol the box; `2:430,210=R7` then
    shows a tile at a place, in pixels, of a picture.
    """

    def __init__(self, loop: Loop, panel: Panel, pins: PinMap, tell: Callable[[Notice], None]) -> None:
        if not isinstance(panel, RecordingPanel):
            raise BadInput('--keys: expected a panel of kind "console" or "none", found real buttons')
        self._loop, self._panel, self._tell = loop, panel, tell
        self._contacts = {str(seat): name for seat, name in enumerate(pins.contacts, 1) if name != PAUSE}
        if PAUSE in pins.contacts:
            self._contacts["s"] = PAUSE

    def listen(self) -> None:
        """Take lines from standard input from now on."""
        if sys.stdin is None:
            raise BadInput("--keys: expected a terminal or a pipe on standard input, found it closed")
        try:
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._lines)
        except (OSError, ValueError) as error:  # a plain file cannot be waited for, and there may be none at all
            raise BadInput(f"--keys: expected a terminal or a pipe on standard input, found: {error}") from error
        key = "console.keys_with_start" if PAUSE in self._contacts.values() else "console.keys"
        buttons = tuple(key for key, contact in self._contacts.items() if contact != PAUSE)
        self._tell(Notice(key, buttons=buttons, end=END))

    def _lines(self) -> None:
        data = os.read(sys.stdin.fileno(), 4096)
        if not data:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        for word in data.decode("utf-8", "replace").split():
            self._word(word)

    def _word(self, word: str) -> None:
        contact = self._contacts.get(word.rstrip("!+-"))
        who, told, what = word.rpartition("=")
        if word == END:
            self._loop.stop()
        elif word == ENROL:
            self._loop.answer(Answer(ENROL))
        elif ":" in word:
            self._loop.answer(Answer(word))
        elif (told or word in LETTERS) and (not who or self._contacts.get(who, PAUSE) != PAUSE):
            own = who and self._contacts[who] != EVERYONE
            self._loop.answer(Answer(what, int(who) - 1 if own else None))
        elif contact is None:
            self._tell(Notice("console.known_keys", keys=" ".join(self._contacts), end=END, enrol=ENROL, place=PLACE))
        elif word[-1] in _LEVELS:
            self._panel.edge(contact, _LEVELS[word[-1]])
        else:
            self._panel.edge(contact, True)
            hold = LONG_S if word.endswith("!") else SHORT_S
            asyncio.get_running_loop().call_later(hold, self._panel.edge, contact, False)
