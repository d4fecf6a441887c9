"""Power cuts between any two steps of the loop: what was on the disk at every moment of an evening.

At each step (before and after every call that writes, looks, shows or says something) the journal's files are copied
as they lie there, which is what a kill leaves. From each copy the evening is taken up again.
"""

import copy
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_store import MemoryStore
from virtual_evening import Evening

from referee.game.match.events import Effect
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.table import Table
from referee.journal.codec import event_from_text
from referee.journal.journal import Journal
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import rows_of
from referee.journal.replay import Kept, replay
from referee.journal.rows import Row

BEAT_S = 1.0
STEPS = {
    "journal": ("begin", "append", "beat", "give_up"),
    "session": ("handle",),
    "watcher": ("glance", "read_ahead", "look", "confirm"),
    "panel": ("show", "play"),
    "outside": ("say", "keep", "heard"),
}
"""Every call of the loop that leaves a trace somewhere."""


@dataclass(frozen=True)
class Disk:
    """What the journal gives after a cut: the newest match, and its rows."""

    kept: Kept | None
    rows: tuple[Row, ...]
    newest: int


@dataclass(frozen=True)
class Cut:
    """One moment: on which step, the disk, the referee's state, the table, and what the people know."""

    step: str
    disk: Disk
    confirmed: State
    """The state after the last event whose writing had returned."""
    shown: State
    t: float
    table: Table
    people: Any
    heard: int
    """The number of the last event that the people have been told about."""


class Cutter:
    """Runs an evening and cuts it everywhere, or only around the calls in `only`.

    `people` is whatever knows what to do; it is copied at each cut.
    """

    def __init__(self, folder: Path, only: Collection[str] = (), **evening: Any) -> None:
        self._only = only
        self.cuts: list[Cut] = []
        self.people: Any = None
        self.evening = Evening(journal=open_journal(folder / "live").journal, **evening)
        self._live, self._folder = folder / "live", folder
        self._disks: dict[tuple[bytes, ...], Disk] = {}
        self._latest: tuple[tuple[bytes, ...], Disk] | None = None
        self._confirmed = self.evening.state
        self._heard = 0
        self._hook()

    def play(self, people: Any, script: Callable[[Evening, Any], Any]) -> Evening:
        """Let the people play the evening by `script`, uncut, while every step is remembered."""
        self.people = people
        self.evening.play(lambda evening: script(evening, people))
        self.evening.journal.close()
        return self.evening

    def _hook(self) -> None:
        evening, outside = self.evening, self.evening.outside

        def told(effects: Any) -> None:
            outside.heard(effects)
            self._heard = self.evening.journal.number

        def panel(on_edge: Any) -> Any:
            made = outside.panel(on_edge)
            self._wrap(made, "panel")
            return made

        steps = {name: self._step(getattr(outside, name), name) for name in ("say", "keep")}
        evening.replace_parts(panel=panel, heard=self._step(told, "heard"), **steps)
        for part, name in ((evening.journal, "journal"), (evening.session, "session"), (evening.watcher, "watcher")):
            self._wrap(part, name)

    def _wrap(self, part: Any, kind: str) -> None:
        for name in STEPS[kind]:
            setattr(part, name, self._step(getattr(part, name), name))

    def _step(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def step(*arguments: Any) -> Any:
            self._cut(f"before {name}")
            result = call(*arguments)
            if name in ("begin", "append"):
                self._confirmed = arguments[-1]
            self._cut(f"after {name}")
            return result

        return step

    def _cut(self, step: str) -> None:
        if self._only and step.split()[1] not in self._only:
            return
        evening = self.evening
        self.cuts.append(
            Cut(step, self._disk(), self._confirmed, evening.state, evening.loop.t, evening.sight.table,
                copy.deepcopy(self.people), self._heard)
        )  # fmt: skip

    def _disk(self) -> Disk:
        """What lies on the disk now; the same bytes give the same journal."""
        files = [path for path in sorted(self._live.iterdir()) if path.suffix in (".db", ".db-wal")]
        key = tuple(path.read_bytes() for path in files)
        # Mostly nothing was written since the last step, and comparing is quicker than hashing.
        if self._latest is not None and self._latest[0] == key:
            return self._latest[1]
        if key not in self._disks:
            place = self._folder / f"cut-{len(self._disks)}"
            place.mkdir()
            for path in files:
                shutil.copy(path, place)
            opened = open_journal(place)
            assert opened.notices == ()
            assert opened.journal.trouble is None
            rows, newest = rows_of(place / FILE, 0 if opened.kept is None else opened.kept.match)
            self._disks[key] = Disk(opened.kept, tuple(rows), newest)
            opened.journal.close()
            shutil.rmtree(place)
        self._latest = key, self._disks[key]
        return self._disks[key]


def state_of(disk: Disk) -> State | None:
    """Where the match stands by the disk; None where no match is on it."""
    return None if disk.kept is None or disk.kept.given_up else disk.kept.state


def again(cut: Cut, **evening: Any) -> tuple[Evening, MemoryStore]:
    """The evening after a cut, from what the disk had; it goes on in memory."""
    store = MemoryStore()
    kept = cut.disk.kept if cut.disk.kept is not None and not cut.disk.kept.is_over else None
    made = Evening(journal=Journal(store, cut.disk.newest, kept), store=store, kept=kept, **evening)
    made.sight.table = cut.table
    return made, store


def resumed(
    folder: Path, before: Callable[[Evening], Any], phase: Phase, after: Callable[[Evening], Any], **evening: Any
) -> Evening:
    """Play `before` up to a cut in `phase`, and `after` from there, with a journal in `folder`."""
    first = Evening(journal=open_journal(folder).journal, **evening).play(before)
    assert first.state.phase is phase
    first.journal.close()
    opened = open_journal(folder)
    made = Evening(journal=opened.journal, kept=opened.kept, **evening)
    made.sight.table = first.sight.table
    made.play(after)
    made.journal.close()
    return made


def told_since(cut: Cut) -> list[tuple[Effect, ...]]:
    """The effects of every event that is on the disk but that nobody was told about before the cut."""
    rows = cut.disk.rows
    if not rows:
        return []
    state, missed = replay(rows[:1]).state, []
    for row in rows[1:]:
        state, effects = apply(state, event_from_text(row.kind, row.body))
        if row.number > cut.heard:
            missed.append(effects)
    return missed


def journal_after(cut: Cut, store: MemoryStore) -> State:
    """The state that the whole journal tells after an evening that went on: rows from before the cut and after it."""
    newest = max((row.match for row in (*cut.disk.rows, *store.rows)), default=0)
    return replay([row for row in (*cut.disk.rows, *store.rows) if row.match == newest]).state


def lost_s(cut: Cut, resumed: State) -> float:
    """How many seconds of a running turn clock the cut has taken from the player; negative: given."""
    assert cut.confirmed.clock.is_running
    assert resumed.phase is Phase.PAUSED
    return resumed.clock.used - cut.confirmed.clock.elapsed_s(cut.t)
