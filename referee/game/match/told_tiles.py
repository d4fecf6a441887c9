"""What players said a tile is: kept beside the table, one word for one place, until the tiles are mixed again."""

from __future__ import annotations

import math
from dataclasses import replace

from referee.errors import BadInput
from referee.game.match.events import About, OutOfOrder, Say, Settled, Word
from referee.game.match.state import State, Transition
from referee.game.notice import Notice

PLACE_MM = 10.0
"""Two words about places nearer than this are about the same tile; the later one holds."""


def settle(state: State, event: Settled) -> Transition:
    """Keep what a player said a tile is; raises OutOfOrder where no tiles lie on the table."""
    if not state.phase.in_round:
        raise OutOfOrder(f"expected a round under way, got Settled (phase {state.phase})")
    if event.player is not None and not 0 <= event.player < len(state.seats):
        raise BadInput(f"expected a seat at the table, got {event.player}")
    others = tuple(word for word in state.words if not same_place(word, event.word))
    return replace(state, words=(*others, event.word)), (Say(_settled_notice(state, event)),)


def _settled_notice(state: State, event: Settled) -> Notice:
    tile = event.word.tile
    if event.player is None:
        return _told_by_nobody(event.word)
    name = state.seats[event.player].name
    if tile is None:
        return Notice("match.told_nothing" if event.by == "page" else "match.told_face_down", player=name)
    unseen = event.word.about is About.UNSEEN
    return Notice("match.told_unseen" if unseen else "match.told_tile", player=name, tile=tile)


def _told_by_nobody(word: Word) -> Notice:
    """The same where no name was told, as only a page can."""
    if word.tile is None:
        return Notice("match.told_nothing_on_page")
    key = "match.told_unseen_on_page" if word.about is About.UNSEEN else "match.told_tile_on_page"
    return Notice(key, tile=word.tile)


def same_place(word: Word, other: Word) -> bool:
    """Whether two words are about one place."""
    return math.hypot(word.x_mm - other.x_mm, word.y_mm - other.y_mm) < PLACE_MM
