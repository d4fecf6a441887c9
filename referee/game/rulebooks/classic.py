"""Classic Rummy: cyclic runs, six jokers, and a first meld that may lean on the table."""

from __future__ import annotations

from referee.game.rulebooks.model import (
    Extended,
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

CLASSIC = Ruleset(
    name="classic",
    title="Classic Rummy",
    tileset="classic",
    opening=Opening(minimum=51, same_turn=True, extended=Extended.WHOLE),
    joker_rule=JokerRule(JokerFreedom.EXCHANGED, travels=True, declared=True, alone=JokerSets.DECLARED),
    scoring=Scoring(joker=25),
    timing=Timing(seconds=120, consequence=TimeUpRule.TAKE),
    stock_end=StockEnd.DRAW_FAILS,
    starts=Starts.LOT,
    deal=13,
    deals=((2, 15),),
    wraps=True,
    summary=(
        "Two players start with 15 tiles each, three or four with 13; lots decide who begins.",
        "In your turn you lay tiles, or you draw one tile.",
        "Your first turn of laying must be worth 51 points: your own sets, and the sets on the table that you add to.",
        "Afterwards, even in the same turn, you may rebuild the table to lay more tiles.",
        "A run may go on from 13 (king) to 1 (ace): Q K A 2 3; the ace always counts 1.",
        "Say what a joker stands for; exchange it for that tile out of your hand and play it again in the same turn.",
        "A turn lasts 2 minutes; then you take every tile in no valid set, or a first meld too low and one more tile.",
        "Whoever lays the last tile wins the round and gets the points left in all other hands; a joker costs 25.",
        "If the stock is empty and somebody has to draw, nobody scores.",
    ),
    options=(
        starts(Starts.LOT),
        minutes(2),
        Option(
            "opening-counts",
            "What a set of the table that you add to counts in your first 51 points: whole, or the tiles added.",
            "whole",
            tuple((kind.value, (("opening.extended", kind),)) for kind in (Extended.WHOLE, Extended.ADDED)),
        ),
        Option(
            "exchange",
            "Before your 51 points lie there a joker may not be exchanged; or it may, and that set counts too.",
            "after",
            (("after", (("opening.exchange_counts", False),)), ("counts", (("opening.exchange_counts", True),))),
        ),
        Option(
            "declare",
            "What a joker stands for: its place in the row must tell, or it is enough to say so.",
            "row",
            (("row", (("joker_rule.declared", True),)), ("spoken", (("joker_rule.declared", False),))),
        ),
        joker_sets(JokerSets.DECLARED),
        REARRANGING,
        TIE,
    ),
)
