"""Decides what each table must be told by the director's desk, and remembers what it was told last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.club.hall.desk.state import DeskState, RoundClock
from referee.club.hall.intake import TableView
from referee.club.protocol.documents import CallAnswer, Desk


@dataclass(frozen=True, slots=True)
class _Told:
    """What a table was told over which of its connections."""

    connection: int
    clock: RoundClock | None
    answer: CallAnswer | None


class DeskTelling:
    """What the tables were told over the present connection to the broker."""

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}

    def forget(self) -> None:
        """Forget everything, because the connection to the broker is new."""
        self._told.clear()

    def due(self, state: DeskState, views: Mapping[str, TableView], t: float, wall: str) -> Iterator[tuple[str, Desk]]:
        """Yield the documents for connected tables that lack the present state of the desk.

        A table that has connected anew is always told: what the broker retained for it may be of any age.
        """
        answers = state.answers()
        for name, view in views.items():
            if not view.online:
                continue
            now = _Told(view.connections, state.clock, answers.get(name))
            if self._told.get(name) != now:
                self._told[name] = now
                yield name, Desk(wall, None if now.clock is None else now.clock.told(t), now.answer)
