"""Ravensburger, "Rummy exclusiv", 1985."""

from __future__ import annotations

from referee.game.rulebooks.model import (
    JokerFreedom,
    JokerRule,
    JokerSets,
    Opening,
    Option,
    Ruleset,
    Scoring,
    Starts,
    StockEnd,
    TimeUpRule,
    Timing,
)
from referee.game.rulebooks.options import REARRANGING, TIE, joker_sets, minutes, starts

RAVENSBURGER = Ruleset(
    name="ravensburger",
    title="Rummy exclusiv (Ravensburger 1985)",
    tileset="ravensburger",
    opening=Opening(minimum=40, joker=25, same_turn=True),
    joker_rule=JokerRule(JokerFreedom.REPLACED),
    scoring=Scoring(joker=25),
    timing=Timing(seconds=120, consequence=TimeUpRule.TAKE),
    stock_end=StockEnd.DRAW_FAILS,
    starts=Starts.LOT,
    jokers=4,
    summary=(
        "Each of 2 to 4 players starts with 14 tiles; lots decide who begins.",
        "In your turn you lay tiles, or you draw one tile.",
        "Your first meld must be worth 40 points from your own tiles; a joker counts 25 in it.",
        "After that, even in the same turn, you may add to sets on the table and rebuild them.",
        "A joker on the table is free once a fitting tile takes its place; play it again in the same turn.",
        "A turn lasts 2 minutes; then you take every tile in no valid set, or a first meld too low and one more tile.",
        "Whoever lays the last tile wins the round and gets the points left in all other hands.",
        "A joker left in the hand costs 25.",
        "If the stock is empty and somebody has to draw, nobody scores.",
    ),
    options=(
        starts(Starts.LOT),
        Option("jokers", "How many jokers play along.", "4", (("4", (("jokers", 4),)), ("2", (("jokers", 2),)))),
        minutes(2),
        Option(
            "rebuild",
            "free: any rebuilding that leaves valid sets; strict: when you take only some tiles of a set,"
            " three of it stay together.",
            "free",
            (("free", (("strict_rebuild", False),)), ("strict", (("strict_rebuild", True),))),
        ),
        joker_sets(JokerSets.ALLOWED),
        REARRANGING,
        Option(
            "stock",
            "When a round without a winner ends: when somebody has to draw and cannot, or with the last tile drawn.",
            "draw-fails",
            (
                ("draw-fails", (("stock_end", StockEnd.DRAW_FAILS),)),
                ("last-drawn", (("stock_end", StockEnd.LAST_DRAWN),)),
            ),
        ),
        TIE,
    ),
)
