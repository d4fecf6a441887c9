"""What can be agreed before a tournament, for the form that opens one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.club.tournament import Rules, TieBreak
from referee.club.tournament.seating.bounds import LARGEST, SMALLEST
from referee.game.rulebooks import RULESETS
from referee.pages.hall.tournament_notices import TIES

_NAMES: Mapping[TieBreak, str] = {
    **TIES,
    TieBreak.BEST_ROUNDS: "tournament_page.tie_best_rounds",
    TieBreak.DIRECT: "tournament_page.tie_direct",
    TieBreak.LOTS: "tournament_page.tie_lots",
}

AGREED: Mapping[str, Any] = {
    "books": tuple((name, book.title) for name, book in RULESETS.items()),
    "sizes": tuple(range(SMALLEST, LARGEST + 1)),
    "ties": tuple(one.value for one in Rules(1).tie_breaks),
    "tie_keys": tuple((one.value, _NAMES[one]) for one in TieBreak),
}
"""Rule books, sizes of tables, the tie-breaks in the usual order, and what each of them is called."""
