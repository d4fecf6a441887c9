"""The page: questions answered with a tap, and what may be said of a verdict."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "tap.tell": form(),
    "tap.which": form(),
    "tap.of": form(number=Kind.NAME, of=Kind.NAME),
    "tap.crop": form(),
    "tap.another": form(),
    "tap.all_tiles": form(),
    "tap.no_tile": form(),
    "tap.tile_here": form(),
    "tap.tap_place": form(),
    "tap.which_here": form(),
    "tap.put_right": form(),
    "tap.sent": form(),
    "tap.answered": form(tile=Kind.NAME),
    "tap.undo": form(),
    "tap.failed": form(),
    "tap.late": form(),
    "tap.cancel": form(),
    "tap.who": form(),
    "tap.whoever": form(),
    "tap.misread": form(),
    "tap.tap_misread": form(),
    "tap.what_is_it": form(),
    "tap.reading": form(),
    "tap.agree": form(),
    "tap.agree_sure": form(),
    "tap.agree_yes": form(),
    "tap.keep": form(),
    "tap.kept": form(),
    "tap.labels": form(),
    "tap.enlarge": form(),
}
