"""Texts for printed score sheets, and score sheets for other programs as JSON and CSV."""

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


def csv_file(text: str) -> bytes:
    """Return CSV as the content of a file: UTF-8 with a mark at its beginning.

    Without the mark, spreadsheets take the text for what Windows used to write, and show wrong umlauts.
    """
    return text.encode("utf-8-sig", "replace")


def rules_of(score: MatchScore) -> str:
    """Return the rule book with the options chosen."""
    return score.setup.rules + "".join(f", {name}={choice}" for name, choice in score.setup.options.items())


def faces_of(score: MatchScore) -> str:
    """Return the face style of a match's tiles; `numbers` if this version does not know its rules."""
    try:
        return score.setup.ruleset().box.faces
    except BadInput:
        return "numbers"


def result_of(score: MatchScore) -> Notice:
    """Return the notice that says how a match ended, or that it has not."""
    result = Notice("console.won", winners=tuple(score.winners))
    if not score.winners:
        result = Notice(f"console.{score.state.name.lower()}")
    return Notice("console.damaged_result", result=result) if score.damaged else result


def local_time(moment: datetime) -> str:
    """Return a moment in this machine's time zone, for a field that is written as `{when:moment}`."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def when_begun(score: MatchScore, words: Callable[[Notice], str]) -> str:
    """Return when a match began, with a mark if that was only a guess."""
    return words(Notice("scores.guessed" if score.guessed else "scores.at", when=local_time(score.begun)))


def as_json(score: MatchScore, words: Callable[[Notice], str]) -> dict[str, Any]:
    """Return a match with everything on its sheet.

    `words` turns the notices of what was wrong with an agreed turn into sentences.
    """
    players = score.sheet.players
    return {
        "match": score.match,
        "begun": score.begun.isoformat(),
        "begun_is_guess": score.guessed,
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
    "begun_is_guess",
]


def csv_rows(score: MatchScore) -> Iterator[list[object]]:
    """Yield a line for every player in every round.

    `agreed` counts the player's turns that count by agreement; `begun_is_guess` is 1 if the clock was never set.
    """
    corrected = {entry.correction.round for entry in score.corrections}
    agreed = Counter((mark.round, mark.player) for mark in score.sheet.agreements)
    head = [score.match, score.begun.isoformat(), score.setup.rules, score.setup.season or "", score.state]
    for number, line in enumerate(score.sheet.rounds, 1):
        for seat, player in enumerate(score.sheet.players):
            won, again = int(line.winner == seat), int(number in corrected)
            marks = won, again, agreed[number, seat], int(score.guessed)
            yield [*head, number, player, line.hands[seat], line.scores[seat], *marks]


TOTAL_NAMES = [field.name for field in fields(PlayerTotal)]


def total_rows(found: Iterable[PlayerTotal]) -> list[list[Any]]:
    """Return a line for the totals of every player with a rule book."""
    return [list(asdict(total).values()) for total in found]


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return lines of CSV below a line with their names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Return a cell with an apostrophe in front if a spreadsheet would take it for a formula.

    This is needed because anybody can choose a name. https://owasp.org/www-community/attacks/CSV_Injection
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
