"""Selecting matches, and the values that the templates show of their score sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS
from referee.game.scoring import RoundScore
from referee.journal.reading import rows_of
from referee.journal.rows import Row
from referee.journal.score_formats import local_time, result_of, when_begun
from referee.journal.scores import MatchScore, in_season
from referee.page.broadcast import number_in
from referee.pages.table.scores.chart import series
from referee.pages.table.setup.books import label
from referee.table.output.notices import correction_notice, scores_told

LONGEST_TEXT = 100


class NotThere(Exception):
    """What was requested does not exist; `told` is the notice that says so."""

    def __init__(self, told: Notice) -> None:
        super().__init__(told.key)
        self.told = told


@dataclass(frozen=True, slots=True)
class Chosen:
    """The selected matches, and the seasons and players to choose from; `any_match`: whether there is any match."""

    scores: Sequence[MatchScore]
    season: str
    player: str
    seasons: tuple[str, ...]
    players: tuple[str, ...]
    any_match: bool


def one(found: Sequence[MatchScore], text: str) -> MatchScore:
    """Return the match with that number; raises NotThere."""
    wanted = number_in(text)
    score = next((score for score in found if score.match == wanted), None)
    if score is None:
        raise NotThere(Notice("scores.no_such_match"))
    return score


def select_matches(found: Sequence[MatchScore], season: str, player: str) -> Chosen:
    """Return the matches of a season and with a player; raises NotThere if there is no such season."""
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
    """Return the rows of a match; an empty list if there are none, or no journal."""
    return rows_of(path, match)[0] if path.exists() else []


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in the list of all matches: `players` with their totals."""

    match: int
    begun: str
    rules: str
    season: str
    players: tuple[tuple[str, str], ...]
    result: Notice


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round on the sheet of its match: `marks` as in `score_table`, `pictures` are the events that have one."""

    number: int
    scores: list[str]
    marks: str
    won: Notice
    hands: Notice | None
    pictures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A correction: the points before and after it, and by whom and why it was made."""

    entry: Notice
    by: Notice | None


def match_line(score: MatchScore, words: Callable[[Notice], str]) -> Listed:
    """Return a match as one line of the list."""
    players = tuple(zip(score.sheet.players, series(score.sheet.totals), strict=True))
    season = score.setup.season or ""
    rules = title_of(score.setup.rules)
    return Listed(score.match, when_begun(score, words), rules, season, players, result_of(score))


def title_of(name: str) -> str:
    """Return the title of a rule book; the name itself if this version does not know the book."""
    return RULESETS[name].title if name in RULESETS else name


def options_of(score: MatchScore) -> list[tuple[Notice, Notice | str]]:
    """Return the options that were chosen in a match, as far as this version knows them."""
    rules = RULESETS.get(score.setup.rules)
    known = {} if rules is None else {option.name: option for option in rules.options}
    chosen = ((known[name], choice) for name, choice in score.setup.options.items() if name in known)
    return [
        (option.label, label(choice)) for option, choice in chosen if choice in option.every_choice or choice.isdigit()
    ]


def rounds_of(score: MatchScore, pictures: dict[int, tuple[int, ...]]) -> list[RoundShown]:
    """Return the rounds of a match."""
    sheet = score.sheet
    corrected = {entry.correction.round for entry in score.corrections}
    agreed = {mark.round for mark in sheet.agreements}
    return [
        RoundShown(
            number,
            series(line.scores),
            "*" * (number in corrected) + "+" * (number in agreed),
            _winner_notice(line, sheet.players),
            _hands(line, sheet.players),
            pictures.get(number, ()),
        )
        for number, line in enumerate(sheet.rounds, 1)
    ]


def _winner_notice(line: RoundScore, players: Sequence[str]) -> Notice:
    if line.winner is None:
        return Notice("scores.won_by_nobody")
    key = "scores.won_by_in_one_turn" if line.in_one_turn else "scores.won_by"
    return Notice(key, player=players[line.winner])


def _hands(line: RoundScore, players: Sequence[str]) -> Notice | None:
    if not any(line.hands):
        return None
    told = zip(players, line.hands, strict=True)
    return Notice(
        "scores.left_in_hands",
        scores=tuple(Notice("scores.hand", player=name, points=points) for name, points in told),
    )


def corrections_of(score: MatchScore) -> list[Told]:
    """Return the corrections of a match, in order."""
    found = []
    for entry in score.corrections:
        was = entry.correction
        before, after = (scores_told(score.sheet.players, line.scores) for line in (was.before, was.after))
        told = Notice("scores.entry", when=local_time(entry.wall), round=was.round, before=before, after=after)
        found.append(Told(told, correction_notice(was)))
    return found


def rounds_of_events(rows: Sequence[Row], events: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return those of `events` that happened in each round, by the rows that say when rounds began."""
    begun = [row.number for row in rows if row.kind in ("started", "round-started")]
    found: dict[int, tuple[int, ...]] = {}
    for number in events:
        place = sum(first <= number for first in begun)
        found[place] = (*found.get(place, ()), number)
    return found
