"""The lens of the camera, learnt from pictures of a printed sheet."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "lens.begin": form(),
    "lens.stopped": form(),
    "lens.none_begun": form(),
    "lens.no_picture": form(),
    "lens.no_more_pictures": form(most=Kind.NUMBER),
    "lens.taken_back": form(),
    "lens.pictured": form("corners", picture=Kind.NUMBER, corners=Kind.NUMBER),
    "lens.alike": form(),
    "lens.scale": form(percent=Kind.NUMBER),
    "lens.other_size": form(),
    "lens.left": form(wants=Kind.NOTICES),
    "lens.want_pictures": form("number", number=Kind.NUMBER),
    "lens.want_places": form(places=Kind.NOTICES),
    "lens.want_tilt": form(),
    "lens.enough": form(),
    "lens.known": form(share=Kind.NUMBER, found=Kind.AMOUNT),
    "lens.left_out": form(why=Kind.NOTICE),
    "lens.not_written": form(found=Kind.NAME),
    "lens.view": form(number=Kind.NUMBER),
    "lens.few": form(least=Kind.NUMBER, found=Kind.NUMBER),
    "lens.all_alike": form(least=Kind.NUMBER, found=Kind.NUMBER, total=Kind.NUMBER),
    "lens.uncovered": form(wanted=Kind.NUMBER, found=Kind.NUMBER),
    "lens.flat": form(wanted=Kind.NUMBER, found=Kind.NUMBER),
    "lens.loose": form(wanted=Kind.NUMBER, found=Kind.AMOUNT),
    "lens.stray": form(wanted=Kind.AMOUNT, found=Kind.AMOUNT, picture=Kind.NOTICE),
    "lens.bent": form(wanted=Kind.AMOUNT, found=Kind.AMOUNT),
    "lens.folded": form(),
    "lens.no_lens": form(),
    "lens.other_camera": form(sensor=Kind.NAME, wanted=Kind.NUMBER, found=Kind.NUMBER),
}
