"""Dates are written as each language writes them."""

from datetime import date, timedelta

import pytest

from referee.i18n import LANGUAGES
from referee.i18n.dates import written_date


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
