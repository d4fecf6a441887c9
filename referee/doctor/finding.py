"""The outcome of a check, with a notice of what was found and one of what to do; also the names of checks."""

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
    """The result of a check; later ones are worse."""

    SKIPPED = "skipped"
    OK = "ok"
    ATTENTION = "attention"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check; `check` is its name for programs, `figures` are the numbers behind it."""

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
    """Return a finding that all is well."""
    return Finding(check, Result.OK, found, None, figures)


def skip_check(check: str, found: Notice, do: Notice | None = None) -> Finding:
    """Return a finding that something was not checked, and why."""
    return Finding(check, Result.SKIPPED, found, do)


def attention(check: str, found: Notice, do: Notice, **figures: Any) -> Finding:
    """Return a finding that something works, but not as well as it could."""
    return Finding(check, Result.ATTENTION, found, do, figures)


def wrong(check: str, found: Notice, do: Notice, **figures: Any) -> Finding:
    """Return a finding that the referee will not work well, or not at all."""
    return Finding(check, Result.WRONG, found, do, figures)


def worst(findings: Iterable[Finding]) -> Result:
    """Return the worst result of all."""
    order = list(Result)
    return max((finding.result for finding in findings), key=order.index, default=Result.OK)


def run_check(check: str, do: Notice, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what a check finds; if the check itself fails, that is the finding.

    One check that breaks must not hide what the others find.
    """
    try:
        return list(look())
    except RefereeError as error:
        return [wrong(check, error_notice(error), do)]
    except Exception as error:  # noqa: BLE001 - libraries' and drivers' errors share no base
        told = Notice("doctor.check_failed", error=type(error).__name__, text=sentence(error))
        return [wrong(check, told, do)]


def error_notice(error: BaseException) -> Notice:
    """Return the message of an error as a notice of one sentence."""
    return as_notice(sentence(error))


def together(*told: Notice) -> Notice:
    """Return several sentences as one notice."""
    return told[0] if len(told) == 1 else Notice("doctor.sentences", told=told)


def sentence(told: BaseException | str) -> str:
    """Return a message as one sentence on one line."""
    line = " ".join((told if isinstance(told, str) else error_text(told)).split())
    if line.startswith("expected "):  # anything else may begin with the name of a file
        line = "E" + line[1:]
    return line if not line or line.endswith((".", "!", "?")) else line + "."


PART = "panel "
"""The beginning of the names of checks of one part of the panel: `panel button-1`."""


def check_name(check: str) -> Notice:
    """Return a check's name for people.

    A check of the first evening has the same name as in its record.
    """
    if check.startswith(PART):
        return Notice("doctor.check_panel_part", part=check.removeprefix(PART))
    return _CHECKS.get(check) or as_notice(check)


RESULTS: Mapping[Result, Notice] = {
    Result.SKIPPED: Notice("doctor.result_skipped"),
    Result.OK: Notice("doctor.result_ok"),
    Result.ATTENTION: Notice("doctor.result_attention"),
    Result.WRONG: Notice("doctor.result_wrong"),
}
"""A word for each result."""

_CHECKS: Mapping[str, Notice] = {
    "box": Notice("doctor.check_box"),
    "broker": Notice("club.check"),
    "camera": Notice("doctor.check_camera"),
    "camera HDR": Notice("doctor.check_camera_hdr"),
    "camera filter": Notice("doctor.check_camera_filter"),
    "camera lock": Notice("doctor.check_camera_lock"),
    "camera place": Notice("doctor.check_camera_place"),
    "camera settings": Notice("doctor.check_camera_settings"),
    "camera size": Notice("doctor.check_camera_size"),
    "clock": Notice("doctor.check_clock"),
    "colour": Notice("doctor.check_colour"),
    "disk": Notice("doctor.check_disk"),
    "display": Notice("doctor.check_display"),
    "flicker": Notice("doctor.check_flicker"),
    "focus": Notice("doctor.check_focus"),
    "game": Notice("doctor.check_game"),
    "glare": Notice("doctor.check_glare"),
    "heat": Notice("doctor.check_heat"),
    "journal": Notice("doctor.check_journal"),
    "journal folder": Notice("doctor.check_journal_folder"),
    "journal place": Notice("doctor.check_journal_place"),
    "lens": Notice("doctor.check_lens"),
    "light": Notice("doctor.check_light"),
    "machine": Notice("doctor.check_machine"),
    "markers": Notice("doctor.check_markers"),
    "memory": Notice("doctor.check_memory"),
    "model": Notice("doctor.check_model"),
    "network camera": Notice("doctor.check_network_camera"),
    "panel": Notice("doctor.check_panel"),
    "pins": Notice("doctor.check_pins"),
    "play area": Notice("doctor.check_play_area"),
    "power": Notice("doctor.check_power"),
    "reading": Notice("doctor.check_reading"),
    "resolution": Notice("doctor.check_resolution"),
    "running": Notice("doctor.check_running"),
    "service": Notice("doctor.check_service"),
    "settings": Notice("doctor.check_settings"),
    "table size": Notice("doctor.check_table_size"),
    "tiles": Notice("doctor.check_tiles"),
}
