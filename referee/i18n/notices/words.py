"""What was worded elsewhere: by the system, or by an older version of the referee."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "words.text": form(text=Kind.NAME),
    "words.player_name": form(number=Kind.NUMBER),
    "words.at": form(place=Kind.NAME, told=Kind.NOTICE),
    "words.without_box": form(why=Kind.NAME),
}
