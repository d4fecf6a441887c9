"""The turn clock: where it stands, so that every screen counts by itself."""

from __future__ import annotations

import math
from typing import Any

from referee.game.clock import WARNINGS
from referee.i18n import Wording
from referee.table.output.follower import Facts


def source(facts: Facts) -> object:
    """All that this part is made of."""
    scene = facts.scene
    return None if scene is None else (scene.state.clock, scene.state.phase.has_clock, scene.zero)


def render(facts: Facts, _: Wording) -> dict[str, Any] | None:
    """The clock; `ends_at` is a moment of the server's clock in seconds, None while the clock stands."""
    scene = facts.scene
    if scene is None or not scene.state.phase.has_clock:
        return None
    clock = scene.state.clock
    left = clock.remaining(clock.since if clock.since is not None else 0.0)
    if math.isinf(left):
        return {"limit": None, "left": None, "ends_at": None, "running": clock.running, "warnings": []}
    ends = clock.deadline
    return {
        "limit": (clock.seconds or 0.0) + clock.free,
        "left": round(left, 3),
        "ends_at": None if ends is None else round(ends + scene.zero, 3),
        "running": clock.running,
        "warnings": list(WARNINGS),
    }
