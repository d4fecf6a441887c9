"""What stands on the sheets that are printed."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "sheets.markers": form(),
    "sheets.this_side_up": form(),
    "sheets.corner": form(number=Kind.NUMBER, place=Kind.NOTICE),
    "sheets.lay_markers": form(),
    "sheets.calibration": form(),
    "sheets.line": form(mm=Kind.NUMBER),
    "sheets.written": form(path=Kind.NAME),
}
