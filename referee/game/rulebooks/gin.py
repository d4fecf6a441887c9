"""Gin Rummy with tiles, for two."""

from __future__ import annotations

from referee.game.rulebooks.model import Knocking, Ruleset, Scoring, Starts
from referee.game.rulebooks.options import starts

GIN = Ruleset(
    name="gin",
    title="Gin Rummy",
    tileset="gin",
    scoring=Scoring(most_per_tile=10),
    players=(2, 2),
    deal=10,
    starts=Starts.WINNER,
    options=(starts(Starts.WINNER, formerly=None),),
    knocking=Knocking(below=10, gin_bonus=25, undercut_bonus=10, target=100, never_drawn=2),
)
