"""What cannot be read in a picture, and why."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "reading.which_number": form(tile=Kind.TILE, tiles=Kind.TILES, place=Kind.NOTICE, why=Kind.NOTICE),
    "reading.which_colour": form(tile=Kind.TILE, tiles=Kind.TILES, place=Kind.NOTICE, why=Kind.NOTICE),
    "reading.which_inks": form(tile=Kind.TILE, tiles=Kind.TILES, place=Kind.NOTICE, count=Kind.NUMBER),
    "reading.which_tile": form(tiles=Kind.TILES, place=Kind.NOTICE, why=Kind.NOTICE),
    "reading.tile": form(tile=Kind.TILE, place=Kind.NOTICE, why=Kind.NOTICE),
    "reading.tile_or_back": form(tile=Kind.TILE, place=Kind.NOTICE, why=Kind.NOTICE),
    "reading.back": form(place=Kind.NOTICE, why=Kind.NOTICE),
    "reading.covered": form(),
    "reading.why_too_many": form(found=Kind.NUMBER, most=Kind.NUMBER),
    "reading.why_cut_off": form(),
    "reading.why_glare": form(),
    "reading.why_dark": form(),
    "reading.why_blurred": form(),
    "reading.why_face_down": form(),
    "reading.why_print": form(),
    "reading.why_six_or_nine": form(),
    "reading.why_inks": form(),
    "reading.why_sign": form(),
    "reading.why_number": form(),
    "reading.too_bright": form(),
    "reading.too_dark": form(),
    "reading.blurred": form(),
    "reading.packed": form(),
    "reading.mirrored": form(),
    "reading.mirrored_at": form(places=Kind.NOTICES),
    "reading.no_markers": form(),
    "reading.foreign_ids": form(found=Kind.NAME),
    "reading.foreign_markers": form(found=Kind.NAME),
    "reading.too_few_markers": form(needed=Kind.NUMBER, found=Kind.NUMBER, markers=Kind.NAME),
    "reading.odd_markers": form(width=Kind.AMOUNT, height=Kind.AMOUNT),
}
