"""What the pages show of the director's desk: the clock of the round, the calls, and what was announced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.club.hall.desk.keeper import Announced, DeskFacts
from referee.club.hall.desk.state import OpenCall
from referee.club.hall.reader import HallFacts
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.broadcast import Part
from referee.pages.hall.desk_commands import CALLS, CLOCK
from referee.pages.hall.parts import sentences

NOTHING = DeskFacts()


def _desk(facts: HallFacts) -> DeskFacts:
    return facts.desk or NOTHING


def clock_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    return _desk(facts).state.clock


def clock(facts: HallFacts, words: Wording) -> dict[str, Any] | None:
    """Return the clock of the round; `ends_at` is a time of the server's clock in seconds, None while it stands."""
    found = _desk(facts).state.clock
    if found is None:
        return None
    return {
        "number": found.number,
        "left": round(found.left, 3),
        "ends_at": None if found.since is None else round(found.since + found.left, 3),
        "warn": found.warn,
        "started": found.started,
        "told": words(Notice("desk.counted_on")) if found.counted_on else "",
    }


def every_round_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    state = _desk(facts).state
    return state.every_round, state.every_warn


def every_round(facts: HallFacts, _: Wording) -> dict[str, float] | None:
    """Return the seconds that every round has, and how long before its end it is warned; None if each is set."""
    state = _desk(facts).state
    return {"seconds": state.every_round, "warn": state.every_warn} if state.every_round else None


def calls_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    calls = _desk(facts).state.calls
    online = tuple(call.table in facts.tables and facts.tables[call.table].online for call in calls)
    return calls, _current(facts), online


def calls(facts: HallFacts, words: Wording) -> list[dict[str, Any]]:
    """Return the calls in the order in which they arrived."""
    return [_call(call, facts, words) for call in _desk(facts).state.calls]


def _current(facts: HallFacts) -> str | None:
    """Return the id of the tournament that was opened last; None if there is none."""
    known = facts.tournaments
    return None if known is None or known.current is None else known.current.slug


def _call(call: OpenCall, facts: HallFacts, words: Wording) -> dict[str, Any]:
    """Return a call: `table` is what people call it, `place` its name in the hall, `number` that in the draw.

    For a player without a table, `table` is the player's name.
    `at` is a time of the server's clock in seconds.
    """
    view, caller = facts.tables.get(call.table), call.caller
    coming = Notice("desk.who_comes", who=call.who) if call.who else Notice("desk.somebody_comes")
    place = call.table if call.by_box or view is not None else None
    number = None if caller is None or caller.tournament != _current(facts) else caller.table
    name, by = call.table, ""
    if caller is not None and caller.table is not None:
        name = words(Notice("tournament_page.table", table=str(caller.table)))
        by = words(Notice("desk.called_by", player=caller.name)) if caller.name else ""
    elif caller is not None:
        name = caller.name
    return {
        "id": call.id,
        "table": name if caller is None or place is None else f"{name} · {place}",
        "number": number,
        "place": place,
        "by": by,
        "at": round(call.heard - _desk(facts).zero, 3),
        "reason": "" if call.reason is None else words(Notice(f"desk.reason_{call.reason.value}")),
        "text": call.text,
        "stopped": words(Notice("desk.clock_stopped")) if call.stopped else "",
        "coming": words(coming) if call.coming else "",
        "away": words(Notice("hall.not_there")) if call.by_box and (view is None or not view.online) else "",
    }


def for_everybody_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    return [one for one in _desk(facts).announced if one.for_all]


def for_everybody(facts: HallFacts, _: Wording) -> list[dict[str, Any]]:
    """Return the announcements for everybody, the newest first: the wall and the page of the tournament show them.

    `until` is the moment of the server's clock until which one is shown.
    """
    told = reversed(_desk(facts).announced)
    return [{"id": one.id, "text": one.text, "until": round(one.until, 3)} for one in told if one.for_all]


def announced_source(facts: HallFacts) -> object:
    """Return the values that this part is made from."""
    desk = _desk(facts)
    return desk.state.sent, desk.announced, [_refused(facts, one) for one in desk.announced]


def announced(facts: HallFacts, words: Wording) -> list[dict[str, Any]]:
    """Return all announcements that are known, the newest first, with the tables that have refused one, and why.

    `at` and `until` are moments of the server's clock: when one was sent, and until when it is shown; `until` is None
    where that is not known. `sent` is where it was sent, `seen` where it is shown as long as it is.
    """
    desk = _desk(facts)
    shown = {one.id: one for one in desk.announced}
    told = []
    for one in reversed(desk.state.sent):
        live = shown.get(one.id)
        until = live.until if live else None if one.until is None else one.until - desk.zero
        told.append({
            "id": one.id, "text": one.text, "at": round(one.wall - desk.zero, 3),
            "until": None if until is None else round(until, 3), "withdrawn": one.withdrawn,
            "at_tables": one.tables > 0,
            "sent": words(Notice("desk.sent_to", tables=one.tables)) if one.tables or not one.for_all else "",
            "seen": words(Notice("desk.on_phones")) if one.for_all else "",
            "refused": [_why_refused(facts, table, words) for table in (_refused(facts, live) if live else ())],
        })  # fmt: skip
    return told


def _why_refused(facts: HallFacts, table: str, words: Wording) -> dict[str, str]:
    snapshot = facts.tables[table].snapshot
    why = sentences([] if snapshot is None or snapshot.refused is None else [snapshot.refused.why], (), words)
    return {"table": table, "why": " ".join(why)}


def _refused(facts: HallFacts, told: Announced) -> list[str]:
    found = []
    for name in told.tables:
        view = facts.tables.get(name)
        refused = None if view is None or view.snapshot is None else view.snapshot.refused
        if refused is not None and refused.id == told.id:
            found.append(name)
    return found


PARTS: Mapping[str, Part] = {
    CLOCK: Part(clock_source, clock),
    "every-round": Part(every_round_source, every_round),
    CALLS: Part(calls_source, calls),
    "for-everybody": Part(for_everybody_source, for_everybody),
    "announced": Part(announced_source, announced),
}
