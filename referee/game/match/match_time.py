"""The time of a whole match, if one is agreed: once it is over, no new round begins.

The round under way is played to its end. Then, or at once between two rounds, the match is over, and a tie is shared:
another round to decide it would be a new one. Pauses count, since others wait for the table.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.match.events import MatchTimeUp, OutOfOrder, Say
from referee.game.match.phases import Phase
from referee.game.match.round_end import settle
from referee.game.match.state import State, Transition
from referee.game.notice import Notice


def match_deadline(state: State) -> float | None:
    """Return the moment from which no new round begins; None if there is none, or if that has happened."""
    minutes = state.rules.match_minutes
    return None if minutes is None or state.closing or not state.phase.in_match else state.began + 60.0 * minutes


def end_match_time(state: State, event: MatchTimeUp) -> Transition:
    """Let no new round begin; raises OutOfOrder unless the time of the match is up."""
    deadline = match_deadline(state)
    if deadline is None or event.t < deadline:
        raise OutOfOrder(f"expected a match whose time is up, got MatchTimeUp (phase {state.phase})")
    state = replace(state, closing=True)
    if state.phase is not Phase.BETWEEN:
        return state, (Say(Notice("match.last_round")),)
    state, effects = settle(state)
    return state, (Say(Notice("match.no_new_round")), *effects)
