"""What is said while it is chosen who begins."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "start.lot": form(),
    "start.lot_runs": form(),
    "start.draw": form(),
    "start.press": form(),
    "start.is_it": form(player=Kind.NAME),
    "start.is_it_held": form(player=Kind.NAME),
    "start.called_off": form(),
    "start.nobody": form(),
    "start.begins": form(player=Kind.NAME),
}
