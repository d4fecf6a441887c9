"""What score sheets say of a match in print, and the sheets for other programs: as JSON, and as lines of CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.scoring import RoundScore
from referee.journal.scores import MatchScore, PlayerTotal


def rules_of(score: MatchScore) -> str:
    """The rule book with the options chosen."""
    return score.setup.rules + "".join(f", {name}={choice}" for name, choice in score.setup.options.items())


def faces_of(score: MatchScore) -> str:
    """How the tiles of a match are called; by numbers where its rules are none of ours."""
    try:
        return score.setup.ruleset().box.faces
    except BadInput:
        return "numbers"


def result_of(score: MatchScore) -> Notice:
    """How a match ended, or that it has not."""
    result = Notice("console.won", winners=tuple(score.winners))
    if not score.winners:
        result = Notice(f"console.{score.state.name.lower()}")
    return Notice("console.damaged_result", result=result) if score.damaged else result


def local_time(moment: datetime) -> str:
    """A time of day at this place."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def as_json(score: MatchScore, words: Callable[[Notice], str]) -> dict[str, Any]:
    """A match with everything on its sheet; `words` makes sentences of what was wrong with an agreed turn."""
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
                "who": entry.correction.who,
                "why": entry.correction.why,
                "before": _round_as_json(entry.correction.before, players),
                "after": _round_as_json(entry.correction.after, players),
            }
            for entry in score.corrections
        ],
        "agreements": [
            {
                "round": mark.round,
                "player": players[mark.player],
                "wrong": [words(told) for told in mark.wrong],
                "by": [players[seat] for seat in mark.by],
            }
            for mark in score.sheet.agreements
        ],
    }


def _round_as_json(line: RoundScore, players: Sequence[str]) -> dict[str, Any]:
    winner = None if line.winner is None else players[line.winner]
    return {"winner": winner, "ending": line.ending, "hands": list(line.hands), "scores": list(line.scores)}


CSV_NAMES = [
    "match",
    "begun",
    "rules",
    "season",
    "state",
    "round",
    "player",
    "hand",
    "score",
    "won",
    "corrected",
    "agreed",
]


def csv_rows(score: MatchScore) -> Iterator[list[object]]:
    """A line for every player in every round; `agreed` counts the player's turns that count by agreement."""
    corrected = {entry.correction.round for entry in score.corrections}
    agreed = Counter((mark.round, mark.player) for mark in score.sheet.agreements)
    head = [score.match, score.begun.isoformat(), score.setup.rules, score.setup.season or "", score.state]
    for number, line in enumerate(score.sheet.rounds, 1):
        for seat, player in enumerate(score.sheet.players):
            won, again = int(line.winner == seat), int(number in corrected)
            yield [*head, number, player, line.hands[seat], line.scores[seat], won, again, agreed[number, seat]]


TOTAL_NAMES = [field.name for field in fields(PlayerTotal)]


def total_rows(found: Iterable[PlayerTotal]) -> list[list[Any]]:
    """A line for what every player reached by a rule book."""
    return [list(asdict(total).values()) for total in found]


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lines of CSV below their names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    """A text that a spreadsheet would take for a formula stands behind an apostrophe: names are anybody's.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
