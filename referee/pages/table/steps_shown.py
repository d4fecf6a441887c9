"""The steps of a turn as JSON in one language, for the coach and for the puzzle of the day; `steps.js` draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.game.coach import Lain, ToldStep
from referee.i18n import Wording
from referee.page.wording import faces


def steps_shown(steps: Sequence[ToldStep], words: Wording) -> list[dict[str, Any]]:
    """Return steps as pages draw them; tiles of the table before the turn are named by set and index."""
    return [
        {
            "told": words(step.told),
            "sources": [words(told) for told in step.sources],
            "hand": faces(step.hand, words),
            "comes": [list(member) for member in step.comes],
            "stays": [list(member) for member in step.stays],
            "gone": [list(member) for member in step.gone],
            "after": [_lain(one, words) for one in step.after],
        }
        for step in steps
    ]


def _lain(one: Lain, words: Wording) -> dict[str, Any]:
    return {"tiles": faces(one.tiles, words), "touched": one.touched, "new": list(one.new)}
