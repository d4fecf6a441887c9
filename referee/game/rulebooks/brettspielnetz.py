"""Brettspielnetz, online Rummy for two."""

from __future__ import annotations

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
    WinnerGets,
)
from referee.game.rulebooks.options import MATCH_TIME, REARRANGING, TIE, minutes, starts

BRETTSPIELNETZ = Ruleset(
    name="brettspielnetz",
    title="Rummy (Brettspielnetz)",
    tileset="brettspielnetz",
    melds=MeldRules(
        opening=Opening(minimum=30, joker=0),
        joker_rule=JokerRule(JokerFreedom.ALWAYS),
        # The book has no clock. If one is agreed, the table is put back: table tiles never go to a hand by this book.
        timing=Timing(seconds=None, consequence=TimeUpRule.ROLL_BACK, draws=1),
        stock_end=StockEnd.LAST_DRAWN,
        stock_counts=True,
    ),
    scoring=Scoring(joker=25, winner_gets=WinnerGets.ONE),
    players=(2, 2),
    deal=18,
    starts=Starts.LOT,
    jokers_each=1,
    cap=12,
    options=(starts(Starts.LOT), minutes(None), REARRANGING, TIE, MATCH_TIME),
)
