"""Places on the play area, as somebody at the bottom side sees them."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "place.top_left": form(),
    "place.top": form(),
    "place.top_right": form(),
    "place.left": form(),
    "place.middle": form(),
    "place.right": form(),
    "place.bottom_left": form(),
    "place.bottom": form(),
    "place.bottom_right": form(),
    "place.unknown": form(),
}
