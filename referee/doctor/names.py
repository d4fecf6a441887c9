"""The names of checks and results for people; programs use the names in the findings."""

from __future__ import annotations

from collections.abc import Mapping

from referee.doctor.finding import Result
from referee.game.notice import Notice, as_notice

PART = "panel "
"""The beginning of the names of checks of one part of the panel: `panel button-1`."""


def check_name(check: str) -> Notice:
    """Return a check's name for people; one of the first evening has the name in its record."""
    if check.startswith(PART):
        return Notice("doctor.check_panel_part", part=check.removeprefix(PART))
    return _CHECKS.get(check) or as_notice(check)


RESULTS: Mapping[Result, Notice] = {
    Result.SKIPPED: Notice("doctor.result_skipped"),
    Result.OK: Notice("doctor.result_ok"),
    Result.ATTENTION: Notice("doctor.result_attention"),
    Result.WRONG: Notice("doctor.result_wrong"),
}
"""A result in a word."""

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
