"""The line to the broker of the club, what comes over it, and how a smart home calls what it is told."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "club.well_again": form(),
    "club.no_broker": form(address=Kind.NAME, reason=Kind.NAME),
    "club.silent": form(address=Kind.NAME),
    "club.lost": form(address=Kind.NAME),
    "club.failed": form(error=Kind.NAME),
    "club.wrong_password": form(address=Kind.NAME, user=Kind.NAME),
    "club.wrong_certificate": form(address=Kind.NAME, reason=Kind.NAME),
    "club.no_tls": form(address=Kind.NAME, reason=Kind.NAME),
    "club.expects_tls": form(address=Kind.NAME),
    "club.no_ca": form(path=Kind.NAME, reason=Kind.NAME),
    "club.old_broker": form(address=Kind.NAME),
    "club.refused": form(address=Kind.NAME, reason=Kind.NAME),
    "club.taken_over": form(client=Kind.NAME),
    "club.not_allowed": form(topic=Kind.NAME, reason=Kind.NAME),
    "club.check": form(),
    "club.reached": form(address=Kind.NAME),
    "club.see_to_broker": form(),
    "club.password_readable": form(),
    "club.use_tls": form(),
    "club.announced": form(text=Kind.NAME),
    "club.begun": form(playing=Kind.NAMES),
    "club.command_not_allowed": form(command=Kind.NAME),
    "club.match_under_way": form(),
    "club.seated": form(playing=Kind.NAMES),
    "club.device": form(table=Kind.NAME),
    "club.clock": form(),
    "club.time_up_at": form(),
    "club.turn": form(),
    "club.verdict": form(),
    "club.accepted": form(),
    "club.not_accepted": form(),
    "club.none": form(),
    "club.questions": form(),
    "club.troubles": form(),
    "club.look_again": form(),
}
