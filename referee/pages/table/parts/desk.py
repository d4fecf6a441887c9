"""What the director's desk of the hall has to do with this table: the time of the round, its call, an announcement."""

from __future__ import annotations

from typing import Any

from referee.devices.wiring.pins import PAUSE
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.desk_values import CallState, DeskShown
from referee.table.output.follower import Facts


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.desk, facts.contacts, _has_clock(facts)


def render(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return the time of the round, with `ends_at` by the server's clock; the call in words; and the announcement."""
    desk = facts.desk
    clock, told = desk.clock, desk.announcement
    return {
        "club": desk.in_club,
        "listens": desk.listens,
        "clock": None
        if clock is None
        else {
            "left": round(clock.left, 3),
            "ends_at": None if clock.ends is None else round(clock.ends, 3),
            "warn": clock.warn,
            "started": clock.started,
        },
        "call": None if desk.call is None else {"text": words(_state(desk)), "coming": desk.state is CallState.COMING},
        "can_stop": _has_clock(facts),
        "announcement": None if told is None else {"n": told.number, "text": told.text},
        "hint": words(Notice("desk.hold_to_call")) if PAUSE in facts.contacts and len(facts.contacts) > 2 else "",
    }


def _has_clock(facts: Facts) -> bool:
    """Return whether a turn runs, whose clock can be stopped."""
    return facts.scene is not None and facts.scene.state.phase is Phase.TURN


def _state(desk: DeskShown) -> Notice:
    """Return what has become of the call."""
    if desk.state is CallState.COMING:
        return Notice("desk.comes_by_name", who=desk.who) if desk.who else Notice("desk.comes")
    if not desk.listens:
        return Notice("desk.state_away")
    if desk.state is CallState.SENT:
        return Notice("desk.state_sent")
    before = (desk.place or 1) - 1
    return Notice("desk.state_waiting_behind", tables=before) if before else Notice("desk.state_waiting")
