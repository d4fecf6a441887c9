"""Ravensburger, "Rummy exclusiv", 1985."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.model import (
    JokerFreedom,
    JokerRule,
    JokerSets,
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
    JOKER_PLACE,
    MATCH_TIME,
    REARRANGING,
    REBUILD,
    TIE,
    joker_sets,
    minutes,
    starts,
)

RAVENSBURGER = Ruleset(
    name="ravensburger",
    title="Rummy exclusiv (Ravensburger 1985)",
    tileset="ravensburger",
    melds=MeldRules(
        opening=Opening(minimum=40, joker=25, same_turn=True),
        joker_rule=JokerRule(JokerFreedom.REPLACED, as_laid=True),
        timing=Timing(seconds=120, consequence=TimeUpRule.TAKE),
        stock_end=StockEnd.DRAW_FAILS,
    ),
    scoring=Scoring(joker=25),
    starts=Starts.LOT,
    jokers=4,
    clockwise=True,
    options=(
        starts(Starts.LOT),
        Option("jokers", Notice("rules.option_jokers"), "4", (("4", (("jokers", 4),)), ("2", (("jokers", 2),)))),
        minutes(2),
        REBUILD,
        JOKER_PLACE,
        joker_sets(JokerSets.ALLOWED),
        REARRANGING,
        Option(
            "stock",
            Notice("rules.option_stock_ends"),
            "draw-fails",
            (
                ("draw-fails", (("stock_end", StockEnd.DRAW_FAILS),)),
                ("last-drawn", (("stock_end", StockEnd.LAST_DRAWN),)),
            ),
        ),
        TIE,
        MATCH_TIME,
    ),
)
