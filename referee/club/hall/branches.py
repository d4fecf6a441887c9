"""Which events of an epoch follow one another: a journal that was put back tells a second branch.

1. A journal restored from a backup has the epoch that it had, and gives numbers again, to other events than before.
2. What was told before stays. From the first number that contradicts, another branch begins; its events are kept under
   the epoch's name with a mark, `5e1c…~1`, and those before that number belong to both.
3. Whatever the table tells from then on belongs to the newest branch. So does a match that was under way, which then
   is in the results twice: as far as it came before, and as it goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

MARK = "~"
"""No epoch of a table has it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Events from the number `seq` on, and matches from `match` on, are kept under `name`."""

    seq: int
    match: int
    name: str


@dataclass(frozen=True, slots=True)
class Branch:
    """The newest branch of an epoch; `last` is the last event of it that is kept."""

    segments: tuple[Segment, ...]
    last: int = 0
    forks: int = 0

    @classmethod
    def first(cls, epoch: str, last: int = 0) -> Branch:
        """That of an epoch that never contradicted itself."""
        return cls((Segment(0, 0, epoch),), last)

    def name(self, seq: int) -> str:
        """Under which name an event is kept."""
        return next(segment.name for segment in reversed(self.segments) if segment.seq <= seq)

    def match(self, number: int) -> str:
        """Under which name the result of a match is kept."""
        return next(segment.name for segment in reversed(self.segments) if segment.match <= number)

    @property
    def forked(self) -> bool:
        """Whether a part of it belongs to an older branch, too."""
        return len(self.segments) > 1

    def fork(self, epoch: str, seq: int, match: int) -> Branch:
        """The branch that leaves this one before the event `seq`, which is of `match`."""
        name = f"{epoch}{MARK}{self.forks + 1}"
        shared = (segment for segment in self.segments if segment.seq < seq)
        return Branch((*shared, Segment(seq, match, name)), seq - 1, self.forks + 1)

    def with_last(self, seq: int) -> Branch:
        """The same with one more event."""
        return replace(self, last=seq)
