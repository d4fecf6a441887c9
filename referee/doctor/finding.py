"""What a check found: a notice of what is so, and one of what to do."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.errors import RefereeError
from referee.game.notice import Notice, as_notice
from referee.i18n import ENGLISH, error_text

STOP_SERVICE = Notice("doctor.stop_service")


class Result(enum.StrEnum):
    """How a check came out; the later, the worse."""

    SKIPPED = "skipped"
    OK = "ok"
    ATTENTION = "attention"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's answer; `check` is its name for programs, and `figures` are the numbers behind it."""

    check: str
    result: Result
    found: Notice
    do: Notice | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The finding as an object of `doctor --json`: its sentences are English."""
        return {
            "check": self.check,
            "result": self.result.value,
            "found": ENGLISH(self.found),
            "do": "" if self.do is None else ENGLISH(self.do),
            "figures": dict(self.figures),
        }


def ok(check: str, found: Notice, **figures: Any) -> Finding:
    """All is well."""
    return Finding(check, Result.OK, found, None, figures)


def skip_check(check: str, found: Notice, do: Notice | None = None) -> Finding:
    """Not looked at, and why."""
    return Finding(check, Result.SKIPPED, found, do)


def attention(check: str, found: Notice, do: Notice, **figures: Any) -> Finding:
    """It works, but not as well as it could."""
    return Finding(check, Result.ATTENTION, found, do, figures)


def wrong(check: str, found: Notice, do: Notice, **figures: Any) -> Finding:
    """The referee will not work well, or not at all."""
    return Finding(check, Result.WRONG, found, do, figures)


def worst(findings: Iterable[Finding]) -> Result:
    """The worst result of all."""
    order = list(Result)
    return max((finding.result for finding in findings), key=order.index, default=Result.OK)


def run_check(check: str, do: Notice, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What a check finds; where it fails itself, that is what it found.

    One check that breaks must not hide what the others have to say.
    """
    try:
        return list(look())
    except RefereeError as error:
        return [wrong(check, error_notice(error), do)]
    except Exception as error:  # noqa: BLE001 - libraries' and drivers' errors share no base
        told = Notice("doctor.check_failed", error=type(error).__name__, text=sentence(error))
        return [wrong(check, told, do)]


def error_notice(error: BaseException) -> Notice:
    """What an error says, as a sentence of its own."""
    return as_notice(sentence(error))


def together(*told: Notice) -> Notice:
    """Several sentences, one after the other."""
    return told[0] if len(told) == 1 else Notice("doctor.sentences", told=told)


def sentence(told: BaseException | str) -> str:
    """A message as one sentence on one line."""
    line = " ".join((told if isinstance(told, str) else error_text(told)).split())
    if line.startswith("expected "):  # anything else may begin with the name of a file
        line = "E" + line[1:]
    return line if not line or line.endswith((".", "!", "?")) else line + "."
