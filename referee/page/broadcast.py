"""The state of the page, with a number that grows with each change, and the clients that wait for changes.

A client gets the newest state of every part that has changed since the number it has. Nothing is queued for a client,
so a slow screen skips states that it could not show in time, and costs no memory.
"""

from __future__ import annotations

import asyncio
import json
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.i18n.wording import sendable
from referee.page.wording import PageWording

REMEMBERED = 64
"""How many messages are kept for other clients that need the same one."""
CHANGES = 256
"""How many numbers are remembered, each with the parts that changed and the time."""
MOST_DIGITS = 16
"""The most digits of the number of a state, a match, a look or a picture: JavaScript is exact only up to 2**53."""
FAILED = "failed"
"""The only key of a part that could not be rendered, with a sentence. Screens go on showing the part as it was."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page's state.

    `source` returns the values that the part is made from; it is rendered again only if they have changed. `render`
    makes JSON of the facts in one language.
    """

    source: Callable[[Any], object]
    render: Callable[[Any, Wording], Any]


class Broadcast:
    """The parts of the page, and the number of the last change of each. Used only in the server's own thread."""

    def __init__(
        self,
        epoch: str,
        now: Callable[[], float],
        first: int = 0,
        *,
        parts: Callable[[Any], Mapping[str, Part]],
        facts: Any,
        faces: Callable[[Any], str | None] = lambda _: None,
    ) -> None:
        """Create the state of a page, beginning with `facts`.

        `epoch`: distinguishes this start of the program from others.
        `now`: the clock of the loop, in seconds.
        `first`: the number before that of the first state; 0 by default. If it differs at every start, a command that
            names a state from before the start counts as stale.
        `parts`: returns the parts that facts are shown in, by name.
        `facts`: the first facts.
        `faces`: returns what is printed on the tiles of the box in use, or None if that has not changed. By default it
            never changes.
        """
        self.epoch, self.now = epoch, now
        self.number = first
        self._facts: Any = facts
        self._faces_of, self._faces = faces, "numbers"
        self._parts_of, self._parts = parts, parts(self._facts)
        self._sources: dict[str, object] = {}
        self._errors: dict[str, str] = {}
        """The last error of each part that had one."""
        self._versions: dict[str, int] = dict.fromkeys(self._parts, 0)
        self._changes: deque[tuple[int, float, frozenset[str]]] = deque(maxlen=CHANGES)
        self._rendered: dict[tuple[str, str], tuple[int, Any]] = {}
        self._messages: OrderedDict[tuple[str, int, int], str] = OrderedDict()
        self._news = asyncio.Event()
        self.catch_up: Callable[[], None] = lambda: None
        """Publishes facts that are waiting to be published."""
        self.over = False
        """Whether the page is ending; then nothing waits for changes any more."""

    @property
    def facts(self) -> Any:
        """The current facts."""
        self.catch_up()
        return self._facts

    @property
    def published_state(self) -> Any:
        """The facts as they were last published."""
        return self._facts

    def end(self) -> None:
        """End the page: wake everything that waits for changes."""
        self.over = True
        self._news.set()

    def publish(self, facts: Any) -> None:
        """Publish these facts; wake all waiting clients if a part has changed."""
        self._facts = facts
        self._faces = self._faces_of(facts) or self._faces
        parts = self._parts = self._parts_of(facts)
        sources = {name: self._source(name, part, facts) for name, part in parts.items()}
        changed = [name for name in parts if name not in self._sources or self._sources[name] != sources[name]]
        for gone in self._sources.keys() - parts.keys():
            self._versions.pop(gone, None)
            self._rendered = {key: one for key, one in self._rendered.items() if key[0] != gone}
        self._sources = sources
        if changed:
            self.number += 1
            self._versions |= dict.fromkeys(changed, self.number)
            self._changes.append((self.number, self.now(), frozenset(changed)))
            news, self._news = self._news, asyncio.Event()
            news.set()

    def _source(self, name: str, part: Part, facts: Any) -> object:
        """Return the values that a part is made from. If that fails, report the error and return it as text."""
        try:
            return part.source(facts)
        except Exception as error:  # noqa: BLE001 - the other parts go on; the error is reported
            return self._report(name, error)

    def _report(self, name: str, error: Exception) -> str:
        """Print the error of a part unless its last error was the same; return it as text."""
        text = f"{type(error).__name__}: {error}"
        if self._errors.get(name) != text:
            self._errors[name] = text
            traceback.print_exception(error)
        return text

    def last_seen_number(self, seen: str) -> int:
        """Return the number in the id of a client's last event; 0 if there is none, or if it is from another start."""
        epoch, _, told = seen.partition("-")
        number = number_in(told)
        return 0 if epoch != self.epoch or number is None else min(number, self.number)

    def late(self, number: int, parts: Iterable[str], patience_s: float = 0.0) -> bool:
        """Return whether one of these parts has changed after `number`, and that at least `patience_s` seconds ago.

        Also true if there is no such number yet, or if a change is too old for its time to be remembered.
        """
        changed = {part for part in parts if self._versions[part] > number}
        if number > self.number or not changed:
            return number > self.number
        first = next(((n, when) for n, when, which in self._changes if n > number and which & changed), None)
        forgotten = not self._changes or self._changes[0][0] > number + 1
        return forgotten or first is None or self.now() - first[1] >= patience_s

    def parts_changed(self, since: int) -> list[str]:
        """Return the names of the parts that changed after number `since`; all of them for 0."""
        return [name for name, version in self._versions.items() if version > since or since == 0]

    def part(self, name: str, language: str) -> Any:
        """Return a part in one language, as JSON; if it cannot be rendered, a sentence that says so under FAILED."""
        version = self._versions[name]
        known = self._rendered.get((name, language))
        if known is not None and known[0] == version:
            return known[1]
        words = PageWording(language, self._faces)
        try:
            rendered = self._parts[name].render(self._facts, words)
        except Exception as error:  # noqa: BLE001 - the stream goes on; the error is reported and shown
            self._report(name, error)
            rendered = {FAILED: words(Notice("page.part_failed"))}
        self._rendered[name, language] = version, rendered
        return rendered

    def message(self, since: int, language: str) -> str:
        """Return an event of the stream with every part that has changed after number `since`."""
        key = language, since, self.number
        text = self._messages.get(key)
        if text is None:
            parts = {name: self.part(name, language) for name in self.parts_changed(since)}
            told = {"n": self.number, "parts": parts}
            text = json.dumps(told, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            text = self._messages[key] = sendable(text).decode()
            while len(self._messages) > REMEMBERED:
                self._messages.popitem(last=False)
        kind = "changes" if since else "snapshot"
        return f"id: {self.epoch}-{self.number}\nevent: {kind}\ndata: {text}\n\n"

    def tick(self) -> str:
        """Return an event that shows that the connection is alive, with the time of the server's clock."""
        return f"event: alive\ndata: {self.now():.3f}\n\n"

    async def news(self, since: int, patience_s: float) -> bool:
        """Wait `patience_s` seconds at most for a change after number `since`; return whether there was one."""
        if self.number > since:
            return True
        try:
            await asyncio.wait_for(self._news.wait(), patience_s)
        except TimeoutError:
            return False
        return True


def number_in(text: str) -> int | None:
    """Return the number that a text consists of; None if it is no number, or has more than MOST_DIGITS digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
