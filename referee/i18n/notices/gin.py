"""What Gin says besides: discards, knocks, hands laid open."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "gin.lay_sets": form(player=Kind.NAME),
    "gin.lay_sets_and_add": form(player=Kind.NAME),
    "gin.gets_points": form(player=Kind.NAME, points=Kind.NUMBER),
    "gin.no_knock": form(player=Kind.NAME),
    "gin.lay_or_do_not_knock": form(hand=Kind.NUMBER),
    "gin.knock_too_high": form(least=Kind.NUMBER, below=Kind.NUMBER),
    "gin.no_tile_left": form(player=Kind.NAME),
    "gin.left_with": form(player=Kind.NAME, points=Kind.NUMBER),
    "gin.deal": form(player=Kind.NAME, hand=Kind.NUMBER),
    "gin.one_tile_open": form(seen=Kind.NUMBER),
    "gin.drawn_round": form(left=Kind.NUMBER),
    "gin.take_or_leave": form(tile=Kind.TILE),
    "gin.take_hidden": form(),
    "gin.knocks": form(player=Kind.NAME),
    "gin.you_left": form(tile=Kind.TILE),
    "gin.you_put_back": form(tile=Kind.TILE),
    "gin.took_hidden": form(tiles=Kind.TILES),
    "gin.took_open": form(tile=Kind.TILE, tiles=Kind.TILES),
    "gin.opponent_has": form("tiles", tiles=Kind.TILES),
    "gin.only_the_last": form(tiles=Kind.TILES),
    "gin.both_left_it": form(tile=Kind.TILE),
    "gin.one_tile_ends": form(tiles=Kind.TILES),
    "gin.offer_first": form(tiles=Kind.TILES, last=Kind.TILE),
    "gin.lay_one_open": form(),
    "gin.knock_later": form(),
    "gin.take_hidden_first": form(),
    "gin.nothing_changed": form(tile=Kind.TILE),
    "gin.lay_anew": form(points=Kind.NUMBER, below=Kind.NUMBER),
    "gin.wrong_number": form(wanted=Kind.NUMBER, seen=Kind.NUMBER),
    "gin.must_hold": form(tiles=Kind.TILES),
    "gin.too_near": form(tiles=Kind.SET),
    "gin.set_must_stay": form(tiles=Kind.SET),
    "gin.nothing_after_gin": form(tiles=Kind.TILES),
    "gin.lay_elsewhere": form(tiles=Kind.SET, added=Kind.TILES),
    "gin.knocks_with": form(points=Kind.NUMBER, below=Kind.NUMBER),
    "gin.is_gin": form(),
    "gin.added": form("tiles", tiles=Kind.TILES),
    "gin.rests": form(knocker=Kind.NUMBER, opponent=Kind.NUMBER),
    "gin.knocker_gets": form(points=Kind.NUMBER),
    "gin.opponent_gets": form(points=Kind.NUMBER),
}
