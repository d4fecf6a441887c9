"""The numbered state of the page: which part changed when, and who waits for news.

Everybody is sent the newest state of what has changed since the number they have; nothing is queued for anybody, so a
slow screen skips what it could not show in time, and costs no memory.
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
"""How many messages are kept for others who need the same one."""
CHANGES = 256
"""How many numbers are remembered with what has changed, and when."""
MOST_DIGITS = 16
"""No number of a state, a match, a look or a picture has more digits: scripts know none above 2**53."""
FAILED = "failed"
"""The only key of a part that cannot be shown: the sentence that says so. Screens keep what they have of that part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page's state.

    `source` returns what the part is made of: it is rendered anew only where that differs. `render` makes JSON of the
    facts in one language.
    """

    source: Callable[[Any], object]
    render: Callable[[Any, Wording], Any]


class Broadcast:
    """What has changed, by part. All but `publish` is used in the server's own thread."""

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
        """Publish from now on, beginning with `facts`.

        `epoch`: tells this start of the program from others.
        `now`: the clock of the loop, in seconds.
        `first`: the number before that of the first state; 0 by default. With another one at every start, a command
            that names a state from before the start counts as stale.
        `parts`: returns the parts in which facts are shown, by name.
        `facts`: the first facts.
        `faces`: returns what stands on the tiles of the box in use, or None where that has not changed. By default it
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
        """Publishes what has happened since."""
        self.over = False
        """Whether the page ends: nobody waits for news any more."""

    @property
    def facts(self) -> Any:
        """All that there is to show, as it is now."""
        self.catch_up()
        return self._facts

    @property
    def published_state(self) -> Any:
        """The state as it was last sent to screens."""
        return self._facts

    def end(self) -> None:
        """There will be no more news."""
        self.over = True
        self._news.set()

    def publish(self, facts: Any) -> None:
        """These are the facts now; wakes everybody if a part of the page looks different."""
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
        """Return what a part is made of; an error of that part is its own, and no other part suffers from it."""
        try:
            return part.source(facts)
        except Exception as error:  # noqa: BLE001 - the other parts go on; the error is reported
            return self._report(name, error)

    def _report(self, name: str, error: Exception) -> str:
        """Write an error of a part to the log, once until it shows another one; return it as text."""
        text = f"{type(error).__name__}: {error}"
        if self._errors.get(name) != text:
            self._errors[name] = text
            traceback.print_exception(error)
        return text

    def last_seen_number(self, seen: str) -> int:
        """The number that a client has seen, from the id of its last event; 0 for none, or one of another start."""
        epoch, _, told = seen.partition("-")
        number = number_in(told)
        return 0 if epoch != self.epoch or number is None else min(number, self.number)

    def late(self, number: int, parts: Iterable[str], patience_s: float = 0.0) -> bool:
        """Whether one of these parts has changed since that number, longer ago than `patience_s`; or none is known."""
        changed = {part for part in parts if self._versions[part] > number}
        if number > self.number or not changed:
            return number > self.number
        first = next(((n, when) for n, when, which in self._changes if n > number and which & changed), None)
        forgotten = not self._changes or self._changes[0][0] > number + 1
        return forgotten or first is None or self.now() - first[1] >= patience_s

    def parts_changed(self, since: int) -> list[str]:
        """The parts that changed after that number."""
        return [name for name, version in self._versions.items() if version > since or since == 0]

    def part(self, name: str, language: str) -> Any:
        """A part in one language, as JSON; where it cannot be rendered, that is what it says."""
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
        """One event of the stream: all that has changed after that number."""
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
        """A sign of life, with the server's clock."""
        return f"event: alive\ndata: {self.now():.3f}\n\n"

    async def news(self, since: int, patience_s: float) -> bool:
        """Wait until something has changed after that number, but not for longer; whether it has."""
        if self.number > since:
            return True
        try:
            await asyncio.wait_for(self._news.wait(), patience_s)
        except TimeoutError:
            return False
        return True


def number_in(text: str) -> int | None:
    """A number out of a text; None for anything else, and for more digits than any of ours has."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
