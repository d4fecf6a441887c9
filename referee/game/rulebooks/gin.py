"""Gin Rummy with tiles, for two."""

from __future__ import annotations

from referee.game.rulebooks.model import (
    JokerFreedom,
    JokerRule,
    Knocking,
    Opening,
    Ruleset,
    Scoring,
    Starts,
    StockEnd,
    TimeUpRule,
    Timing,
)
from referee.game.rulebooks.options import starts

GIN = Ruleset(
    name="gin",
    title="Gin Rummy",
    tileset="gin",
    opening=Opening(minimum=0),
    joker_rule=JokerRule(JokerFreedom.ALWAYS),
    scoring=Scoring(most_per_tile=10),
    timing=Timing(seconds=None, consequence=TimeUpRule.ROLL_BACK),
    stock_end=StockEnd.LAST_DRAWN,
    players=(2, 2),
    deal=10,
    starts=Starts.WINNER,
    knocking=Knocking(below=10, gin_bonus=25, undercut_bonus=10, target=100, never_drawn=2),
    summary=(
        "Two players start with 10 tiles each, out of 52 without jokers; one more tile lies open.",
        "Lots decide who deals first, afterwards the loser deals, or after a drawn game the same player again.",
        "First the player who did not deal may take the open tile, then the dealer may; else draw from the stock.",
        "In your turn take a hidden tile or the last open one, then lay one tile open beside the others in a row.",
        "Jack, queen and king count 10, the ace 1; no run goes on from the king to the ace.",
        "Knock with a long press if your tiles outside sets count less than 10 after your discard; none is gin.",
        "The knocker lays sets and rest; then the opponent, who may add to the knocker's sets unless it was gin.",
        "The lower rest wins the difference; gin wins the opponent's rest and 25.",
        "A knocker who is not lower loses the difference and 10.",
        "When only two hidden tiles are left and nobody knocked, the game is drawn. 100 points win the match.",
    ),
    options=(starts(Starts.WINNER, formerly=None),),
)
