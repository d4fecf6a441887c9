"""What the course of a match says: turns, draws, hands, the end of a round."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "match.show_hand": form(player=Kind.NAME, hand=Kind.NUMBER),
    "match.sentence": form(what=Kind.NOTICE),
    "match.hold_if_right": form(what=Kind.NOTICE),
    "match.counts_as_it_lies": form(what=Kind.NOTICE),
    "match.put_back": form(tiles=Kind.TILES),
    "match.miscounted": form("shown", player=Kind.NAME, hand=Kind.NUMBER, shown=Kind.NUMBER),
    "match.miscounted_jokers": form(player=Kind.NAME, jokers=Kind.NUMBER, shown=Kind.NUMBER),
    "match.more_than_box": form(tiles=Kind.TILES, most=Kind.NUMBER),
    "match.your_turn": form(player=Kind.NAME),
    "match.draw_and_go_on": form(player=Kind.NAME),
    "match.passes": form(player=Kind.NAME),
    "match.gone_out": form(player=Kind.NAME),
    "match.stock_empty": form(),
    "match.declared": form(player=Kind.NAME),
    "match.time_up": form(player=Kind.NAME),
    "match.rebuild_begun": form(player=Kind.NAME),
    "match.corrected": form(round=Kind.NUMBER),
    "match.open_again": form(),
    "match.calls_rummy": form(player=Kind.NAME, left=Kind.NUMBER),
    "match.still_your_turn": form(player=Kind.NAME),
    "match.plays_on": form(player=Kind.NAME),
    "match.plays_on_without_drawn": form(player=Kind.NAME),
    "match.agreed": form(player=Kind.NAME),
    "match.agreed_no_more": form(),
    "match.cannot_agree": form(),
    "match.told_nothing": form(player=Kind.NAME),
    "match.told_unseen": form(player=Kind.NAME, tile=Kind.TILE),
    "match.told_face_down": form(player=Kind.NAME),
    "match.told_tile": form(player=Kind.NAME, tile=Kind.TILE),
    "match.told_nothing_on_page": form(),
    "match.told_unseen_on_page": form(tile=Kind.TILE),
    "match.told_tile_on_page": form(tile=Kind.TILE),
}
