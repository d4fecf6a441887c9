"""What goes wrong with the journal, and what was done about it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.notices.kinds import Kind, NoticeType, form

NOTICES: Mapping[str, NoticeType] = {
    "journal.well_again": form(),
    "journal.disk_full": form(where=Kind.NAME),
    "journal.disk_full_unplayed": form(where=Kind.NAME),
    "journal.read_only": form(where=Kind.NAME),
    "journal.read_only_unplayed": form(where=Kind.NAME),
    "journal.disk_fails": form(reason=Kind.NAME, where=Kind.NAME),
    "journal.disk_fails_twice": form(why=Kind.NOTICE),
    "journal.log_left": form(path=Kind.NAME),
    "journal.rows_missing": form(path=Kind.NAME, read=Kind.NUMBER, rows=Kind.NUMBER),
    "journal.reads_otherwise": form(path=Kind.NAME, found=Kind.NOTICE),
    "journal.clock_back": form(before=Kind.NAME, after=Kind.NAME),
    "journal.clock_stays_back": form(before=Kind.NAME, after=Kind.NAME),
    "journal.result_stays": form(event=Kind.NUMBER, match=Kind.NUMBER),
    "journal.log_garbled": form("rows", rows=Kind.NUMBER, log=Kind.NAME),
    "journal.altered": form(event=Kind.NUMBER, match=Kind.NUMBER),
    "journal.other_event": form(event=Kind.NUMBER, match=Kind.NUMBER),
    "journal.misfit": form(event=Kind.NUMBER, match=Kind.NUMBER, kind=Kind.NAME, why=Kind.NOTICE),
    "journal.unknown_event": form(event=Kind.NUMBER, match=Kind.NUMBER, why=Kind.NOTICE),
    "journal.unknown_rules": form(match=Kind.NUMBER, why=Kind.NOTICE),
    "journal.damaged": form(path=Kind.NAME),
    "journal.damaged_because": form(path=Kind.NAME, reason=Kind.NAME),
    "journal.bad_version": form(found=Kind.NUMBER),
    "journal.bad_events": form(version=Kind.NUMBER, reason=Kind.NAME),
    "journal.newer": form(version=Kind.NUMBER, found=Kind.NUMBER),
    "journal.held": form(path=Kind.NAME),
    "journal.a_file": form(path=Kind.NAME),
    "journal.dead_link": form(path=Kind.NAME),
    "journal.no_folder": form(found=Kind.NOTICE),
    "journal.closed_folder": form(reason=Kind.NAME, where=Kind.NAME),
    "journal.in_use": form(process=Kind.NAME, path=Kind.NAME),
    "journal.in_use_unknown": form(path=Kind.NAME),
    "journal.planted_link": form(path=Kind.NAME, target=Kind.NAME),
    "journal.planted_no_file": form(path=Kind.NAME),
    "journal.planted_second_name": form(path=Kind.NAME),
    "journal.foreign": form("tables", tables=Kind.NAMES, path=Kind.NAME),
    "journal.foreign_empty": form(path=Kind.NAME),
    "journal.rescued": form("events", why=Kind.NOTICE, events=Kind.NUMBER, file=Kind.NAME),
    "journal.rescued_cut": form("events", why=Kind.NOTICE, events=Kind.NUMBER, file=Kind.NAME),
    "journal.rows_lost": form("rows", rows=Kind.NUMBER, why=Kind.NOTICE),
    "journal.renumbered": form(match=Kind.NUMBER),
    "journal.no_pictures": form(reason=Kind.NAME, where=Kind.NAME),
    "journal.pictures_too_slow": form(),
    "journal.pictures_unwritten": form("left", left=Kind.NUMBER),
}
