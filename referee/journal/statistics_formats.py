"""The statistics of players for other programs: lines of CSV with English names, as those of the score sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.journal.scores import MatchScore
from referee.journal.statistics import PlayerStatistics, Statistics, badges_of

STATISTICS_NAMES = [
    "player",
    "rating",
    "rating_mean",
    "rating_deviation",
    "matches",
    "matches_won",
    "rounds",
    "rounds_won",
    "points",
    "turns",
    "seconds_a_turn",
    "first_meld_turn",
    "longest_set",
    "tiles_laid",
    "longest_streak",
    "in_one_turn",
    "badges",
]
SHOWN_STATISTICS = {
    "player", "rating", "matches", "matches_won", "rounds", "rounds_won", "seconds_a_turn", "first_meld_turn",
    "longest_set",
}  # fmt: skip
"""Those of them that fit into a terminal."""
PAIR_NAMES = ["player", "other", "matches", "ahead", "behind", "equal"]


def read_statistics(path: Path, scores: Sequence[MatchScore]) -> list[PlayerStatistics]:
    """Return the statistics over these matches, however many there are; raises JournalError."""
    statistics = Statistics(path)
    found, missing = statistics.read(scores)
    while missing:
        found, missing = statistics.read(scores)
    return found


def statistics_rows(players: Sequence[PlayerStatistics]) -> list[list[object]]:
    """Return a line for every player; an empty cell is a value that is not known.

    `points` has the sum by rule book, such as `rummikub:+128 gin:40`, because points of different books cannot be
    added up. `badges` has those of `Badge`, with commas between them.
    """
    return [
        [
            one.player,
            one.rating.shown,
            round(one.rating.mean, 3),
            round(one.rating.deviation, 3),
            one.matches,
            one.matches_won,
            one.rounds,
            one.rounds_won,
            " ".join(f"{rules}:{points:+d}" for rules, points in sorted(one.points.items())),
            one.turns.turns,
            "" if one.seconds_a_turn is None else round(one.seconds_a_turn, 1),
            "" if one.first_meld is None else round(one.first_meld, 2),
            one.turns.longest,
            one.turns.tiles,
            one.longest_streak,
            one.in_one_turn,
            ", ".join(badges_of(one, players)),
        ]
        for one in players
    ]


def pair_rows(players: Sequence[PlayerStatistics]) -> list[list[object]]:
    """Return a line for every player with every other: matches together, and how many ended ahead, behind, equal."""
    known = {one.player: one for one in players}
    return [
        [one.player, other, met, one.ahead[other], behind, met - one.ahead[other] - behind]
        for one in players
        for other, met in sorted(one.met.items())
        for behind in (known[other].ahead[one.player],)
    ]
