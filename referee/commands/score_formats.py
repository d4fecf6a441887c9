"""Score sheets for other programs: as JSON, and as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.game.scoring import RoundScore
from referee.journal.scores import MatchScore


def as_json(score: MatchScore) -> dict[str, Any]:
    """A match with everything on its sheet."""
    players = score.sheet.players
    return {
        "match": score.match,
        "begun": score.begun.isoformat(),
        "rules": score.setup.rules,
        "options": dict(score.setup.options),
        "season": score.setup.season,
        "state": score.state,
        "damaged": score.damaged,
        "players": list(players),
        "rounds": [
            {"round": number, **_round_as_json(line, players)} for number, line in enumerate(score.sheet.rounds, 1)
        ],
        "totals": list(score.sheet.totals),
        "winners": list(score.winners),
        "corrections": [
            {
                "round": entry.correction.round,
                "corrected": entry.wall.isoformat(),
                "before": _round_as_json(entry.correction.before, players),
                "after": _round_as_json(entry.correction.after, players),
            }
            for entry in score.corrections
        ],
    }


def _round_as_json(line: RoundScore, players: Sequence[str]) -> dict[str, Any]:
    winner = None if line.winner is None else players[line.winner]
    return {"winner": winner, "ending": line.ending, "hands": list(line.hands), "scores": list(line.scores)}


CSV_NAMES = ["match", "begun", "rules", "season", "state", "round", "player", "hand", "score", "won", "corrected"]


def csv_rows(score: MatchScore) -> Iterator[list[object]]:
    """A line for every player in every round."""
    corrected = {entry.correction.round for entry in score.corrections}
    head = [score.match, score.begun.isoformat(), score.setup.rules, score.setup.season or "", score.state]
    for number, line in enumerate(score.sheet.rounds, 1):
        for seat, player in enumerate(score.sheet.players):
            won, again = int(line.winner == seat), int(number in corrected)
            yield [*head, number, player, line.hands[seat], line.scores[seat], won, again]
