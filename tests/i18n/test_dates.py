"""Dates are written as each language writes them."""

from datetime import date, timedelta

import pytest

from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.i18n.dates import written_date, written_moment


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "Saturday, 14 March 2026"),
        ("de", "Samstag, 14. März 2026"),
        ("fr", "samedi 14 mars 2026"),
        ("it", "sabato 14 marzo 2026"),
    ],
)
def test_a_date_has_weekday_day_month_and_year(language, written):
    assert written_date(date(2026, 3, 14), language) == written


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "Saturday, 1 August 2026"),
        ("de", "Samstag, 1. August 2026"),
        ("fr", "samedi 1er août 2026"),
        ("it", "sabato 1º agosto 2026"),
    ],
)
def test_the_first_of_a_month_is_an_ordinal_where_that_is_usual(language, written):
    assert written_date(date(2026, 8, 1), language) == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_days_of_a_year_are_written_alike(language):
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(365)]
    assert len({written_date(day, language) for day in days}) == 365


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "1 March 2026, 08:05"),
        ("de", "1. März 2026, 08:05"),
        ("fr", "1er mars 2026, 08:05"),
        ("it", "1º marzo 2026, 08:05"),
    ],
)
def test_a_moment_has_day_month_year_and_time(language, written):
    assert written_moment("2026-03-01 08:05", language) == written
    assert written in Wording(language)(Notice("scores.guessed", when="2026-03-01 08:05"))


@pytest.mark.parametrize("text", ["", "{when}", "2026-03-01", "2026-13-01 08:05", "yesterday"])
def test_what_is_no_moment_is_left_as_it_is(text):
    assert written_moment(text, "en") == text
