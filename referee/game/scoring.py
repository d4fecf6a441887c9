"""The points of hands, rounds and matches; scores always follow from the facts of a round."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset, WinnerGets
from referee.game.tiles import Tile


class Ending(enum.StrEnum):
    """How a round ended."""

    WENT_OUT = "went-out"
    """Somebody laid the last tile."""
    COUNTED = "counted"
    """The stock was empty, and the hands were counted."""
    UNSCORED = "unscored"
    """The stock was empty, and nobody scores."""
    GIVEN = "given"
    """The book gives the points of the round directly."""


def hand_points(tiles: Iterable[Tile], rules: Ruleset) -> int:
    """Return the points that tiles left in the hand count against their player."""
    scoring = rules.scoring
    numbers = (scoring.joker if tile.is_joker else tile.number for tile in tiles)
    most = scoring.most_per_tile
    return sum(numbers if most is None else (min(number, most) for number in numbers))


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A line of the score sheet.

    `winner` is a seat or None, `hands` are the points left in each hand (0 for a hand that need not be shown), and
    `scores` are the points that each player gets.
    """

    winner: int | None
    hands: tuple[int, ...]
    scores: tuple[int, ...]
    ending: Ending = Ending.WENT_OUT
    in_one_turn: bool = False
    """Whether the winner laid the whole hand in the first turn of laying."""


def score_round(hands: Sequence[int], winner: int, rules: Ruleset, *, in_one_turn: bool = False) -> RoundScore:
    """Score a round that `winner` ended with the last tile; `hands` are the points left in every hand."""
    scoring = rules.scoring
    if scoring.winner_gets is WinnerGets.ONE:
        scores = _one_for(winner, len(hands))
    else:
        times = scoring.hand_rummy if in_one_turn else 1
        plus = times * sum(hands) if scoring.winner_gets is WinnerGets.SUM else 0
        scores = tuple(plus if seat == winner else times * points * _sign(rules) for seat, points in enumerate(hands))
    return RoundScore(winner, tuple(hands), scores, in_one_turn=in_one_turn)


def score_counted(hands: Sequence[int], rules: Ruleset) -> RoundScore:
    """Score a round in which nobody went out: all lose the points left; the lowest hand wins unless two are lowest."""
    lowest = min(hands)
    winner = hands.index(lowest) if hands.count(lowest) == 1 else None
    if rules.scoring.winner_gets is WinnerGets.ONE:
        scores = _one_for(winner, len(hands))
    elif winner is not None and rules.scoring.counted_difference:
        losses = [points - lowest for points in hands]
        scores = tuple(sum(losses) if seat == winner else -loss for seat, loss in enumerate(losses))
    else:
        scores = tuple(points * _sign(rules) for points in hands)
    return RoundScore(winner, tuple(hands), scores, Ending.COUNTED)


def no_score(players: int) -> RoundScore:
    """Return the score of a drawn round."""
    return RoundScore(None, (0,) * players, (0,) * players, Ending.UNSCORED)


def _one_for(winner: int | None, players: int) -> tuple[int, ...]:
    return tuple(int(seat == winner) for seat in range(players))


def _sign(rules: Ruleset) -> int:
    """Return the sign with which points left in a hand are written down: positive if the lowest total wins."""
    return -1 if rules.scoring.highest_wins else 1


@dataclass(frozen=True, slots=True)
class Correction:
    """The replacement of a line of the sheet at `t`: the round (from 1), both lines, `who` and `why` if known."""

    round: int
    before: RoundScore
    after: RoundScore
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A turn that the rules refused but all players agreed to at `t`, with what was wrong with it."""

    round: int
    player: int
    wrong: tuple[Notice, ...]
    t: float
    by: tuple[int, ...] = ()
    """The seats that agreed."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The rounds of a match so far, with the corrections made and the turns that count by agreement."""

    players: tuple[str, ...]
    rounds: tuple[RoundScore, ...] = ()
    corrections: tuple[Correction, ...] = ()
    agreements: tuple[Agreement, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each player, in the order of the seats."""
        return tuple(sum(line.scores[seat] for line in self.rounds) for seat in range(len(self.players)))

    def add(self, line: RoundScore) -> ScoreSheet:
        """Return the sheet with one more round."""
        return replace(self, rounds=(*self.rounds, line))

    def with_agreement(self, player: int, wrong: tuple[Notice, ...], t: float, by: tuple[int, ...]) -> ScoreSheet:
        """Return the sheet with a mark that a turn of the current round counts by agreement."""
        mark = Agreement(len(self.rounds) + 1, player, wrong, t, by)
        return replace(self, agreements=(*self.agreements, mark))

    def with_correction(self, number: int, line: RoundScore, t: float, who: str = "", why: str = "") -> ScoreSheet:
        """Return the sheet with another line for round `number`, from 1; the old line is kept in `corrections`."""
        trace = Correction(number, self.rounds[number - 1], line, t, who, why)
        rounds = (*self.rounds[: number - 1], line, *self.rounds[number:])
        return replace(self, rounds=rounds, corrections=(*self.corrections, trace))

    def leaders(self, rules: Ruleset) -> tuple[int, ...]:
        """Return the seats in the lead; several if the lead is shared."""
        best = max(self.totals) if rules.scoring.highest_wins else min(self.totals)
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)

    def is_over(self, rules: Ruleset, rounds: int) -> bool:
        """Return whether the match is over: this many rounds are played, or the target of the rule book is reached.

        If the rules want ties played out, it is not over while the lead is shared.
        """
        target = None if rules.knocking is None else rules.knocking.target
        done = len(self.rounds) >= rounds if target is None else max(self.totals) >= target
        return done and not (rules.scoring.tie_break and len(self.leaders(rules)) > 1)
