"""`referee.backup.keeping`: which backups are kept, and when the next one is due."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.backup.keeping import DAYS, MONTHS, WEEKS, day_of, is_due, name_of, time_in, to_keep

MINUTE = dt.timedelta(minutes=1)
MOMENTS = st.datetimes(dt.datetime(2020, 1, 1), dt.datetime(2035, 1, 1)).map(  # noqa: DTZ001 - by the clock of the house
    lambda moment: moment.replace(second=0, microsecond=0)
)


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def test_a_year_of_evenings_leaves_seven_days_four_weeks_and_twelve_months() -> None:
    first = at("2026-01-01T04:10")
    kept = sorted(to_keep(first + dt.timedelta(days=day) for day in range(365)), reverse=True)
    days = [f"{day_of(moment):%m-%d}" for moment in kept]
    assert days[:DAYS] == ["12-31", "12-30", "12-29", "12-28", "12-27", "12-26", "12-25"]
    # The newest of each week, Sunday, of which one is among the days; then the last days of the months.
    assert days[DAYS:] == [
        "12-20", "12-13", "11-30", "10-31", "09-30", "08-31", "07-31", "06-30", "05-31", "04-30", "03-31", "02-28",
        "01-31",
    ]  # fmt: skip


@given(st.sets(MOMENTS, max_size=200))
def test_the_newest_is_always_kept_and_never_too_many(moments: set[dt.datetime]) -> None:
    kept = to_keep(moments)
    assert kept <= moments
    assert len(kept) <= DAYS + WEEKS + MONTHS
    assert not moments or max(moments) in kept
    # Removing what is not kept changes nothing in what is kept.
    assert to_keep(kept) == kept


@given(st.sets(MOMENTS, min_size=1, max_size=60))
def test_tidying_after_every_backup_keeps_the_last_days_and_one_of_every_month(moments: set[dt.datetime]) -> None:
    there: set[dt.datetime] = set()
    for moment in sorted(moments):
        there = to_keep({*there, moment})
    days = sorted({day_of(moment) for moment in moments}, reverse=True)
    months = sorted({(day.year, day.month) for day in days}, reverse=True)
    assert {day_of(moment) for moment in there} >= set(days[:DAYS])
    assert {(day_of(moment).year, day_of(moment).month) for moment in there} >= set(months[:MONTHS])
    assert {max(one for one in moments if day_of(one) == day) for day in days[:DAYS]} <= there


@given(MOMENTS)
def test_a_name_tells_the_minute(moment: dt.datetime) -> None:
    assert time_in(name_of(moment)) == moment


@pytest.mark.parametrize("name", ["referee-2026-02-30-1200.zip", "before-restore-2026-01-01-120000.zip", "x.zip"])
def test_other_files_are_left_alone(name: str) -> None:
    assert time_in(name) is None


@pytest.mark.parametrize(
    ("played", "newest", "now", "due"),
    [
        pytest.param(None, None, "2026-11-27T04:00", False, id="nothing was ever played"),
        pytest.param("2026-11-26T22:00", None, "2026-11-26T23:59", False, id="still the same evening"),
        pytest.param("2026-11-27T01:30", None, "2026-11-27T03:59", False, id="past midnight is the same evening"),
        pytest.param("2026-11-27T01:30", None, "2026-11-27T04:00", True, id="the evening is over"),
        pytest.param("2026-11-26T22:00", "2026-11-26T04:10", "2026-11-27T04:00", True, id="the last one is older"),
        pytest.param("2026-11-26T22:00", "2026-11-27T04:00", "2026-11-27T04:10", False, id="it was made"),
        pytest.param("2026-11-26T22:00", "2026-11-26T22:30", "2026-11-27T04:10", False, id="it was made by hand"),
        pytest.param("2026-11-21T22:00", "2026-11-20T04:10", "2026-11-27T18:00", True, id="switched off meanwhile"),
        pytest.param("2026-11-26T22:00", "2030-01-01T04:00", "2026-11-27T04:00", True, id="the clock was wrong"),
        pytest.param("2026-11-26T22:00", None, "1970-01-01T04:00", False, id="the clock is not set yet"),
    ],
)
def test_it_is_due_once_after_a_day_with_a_match(played: str | None, newest: str | None, now: str, due: bool) -> None:
    assert is_due(played and at(played), newest and at(newest), at(now)) is due  # type: ignore[arg-type]
