"""Calls for the director from the pages of players and of tables, where no box of a table can call. Pure.

1. A call from a phone counts as a call of the table at which its player sits, and a table has one call at a time.
2. Each page makes the ids of its calls. An id that is known already, of an open or a closed call, calls nobody again.
3. Only the page that called withdraws the call, and only as long as the box of the table has not called, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.club.hall.desk.state import Caller, DeskState, OpenCall, open_call, without_call
from referee.club.protocol.documents import Reason
from referee.errors import BadInput
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class PhoneCall:
    """A call from somebody's page; `table` is the key of the table, as in `OpenCall`."""

    id: str
    table: str
    caller: Caller
    reason: Reason | None = None
    text: str = ""


def call_from_phone(state: DeskState, call: PhoneCall, wall: float) -> DeskState:
    """Return the state after a call from a phone; raises BadInput if the table or the caller has an open one.

    `wall`: the time of day, in seconds since 1970.
    """
    if call.id in {one.id for one in state.calls} | {one.id for one in state.closed}:
        return state
    if call_seen_by(state, call.table, call.caller) is not None:
        raise BadInput(Notice("desk.called_already"))
    made = OpenCall(call.id, call.table, wall, call.reason, call.text, caller=call.caller, by_box=False)
    return replace(state, calls=(*state.calls, made))


def withdraw_from_phone(state: DeskState, call: str, caller: Caller, wall: float) -> DeskState:
    """Return the state after a caller has withdrawn a call; raises BadInput if there is no such call of theirs."""
    if any(one.id == call and one.caller.is_same(caller) for one in state.closed):
        return state
    found = open_call(state, call)
    if not may_withdraw(found, caller):
        raise BadInput(Notice("desk.call_is_over"))
    return without_call(state, found, wall, withdrawn=True)


def may_withdraw(call: OpenCall, caller: Caller) -> bool:
    """Return whether a page may withdraw a call."""
    return not call.by_box and call.caller is not None and call.caller.is_same(caller)


def call_seen_by(state: DeskState, table: str, caller: Caller) -> OpenCall | None:
    """Return the open call that concerns a page: its own, which may be of an earlier table, or else the table's."""
    own = (one for one in state.calls if one.caller is not None and one.caller.is_same(caller))
    return next(own, None) or state.call_of(table)


def place_in_queue(state: DeskState, call: OpenCall) -> int:
    """Return how many tables wait for the director before a call."""
    return sum(not one.coming for one in state.calls[: state.calls.index(call)])


def was_closed(state: DeskState, caller: Caller) -> bool:
    """Return whether the director has closed the last call that a page made in its present round."""
    own = [one for one in state.closed if one.caller.is_same(caller) and one.caller.round == caller.round]
    return bool(own) and not own[-1].withdrawn
