"""What hands, rounds and matches count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.game.rulesets.base import Ruleset, WinnerGets
from referee.game.tiles import Tile


def hand_points(tiles: Iterable[Tile], rules: Ruleset) -> int:
    """What tiles left in the hand count against their player."""
    return sum(rules.scoring.joker if tile.is_joker else tile.number for tile in tiles)


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A line of the score sheet: the winner's seat or None, points left in the hands, what each player gets."""

    winner: int | None
    hands: tuple[int, ...]
    scores: tuple[int, ...]


def score_round(hands: Sequence[int], winner: int, rules: Ruleset, *, in_one_turn: bool = False) -> RoundScore:
    """Score a round that `winner` ended with the last tile; `hands` are the points left in every hand.

    `in_one_turn`: the winner laid the whole hand in the first turn of laying.
    """
    scoring = rules.scoring
    times = scoring.hand_rummy if in_one_turn else 1
    if scoring.winner_gets is WinnerGets.ONE:
        return RoundScore(winner, tuple(hands), tuple(int(seat == winner) for seat in range(len(hands))))
    plus = times * sum(hands) if scoring.winner_gets is WinnerGets.SUM else 0
    sign = -times if scoring.highest_wins else times
    scores = tuple(plus if seat == winner else sign * points for seat, points in enumerate(hands))
    return RoundScore(winner, tuple(hands), scores)


def score_counted(hands: Sequence[int], rules: Ruleset) -> RoundScore:
    """Score a round in which nobody went out: everyone loses the own hand, and the lowest wins unless it is shared."""
    lowest = min(hands)
    winner = hands.index(lowest) if hands.count(lowest) == 1 else None
    scores = [-points for points in hands]
    if winner is not None and rules.scoring.counted_difference:
        scores = [lowest - points for points in hands]
        scores[winner] = -sum(scores)
    return RoundScore(winner, tuple(hands), tuple(scores))


def no_score(players: int) -> RoundScore:
    """Score a round that counts as drawn."""
    return RoundScore(None, (0,) * players, (0,) * players)


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The rounds of a match so far."""

    players: tuple[str, ...]
    rounds: tuple[RoundScore, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """What every player has, in the order of the seats."""
        return tuple(sum(line.scores[seat] for line in self.rounds) for seat in range(len(self.players)))

    def add(self, line: RoundScore) -> ScoreSheet:
        """The sheet with one more round."""
        return ScoreSheet(self.players, (*self.rounds, line))

    def leaders(self, rules: Ruleset) -> tuple[int, ...]:
        """The seats in the lead; several where they share it."""
        best = max(self.totals) if rules.scoring.highest_wins else min(self.totals)
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)
