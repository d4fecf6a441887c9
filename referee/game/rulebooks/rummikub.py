"""Rummikub as published by Piatnik.

The book at hand lacks its page on jokers; those rules follow other publications of the maker.
"""

from __future__ import annotations

from referee.game.notice import Notice
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.model import (
    JokerFreedom,
    JokerRule,
    MeldRules,
    Opening,
    Ruleset,
    Scoring,
    Starts,
    StockEnd,
    TimeUpRule,
    Timing,
)
from referee.game.rulebooks.options import (
    CHESS_CLOCK,
    DEALT_JOKERS,
    JOKER_PLACE,
    JOKER_POINTS,
    MATCH_TIME,
    REARRANGING,
    THREE_PAIRS,
    TIE,
    UNOPENED,
    minutes,
    starts,
)

RUMMIKUB = Ruleset(
    name="rummikub",
    title="The Original Rummikub (Piatnik)",
    tileset="rummikub",
    melds=MeldRules(
        opening=Opening(minimum=30),
        joker_rule=JokerRule(JokerFreedom.REPLACED, travels=True, as_laid=True, printed=False),
        timing=Timing(seconds=60, consequence=TimeUpRule.ROLL_BACK, draws=3, before_opening=False),
        stock_end=StockEnd.NOBODY_LAYS,
        stock_counts=True,
    ),
    scoring=Scoring(joker=30),
    starts=Starts.DRAWN,
    clockwise=True,
    options=(
        starts(Starts.DRAWN),
        minutes(1),
        Option(
            "entry",
            Notice("rules.option_entry"),
            "untimed",
            (("untimed", (("timing.before_opening", False),)), ("timed", (("timing.before_opening", True),))),
            formerly="timed",
        ),
        JOKER_PLACE,
        REARRANGING,
        Option(
            "empty-stock",
            Notice("rules.option_empty_stock"),
            "nothing",
            (
                ("nothing", (("scoring.counted_difference", False),)),
                ("difference", (("scoring.counted_difference", True),)),
            ),
        ),
        TIE,
        CHESS_CLOCK,
        UNOPENED,
        JOKER_POINTS,
        DEALT_JOKERS,
        THREE_PAIRS,
        MATCH_TIME,
    ),
)
