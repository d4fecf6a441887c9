"""Who may see and do what at the page: refusals, and the page where the PIN is told."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "access.unknown_host": form(),
    "access.elsewhere": form(),
    "access.too_often": form("seconds", seconds=Kind.NUMBER),
    "access.crowded": form("seconds", seconds=Kind.NUMBER),
    "access.too_large": form("kilobytes", kilobytes=Kind.NUMBER),
    "access.too_slow": form(),
    "access.no_http": form(),
    "access.not_found": form(),
    "access.other_method": form(),
    "access.broken": form(),
    "access.pin_to_write": form(page=Kind.NAME),
    "access.pin_to_read": form(page=Kind.NAME),
    "access.wrong_pin": form(),
    "access.wait": form("seconds", seconds=Kind.NUMBER),
    "access.enter_title": form(),
    "access.where": form(),
    "access.pin_label": form(),
    "access.enter_button": form(),
    "access.entered": form(),
    "access.forgotten": form(),
    "access.forgotten_console": form(),
    "access.no_answer": form(),
    "access.pin_is": form(pin=Kind.NAME),
    "access.on_display": form(pin=Kind.NAME),
    "access.new_pin": form(pin=Kind.NAME),
    "access.pin_not_kept": form(reason=Kind.NAME),
    "access.through_a_server": form(pin=Kind.NAME),
}
