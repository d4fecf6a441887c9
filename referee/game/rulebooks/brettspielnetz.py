"""Brettspielnetz, online Rummy for two."""

from __future__ import annotations

from referee.game.rulebooks.model import (
    JokerFreedom,
    JokerRule,
    Opening,
    Ruleset,
    Scoring,
    Starts,
    StockEnd,
    TimeUpRule,
    Timing,
    WinnerGets,
)
from referee.game.rulebooks.options import REARRANGING, TIE, minutes, starts

BRETTSPIELNETZ = Ruleset(
    name="brettspielnetz",
    title="Rummy (Brettspielnetz)",
    tileset="brettspielnetz",
    opening=Opening(minimum=30, joker=0),
    joker_rule=JokerRule(JokerFreedom.ALWAYS),
    scoring=Scoring(joker=25, winner_gets=WinnerGets.ONE),
    # The book knows no clock. If one is agreed: table tiles never go to a hand there, so the table is put back.
    timing=Timing(seconds=None, consequence=TimeUpRule.ROLL_BACK, draws=1),
    stock_end=StockEnd.LAST_DRAWN,
    stock_counts=True,
    players=(2, 2),
    deal=18,
    starts=Starts.LOT,
    jokers_each=1,
    cap=12,
    summary=(
        "Two players start with 18 tiles each, exactly one of them a joker; lots decide who begins.",
        "In your turn you lay tiles, at most 12, or you draw one tile.",
        "Your first meld must be worth 30 points from your own tiles; a joker in it counts nothing.",
        "In that turn you leave the sets on the table alone; from your next turn on you may rebuild them freely.",
        "A joker on the table may go anywhere, as long as all sets are valid in the end.",
        "There is no clock.",
        "Whoever lays the last tile wins.",
        "When the last tile of the stock is drawn, the hand with fewer points wins; a joker costs 25.",
    ),
    options=(starts(Starts.LOT), minutes(None), REARRANGING, TIE),
)
