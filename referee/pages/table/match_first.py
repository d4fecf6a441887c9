"""What must become of a match before anything is deleted or replaced."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.table.output.follower import Facts

END_IT, DECIDE = Notice("system.end_match_first"), Notice("system.decide_match_first")


def why_match_first(facts: Facts) -> Notice | None:
    """Return what is to be done about the match first; None if there is none that is not over."""
    if facts.setup.decision:
        return DECIDE
    return END_IT if facts.scene is not None and facts.scene.state.phase.in_match else None
