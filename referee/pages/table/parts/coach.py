"""Whether the coach may be asked, how often it was during the match, and what its page begins with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.table.coach.allowed import match_under_way, refusal_of, rules_at_table
from referee.table.output.follower import Facts


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    state = None if scene is None else scene.state
    told = None if state is None else (state.phase, state.coach, state.coached, state.seats, state.current)
    return told, rules_at_table(facts), facts.setup.values.get("game.coach"), facts.attended


def render(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return whether the coach may be asked, and if not, why; and what everybody should know of that.

    `lines` are for everybody, before the match and during it. `camera`: whether the camera can be asked for a picture.
    `opened`: whether the player whose turn it is has laid the first meld; None outside a match.
    """
    state, why = match_under_way(facts), refusal_of(facts)
    agreed = state is not None and why is None
    return {
        "open": why is None,
        "why": "" if why is None else words(why),
        "match": state is not None,
        "agreed": words(Notice("coach.agreed")) if agreed else "",
        "lines": [words(told) for told in _lines(facts)],
        "opened": state.seat.opened if state is not None and state.phase.in_round else None,
        "rules": rules_at_table(facts).name,
        "title": rules_at_table(facts).title,
        "camera": facts.attended and state is None,
    }


def _lines(facts: Facts) -> Iterator[Notice]:
    """Yield that the coach is allowed, or how often it was asked; nothing by rules in which nobody can ask."""
    scene = facts.scene
    if scene is None or scene.state.rules.knocking is not None:
        return
    state: State = scene.state
    if state.coached:
        yield Notice("coach.asked", times=len(state.coached))
    elif state.coach or (state.phase is Phase.LOBBY and facts.setup.values.get("game.coach")):
        yield Notice("coach.allowed")
