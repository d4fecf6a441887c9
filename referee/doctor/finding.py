"""What a check found: one plain sentence of what is so, and one of what to do."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.errors import RefereeError
from referee.messages import error_text

STOP_SERVICE = "Stop the service first (sudo systemctl stop referee), then run the doctor again."


class Result(enum.StrEnum):
    """How a check came out; the later, the worse."""

    SKIPPED = "skipped"
    OK = "ok"
    ATTENTION = "attention"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's answer; `figures` are the numbers behind it, for programs."""

    check: str
    result: Result
    found: str
    do: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The finding as an object of `doctor --json`."""
        return {
            "check": self.check,
            "result": self.result.value,
            "found": self.found,
            "do": self.do,
            "figures": dict(self.figures),
        }


def ok(check: str, found: str, **figures: Any) -> Finding:
    """All is well."""
    return Finding(check, Result.OK, found, "", figures)


def skipped(check: str, found: str, do: str = "") -> Finding:
    """Not looked at, and why."""
    return Finding(check, Result.SKIPPED, found, do)


def attention(check: str, found: str, do: str, **figures: Any) -> Finding:
    """It works, but not as well as it could."""
    return Finding(check, Result.ATTENTION, found, do, figures)


def wrong(check: str, found: str, do: str, **figures: Any) -> Finding:
    """The referee will not work well, or not at all."""
    return Finding(check, Result.WRONG, found, do, figures)


def worst(findings: Iterable[Finding]) -> Result:
    """The worst result of all."""
    order = list(Result)
    return max((finding.result for finding in findings), key=order.index, default=Result.OK)


def guarded(check: str, do: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What a check finds; where it fails itself, that is what it found.

    One check that breaks must not hide what the others have to say.
    """
    try:
        return list(look())
    except RefereeError as error:
        return [wrong(check, sentence(error), do)]
    except Exception as error:  # noqa: BLE001 - libraries' and drivers' errors share no base
        return [wrong(check, f"This check failed: {type(error).__name__}: {sentence(error)}", do)]


def sentence(text: object) -> str:
    """A message as one sentence on one line."""
    line = " ".join((error_text(text) if isinstance(text, BaseException) else str(text)).split())
    if line.startswith("expected "):  # anything else may begin with the name of a file
        line = "E" + line[1:]
    return line if not line or line.endswith((".", "!", "?")) else line + "."
