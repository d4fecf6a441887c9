"""What goes wrong with buttons and displays."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "panel.stuck": form(contact=Kind.NAME),
    "panel.loose": form(contact=Kind.NAME),
    "panel.well_again": form(contact=Kind.NAME),
    "panel.display": form(),
    "panel.oled": form(address=Kind.NAME),
    "panel.no_lgpio": form(reason=Kind.NAME),
    "panel.no_pins": form(reason=Kind.NAME),
    "panel.no_display": form(display=Kind.NOTICE, reason=Kind.NAME),
    "panel.display_back": form(display=Kind.NOTICE),
}
