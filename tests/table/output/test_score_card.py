"""The evening's card: what it says, and that everything fits whoever plays and however long."""

from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from referee.game.scoring import Correction, RoundScore, ScoreSheet
from referee.i18n import LANGUAGES, Wording
from referee.journal.rows import Setup
from referee.journal.scores import CorrectedRound, MatchScore
from referee.journal.statistics import TurnTotals
from referee.table.output.lettering import text_width
from referee.table.output.score_card import EDGE, MOST_ROWS, SMALL, WIDTH, card_of, card_png, draw_card, short_names

LONG = (
    "Wolfeschlegelsteinhausenbergerdorffmwalt",
    "Maximiliane-Katharina-Wilhelmine Mustern",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Anna-Sophia von und zu der Tannen-Gruber",
    "Ömer",
    "Žofie Černá",
)
SHORT = ("Ann", "Ben", "Cléo", "Dan", "Eva", "Ida")
BACK = (230, 239, 243)


def score(names=SHORT[:3], rounds=4, rules="rummikub", *, over=True):
    sheet = ScoreSheet(tuple(names))
    for number in range(rounds):
        winner = number % len(names)
        points = [-(10 + 7 * ((number + seat) % 5)) for seat in range(len(names))]
        points[winner] = 0
        points[winner] = -sum(points)
        sheet = sheet.add(RoundScore(winner, tuple(map(abs, points)), tuple(points)))
    return MatchScore(7, Setup.now(rules, {}), datetime(2026, 3, 14, 12, tzinfo=UTC), sheet, over=over)


def test_it_says_when_who_won_and_what_everybody_has():
    match = score()
    card = card_of(match, {}, Wording("de"))
    assert card.date == "Samstag, 14. März 2026"
    assert card.rules.endswith("· Partie 7")
    assert card.headline == "Ann hat gewonnen"
    first = card.standings[0]
    assert (first.place, first.name, first.won) == (1, "Ann", True)
    assert {one.name: one.total for one in card.standings} == dict(zip(SHORT, match.sheet.totals, strict=False))
    assert [label for label, _, _ in card.rows] == ["1", "2", "3", "4"]
    assert [one.rounds_won for one in card.standings if one.name == "Ann"] == [2]


def test_a_match_that_goes_on_has_no_winner():
    card = card_of(score(over=False), {}, Wording("fr"))
    assert card.headline == "Score provisoire"
    assert not any(one.won for one in card.standings)


def test_equal_totals_share_a_place_and_the_win():
    sheet = ScoreSheet(("Ann", "Ben", "Cléo")).add(RoundScore(0, (0, 0, 20), (10, 10, -20)))
    card = card_of(replace(score(), sheet=sheet), {}, Wording("en"))
    assert [(one.place, one.won) for one in card.standings] == [(1, True), (1, True), (3, False)]
    assert card.headline == "Ann and Ben won"


def test_by_rules_whose_lowest_total_wins_the_lowest_is_first():
    sheet = ScoreSheet(("Ann", "Ben")).add(RoundScore(0, (0, 30), (0, 30)))
    card = card_of(replace(score(rules="piatnik"), sheet=sheet), {}, Wording("en"))
    assert [(one.place, one.name, one.won) for one in card.standings] == [(1, "Ann", True), (2, "Ben", False)]
    assert card.rows == (("1", (0, 30), frozenset({0})),)
    assert card.facts == ()


@pytest.mark.parametrize("rounds", [MOST_ROWS, MOST_ROWS + 1, 30, 100])
def test_many_rounds_share_rows_and_nothing_is_lost(rounds):
    match = score(rounds=rounds)
    rows = card_of(match, {}, Wording("en")).rows
    assert len(rows) <= MOST_ROWS
    assert tuple(map(sum, zip(*(points for _, points, _ in rows), strict=True))) == match.sheet.totals
    last = rows[-1][0]
    assert last.rpartition("\N{EN DASH}")[2] == str(rounds)


def test_corrected_rounds_are_marked_and_explained():
    match = score()
    line = match.sheet.rounds[1]
    entry = CorrectedRound(Correction(2, line, line, 0.0, who="Eve", why="a test"), match.begun)
    card = card_of(replace(match, corrections=(entry,)), {}, Wording("it"))
    assert [label for label, _, _ in card.rows] == ["1", "2*", "3", "4"]
    assert card.notes == ("* corretta",)


def test_facts_come_from_the_turns_and_the_sheet():
    turns = {
        "Ann": TurnTotals(9, 270.0, longest=8),
        "Ben": TurnTotals(9, 540.0, longest=11),
        "Cléo": TurnTotals(1, 1.0),
    }
    facts = card_of(score(), turns, Wording("en")).facts
    assert facts == (
        "Longest set: Ben, 11 tiles", "Best round: Cléo, 55 points in round 3", "Quickest: Ann, 30 seconds per turn",
    )  # fmt: skip


def test_names_above_columns_are_first_names_unless_two_are_equal():
    assert short_names(("Anna Maria Gruber", "Ben"), 120) == ["Anna", "Ben"]
    first, second = short_names(("Anna Gruber", "Anna Huber"), 150)
    assert first.startswith("Anna G")
    assert second.startswith("Anna H")
    assert all(text_width(name, SMALL, bold=True) <= 90 for name in short_names(LONG, 90))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rounds", [0, 1, 16, 30])
@pytest.mark.parametrize("names", [LONG[:2], LONG, SHORT], ids=["two long", "six long", "six short"])
def test_everything_fits(names, rounds, language):
    words = Wording(language)
    turns = {name: TurnTotals(30, 3000.0, 3, 4, 9, 40) for name in names}
    image = draw_card(card_of(score(names, rounds), turns, words), words)
    assert image.shape[1] == WIDTH
    below = image[405:]  # below the head of felt
    assert (below[:, : EDGE - 2] == BACK).all()
    assert (below[:, 2 - EDGE :] == BACK).all()
    assert (image[-20:] == BACK).all()
    assert (image[:380, : EDGE - 2] == image[0, 0]).all()
    assert (image[:380, 2 - EDGE :] == image[0, 0]).all()


def test_the_file_is_a_png_that_a_chat_takes():
    data = card_png(score(SHORT, 12), {}, Wording("en"))
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert data.startswith(b"\x89PNG")
    assert image.shape[1] == 1080
    assert len(data) < 500_000
