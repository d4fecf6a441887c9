"""What of a look must not be judged yet, in words for the players: pure, from the look and the match.

A read in doubt stays in doubt until it can be read. What is only suspicious, a cover over the table, a marker that is
hidden, is asked about first; whoever then presses again says that this is how the table lies. So nobody is told off
for a tile that a hand covers, and a bowl of nuts on the table stops no match.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.game.events import Event, Pressed
from referee.game.state import Phase, State, without_aside
from referee.game.table import Table, in_order, tiles_on
from referee.game.tiles import Tile
from referee.game.wording import listed
from referee.loop.again import Again
from referee.loop.looking import Look
from referee.vision.doubts import doubts_in

Doubt = dict[str, Any]
"""Has a `text`; a tile in doubt has all that `read --json` says about it, too."""

_PLAYED = frozenset({Phase.LOOKING, Phase.ASKING, Phase.TIME_UP})
"""In these phases all that was confirmed must still lie on the table."""


@dataclass(frozen=True, slots=True)
class Suspicions:
    """What was asked about and is no doubt once somebody has insisted."""

    cover: bool = False
    marker: bool = False
    missing: Counter[Tile] = field(default_factory=Counter)


NOTHING = Suspicions()


@dataclass(frozen=True, slots=True)
class Question:
    """What a look comes to before it is judged."""

    doubts: tuple[Doubt, ...]
    suspected: Suspicions
    news: bool = False
    """Whether players do not know yet what they are asked."""
    insisted: bool = False
    """Whether nothing is in doubt since somebody has insisted that a cover or a hidden marker stays."""


class Questions:
    """What players were asked about last, and what of it somebody has insisted on by pressing again."""

    def __init__(self) -> None:
        self._again = Again()
        self._suspected = self._waived = NOTHING

    def taken(self, event: Event, *, asked: bool) -> None:
        """The rules have taken an event; `asked`: players were being asked before."""
        self._waived = self._suspected if asked and isinstance(event, Pressed) else NOTHING
        self._suspected = NOTHING

    def about(self, look: Look, state: State, now: float) -> Question:
        """What this look, which came back at `now`, must be asked about."""
        waived, self._waived = self._waived, NOTHING
        doubts, suspected = doubts_of(look, state, waived)
        if doubts:
            return Question(doubts, suspected, news=self._again.asked(look, now) or not state.asked)
        return Question(doubts, suspected, insisted=waived.cover or waived.marker)

    def stands(self, question: Question) -> None:
        """Players have been told; pressing again insists on this."""
        self._suspected = question.suspected

    def again(self, changes: int, now: float) -> bool:
        """Whether to look again without a press at a table that lies still, moved so often by now."""
        return self._again.wanted(changes, now)


def reads_in_doubt(look: Look) -> tuple[Doubt, ...]:
    """What of this look cannot be read."""
    if look.sighting is None:
        return ({"text": look.trouble or "nothing at all"},)
    return tuple(doubt for doubt in doubts_in(look.sighting) if "id" in doubt)


def doubts_of(look: Look, state: State, waived: Suspicions = NOTHING) -> tuple[tuple[Doubt, ...], Suspicions]:
    """Whatever keeps this look from being judged, and what of it somebody may insist on.

    `waived` is what was asked about before, and somebody has pressed again. A tile that is gone is judged at once only
    where an earlier picture shows that nothing lies over its place.
    """
    doubts = list(reads_in_doubt(look))
    if look.sighting is None:
        return tuple(doubts), NOTHING
    missing = _missing(look.sighting.table, state)
    hiding = [cover for cover in look.covers if cover.hides and missing]
    asked = hiding if waived.cover else look.covers
    marker = look.sighting.quality.hand and not waived.marker and not asked
    unsure = look.unread or hiding or not (look.compared or missing <= waived.missing)
    if asked:
        doubts.append({"text": f"what is covered {_place(asked[0].x, asked[0].y)}"})
    if marker:
        doubts.append({"text": "one of the markers at the corners"})
    if missing and unsure:
        doubts.append({"text": f"{listed(in_order(missing.elements()))}, which lay there before"})
    return tuple(doubts), Suspicions(bool(asked), marker, missing if missing and unsure else Counter())


def as_confirmed(look: Look, state: State) -> bool:
    """Whether a look shows all clearly, and the table just as it was confirmed."""
    if look.sighting is None or not look.clear:
        return False
    return tiles_on(without_aside(state, look.sighting.table)) == tiles_on(state.table)


def _missing(table: Table, state: State) -> Counter[Tile]:
    if state.phase not in _PLAYED or state.rules.knocking is not None:
        return Counter()
    return tiles_on(state.table) - tiles_on(table)


def _place(x: float, y: float) -> str:
    """Where that is, for somebody who sits at the bottom side; `x`, `y` are parts of the play area, 0-1."""
    across = "on the left" if x < 1 / 3 else "on the right" if x > 2 / 3 else "in the middle"
    along = "at the top " if y < 1 / 3 else "at the bottom " if y > 2 / 3 else ""
    return along + across
