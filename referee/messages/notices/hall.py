"""The hall: many tables on one page."""

from __future__ import annotations

from collections.abc import Mapping

from referee.messages.notices.kinds import Form, Kind, form

NOTICES: Mapping[str, Form] = {
    "hall.connecting": form(),
    "hall.not_kept": form(reason=Kind.NAME),
    "hall.too_much": form(),
    "hall.bad_messages": form(),
    "hall.old_version": form(),
    "hall.clock_off": form("minutes", minutes=Kind.NUMBER),
    "hall.contradicts": form(),
    "hall.two_tables": form(),
}
