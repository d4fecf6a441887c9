"""Which matches are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.reading import rows_of
from referee.journal.rows import Row
from referee.journal.scores import MatchScore, in_season
from referee.page.broadcast import number_in

LONGEST_TEXT = 100


class NotThere(Exception):
    """What is asked for does not exist; `told` says so."""

    def __init__(self, told: Notice) -> None:
        super().__init__(told.key)
        self.told = told


@dataclass(frozen=True, slots=True)
class Chosen:
    """The matches that fit, and what there is to choose from; `any_match`: whether there are any at all."""

    scores: Sequence[MatchScore]
    season: str
    player: str
    seasons: tuple[str, ...]
    players: tuple[str, ...]
    any_match: bool


def one(found: Sequence[MatchScore], text: str) -> MatchScore:
    """The match of that number; raises NotThere."""
    wanted = number_in(text)
    score = next((score for score in found if score.match == wanted), None)
    if score is None:
        raise NotThere(Notice("scores.no_such_match"))
    return score


def select_matches(found: Sequence[MatchScore], season: str, player: str) -> Chosen:
    """The matches of a season and with a player; raises NotThere for a season that is none."""
    season, player = season[:LONGEST_TEXT].strip(), player[:LONGEST_TEXT]
    named = dict.fromkeys(score.setup.season for score in reversed(found) if score.setup.season)
    years = dict.fromkeys(f"{score.begun.astimezone():%Y}" for score in reversed(found))
    players = sorted({name for score in found for name in score.sheet.players})
    scores = list(found)
    if season and found:
        try:
            scores = in_season(found, season)
        except BadInput as error:
            raise NotThere(Notice("scores.no_season", season=season)) from error
    if player:
        scores = [score for score in scores if player in score.sheet.players]
    seasons = (*(name for name in named if name), *years)
    return Chosen(scores, season, player, seasons, tuple(players), bool(found))


def kept_rows(path: Path, match: int) -> list[Row]:
    """The rows of a match; none where there are none, or no journal."""
    return rows_of(path, match)[0] if path.exists() else []
