"""Piatnik, "Deluxe Rummy", with its four variants as options; the German text is the master."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.game.rulebooks.choices import Contradiction, Option
from referee.game.rulebooks.model import (
    Fresh,
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
    WinnerGets,
)
from referee.game.rulebooks.options import JOKER_PLACE, MATCH_TIME, REARRANGING, REBUILD, TIE, minutes, starts

_RUNS = {sum(range(first, last + 1)) for first in range(1, 12) for last in range(first + 2, 14)}
_GROUPS = {number * tiles for number in range(1, 14) for tiles in (3, 4)}
SET_VALUES = tuple(sorted(_RUNS | _GROUPS))
"""Every value that a set can have."""

LIMIT = Option(
    "limit",
    Notice("rules.option_limit"),
    "turn",
    (("turn", (("timing.rebuilding", False),)), ("rebuild", (("timing.rebuilding", True),))),
)

PIATNIK = Ruleset(
    name="piatnik",
    title="Deluxe Rummy (Piatnik)",
    tileset="piatnik",
    melds=MeldRules(
        opening=Opening(minimum=40, same_turn=True),
        joker_rule=JokerRule(JokerFreedom.EXCHANGED, travels=True, as_laid=True),
        timing=Timing(seconds=120, consequence=TimeUpRule.TAKE),
        stock_end=StockEnd.DRAW_FAILS,
    ),
    scoring=Scoring(joker=20, winner_gets=WinnerGets.NOTHING, highest_wins=False),
    starts=Starts.AGREED,
    options=(
        starts(Starts.AGREED),
        minutes(2),
        LIMIT,
        Option(
            "fresh-tile",
            Notice("rules.option_fresh_tile"),
            "wait",
            tuple((kind.value, (("fresh", kind),)) for kind in Fresh),
        ),
        Option(
            "hand-rummy",
            Notice("rules.option_hand_rummy"),
            "off",
            (("off", (("scoring.hand_rummy", 1),)), ("on", (("scoring.hand_rummy", 2),))),
        ),
        Option(
            "last-tile",
            Notice("rules.option_last_tile"),
            "off",
            (("off", (("finish.last_tile", False),)), ("on", (("finish.last_tile", True),))),
        ),
        Option(
            "winning-set",
            Notice("rules.option_winning_set"),
            "off",
            (("off", (("finish.set_value", None),)),),
            (SET_VALUES, "finish.set_value"),
        ),
        Option(
            "winning-sum",
            Notice("rules.option_winning_sum"),
            "exact",
            (("exact", (("finish.at_least", False),)), ("at-least", (("finish.at_least", True),))),
        ),
        REBUILD,
        JOKER_PLACE,
        REARRANGING,
        Option(
            "stock",
            Notice("rules.option_stock_counts"),
            "draw-fails",
            (
                ("draw-fails", (("stock_end", StockEnd.DRAW_FAILS), ("stock_counts", False))),
                ("count", (("stock_end", StockEnd.NOBODY_LAYS), ("stock_counts", True))),
            ),
        ),
        TIE,
        MATCH_TIME,
    ),
    contradictions=(
        Contradiction(("winning-set", "off"), ("winning-sum", "at-least"), Notice("rules.why_no_winning_set")),
    ),
)
