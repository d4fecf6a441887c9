"""Classic Rummy: cyclic runs, six jokers, and a first meld that may use the table."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.model import (
    Extended,
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
from referee.game.rulebooks.options import JOKER_PLACE, MATCH_TIME, REARRANGING, TIE, joker_sets, minutes, starts

CLASSIC = Ruleset(
    name="classic",
    title="Classic Rummy",
    tileset="classic",
    melds=MeldRules(
        opening=Opening(minimum=51, same_turn=True, extended=Extended.WHOLE),
        joker_rule=JokerRule(
            JokerFreedom.EXCHANGED, travels=True, declared=True, as_laid=True, alone=JokerSets.DECLARED
        ),
        timing=Timing(seconds=120, consequence=TimeUpRule.TAKE),
        stock_end=StockEnd.DRAW_FAILS,
    ),
    scoring=Scoring(joker=25),
    deal=13,
    deals=((2, 15),),
    wraps=True,
    starts=Starts.LOT,
    clockwise=True,
    options=(
        starts(Starts.LOT),
        minutes(2),
        Option(
            "opening-counts",
            Notice("rules.option_opening_counts", minimum=51),
            "whole",
            tuple((kind.value, (("opening.extended", kind),)) for kind in (Extended.WHOLE, Extended.ADDED)),
        ),
        Option(
            "exchange",
            Notice("rules.option_exchange", minimum=51),
            "after",
            (("after", (("opening.exchange_counts", False),)), ("counts", (("opening.exchange_counts", True),))),
        ),
        Option(
            "declare",
            Notice("rules.option_declare"),
            "row",
            (("row", (("joker_rule.declared", True),)), ("spoken", (("joker_rule.declared", False),))),
        ),
        JOKER_PLACE,
        joker_sets(JokerSets.DECLARED),
        REARRANGING,
        TIE,
        MATCH_TIME,
    ),
)
