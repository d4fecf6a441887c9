"""Which automatic backups are kept, what they are called, and when the next one is due. Pure functions.

A day ends at four in the morning, so that a match past midnight belongs to the evening on which it began.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

DAYS, WEEKS, MONTHS = 7, 4, 12
NIGHT = dt.timedelta(hours=4)
"""Where one day ends and the next begins, after midnight."""
_NAME = re.compile(r"referee-(\d{4}-\d\d-\d\d-\d{4})\.zip")
_TIME = "%Y-%m-%d-%H%M"


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in a folder: the name of its file, its time by the clock of the house, and its size in bytes."""

    name: str
    made: dt.datetime
    size: int


def name_of(made: dt.datetime) -> str:
    """Return the name of a backup's file for the local time at which it was made."""
    return f"referee-{made.strftime(_TIME)}.zip"


def time_in(name: str) -> dt.datetime | None:
    """Return the local time in the name of a backup's file; None for any other file."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    try:
        return dt.datetime.strptime(found[1], _TIME)  # noqa: DTZ007 - a name has no time zone
    except ValueError:
        return None


def day_of(moment: dt.datetime) -> dt.date:
    """Return the day to which a local time belongs."""
    return (moment - NIGHT).date()


def start_of(moment: dt.datetime) -> dt.datetime:
    """Return when the day began to which a local time belongs."""
    return dt.datetime.combine(day_of(moment), dt.time()) + NIGHT


def to_keep(made: Iterable[dt.datetime]) -> set[dt.datetime]:
    """Return the times of the backups to keep: the newest of each of the last 7 days, 4 weeks and 12 months.

    Only days, weeks and months with a backup count, so that backups also remain of a table that is seldom played at.
    """
    newest_first = sorted(set(made), reverse=True)
    periods: tuple[tuple[int, Callable[[dt.datetime], object]], ...] = (
        (DAYS, day_of),
        (WEEKS, lambda moment: day_of(moment).isocalendar()[:2]),
        (MONTHS, lambda moment: (day_of(moment).year, day_of(moment).month)),
    )
    kept: set[dt.datetime] = set()
    for most, period in periods:
        found: dict[object, dt.datetime] = {}
        for moment in newest_first:
            found.setdefault(period(moment), moment)
        kept.update(list(found.values())[:most])
    return kept


def is_due(last_event: dt.datetime | None, newest: dt.datetime | None, now: dt.datetime) -> bool:
    """Return whether a backup is due: something was played on a day that is over, and no backup was made since.

    `last_event` is the time of the last event in the journal, `newest` that of the newest backup; all times are local.
    """
    if last_event is None or day_of(last_event) >= day_of(now):
        return False
    # A name has minutes only; and one of tomorrow, made while the clock was wrong, must not stand in the way.
    return newest is None or newest > now or newest + dt.timedelta(minutes=1) <= last_event
