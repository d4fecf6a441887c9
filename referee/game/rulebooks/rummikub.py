"""Rummikub as published by Piatnik.

The book at hand lacks its joker section; those rules follow what the maker prints elsewhere.
"""

from __future__ import annotations

from referee.game.rulebooks.model import (
    JokerFreedom,
    JokerRule,
    Opening,
    Option,
    Ruleset,
    Scoring,
    Starts,
    StockEnd,
    TimeUpRule,
    Timing,
)
from referee.game.rulebooks.options import REARRANGING, TIE, minutes, starts

RUMMIKUB = Ruleset(
    name="rummikub",
    title="The Original Rummikub (Piatnik)",
    tileset="rummikub",
    opening=Opening(minimum=30),
    joker_rule=JokerRule(JokerFreedom.REPLACED, travels=True),
    scoring=Scoring(joker=30),
    timing=Timing(seconds=60, consequence=TimeUpRule.ROLL_BACK, draws=3, before_opening=False),
    stock_end=StockEnd.NOBODY_LAYS,
    stock_counts=True,
    starts=Starts.DRAWN,
    summary=(
        "Each of 2 to 4 players starts with 14 tiles; the highest tile drawn decides who begins.",
        "In your turn you lay tiles, or you draw one tile.",
        "Your first meld must be worth 30 points from your own tiles; a joker counts as the number it stands for.",
        "In that turn you leave the sets on the table alone; from your next turn on you may rebuild them freely.",
        "As is usual (this book lacks it): a joker is free for the same turn once a fitting tile replaces it.",
        "Once your first meld lies, a turn lasts 1 minute; then the table is put back and you draw 3 tiles.",
        "Whoever lays the last tile wins the round and gets the points left in all other hands; a joker costs 30.",
        "If the stock is empty and nobody can lay any more, the hand with the fewest points wins.",
    ),
    options=(
        starts(Starts.DRAWN),
        minutes(1),
        Option(
            "entry",
            "Whether the clock runs for a player without a first meld.",
            "untimed",
            (("untimed", (("timing.before_opening", False),)), ("timed", (("timing.before_opening", True),))),
            formerly="timed",
        ),
        REARRANGING,
        Option(
            "empty-stock",
            "What the lowest hand gets when the stock is empty and nobody can lay: no points, or the difference to"
            " every other hand.",
            "nothing",
            (
                ("nothing", (("scoring.counted_difference", False),)),
                ("difference", (("scoring.counted_difference", True),)),
            ),
        ),
        TIE,
    ),
)
