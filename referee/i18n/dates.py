"""Dates as each language writes them: Saturday, 14 March 2026; and moments: 14 March 2026, 18:30."""

from __future__ import annotations

from datetime import date, datetime

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
}
_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
}
_FORMS = {
    "en": "{weekday}, {day} {month} {year}",
    "de": "{weekday}, {day} {month} {year}",
    "fr": "{weekday} {day} {month} {year}",
    "it": "{weekday} {day} {month} {year}",
}
_FIRST = {"fr": "1er", "it": "1º"}
"""How the first day of a month is written in languages in which only this day has an ordinal number."""


def written_date(day: date, language: str) -> str:
    """Return a date with its weekday in one of LANGUAGES; raises KeyError for another."""
    return _fill_in(_FORMS[language], day, language)


def written_moment(moment: str, language: str) -> str:
    """Return a moment, given as 2026-03-14 18:30, without its weekday; raises KeyError for an unknown language.

    Anything else is returned unchanged.
    """
    try:
        at = datetime.strptime(moment, "%Y-%m-%d %H:%M")  # noqa: DTZ007 - in this machine's time zone, as it is told
    except ValueError:
        return moment
    return f"{_fill_in('{day} {month} {year}', at, language)}, {at:%H:%M}"


def _fill_in(form: str, day: date, language: str) -> str:
    number = _FIRST.get(language, "1") if day.day == 1 else str(day.day)
    return form.format(
        weekday=_WEEKDAYS[language].split()[day.weekday()],
        day=f"{number}." if language == "de" else number,
        month=_MONTHS[language].split()[day.month - 1],
        year=day.year,
    )
