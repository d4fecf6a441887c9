"""The buttons of the panel, pressed on the page."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "buttons.none_here": form(),
    "buttons.too_old": form(),
    "buttons.lost": form(),
    "buttons.changed": form(),
    "buttons.too_many": form(),
    "buttons.title": form(),
    "buttons.everybody": form(),
    "buttons.end_turn": form(),
    "buttons.look_again": form(),
    "buttons.put_right": form(),
    "buttons.hand_shown": form(),
    "buttons.sit_down": form(),
    "buttons.sits": form(),
    "buttons.start": form(),
    "buttons.pause": form(),
    "buttons.go_on": form(),
    "buttons.next_round": form(),
    "buttons.begin": form(),
    "buttons.cancel": form(),
    "buttons.yes": form(),
    "buttons.next_player": form(),
    "buttons.next_match": form(),
    "buttons.start_later": form(),
    "buttons.hold": form(),
    "buttons.hold_gin": form(),
    "buttons.hold_begins": form(),
    "buttons.hold_start": form(),
    "buttons.held": form(),
    "buttons.whose": form(),
    "buttons.all": form(),
    "buttons.switched_off": form(),
    "buttons.virtual": form(),
    "buttons.not_connected": form(),
    "buttons.sound": form(),
    "buttons.sound_hint": form(),
    "buttons.lamps": form(),
    "buttons.lamp_red": form(),
    "buttons.lamp_amber": form(),
    "buttons.lamp_green": form(),
    "buttons.lamp_draw": form(),
    "buttons.lamp_on": form(),
    "buttons.lamp_blinks": form(),
    "buttons.seconds_left": form(seconds=Kind.NAME),
    "buttons.time_is_up": form(),
}
