"""One turn of a replay as its page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.i18n import Wording
from referee.page.faces import faces
from referee.pages.table.scores.replay import Replay


@dataclass(frozen=True, slots=True)
class EventSentences:
    """What an event came to, in words."""

    event: int
    mark: str
    sentences: list[str]


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn in one language: tiles as the page draws them, and the events of which a picture is kept."""

    player: str
    round: int
    shows: bool
    said: list[EventSentences]
    laid: list[dict[str, Any]]
    sets: list[list[dict[str, Any]]]
    pictures: list[int]


def turn_shown(replay: Replay, place: int, kept: Sequence[int], words: Wording) -> TurnShown:
    """The turn at a place of the replay; `kept` are the events of the match that have a picture."""
    turn, there = replay.turns[place], set(kept)
    return TurnShown(
        replay.players[turn.player],
        turn.round,
        turn.shows,
        [EventSentences(one.event, one.mark, [words(told) for told in one.told]) for one in turn.happenings],
        faces(turn.laid, words),
        [faces(tiles, words) for tiles in turn.table],
        [event for event in turn.events if event in there],
    )
