"""Piatnik, "Deluxe Rummy", with its four variants as options; the German text is the master."""

from __future__ import annotations

from referee.game.rulebooks.model import (
    Contradiction,
    Fresh,
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
    WinnerGets,
)
from referee.game.rulebooks.options import REARRANGING, TIE, minutes, starts

_RUNS = {sum(range(first, last + 1)) for first in range(1, 12) for last in range(first + 2, 14)}
_GROUPS = {number * tiles for number in range(1, 14) for tiles in (3, 4)}
SET_VALUES = tuple(sorted(_RUNS | _GROUPS))
"""Every value that a set can have."""

LIMIT = Option(
    "limit",
    "What the minutes are for: a turn, or a rebuilding: then the clock starts with the first tile of a lying set that"
    " is moved.",
    "turn",
    (("turn", (("timing.rebuilding", False),)), ("rebuild", (("timing.rebuilding", True),))),
)

PIATNIK = Ruleset(
    name="piatnik",
    title="Deluxe Rummy (Piatnik)",
    tileset="piatnik",
    opening=Opening(minimum=40, same_turn=True),
    joker_rule=JokerRule(JokerFreedom.EXCHANGED, travels=True),
    scoring=Scoring(joker=20, winner_gets=WinnerGets.NOTHING, highest_wins=False),
    timing=Timing(seconds=120, consequence=TimeUpRule.TAKE),
    stock_end=StockEnd.DRAW_FAILS,
    starts=Starts.AGREED,
    summary=(
        "Each of 2 to 4 players starts with 14 tiles; you agree who begins.",
        "In your turn you lay tiles, or you draw one tile.",
        "Your first meld must be worth 40 points from your own tiles; a joker counts as the tile it stands for.",
        "After that, even in the same turn, you may add to sets on the table and rebuild them.",
        "Exchange a joker for the tile it stands for, out of your hand, and play it again in the same turn.",
        "A turn lasts 2 minutes; then you take every tile in no valid set, or a first meld too low and one more tile.",
        "Whoever lays the last tile wins the round; all others write down what is in their hands, a joker costs 20.",
        "The lowest total wins. If the stock is empty and somebody has to draw, nobody scores.",
    ),
    options=(
        starts(Starts.AGREED),
        minutes(2),
        LIMIT,
        Option(
            "fresh-tile",
            "A tile just drawn waits for your next turn, may serve for your first meld, or may always be laid.",
            "wait",
            tuple((kind.value, (("fresh", kind),)) for kind in Fresh),
        ),
        Option(
            "hand-rummy",
            "Points count double if the winner lays the whole hand in one turn and had laid nothing before.",
            "off",
            (("off", (("scoring.hand_rummy", 1),)), ("on", (("scoring.hand_rummy", 2),))),
        ),
        Option(
            "last-tile",
            "One tile lies open aside from the start; whoever goes out must use it in the last turn.",
            "off",
            (("off", (("finish.last_tile", False),)), ("on", (("finish.last_tile", True),))),
        ),
        Option(
            "winning-set",
            "The value that a set of the last turn, laid from the hand, must have, for example 12.",
            "off",
            (("off", (("finish.set_value", None),)),),
            (SET_VALUES, "finish.set_value"),
        ),
        Option(
            "winning-sum",
            "Whether that value must be met exactly or at least.",
            "exact",
            (("exact", (("finish.at_least", False),)), ("at-least", (("finish.at_least", True),))),
        ),
        REARRANGING,
        Option(
            "stock",
            "The stock is empty: nobody scores once somebody has to draw, or play goes on until nobody lays and the"
            " hands are counted.",
            "draw-fails",
            (
                ("draw-fails", (("stock_end", StockEnd.DRAW_FAILS), ("stock_counts", False))),
                ("count", (("stock_end", StockEnd.NOBODY_LAYS), ("stock_counts", True))),
            ),
        ),
        TIE,
    ),
    contradictions=(
        Contradiction(
            ("winning-set", "off"), ("winning-sum", "at-least"), "without a winning set there is no value to reach"
        ),
    ),
)
