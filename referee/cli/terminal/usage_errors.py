"""What is wrong with the arguments of a command, in our words: what was expected, what was found, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_LONGEST_SHOWN = 80
_EXPECTED = {"int_parsing": "a whole number", "int_from_float": "a whole number", "float_parsing": "a number"}
_BOUNDS = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}


def describe_usage_error(error: Any) -> str:
    """Return one line about an error of Typer; what Typer says itself for an error that is not known here."""
    said = str(error.format_message())
    context = getattr(error, "ctx", None)
    # The name of the verb, or nothing for the program itself, whose name every message begins with.
    where = f"{context.info_name}: " if context is not None and context.parent is not None else ""
    for pattern, describe in _MESSAGES.items():
        if (match := re.fullmatch(pattern, said, re.DOTALL)) is not None:
            return describe(match, where)
    match = re.fullmatch(r"Invalid value for '([^']+)': (?:Value error, )?(.*)", said, re.DOTALL)
    return said if match is None else f"{match[1]}: {_describe_value(error, match[2])}"


def _describe_value(error: Any, said: str) -> str:
    """Say what is wrong with a value: by the fault that Pydantic has found, or by what Typer says."""
    faults = error.__cause__.errors() if hasattr(error.__cause__, "errors") else []
    if faults and (expected := _expectation(faults[0])):
        return f"expected {expected}, found {str(faults[0]['input'])[:_LONGEST_SHOWN]}"
    if (match := re.fullmatch(r"'(.*)' is not one of (.*?)\.?", said, re.DOTALL)) is not None:
        return f"expected one of {match[2].replace(chr(39), '')}, found {match[1]!r:.{_LONGEST_SHOWN}}"
    return said


def _expectation(fault: Mapping[str, Any]) -> str:
    """Return what Pydantic expected, in our words; an empty text if there are none for it."""
    kind = str(fault["type"])
    if kind in _BOUNDS:
        how, bound = _BOUNDS[kind]
        return f"{how} {fault['ctx'][bound]:g}"
    return _EXPECTED.get(kind, "")


def _missing_argument(match: re.Match[str], where: str) -> str:
    return f"{where}expected {match[1]}, found none"


def _unknown_option(match: re.Match[str], where: str) -> str:
    nearest = re.findall(r"--?[\w-]+", match[2])
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else "--help lists them"
    return f"{where}expected an option that exists, found {match[1]}; {hint}"


def _unknown_verb(match: re.Match[str], where: str) -> str:
    nearest = re.findall(r"'([^']+)'", match[2])
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else "`referee --help` lists them"
    return f"{where}expected a verb, found {match[1]!r:.{_LONGEST_SHOWN}}; {hint}"


def _too_many(match: re.Match[str], where: str) -> str:
    return f"{where}expected no further argument, found {match[1][:_LONGEST_SHOWN]}"


def _no_value(match: re.Match[str], _: str) -> str:
    return f"{match[1]}: expected a value, found none"


def _needless_value(match: re.Match[str], _: str) -> str:
    return f"{match[1]}: expected no value, found one"


_MESSAGES: Mapping[str, Callable[[re.Match[str], str], str]] = {
    r"Missing (?:argument|option|parameter) '([^']+?)(?:\.\.\.)?'\..*": _missing_argument,
    r"No such option: (\S+)(.*)": _unknown_option,
    r"No such command '(.*?)'\.(.*)": _unknown_verb,
    r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)": _too_many,
    r"Option '([^']+)' requires .*": _no_value,
    r"Option '([^']+)' does not take a value\.": _needless_value,
}
"""Messages of Typer, as regular expressions, and what is said instead."""
